/** A store with cached lists: own changes show at once, changes by others within the cache TTL. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { identity, openFileHarness, type StoreHarness } from './store-harness.ts';

const TTL_MS = 250;
const QUERIES = [
  { limit: 100 },
  { limit: 2, organizationId: 'a' },
  { limit: 100, organizationId: 'a', state: 'FAILED' },
  { limit: 100, state: 'RUNNING' },
] as const;

let at: StoreHarness & { readonly home: string };
let monotonicMs: number;
let store: TaskStore;
let other: TaskStore;
beforeEach(async () => {
  at = await openFileHarness();
  monotonicMs = 0;
  store = createFileTaskStore({
    home: at.home,
    durable: false,
    nowMs: () => at.nowMs,
    self: identity('first'),
    liveness: () => 'alive',
    listCacheTtlMs: TTL_MS,
    monotonicMs: () => monotonicMs,
  });
  other = at.open('other');
});
afterEach(() => at.close());

async function create(by: TaskStore): Promise<string> {
  const { id } = await by.create({ id: at.newId(), origin: 'api', organizationId: 'a', payload: null });
  return id;
}

async function claim(id: string) {
  const result = await store.claim(id);
  return result.kind === 'claimed' ? result.claim : expect.unreachable();
}

it('shows whatever it changes itself at once, though time stands still', async () => {
  const failure = { code: 'render_failed', message: 'x', context: {} };
  const progress = { percent: 7, stage: 'x', etaSeconds: null };
  const id = await create(store);
  const changes: readonly (() => Promise<unknown>)[] = [
    () => create(store),
    async () => store.saveProgress(await claim(id), progress),
    () => store.requestCancel(id),
    async () => store.settle({ id, fence: 1 }, { kind: 'failed', failure }, null),
    () => store.retry(id),
    async () => store.settle(await claim(id), { kind: 'succeeded', outcome: 1 }, null),
    () => store.prune({ olderThanMs: at.nowMs + 1, states: ['SUCCEEDED'] }),
  ];
  for (const change of changes) {
    // Asked beside the change: whatever it finds must not be kept as the state after it.
    await Promise.all([change(), ...QUERIES.map((query) => store.list(query))]);
    for (const query of QUERIES) expect(await store.list(query)).toEqual(await other.list(query));
  }
});

it('reads a page once for all callers, and shows changes by others after the TTL', async () => {
  const first = await create(store);
  const page = await store.list(QUERIES[0]);
  const second = await create(other);
  const repeats = await Promise.all([store.list(QUERIES[0]), store.list(QUERIES[0])]);
  for (const repeat of repeats) expect(repeat).toBe(page);
  monotonicMs = TTL_MS;
  expect((await store.list(QUERIES[0])).data.map(({ id }) => id)).toEqual([second, first]);
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
