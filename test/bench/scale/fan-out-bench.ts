/**
 * Two workers against one, each pinned to a core of its own: one listing of 20 agents, which they make together, and
 * eight listings. Everything else runs beside them on the same two cores: an API server, PostgreSQL, Swift. Ratios
 * within one run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Listing } from '../../../src/listing/listing.ts';
import type { Database } from '../../../src/task/postgres/database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { createSigningClient } from '../../../src/video/bucket/signing-client.ts';
import { readStoragePlace } from '../../../src/video/bucket/storage-place.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { post } from '../../api/server/ask-server.ts';
import { LocalServer } from '../../task/postgres/local-server.ts';
import { LocalSwift } from '../../video/bucket/local-swift.ts';
import { atLeast, type BenchRow, noBar } from '../bench-row.ts';
import { makeListing } from '../job-bench.ts';
import { makePhotos } from '../make-photos.ts';
import { median } from '../measure-process.ts';
import { type ServeProcess, startServe } from '../serve-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/listing-video.js', import.meta.url));
const PHOTO_FOLDER = path.join(tmpdir(), 'listing-video-bench-photos');
const BUCKET = 's3://videos';
const AGENTS = 20;
const LISTINGS = 8;
const PHOTOS_EACH = 8;

interface Stage {
  readonly folder: string;
  readonly database: Database;
  readonly env: Readonly<Record<string, string>>;
}

interface Run {
  readonly wallSec: number;
  /** Number of tasks that were divided. */
  readonly divided: number;
}

