/**
 * Pages of tasks with large payloads and outcomes: what a page reads is bounded, and clients still see every task once.
 */
import fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskPage, TaskStore } from '../../src/task/task-store.ts';
import { openFileHarness } from './store-harness.ts';

const MIB = 2 ** 20;
const MAX_PAGE_BYTES = 4 * MIB;

let at: Awaited<ReturnType<typeof openFileHarness>>;
beforeEach(async () => {
  at = await openFileHarness();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await at.close();
});

const sizeOf = (page: TaskPage): number => JSON.stringify(page.data).length;

async function succeed(store: TaskStore, outcomeBytes: number): Promise<string> {
  at.nowMs += 1;
  const { id } = await store.create({ id: at.newId(), origin: 'api', organizationId: 'org', payload: null });
  const result = await store.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  await store.settle(result.claim, { kind: 'succeeded', outcome: 'x'.repeat(outcomeBytes) }, null);
  return id;
}

describe.each([
  ['without a cache', 0],
  ['with a cache', 250],
])('%s', (_, listCacheTtlMs) => {
  it('pages of large records end early, and a client that follows sees every task once', async () => {
    const store = createFileTaskStore({ home: at.home, durable: false, listCacheTtlMs });
    const sizes = [10, MIB, 10, 6 * MIB, 3 * MIB, 10, MIB, MIB, MIB, MIB, MIB, 10, 5 * MIB];
    const ids: string[] = [];
    for (const size of sizes) ids.unshift(await succeed(store, size));
    const seen: string[] = [];
    const pages: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const last = seen.at(-1);
      const page = await store.list({
        limit: 100,
        ...(last === undefined ? {} : { startingAfter: last }),
      });
      hasMore = page.hasMore;
      pages.push(page.data.length);
      // A page is larger only if it has a single task.
      if (page.data.length > 1) expect(sizeOf(page)).toBeLessThan(MAX_PAGE_BYTES);
      seen.push(...page.data.map(({ id }) => id));
    }
    expect(seen).toEqual(ids);
    // 5, then 3 and a little, 2 and a little, 3, 6, 1 and a little.
    expect(pages).toEqual([1, 4, 3, 1, 1, 3]);
  });

  it('a page without large records is as long as its limit', async () => {
    const store = createFileTaskStore({ home: at.home, durable: false, listCacheTtlMs });
    for (let n = 0; n < 40; n++) await succeed(store, 1_000);
    const page = await store.list({ limit: 39, state: 'SUCCEEDED', organizationId: 'org' });
    expect([page.data.length, page.hasMore]).toEqual([39, true]);
    const next = await store.list({ limit: 39, startingAfter: page.data.at(-1)!.id });
    expect([next.data.length, next.hasMore]).toEqual([1, false]);
  });
});

it('lists, polls and changes of state do not read the payload, and a claim does', async () => {
  const store = at.open();
  const payload = { listing: { id: 'L-7', agents: [1, 2, 3] }, photos: 'x'.repeat(MIB) };
  const { id } = await store.create({ id: at.newId(), origin: 'api', organizationId: 'org', payload });
  const opened: string[] = [];
  const open = fs.open;
  vi.spyOn(fs, 'open').mockImplementation((path, flags, mode) => {
    opened.push(String(path));
    return open(path, flags, mode);
  });
  const summary = { label: 'L-7', resultCount: 3 };
  expect((await store.list({ limit: 5 })).data).toMatchObject([{ id, summary }]);
  expect(await store.get(id)).toMatchObject({ summary });
  const readsPayload = (): boolean => opened.some((path) => path.endsWith('payload.json'));
  expect(readsPayload()).toBe(false);
  const result = await store.claim(id);
  expect(result).toMatchObject({ kind: 'claimed', claim: { task: { payload, summary } } });
  expect(readsPayload()).toBe(true);
  opened.length = 0;
  if (result.kind === 'claimed') await store.settle(result.claim, { kind: 'given-back' }, null);
  expect(readsPayload()).toBe(false);
});

it('at most four pages are read at once, and the others wait their turn', async () => {
  const store = at.open();
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.push(await succeed(store, 10));
  let running = 0;
  let most = 0;
  let haveMet = false;
  const stat = fs.stat;
  vi.spyOn(fs, 'stat').mockImplementation(async (...args) => {
    most = Math.max(most, ++running);
    haveMet ||= running >= 4;
    // The first ones wait for each other, and then long enough that every list that could begin has begun.
    for (let n = 0; n < 20 || !haveMet; n++) await new Promise((resolve) => setImmediate(resolve));
    running--;
    return stat(...args);
  });
  const pages = await Promise.all(
    ids.slice(1).map((startingAfter) => store.list({ limit: 1, startingAfter })),
  );
  expect(pages.map(({ data }) => data[0]?.id)).toEqual(ids.slice(0, -1));
  // One list of one task finds two records.
  expect(most).toBeLessThanOrEqual(8);
});
