/** A store with cached lists: own changes show at once, changes by others within twice the cache TTL. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { TaskListCache } from '../../src/task/file-store/task-list-cache.ts';
import type { TaskClaim, TaskStore } from '../../src/task/task-store.ts';
import { identity, openFileHarness, type StoreHarness } from './store-harness.ts';

const TTL_MS = 250;

let at: StoreHarness & { readonly home: string };
let monotonicMs: number;
let store: TaskStore;
let other: TaskStore;
beforeEach(async () => {
  at = await openFileHarness();
  monotonicMs = 0;
  store = openCached();
  other = at.open('other');
});
afterEach(() => at.close());

function openCached(): TaskStore {
  return createFileTaskStore({
    home: at.home,
    durable: false,
    nowMs: () => at.nowMs,
    self: identity('first'),
    liveness: () => 'alive',
    listCacheTtlMs: TTL_MS,
    monotonicMs: () => monotonicMs,
  });
}

const QUERIES = [
  { limit: 100 },
  { limit: 2, organizationId: 'a' },
  { limit: 100, organizationId: 'b', state: 'PENDING' },
  { limit: 100, organizationId: 'a', state: 'FAILED' },
  { limit: 100, state: 'RUNNING' },
] as const;

const listAll = (by: TaskStore) => Promise.all(QUERIES.map((query) => by.list(query)));

async function create(by: TaskStore, organizationId = 'a'): Promise<string> {
  const { id } = await by.create({ id: at.newId(), origin: 'api', organizationId, payload: null });
  return id;
}

const STEPS = [
  'create',
  'claim',
  'claim',
  'progress',
  'progress',
  'fail',
  'succeed',
  'cancel',
  'retry',
  'prune',
] as const;

it('shows whatever it changes itself at once, though time stands still', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat()), { minLength: 8, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      rmSync(join(at.home), { recursive: true, force: true });
      store = openCached();
      const ids: string[] = [];
      const claims = new Map<string, TaskClaim>();
      for (const [step, number] of sequence) {
        at.nowMs += 1;
        // Few, so that they come far.
        const id = ids[number % Math.max(1, Math.min(2, ids.length))] ?? '';
        // Asked beside the change: whatever it finds must not be remembered as the state after it.
        const beside = listAll(store);
        await take(step, id, number).catch((error) => {
          if (!['task_state_conflict', 'task_not_found', 'lease_lost'].includes(error.code)) throw error;
        });
        await beside;
        expect(await listAll(store)).toEqual(await listAll(at.open('cold')));
      }

      async function take(step: (typeof STEPS)[number], id: string, number: number): Promise<unknown> {
        const claim = claims.get(id);
        const failure = { code: 'render_failed', message: 'x', context: {} };
        switch (step) {
          case 'create':
            return ids.push(await create(store, number % 2 === 0 ? 'a' : 'b'));
          case 'claim': {
            const result = await store.claim(id);
            return result.kind === 'claimed' && claims.set(id, result.claim);
          }
          case 'progress':
            return (
              claim && store.saveProgress(claim, { percent: number % 100, stage: 'x', etaSeconds: null })
            );
          case 'fail':
            return claim && store.settle(claim, { kind: 'failed', failure }, null);
          case 'succeed':
            return claim && store.settle(claim, { kind: 'succeeded', outcome: number }, null);
          case 'cancel':
            return store.requestCancel(id);
          case 'retry':
            return store.retry(id);
          case 'prune':
            return store.prune({ olderThanMs: at.nowMs - (number % 3), states: ['FAILED', 'SUCCEEDED'] });
        }
      }
    }),
    { numRuns: 40 },
  );
});

it('reads a page once for all callers, and shows changes by others after the cache TTL', async () => {
  const first = await create(store);
  const page = await store.list(QUERIES[0]);
  const second = await create(other);
  await other.claim(first);
  const repeats = await Promise.all([store.list(QUERIES[0]), store.list(QUERIES[0])]);
  for (const repeat of repeats) expect(repeat).toBe(page);
  monotonicMs = TTL_MS;
  const again = (await store.list(QUERIES[0])).data;
  expect(again.map(({ id }) => id)).toEqual([second, first]);
  monotonicMs = 2 * TTL_MS;
  expect((await store.list(QUERIES[0])).data).toEqual((await other.list(QUERIES[0])).data);
  expect((await store.list(QUERIES[4])).data.map(({ id }) => id)).toEqual([first]);
});

it('caches no failure, and no page that follows another', async () => {
  await create(store);
  const last = await create(store);
  const next = { limit: 100, startingAfter: last };
  const missing = { ...next, startingAfter: at.newId() };
  await expect(store.list(missing)).rejects.toMatchObject({ code: 'task_not_found' });
  await other.create({ id: missing.startingAfter, origin: 'api', organizationId: 'a', payload: null });
  expect((await store.list(missing)).data).toHaveLength(2);
  const page = await store.list(next);
  expect(page.data).toHaveLength(1);
  expect(await store.list(next)).not.toBe(page);
});

it('sees at once that a record was taken away or damaged, when it looks again', async () => {
  const id = await create(store);
  await store.list(QUERIES[0]);
  rmSync(join(at.home, 'tasks', id.slice(0, 6), id, 'task.json'));
  monotonicMs = 2 * TTL_MS;
  expect((await store.list(QUERIES[0])).data).toEqual([]);
});

it('remembers no record whose reading began before a change of our own', async () => {
  const cache = new TaskListCache(TTL_MS, () => monotonicMs);
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const record = await store.create({ id: at.newId(), origin: 'api', organizationId: 'a', payload: null });
  const identify = async () => ({ text: 'same', sizeBytes: 1 });
  const found = await cache.find(record.id, {
    identify,
    read: async () => {
      await held;
      return record;
    },
  });
  const before = found.read();
  cache.changed(record.id);
  letGo();
  expect(await before).toBe(record);
  const after = { ...record, state: 'RUNNING' } as const;
  const again = await cache.find(record.id, { identify, read: async () => after });
  expect(await again.read()).toBe(after);
});
