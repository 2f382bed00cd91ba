/** Paging through a store that changes meanwhile, against a model: what was there is seen once, in order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATES, type TaskState } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { idAt, openFileHarness, openMemoryHarness, START_MS } from './store-harness.ts';

interface Model {
  readonly id: string;
  state: TaskState;
  readonly organizationId: string | null;
}

const aTask = fc.record({
  apartMs: fc.constantFrom(0, 1, 400, 6_000_000, 40_000_000),
  state: fc.constantFrom(...TASK_STATES),
  organizationId: fc.constantFrom(null, 'a', 'b'),
});
const aQuery = fc.record({
  state: fc.option(fc.constantFrom(...TASK_STATES)),
  organizationId: fc.option(fc.constantFrom('a', 'b')),
  limit: fc.integer({ min: 1, max: 7 }),
});

/** Moves a new task to `state` by the ways there are. */
async function moveTo(store: TaskStore, id: string, state: TaskState): Promise<void> {
  if (state === 'PENDING') return;
  const result = await store.claim(id);
  if (result.kind !== 'claimed' || state === 'RUNNING') return;
  const failure = { code: 'render_failed', message: 'x', context: {} };
  await store.settle(
    result.claim,
    state === 'FAILED' ? { kind: 'failed', failure } : { kind: 'succeeded', outcome: 1 },
    null,
  );
}

describe.each([
  ['the file store', openFileHarness, 25],
  ['the memory store', openMemoryHarness, 100],
])('paging through %s', (_, openHarness, numRuns) => {
  it('shows every task once and newest first, whatever is created meanwhile', async () => {
    const property = fc.asyncProperty(fc.array(aTask, { maxLength: 14 }), aQuery, async (tasks, query) => {
      const harness = await openHarness();
      try {
        const stores = [harness.open('one'), harness.open('two')];
        const model: Model[] = [];
        let timeMs = START_MS;
        const add = async (task: (typeof tasks)[number], n: number) => {
          timeMs += task.apartMs;
          const made = {
            id: idAt(timeMs, model.length),
            state: task.state,
            organizationId: task.organizationId,
          };
          await stores[n % 2]!.create({
            id: made.id,
            origin: 'api',
            organizationId: made.organizationId,
            payload: n,
          });
          await moveTo(stores[(n + 1) % 2]!, made.id, made.state);
          model.push(made);
        };
        for (const [n, task] of tasks.entries()) await add(task, n);
        const expected = model
          .filter(({ state }) => query.state === null || state === query.state)
          .filter(
            ({ organizationId }) => query.organizationId === null || organizationId === query.organizationId,
          )
          .map(({ id }) => id)
          .toSorted()
          .reverse();
        const seen: string[] = [];
        for (let hasMore = true; hasMore; ) {
          const page = await stores[seen.length % 2]!.list({
            limit: query.limit,
            ...(query.state === null ? {} : { state: query.state }),
            ...(query.organizationId === null ? {} : { organizationId: query.organizationId }),
            ...(seen.length === 0 ? {} : { startingAfter: seen.at(-1)! }),
          });
          seen.push(...page.data.map(({ id }) => id));
          hasMore = page.hasMore;
          expect(page.data.length === query.limit || !hasMore).toBe(true);
          // Newer than everything on any later page.
          if (seen.length > 0) await add({ apartMs: 1, state: 'PENDING', organizationId: 'a' }, seen.length);
        }
        expect(seen).toEqual(expected);
      } finally {
        await harness.close();
      }
    });
    await fc.assert(property, { numRuns });
  });
});
