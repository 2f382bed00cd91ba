/**
 * Two servers on one database, in pid namespaces of their own as on two machines, against the bars of their faults: one
 * is killed with -9 at random moments, and PostgreSQL is stopped at once under load. It ends only what it started.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_ORGANIZATION_ID } from '../../../src/task/accounts/account-rules.ts';
import { createPostgresAccountStore } from '../../../src/task/postgres/accounts/postgres-account-store.ts';
import type { Database } from '../../../src/task/postgres/database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { type Container, NAMESPACE_ARGUMENTS, startContainer } from '../../hostile/pid-namespace.ts';
import { LocalServer } from '../../task/postgres/local-server.ts';
import { atLeast, atMost, type BenchRow, noBar } from '../bench-row.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const SMALL = path.join(REPOSITORY, 'fixtures/small');
const GRANT = 1_000_000;
const OUTAGE_MS = 20_000;
/** A kill comes at a random moment of this time after the first task runs. */
const KILL_WITHIN_MS = 4_000;
/** Requests begin this long before the outage. */
const LOAD_BEFORE_MS = 500;
/** Requests a second to each server, at most. */
const PER_SEC = 10;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly fence: number;
  readonly setbacks: { readonly takeovers: number } | null;
  readonly space: string | null;
  readonly failure: unknown;
}

const hasEnded = ({ state }: Row) => state === 'SUCCEEDED' || state === 'FAILED';

/** What the servers of a stage have besides the database. */
interface ServerOptions {
  /** @param number - 1 for the first server. */
  readonly args: (number: number) => readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Everything that runs: a database, photos, two servers. */
export class Stage {
  readonly database: Database;
  readonly postgres: LocalServer;
  readonly #folder: string;
  readonly #listing: string;
  readonly #options: ServerOptions;
  #started = 0;
  readonly servers: { readonly container: Container; readonly url: string }[] = [];
  /** Ids of all tasks that were answered with 202. */
  readonly accepted: string[] = [];

  constructor(folder: string, postgres: LocalServer, listing: string, options: ServerOptions) {
    this.#folder = folder;
    this.#options = options;
    this.postgres = postgres;
    this.database = openDatabase({ url: postgres.url });
    this.#listing = listing;
  }

