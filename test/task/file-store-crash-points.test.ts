/**
 * A process that stops dead at any one of its file operations: whatever had been promised before still holds, and the
 * next process finishes the work. Every operation of every scenario is tried.
 */
import { describe, expect, it } from 'vitest';
import { TASK_STATES, type TaskState } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { crashPoints } from './crash-at.ts';
import { openFileHarness } from './store-harness.ts';

const atEveryOperation = crashPoints({
  openHarness: openFileHarness,
  openProcess: (harness, name) => harness.open(name),
  afterDeath: (harness, id) => expectListedIfReadable(harness.open('reader'), id),
});

async function create(store: TaskStore, id: string, origin: 'cli' | 'api' = 'api') {
  await store.create({ id, origin, organizationId: 'org', payload: { big: 'x'.repeat(2_000) } });
}

async function claimed(store: TaskStore, id: string) {
  const result = await store.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  return result.claim;
}

const failure = { code: 'render_failed', message: 'x', context: {} };

/** Lists must find every readable task, or it would never run. */
async function expectListedIfReadable(store: TaskStore, id: string): Promise<void> {
  const isReadable = await store.get(id).then(
    () => true,
    () => false,
  );
  expect((await store.list({ limit: 5 })).data.map((task) => task.id)).toEqual(isReadable ? [id] : []);
}

/** Whatever happened before, every way to look agrees on the one task that there is. */
async function expectConsistent(store: TaskStore, id: string, state: TaskState | null): Promise<void> {
  // The first list can find stale entries of the index and fix them. The last list must still be right.
  for (const organizationId of [undefined, 'org', undefined]) {
    const filter = organizationId === undefined ? {} : { organizationId };
    const all = await store.list({ limit: 5, ...filter });
    expect(all.warnings).toEqual([]);
    expect(all.data.map((task) => [task.id, task.state])).toEqual(state === null ? [] : [[id, state]]);
    for (const each of TASK_STATES) {
      const found = await store.list({ limit: 5, state: each, ...filter });
      expect(found.data.map((task) => task.id)).toEqual(each === state ? [id] : []);
    }
  }
}

describe('a process that dies at any file operation', () => {
  it('while it creates and runs a task: what was accepted is run to its end, once', async () => {
    const operations = await atEveryOperation(
      async () => {},
      async (store, id, promise) => {
        await create(store, id);
        promise('accepted');
        const claim = await claimed(store, id);
        await store.saveProgress(claim, { percent: 5, stage: 'assets', etaSeconds: null });
        await store.heartbeat(claim);
        await store.settle(claim, { kind: 'succeeded', outcome: 'victim' }, null);
        promise('succeeded');
      },
      async (store, id, promised) => {
        const result = await store.claimNext({ origin: 'api', trustLeases: false });
        if (result?.kind === 'claimed') {
          expect(promised.has('succeeded')).toBe(false);
          await store.settle(result.claim, { kind: 'succeeded', outcome: 'second' }, null);
        }
        const page = await store.list({ limit: 5 });
        if (promised.has('accepted')) expect(page.data).toHaveLength(1);
        if (promised.has('succeeded')) expect(page.data[0]?.outcome).toBe('victim');
        await expectConsistent(store, id, page.data.length === 0 ? null : 'SUCCEEDED');
        expect(await store.claimNext({ origin: 'api', trustLeases: false })).toBeNull();
      },
    );
    // Creating, claiming and settling are dozens of operations; fewer would mean that nothing was counted.
    expect(operations).toBeGreaterThan(40);
  });

  it('while it gives a task back: the task waits, or is taken over', async () => {
    await atEveryOperation(
      (store, id) => create(store, id),
      async (store, id, promise) => {
        const claim = await claimed(store, id);
        await store.settle(claim, { kind: 'given-back' }, null);
        promise('given back');
      },
      async (store, id, promised) => {
        if (promised.has('given back'))
          expect(await store.get(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
        const result = await store.claimNext({ origin: 'api', trustLeases: false });
        expect(result).toMatchObject({ kind: 'claimed', claim: { id } });
        await expectConsistent(store, id, 'RUNNING');
      },
    );
  });

  it('while it cancels a waiting task: it is cancelled, or still waits', async () => {
    await atEveryOperation(
      (store, id) => create(store, id),
      async (store, id, promise) => {
        await store.requestCancel(id);
        promise('cancelled');
      },
      async (store, id, promised) => {
        const { state } = await store.get(id);
        expect(promised.has('cancelled') ? ['FAILED'] : ['FAILED', 'PENDING']).toContain(state);
        await expectConsistent(store, id, state);
        if (state === 'PENDING') expect(await store.requestCancel(id)).toMatchObject({ state: 'FAILED' });
        await expectConsistent(store, id, 'FAILED');
      },
    );
  });

  it('while it retries a failed task: it waits again, or can still be retried', async () => {
    await atEveryOperation(
      async (store, id) => {
        await create(store, id);
        await store.settle(await claimed(store, id), { kind: 'failed', failure }, null);
      },
      async (store, id, promise) => {
        await store.retry(id);
        promise('retried');
      },
      async (store, id, promised) => {
        const { state } = await store.get(id);
        expect(promised.has('retried') ? ['PENDING'] : ['FAILED', 'PENDING']).toContain(state);
        await expectConsistent(store, id, state);
        if (state === 'FAILED') await store.retry(id);
        expect(await store.get(id)).toMatchObject({ state: 'PENDING', retries: 1 });
        expect(await store.claimNext({ origin: 'api', trustLeases: false })).toMatchObject({
          kind: 'claimed',
        });
      },
    );
  });

  it('while it runs a task of the command line: it becomes FAILED and can be retried', async () => {
    await atEveryOperation(
      async () => {},
      async (store, id, promise) => {
        await create(store, id, 'cli');
        promise('accepted');
        const claim = await claimed(store, id);
        await store.settle(claim, { kind: 'succeeded', outcome: 1 }, null);
        promise('succeeded');
      },
      async (store, id, promised) => {
        expect(await store.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
        const [found] = (await store.list({ limit: 5 })).data;
        if (found === undefined) return expect(promised.has('accepted')).toBe(false);
        await store.reclaimAbandoned();
        const { state } = await store.reclaim(id);
        expect(promised.has('succeeded') ? ['SUCCEEDED'] : ['FAILED', 'SUCCEEDED']).toContain(state);
        await expectConsistent(store, id, state);
        if (state === 'FAILED') expect(await store.retry(id)).toMatchObject({ state: 'PENDING' });
      },
    );
  });

  it('while it prunes: the task is whole or gone', async () => {
    await atEveryOperation(
      async (store, id) => {
        await create(store, id);
        await store.requestCancel(id);
      },
      async (store, _, promise) => {
        await store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] });
        promise('removed');
      },
      async (store, id, promised, harness) => {
        harness.nowMs += 2 * 3_600_000;
        const left = (await store.list({ limit: 5 })).data;
        await expectConsistent(store, id, left.length === 0 ? null : 'FAILED');
        if (promised.has('removed')) expect(left).toEqual([]);
        await store.prune({ olderThanMs: Number.MAX_SAFE_INTEGER, states: ['FAILED'] });
        await expectConsistent(store, id, null);
      },
    );
  });
});
