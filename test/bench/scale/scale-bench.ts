/**
 * The stores in PostgreSQL against their bars, with a million tasks present and a disk that is flushed; then the faults of
 * `fault-bench.ts` and `bucket-bench.ts`, and two workers against one (`fan-out-bench.ts`).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemProbe } from '../../../src/disk/process-identity.ts';
import type { Database } from '../../../src/postgres/database.ts';
import { migrateDatabase } from '../../../src/postgres/migrate-database.ts';
import { openDatabase } from '../../../src/postgres/open-database.ts';
import { createPostgresTaskStore } from '../../../src/postgres/postgres-task-store.ts';
import { taskCredits } from '../../../src/postgres/task-credits.ts';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import type { TaskQuery, TaskStore } from '../../../src/task/task-store.ts';
import { summarizePayload } from '../../../src/video/video-task-summary.ts';
import { LocalServer } from '../../postgres/local-server.ts';
import { atLeast, atMost, type BenchRow, noBar } from '../bench-row.ts';
import { benchBucket } from './bucket-bench.ts';
import { benchFanOut } from './fan-out-bench.ts';
import { benchKills, benchOutage } from './fault-bench.ts';
import { fillDatabase, ORGANIZATIONS, organizationId } from './fill-database.ts';

const LISTING = fileURLToPath(new URL('../../../fixtures/listing.json', import.meta.url));
const CONNECTIONS = 16;
const ACCEPT_MS = 10_000;
const PAGES = 300;
const CLAIMS = 200;

/** Every figure with its bar, or one part by name: `stores`, `outage`, `bucket`, `kills`, `fan-out`. */
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

/** Fills a database in a temporary folder and measures it. */
async function benchStores(tasks: number): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-scale-'));
  const server = new LocalServer(folder, { shared_buffers: '256MB', max_wal_size: '2GB' });
  try {
    await server.make();
    const filling = openDatabase({ url: server.url, hasTimeouts: false });
    await migrateDatabase(filling);
    await fillDatabase(filling, tasks);
    await filling.close();
    const database = openDatabase({ url: server.url, connections: CONNECTIONS });
    const store = openStore(database);
    const rows = [
      ...(await benchPages(store, tasks)),
      ...(await benchClaims(store)),
      await benchAccepts(store, 'with reservation, of 200 organizations', (n) =>
        organizationId(n % ORGANIZATIONS),
      ),
      await benchAccepts(store, 'with reservation, of one organization', () => organizationId(0)),
    ];
    await database.close();
    return rows;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function openStore(database: Database): TaskStore {
  const credits = taskCredits({ priceOf: () => 1, clock: systemTaskClock, self: systemProbe().self });
  return createPostgresTaskStore({ database, summarize: summarizePayload, onChange: credits });
}

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

async function benchClaims(store: TaskStore): Promise<BenchRow[]> {
  const rank = new Map<string, number>();
  const taken: number[] = [];
  for (let claim = 0; claim < CLAIMS; claim++) {
    const beganMs = performance.now();
    const turns = { rank, full: new Set<string>() };
    const result = await store.claimNext({ origin: 'api', trustLeases: false, turns });
    taken.push(performance.now() - beganMs);
    if (result?.kind !== 'claimed') break;
    rank.set(result.claim.task.organizationId ?? '', claim);
  }
  return [noBar(`claim of the next of ${ORGANIZATIONS} organizations, p95`, percentile(taken, 0.95), 'ms')];
}

async function benchAccepts(
  store: TaskStore,
  what: string,
  organizationOf: (number: number) => string,
): Promise<BenchRow> {
  const payload = { listing: JSON.parse(await readFile(LISTING, 'utf8')) };
  let accepted = 0;
  const untilMs = performance.now() + ACCEPT_MS;
  const client = async () => {
    while (performance.now() < untilMs) {
      accepted += 1;
      const owner = organizationOf(accepted);
      await store.create({ id: newTaskId(), origin: 'api', organizationId: owner, payload });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return atLeast(
    `accepts, ${CONNECTIONS} connections, ${what}`,
    (accepted * 1000) / ACCEPT_MS,
    200,
    'a second',
  );
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