  async startServer(): Promise<void> {
    this.#started += 1;
    const words = [
      path.join(REPOSITORY, 'bin/listing-video.js'),
      ...['serve', '--port', '0', '--quality', 'draft', '--concurrency', '1'],
      // Every task renders everything, so that it runs for some seconds.
      ...['--cache-size', '0'],
      ...['--home', path.join(this.#folder, 'home'), '--database', this.postgres.url],
      // Of an option that is given twice the last counts.
      ...this.#options.args(this.#started),
    ];
    const container = await startContainer(words, this.#options.env);
    const [, url = ''] = await container.says(/^listening on (http:\S+)/);
    this.servers.push({ container, url });
  }

  /** @returns Status of the answer, and whether a refusal has `Retry-After`. */
  async submit(url: string): Promise<{ readonly status: number; readonly hasRetryAfter: boolean }> {
    const answer = await fetch(`${url}/v1/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: this.#listing,
    });
    const { id } = (await answer.json()) as { readonly id?: string };
    if (answer.status === 202 && id !== undefined) this.accepted.push(id);
    return { status: answer.status, hasRetryAfter: answer.headers.has('retry-after') };
  }

  rows(): Promise<Row[]> {
    return this.database.query<Row>(
      `select id, state, attempts, fence, setbacks, failure, worker->>'space' as space from listing_video.tasks`,
    );
  }

  /** Looks until `find` finds something. @throws Error after two minutes. */
  async until<T>(what: string, find: (rows: Row[]) => T | undefined | false): Promise<T> {
    const untilMs = performance.now() + 120_000;
    while (performance.now() < untilMs) {
      const found = find(await this.rows());
      if (found !== undefined && found !== false) return found;
      await passed(50);
    }
    throw new Error(`waited two minutes in vain for ${what}`);
  }

  /** Waits until every task has ended, and checks them and the ledger. */
  async account(): Promise<{
    readonly lost: number;
    readonly failed: number;
    readonly wrongCredits: number;
  }> {
    const rows = await this.until('the end of all tasks', (found) => found.every(hasEnded) && found);
    const stored = new Set(rows.map(({ id }) => id));
    // No task has a fault of its own, so the cause of each is wanted.
    for (const { id, setbacks, failure } of rows) {
      if (failure !== null) console.error('a task failed', id, JSON.stringify({ failure, setbacks }));
    }
    const succeeded = rows.filter(({ state }) => state === 'SUCCEEDED').length;
    const [ledger] = await this.database.query<{ balance: number; spent: number; open: number }>(
      `select (select balance from listing_video.organizations) as balance,
         (select count(*) from listing_video.ledger_entries where state = 'spent') as spent,
         (select count(*) from listing_video.ledger_entries where state = 'reserved') as open`,
    );
    const { balance = 0, spent = 0, open = 0 } = ledger ?? {};
    return {
      lost: this.accepted.filter((id) => !stored.has(id)).length,
      failed: rows.length - succeeded,
      wrongCredits: Math.abs(GRANT - balance - succeeded) + Math.abs(spent - succeeded) + open,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map(({ container }) => container.kill()));
    await this.database.close();
  }
}

/** Runs a bench on a stage of its own, which is gone afterwards. */
export async function onStage(
  bench: (stage: Stage) => Promise<BenchRow[]>,
  options: ServerOptions = { args: () => [], env: {} },
): Promise<BenchRow[]> {
  if (NAMESPACE_ARGUMENTS === null) throw new Error('this bench needs pid namespaces (unshare --pid --fork)');
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-faults-'));
  const photos = await servePhotos();
  const postgres = new LocalServer(await mkdtemp(path.join(folder, 'postgres-')), {});
  let stage: Stage | null = null;
  try {
    await postgres.make();
    stage = new Stage(folder, postgres, JSON.stringify(photos.listing), options);
    await migrateDatabaseAt(postgres.url);
    const accounts = createPostgresAccountStore({ database: stage.database, program: 'bench' });
    await accounts.grant(DEFAULT_ORGANIZATION_ID, GRANT);
    await accounts.close();
    await stage.startServer();
    await stage.startServer();
    return await bench(stage);
  } finally {
    await stage?.close();
    await postgres.stop();
    photos.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Kills a server at a random moment, `kills` times, and starts another one in its place. */
export function benchKills(kills: number): Promise<BenchRow[]> {
  return onStage(async (stage) => {
    const takenMs: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      // So that the server that stays has a place for what the other one loses.
      await stage.until('free places', (rows) => rows.every(hasEnded));
      for (let task = 0; task < 2; task++) await stage.submit(stage.servers[task % 2]!.url);
      await stage.until('a running task', (rows) => rows.some(({ state }) => state === 'RUNNING'));
      await passed(Math.random() * KILL_WITHIN_MS);
      const [{ container } = stage.servers[0]!] = stage.servers.splice(Math.random() < 0.5 ? 0 : 1, 1);
      await container.kill();
      const beganMs = performance.now();
      const lost = (await stage.rows()).filter(
        ({ state, space }) => state === 'RUNNING' && space === container.space,
      );
      for (const { id, fence } of lost) {
        await stage.until('a takeover', (rows) => rows.some((row) => row.id === id && row.fence > fence));
        takenMs.push(performance.now() - beganMs);
      }
      await stage.startServer();
    }
    const { lost, failed, wrongCredits } = await stage.account();
    return [
      noBar(`tasks that lost their server, of ${kills} kills with -9`, takenMs.length),
      atMost('  slowest takeover', Math.max(0, ...takenMs) / 1000, 10, 's'),
      atMost('  accepted tasks that are lost', lost, 0),
      atMost('  tasks that did not succeed', failed, 0),
      atMost('  wrong credits', wrongCredits, 0),
    ];
  });
}

/** Stops PostgreSQL at once for 20 s, while both servers render and get requests. */
export function benchOutage(): Promise<BenchRow[]> {
  return onStage(async (stage) => {
    const [first, second] = stage.servers;
    await stage.submit(first!.url);
    await stage.submit(second!.url);
    const running = await stage.until('a task on each server', (rows) => {
      const found = rows.filter(({ state }) => state === 'RUNNING');
      return new Set(found.map(({ space }) => space)).size === 2 && found;
    });
    const stopped = passed(LOAD_BEFORE_MS).then(() => stage.postgres.stop());
    const answers: Awaited<ReturnType<Stage['submit']>>[] = [];
    const untilMs = performance.now() + LOAD_BEFORE_MS + OUTAGE_MS;
    while (performance.now() < untilMs) {
      answers.push(...(await Promise.all(stage.servers.map(({ url }) => stage.submit(url)))));
      await passed(1000 / PER_SEC);
    }
    await stopped;
    await stage.postgres.start();
    const beganMs = performance.now();
    for (const { url } of stage.servers) while ((await stage.submit(url)).status !== 202) await passed(50);
    const acceptsSec = (performance.now() - beganMs) / 1000;
    await stage.until('the next task', (rows) =>
      rows.some(({ id, state }) => state !== 'PENDING' && !running.some((before) => before.id === id)),
    );
    const runsSec = (performance.now() - beganMs) / 1000;
    await stage.until('the end of what ran', (rows) =>
      running.every(({ id }) => rows.some((row) => row.id === id && hasEnded(row))),
    );
    const endsSec = (performance.now() - beganMs) / 1000;
    const { lost, failed, wrongCredits } = await stage.account();
    const repeated = (await stage.rows()).filter(
      ({ attempts, setbacks }) => attempts > 1 || setbacks !== null,
    );
    const refused = answers.filter(({ status, hasRetryAfter }) => status === 503 && hasRetryAfter);
    const wrong = answers.filter((answer) => answer.status !== 202 && !refused.includes(answer));
    return [
      atLeast(
        'requests that get 503 with Retry-After while PostgreSQL is stopped for 20 s',
        refused.length,
        20,
      ),
      atMost('  other answers than that and 202', wrong.length, 0),
      atMost('  from its start to a 202 of each server', acceptsSec, 5, 's'),
      atMost('  from its start to the next task that runs', runsSec, 5, 's'),
      atMost('  from its start to the stored end of what ran when it stopped', endsSec, 5, 's'),
      atMost('  tasks that ran twice', repeated.length, 0),
      atMost('  accepted tasks that are lost', lost, 0),
      atMost('  tasks that did not succeed', failed, 0),
      atMost('  wrong credits', wrongCredits, 0),
    ];
  });
}

/** A listing of small photos, and the server of the photos. */
async function servePhotos() {
  const folder = path.join(SMALL, 'photos');
  const photos = new Map(
    readdirSync(folder).map((name) => [`/${name}`, readFileSync(path.join(folder, name))]),
  );
  const server = createServer((request, response) => {
    const photo = photos.get(request.url ?? '');
    response.writeHead(photo === undefined ? 404 : 200).end(photo);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const listing = JSON.parse(readFileSync(path.join(SMALL, 'listing.json'), 'utf8')) as {
    assets: { url: string }[];
  };
  for (const asset of listing.assets) asset.url = `http://127.0.0.1:${port}/${path.basename(asset.url)}`;
  return { listing, close: () => server.close() };
}

export const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
