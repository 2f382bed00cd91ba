/**
 * A rolling update under load between two versions, and back: `npx tsx test/smoke/rolling-update.ts [COMMIT]`, by hand
 * because it builds both. The earlier version is COMMIT (default: HEAD); the later one is HEAD with one more migration,
 * which programs of HEAD can work with. Every task must succeed. Needs PostgreSQL.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { PhotoHost } from '../e2e/photo-host.ts';
import { LocalServer } from '../task/postgres/local-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EVERY_MS = 1_500;
const PATIENCE_MS = 300_000;

const [commit = 'HEAD'] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'listing-video-rolling-'));
const home = path.join(folder, 'home');
const database = new LocalServer(folder);
const photos = await PhotoHost.open();
const running = new Set<ChildProcess>();
const apis = new Map<string, ChildProcess>();
const ids: string[] = [];
let isOver = false;

/** A checkout of its own, built. @param change - Made before the build. */
function build(name: string, of: string, change: (checkout: string) => void = () => {}): string {
  const checkout = path.join(folder, name);
  mkdirSync(checkout);
  execFileSync('sh', ['-c', `git -C "$1" archive "$2" | tar -x -C "$3"`, '-', ROOT, of, checkout]);
  execFileSync('cp', ['-al', path.join(ROOT, 'node_modules'), checkout]);
  change(checkout);
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: checkout, stdio: 'inherit' });
  return checkout;
}

/** Adds a migration as the next version could have it, and gives the program another version. */
function toNext(checkout: string): void {
  const edit = (file: string, from: string, to: string): void => {
    const text = readFileSync(path.join(checkout, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(path.join(checkout, file), text.replace(from, to));
  };
  const migrations = 'src/task/postgres/migrations.ts';
  const next = `{ name: 'next', sql: 'create table listing_video.next (n integer)', oldest: 1 }`;
  edit(migrations, '\n];\n', `\n  ${next},\n];\n`);
  edit('package.json', '"version": "', '"version": "99.');
}

const env = () => ({ ...process.env, LISTING_VIDEO_HOME: home, LISTING_VIDEO_DATABASE: database.url });
const launcher = (checkout: string) => path.join(checkout, 'bin', 'listing-video.js');
const command = (checkout: string, ...words: string[]): string =>
  execFileSync(process.execPath, [launcher(checkout), ...words], { env: env(), encoding: 'utf8' });

async function start(checkout: string, ...words: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [launcher(checkout), ...words], {
    env: env(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => {
      throw new Error(`${words.join(' ')} of ${checkout} did not start`);
    }),
  ]);
  return child;
}

const startWorker = (checkout: string) => start(checkout, 'worker', '--allow-assets-from', '127.0.0.1');

async function startApi(checkout: string): Promise<string> {
  const port = await freePort();
  const words = ['serve', '--no-render', '--port', `${port}`, '--quality', 'draft'];
  const child = await start(checkout, ...words);
  const url = `http://127.0.0.1:${port}`;
  apis.set(url, child);
  return url;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function stopApi(url: string): Promise<void> {
  const child = apis.get(url)!;
  apis.delete(url);
  await stop(child);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** As a client behind a proxy: another server gets what one did not accept, with the same key. */
async function submit(count: number): Promise<void> {
  const body = JSON.stringify(await photos.listing());
  const headers = { 'content-type': 'application/json', 'idempotency-key': `rolling-${count}` };
  for (;;) {
    for (const url of [...apis.keys()]) {
      const answer = await fetch(`${url}/v1/tasks`, { method: 'POST', headers, body }).catch(() => null);
      if (answer?.status === 202) return void ids.push(((await answer.json()) as { id: string }).id);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits until so many more tasks were accepted and have succeeded. */
async function more(count: number): Promise<void> {
  const wanted = ids.length + count;
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const states = await readStates();
    const failed = states.filter((state) => state === 'FAILED').length;
    if (failed > 0) throw new Error(`${failed} tasks failed`);
    if (states.filter((state) => state === 'SUCCEEDED').length >= wanted) return;
    if (performance.now() > untilMs) throw new Error(`stuck: ${states}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function readStates(): Promise<string[]> {
  const reader = openDatabase({ url: database.url, connections: 1 });
  const rows = await reader.query<{ state: string }>('select state from listing_video.tasks');
  await reader.close();
  return rows.map(({ state }) => state);
}

const versions = (checkout: string) =>
  JSON.parse(command(checkout, 'workers', 'list', '--json')).data.map(
    ({ version }: { version: string }) => version,
  );

try {
  const earlier = build('earlier', commit);
  const later = build('later', 'HEAD', toNext);
  await database.make();
  console.log(command(earlier, 'database', 'migrate', '--verbose'));
  const workers = [await startWorker(earlier), await startWorker(earlier)];
  let api = await startApi(earlier);
  const load = (async () => {
    for (let count = 0; !isOver; count++) {
      await submit(count);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  await more(3);
  for (const [to, isBack] of [
    [later, false],
    [earlier, true],
  ] as const) {
    console.log(`${isBack ? 'back' : 'update'}: ${command(to, 'database', 'migrate', '--verbose')}`);
    await more(2);
    for (const [index, worker] of workers.entries()) {
      await stop(worker);
      workers[index] = await startWorker(to);
      await more(1);
      console.log(`workers: ${versions(to)}`);
    }
    const next = await startApi(to);
    await stopApi(api);
    api = next;
    await more(3);
  }
  isOver = true;
  await load;
  await more(0);
  console.log(`all ${ids.length} tasks succeeded, of ${new Set(ids).size} ids`);
  if ((await readStates()).length !== new Set(ids).size) throw new Error('a task was lost or made twice');
} finally {
  for (const child of running) child.kill('SIGKILL');
  photos.close();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
