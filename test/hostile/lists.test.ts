/**
 * Lists of large tasks, many at once, against a real server with little memory: it answers, and others are served
 * meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { summarizePayload } from '../../src/video/video-task-summary.ts';
import { type ServeProcess, startServe } from '../bench/serve-process.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aListing } from '../listing/a-listing.ts';
import { idAt } from '../task/store-harness.ts';

const LISTINGS = 101;
const LISTING_BYTES = 1_000_000;
/** Of one of them. Parsing it takes a hundredth of a second. */
const LARGE_BYTES = 4_000_000;
const RESULTS = 6;
const RESULT_BYTES = 1_500_000;
/** Four pages that hold every listing need twice as much, and more to read them. */
const HEAP_MB = 192;
/** Without lists the server has about 120 MB. */
const MAX_RESIDENT_BYTES = 420 * 2 ** 20;
const PAGE_BYTES = 4 * 2 ** 20;
/** Generous: 0.3 s on a quiet machine. Before, it was 21 s. */
const HEALTH_MS = 2_000;

const home = temporaryFolder();
let server: ServeProcess;
const ids: string[] = [];

beforeAll(async () => {
  const store = createFileTaskStore({ home, durable: false, summarize: summarizePayload });
  const startMs = Date.now() - 86_400_000;
  // Tasks of this process, so that the server does not run them.
  const create = async (payload: Parameters<typeof store.create>[0]['payload']) => {
    const id = idAt(startMs + ids.length * 1_000, ids.length);
    ids.push(id);
    await store.create({ id, origin: 'cli', organizationId: 'org_default', payload });
    return id;
  };
  const payloadOf = (bytes: number) => ({ listing: { ...aListing(), description: 'x'.repeat(bytes) } });
  await create(payloadOf(LARGE_BYTES));
  const payload = payloadOf(LISTING_BYTES);
  for (let n = 1; n < LISTINGS; n++) await create(payload);
  const metadata = { note: 'x'.repeat(RESULT_BYTES) };
  const results = [{ agent_id: 'june', url: 'file:///v/june.mp4', created_at: '2026-11-22', metadata }];
  const outcome = { results, dropped_assets: [], report: null };
  for (let n = 0; n < RESULTS; n++) {
    const result = await store.claim(await create(null));
    if (result.kind === 'claimed') await store.settle(result.claim, { kind: 'succeeded', outcome }, null);
  }
  server = await startServe(['--home', home], { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
}, 60_000);

afterAll(async () => {
  await server.dispose();
});

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
}

/** Follows all pages. @returns The ids, and the size of the largest page. */
async function followPages(): Promise<{ seen: string[]; largestBytes: number }> {
  const seen: string[] = [];
  let largestBytes = 0;
  for (let hasMore = true; hasMore; ) {
    const cursor = seen.length === 0 ? '' : `&starting_after=${seen.at(-1)}`;
    const answer = await fetch(`${server.url}/v1/tasks?limit=100${cursor}`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    largestBytes = Math.max(largestBytes, text.length);
    const page = JSON.parse(text) as Page;
    expect(page.data.length).toBeGreaterThan(0);
    seen.push(...page.data.map(({ id }) => id));
    hasMore = page.has_more;
  }
  return { seen, largestBytes };
}

/** Asks for the health of the server until `isOver`. @returns The longest answer and the most memory. */
async function watchServer(isOver: () => boolean): Promise<{ slowestMs: number; residentBytes: number }> {
  let slowestMs = 0;
  let residentBytes = 0;
  while (!isOver()) {
    const beganMs = performance.now();
    const { status } = await fetch(`${server.url}/healthz`);
    expect(status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - beganMs);
    residentBytes = Math.max(residentBytes, await server.residentBytes());
    await sleep(5);
  }
  return { slowestMs, residentBytes };
}

it('four clients page through 101 listings of 1 MB and 6 results of 1.5 MB, and the server stays small', async () => {
  let isOver = false;
  const watching = watchServer(() => isOver);
  const clients = await Promise.all(Array.from({ length: 4 }, followPages)).finally(() => {
    isOver = true;
  });
  const { slowestMs, residentBytes } = await watching;
  for (const { seen, largestBytes } of clients) {
    expect(seen).toEqual(ids.toReversed());
    expect(largestBytes).toBeLessThan(PAGE_BYTES);
  }
  expect(slowestMs).toBeLessThan(HEALTH_MS);
  expect(residentBytes).toBeLessThan(MAX_RESIDENT_BYTES);
}, 60_000);

it('a listing of 4 MB is polled without being read', async () => {
  const large = ids[0]!;
  const before = await server.cpuSec();
  for (let n = 0; n < 100; n++) {
    expect((await fetch(`${server.url}/v1/tasks/${large}`)).status).toBe(200);
  }
  // Parsing it a hundred times costs more than two seconds.
  expect((await server.cpuSec()) - before).toBeLessThan(1.5);
}, 60_000);
