/**
 * A process that is stopped before any one of its file operations, for longer than its lease, and then continues: what
 * other processes did meanwhile stays. Every operation of every scenario is tried.
 */
import { describe, expect, it } from 'vitest';
import { TASK_STATES, type TaskRecord } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { pauseAt } from './crash-at.ts';
import { openFileHarness, type StoreHarness } from './store-harness.ts';

const failure = { code: 'render_failed', message: 'x', context: {} };

/** Stops `victim` at each operation in turn, does `meanwhile`, lets it continue, and compares what is left. */
async function atEveryOperation(
  prepare: (harness: StoreHarness, id: string) => Promise<unknown>,
  victim: (store: TaskStore, id: string) => Promise<unknown>,
  meanwhile: (store: TaskStore, id: string) => Promise<TaskRecord | null>,
): Promise<number> {
  let changed = 0;
  for (let n = 1; ; n++) {
    const harness = await openFileHarness();
    const id = harness.newId();
    try {
      await prepare(harness, id);
      const store = harness.open('victim');
      const pause = pauseAt(n, () => victim(store, id));
      try {
        if ((await pause.stopped) === 'ended') return changed;
        harness.nowMs += 31_000;
        const expected = await meanwhile(harness.open('second'), id);
        await pause.go();
        if (expected === null) continue;
        changed++;
        await expectKept(harness.open('third'), expected, n);
      } finally {
        await pause.go();
        pause.restore();
      }
    } finally {
      await harness.close();
    }
  }
}

/**
 * The task is as `kept`, or a change of it followed. Every way to look shows it once, with its index entry in place.
 */
async function expectKept(store: TaskStore, kept: TaskRecord, n: number): Promise<void> {
  const { id } = kept;
  const task = await store.get(id);
  const { state } = task;
  expect([n, task]).toEqual([n, task.fence > kept.fence ? task : kept]);
  expect(task.fence).toBeGreaterThanOrEqual(kept.fence);
  const seen: Record<string, readonly string[]> = {};
  // The list of the state comes first: no other list has fixed its index entry.
  for (const each of [state, ...TASK_STATES.filter((other) => other !== state)]) {
    const { data, warnings } = await store.list({ limit: 5, state: each, organizationId: 'org' });
    seen[each] = [...data.map((task) => task.id), ...warnings.map(({ message }) => message)];
  }
  const expected = Object.fromEntries(TASK_STATES.map((each) => [each, each === state ? [id] : []]));
  expect({ n, ...seen }).toEqual({ n, ...expected });
}

const create = (harness: StoreHarness, id: string) =>
  harness.open('helper').create({ id, origin: 'api', organizationId: 'org', payload: 'x'.repeat(20_000) });

async function claimed(store: TaskStore, id: string) {
  const result = await store.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  return result.claim;
}

async function createFailed(harness: StoreHarness, id: string): Promise<void> {
  await create(harness, id);
  const helper = harness.open('helper');
  await helper.settle(await claimed(helper, id), { kind: 'failed', failure }, null);
}

describe('a process that was stopped at any file operation', () => {
  it('while it claims: the task that another process took and finished stays finished', async () => {
    const changed = await atEveryOperation(
      create,
      (store, id) => store.claim(id),
      async (store, id) => {
        const claim = await claimed(store, id);
        return store.settle(claim, { kind: 'succeeded', outcome: 1 }, null);
      },
    );
    expect(changed).toBeGreaterThan(10);
  });

  it('while it claims: the task that another process took and gave back can be found by its state', async () => {
    await atEveryOperation(
      create,
      (store, id) => store.claim(id),
      async (store, id) => {
        return store.settle(await claimed(store, id), { kind: 'given-back' }, null);
      },
    );
  });

  it('while it settles: the end of the attempt that replaced it counts', async () => {
    await atEveryOperation(
      create,
      async (store, id) => {
        await store.settle(await claimed(store, id), { kind: 'succeeded', outcome: 'late' }, null);
      },
      async (store, id) => {
        const result = await store.claim(id);
        if (result.kind !== 'claimed') return null;
        return store.settle(result.claim, { kind: 'failed', failure }, null);
      },
    );
  });

  it('while it retries: the task that failed again can be found by its state', async () => {
    await atEveryOperation(
      createFailed,
      (store, id) => store.retry(id),
      async (store, id) => {
        if ((await store.get(id)).state === 'FAILED') await store.retry(id);
        return store.settle(await claimed(store, id), { kind: 'failed', failure }, null);
      },
    );
  });

  it('while it prunes: a task that was retried meanwhile is not removed', async () => {
    const changed = await atEveryOperation(
      createFailed,
      (store) => store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] }),
      async (store, id) => {
        return store.retry(id).catch(() => null);
      },
    );
    expect(changed).toBeGreaterThan(5);
  });

  it('while it creates, for hours: the task is whole and can be found, or was never there', async () => {
    for (let n = 1; ; n++) {
      const harness = await openFileHarness();
      const id = harness.newId();
      const pause = pauseAt(n, () => create(harness, id));
      try {
        if ((await pause.stopped) === 'ended') return;
        harness.nowMs += 2 * 3_600_000;
        const second = harness.open('second');
        for (const state of [undefined, 'PENDING'] as const) {
          await second.list({ limit: 5, ...(state === undefined ? {} : { state }) });
        }
        const { status } = await pause.go();
        const isThere = status === 'fulfilled';
        const { data } = await second.list({ limit: 5, state: 'PENDING', organizationId: 'org' });
        expect([n, ...data.map((task) => task.id)]).toEqual(isThere ? [n, id] : [n]);
        if (isThere) expect(await second.payload(id)).toHaveLength(20_000);
      } finally {
        await pause.go();
        pause.restore();
        await harness.close();
      }
    }
  });
});
