/**
 * The stores in PostgreSQL against their bars, with a million tasks present and a disk that is flushed; then the faults
 * of `fault-bench.ts` and `bucket-bench.ts`, and two workers against one (`fan-out-bench.ts`).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_ORGANIZATION_ID } from '../../../src/task/accounts/account-rules.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import type { TaskQuery, TaskStore } from '../../../src/task/task-store.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { openDatabaseStores } from '../../../src/wiring/stores/open-database-stores.ts';
import type { Stores } from '../../../src/wiring/stores/stores.ts';
import { LocalServer } from '../../task/postgres/local-server.ts';
import { atLeast, atMost, type BenchRow, noBar } from '../bench-row.ts';
import { benchBucket } from './bucket-bench.ts';
import { benchFanOut } from './fan-out-bench.ts';
import { benchKills, benchOutage } from './fault-bench.ts';
import { fillDatabase, ORGANIZATIONS, organizationId } from './fill-database.ts';
import { benchDeliveries, benchTurns } from './queue-bench.ts';

const LISTING = fileURLToPath(new URL('../../../fixtures/listing.json', import.meta.url));
/** Requests at the same time. */
const CLIENTS = 16;
const ACCEPT_MS = 10_000;
const PAGES = 300;
const STARTS = 200;

/** Every figure with its bar, or one part by name: `stores`, `starts`, `turns`, `deliveries`, `outage`, `bucket`, `kills`, `fan-out`. */
export async function benchScale({
  only,
  tasks,
  kills,
  rounds,
}: {
  readonly only: string | undefined;
  /** Present in the database of `stores`. */
  readonly tasks: number;
  readonly kills: number;
  /** Of `fan-out`. */
  readonly rounds: number;
}): Promise<readonly BenchRow[]> {
  const parts: Record<string, () => Promise<readonly BenchRow[]>> = {
    stores: () => benchStores(tasks),
    starts: benchStarts,
    turns: () => onServer({}, ({ url }) => benchTurns(url)),
    deliveries: () => onServer({}, ({ url }) => benchDeliveries(url)),
    outage: benchOutage,
    bucket: benchBucket,
    kills: () => benchKills(kills),
    'fan-out': () => benchFanOut(rounds),
  };
  const rows: BenchRow[] = [];
  for (const [name, bench] of Object.entries(parts)) {
    if (only === undefined || only === name) rows.push(...(await bench()));
  }
  return rows;
}

/** A server with the tables, in a temporary folder. */
async function onServer(
  settings: Readonly<Record<string, string>>,
  bench: (server: LocalServer) => Promise<readonly BenchRow[]>,
): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-scale-'));
  const server = new LocalServer(folder, settings);
  try {
    await server.make();
    await migrateDatabaseAt(server.url);
    return await bench(server);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fills a database and measures what a server does with it. */
function benchStores(tasks: number): Promise<readonly BenchRow[]> {
  return onServer({ shared_buffers: '256MB', max_wal_size: '2GB' }, async ({ url }) => {
    const filling = openDatabase({ url, hasTimeouts: false });
    await fillDatabase(filling, tasks);
    await filling.close();
    const stores = await openDatabaseStores(url);
    const { store } = stores;
    const rows = [
      ...(await benchPages(store, tasks)),
      await benchAccepts(stores, 'of 200 organizations', (n) => organizationId(n % ORGANIZATIONS)),
      await benchAccepts(stores, 'of one organization', () => organizationId(0)),
    ];
    await stores.close();
    return rows;
  });
}

/** From the acceptance of a task to its start on an idle worker, one task after the other. */
function benchStarts(): Promise<readonly BenchRow[]> {
  return onServer({}, async ({ url }) => {
    const [accepting, working] = [await openDatabaseStores(url), await openDatabaseStores(url)];
    const logger = { debug: () => {}, warn: () => {} };
    const options = { logger, tasksAtOnce: 1, jobsAtOnce: 3, takesBatches: false, onRedelivered: () => {} };
    let onStart = (): void => {};
    const engine = createTaskEngine({
      store: working.store,
      queue: await working.openQueue!(options),
      handler: async () => {
        onStart();
        return {};
      },
    });
    await (await accepting.accounts()).grant(DEFAULT_ORGANIZATION_ID, STARTS * 100);
    engine.start();
    const { store } = accepting;
    const taken: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      const started = new Promise<void>((resolve) => {
        onStart = resolve;
      });
      const { id } = await acceptTask(accepting, DEFAULT_ORGANIZATION_ID);
      const acceptedMs = performance.now();
      await started;
      taken.push(Math.max(0, performance.now() - acceptedMs));
      // Idle again.
      while ((await store.get(id)).state !== 'SUCCEEDED' || engine.runningCount > 0) await passed(5);
      await passed(20);
    }
    await engine.drain(0);
    for (const stores of [accepting, working]) await stores.close();
    return [
      atMost(
        'from the acceptance of a task to its start on an idle worker, p95',
        percentile(taken, 0.95),
        50,
        'ms',
      ),
      noBar('  the same, median', percentile(taken, 0.5), 'ms'),
    ];
  });
}

const listing = readFile(LISTING, 'utf8').then((text) => JSON.parse(text));

/** As a request with an idempotency key. */
async function acceptTask({ store, accounts }: Stores, owner: string) {
  const key = newTaskId();
  const claim = await (await accounts()).beginIdempotent(owner, key, key);
  if (claim.kind !== 'new') throw new Error(claim.kind);
  const payload = { listing: await listing };
  const task = await store.create({ id: claim.taskId, origin: 'api', organizationId: owner, payload });
  await claim.commit();
  return task;
}

const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function benchPages(store: TaskStore, tasks: number): Promise<BenchRow[]> {
  const queries: Readonly<Record<string, Omit<TaskQuery, 'limit'>>> = {
    'no filter': {},
    SUCCEEDED: { state: 'SUCCEEDED' },
    'FAILED, 2 %': { state: 'FAILED' },
    'RUNNING, 0.1 %': { state: 'RUNNING' },
    'an organization with 40 %': { organizationId: organizationId(0) },
    'an organization with 0.3 %': { organizationId: organizationId(7) },
    'FAILED of an organization with 40 %': { state: 'FAILED', organizationId: organizationId(0) },
    'SUCCEEDED of an organization with 0.3 %': { state: 'SUCCEEDED', organizationId: organizationId(7) },
  };
  const rows: BenchRow[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const taken: number[] = [];
    // From the first page to the last, and again.
    let startingAfter: string | undefined;
    for (let page = 0; page < PAGES; page++) {
      const beganMs = performance.now();
      const { data, hasMore } = await store.list({
        ...query,
        limit: 100,
        ...(startingAfter && { startingAfter }),
      });
      taken.push(performance.now() - beganMs);
      startingAfter = hasMore ? data.at(-1)?.id : undefined;
    }
    rows.push(atMost(`page of 100 among ${tasks} tasks, p95: ${name}`, percentile(taken, 0.95), 10, 'ms'));
  }
  return rows;
}

async function benchAccepts(
  stores: Stores,
  what: string,
  organizationOf: (number: number) => string,
): Promise<BenchRow> {
  let accepted = 0;
  const untilMs = performance.now() + ACCEPT_MS;
  const client = async () => {
    while (performance.now() < untilMs) {
      accepted += 1;
      await acceptTask(stores, organizationOf(accepted));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return atLeast(
    `accepts with key, reservation and job, ${CLIENTS} clients, ${what}`,
    (accepted * 1000) / ACCEPT_MS,
    200,
    'a second',
  );
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