/** @param rounds - Of one listing; eight listings are made once. */
export async function benchFanOut(rounds: number): Promise<BenchRow[]> {
  const photos = await servePhotos();
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-fan-out-'));
  const postgres = new LocalServer(await mkdtemp(path.join(folder, 'postgres-')), {});
  const swift = new LocalSwift(await mkdtemp(path.join(folder, 'swift-')));
  let database: Database | null = null;
  try {
    await postgres.make();
    await swift.start();
    await makeBucket(swift.env);
    await migrateDatabaseAt(postgres.url);
    database = openDatabase({ url: postgres.url });
    const env = { ...swift.env, LISTING_VIDEO_DATABASE: postgres.url };
    const stage: Stage = { folder, database, env };
    const twenty = [await photos.listing(AGENTS)];
    const eight = await photos.listings();
    const one = { alone: [] as Run[], together: [] as Run[] };
    for (let round = 0; round < rounds; round++) {
      one.alone.push(await makeOn(stage, `twenty-${round}-1`, 1, twenty));
      one.together.push(await makeOn(stage, `twenty-${round}-2`, 2, twenty));
    }
    const alone = median(one.alone.map(({ wallSec }) => wallSec));
    const together = median(one.together.map(({ wallSec }) => wallSec));
    const rows = [
      atLeast(`one listing of ${AGENTS} agents: two workers / one`, alone / together, 1.7),
      noBar('  one worker', alone, 's'),
      noBar('  two workers', together, 's'),
      atLeast(
        '  of which it was divided in',
        one.together.filter(({ divided }) => divided === 1).length,
        rounds,
        'rounds',
      ),
    ];
    const [first, second] = [
      await makeOn(stage, 'eight-1', 1, eight),
      await makeOn(stage, 'eight-2', 2, eight),
    ];
    return [
      ...rows,
      atLeast(`${LISTINGS} listings: two workers / one`, first.wallSec / second.wallSec, 1.85),
      noBar('  one worker', first.wallSec, 's'),
      noBar('  two workers', second.wallSec, 's'),
    ];
  } finally {
    await database?.close();
    await swift.stop();
    await postgres.stop();
    photos.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes the listings with so many workers. Neither they nor the bucket know anything of earlier runs. */
async function makeOn(
  stage: Stage,
  name: string,
  workers: number,
  listings: readonly Listing[],
): Promise<Run> {
  const { database } = stage;
  const env = { ...stage.env, LISTING_VIDEO_STORAGE: `${BUCKET}/${name}` };
  const started: ChildProcess[] = [];
  let api: ServeProcess | null = null;
  try {
    await database.query('delete from listing_video.tasks');
    api = await startServe(['--no-render'], env);
    for (let core = 0; core < workers; core++) {
      const home = path.join(stage.folder, `${name}-${core}`);
      await mkdir(home);
      started.push(startWorker(core, home, env));
    }
    await until('the workers', async () => (await count(database, 'worker_pools')) === workers);
    const beganMs = performance.now();
    for (const listing of listings) await submit(api.url, listing);
    await until('the videos', async () => {
      const states = await database.query<{ state: string }>(
        'select distinct state from listing_video.tasks',
      );
      if (states.some(({ state }) => state === 'FAILED')) throw new Error('a task failed');
      return states.every(({ state }) => state === 'SUCCEEDED');
    });
    const wallSec = (performance.now() - beganMs) / 1000;
    process.stderr.write(`${name}: ${wallSec.toFixed(1)} s\n`);
    return { wallSec, divided: await countDivided(database) };
  } finally {
    for (const worker of started) await stop(worker);
    await api?.dispose();
  }
}

function startWorker(core: number, home: string, env: Readonly<Record<string, string>>): ChildProcess {
  const log = openSync(path.join(home, 'worker.log'), 'w');
  const options = ['--concurrency', '1', '--home', home, '--allow-assets-from', '127.0.0.1'];
  const command = ['--cpu-list', String(core), process.execPath, LAUNCHER, 'worker', ...options];
  return spawn('taskset', command, { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
}

async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGTERM');
  await ended;
}

async function submit(url: string, listing: Listing): Promise<void> {
  const { status, json } = await post(url, listing);
  if (status !== 202) throw new Error(`refused: ${JSON.stringify(json)}`);
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + 600_000;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(`waited ten minutes in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function count(database: Database, table: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from listing_video.${table}`,
  );
  return Number(row?.count);
}

/** A task that was not divided has two changes of state: its claim and its end. */
async function countDivided(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*) as count from listing_video.tasks where fence > 2',
  );
  return Number(row?.count);
}

/** Photos of 12 and 4 megapixels, and listings of them. */
async function servePhotos() {
  const large = await makePhotos(PHOTO_FOLDER, 12, 12);
  const small = await makePhotos(PHOTO_FOLDER, LISTINGS * PHOTOS_EACH, 4);
  const portraits = fileURLToPath(new URL('../../../fixtures/agents', import.meta.url));
  const server = createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    const folder = name.endsWith('mp.jpg') ? PHOTO_FOLDER : portraits;
    readFile(path.join(folder, name)).then(
      (photo) => response.writeHead(200).end(photo),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urlOf = (file: string) => `http://127.0.0.1:${port}/${path.basename(file)}`;
  const toListing = (files: readonly string[], agents: number): Listing => {
    const listing = makeListing(files.map(urlOf), agents);
    return {
      ...listing,
      agents: listing.agents.map((agent) => ({ ...agent, picture: urlOf(agent.picture ?? '') })),
    };
  };
  return {
    listing: async (agents: number) => toListing(large, agents),
    listings: async () =>
      Array.from({ length: LISTINGS }, (_, index) => ({
        ...toListing(small.slice(index * PHOTOS_EACH, (index + 1) * PHOTOS_EACH), 1),
        id: `listing-${index}`,
      })),
    close: () => server.close(),
  };
}

async function makeBucket(env: Readonly<Record<string, string>>): Promise<void> {
  const signing = createSigningClient(
    readStoragePlace(BUCKET, env),
    () => new Date(),
    async () => '',
  );
  const answer = await fetch(await signing.sign({ method: 'PUT', key: '', expirySec: 60 }), {
    method: 'PUT',
  });
  if (!answer.ok) throw new Error(`the bucket was not made: ${await answer.text()}`);
}
