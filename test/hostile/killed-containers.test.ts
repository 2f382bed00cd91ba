/**
 * Containers that are killed or suspended while they work on a shared data folder. No task is lost or FAILED because of them,
 * and no process publishes after another one has taken its place.
 *
 * `LISTING_VIDEO_TEST_KILLS=30 npx vitest run test/hostile/killed-containers.test.ts` runs longer.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileTaskStore } from '../../src/task/file-store/file-task-store.ts';
import type { TaskRecord } from '../../src/task/task.ts';
import { createFileStorage } from '../../src/video/publish/file-storage.ts';
import { openOutputFolder } from '../../src/video/publish/output-folder.ts';
import { type LoopbackServer, type Route, startServer } from '../assets/loopback-server.ts';
import { type Container, NAMESPACE_ARGUMENTS, startContainer } from './pid-namespace.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const SMALL = path.join(REPOSITORY, 'fixtures/small');
const KILLS = Number(process.env.LISTING_VIDEO_TEST_KILLS ?? 2);
const TASKS = Math.max(2, Math.ceil(KILLS / 3));
/** Progress at which a container is killed, in percent: right after the claim, while it renders, and near the end. */
const KILL_AT = [0, 40, 8, 75, 90];
const MINUTE_MS = 60_000;

let root: string;
let photos: LoopbackServer;
const containers = new Set<Container>();

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'listing-video-containers-'));
  const routes: Record<string, Route> = {};
  for (const name of readdirSync(path.join(SMALL, 'photos'))) {
    const photo = readFileSync(path.join(SMALL, 'photos', name));
    routes[`/${name}`] = (response) => response.end(photo);
  }
  photos = await startServer(routes);
});
afterAll(async () => {
  await Promise.all([...containers].map((container) => container.kill()));
  await photos.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

async function start(args: readonly string[]): Promise<Container> {
  const container = await startContainer(args);
  containers.add(container);
  return container;
}

describe.skipIf(NAMESPACE_ARGUMENTS === null)('a create in a container', () => {
  const hold = async (folder: string, content: string) => {
    const script = path.join(REPOSITORY, 'test/hostile/hold-folder.ts');
    const container = await start(['--import', 'tsx', script, folder, content]);
    await container.says(/^held$/);
    return container;
  };

  it('that is suspended loses its folder after the lease, and publishes nothing when it continues', async () => {
    const folder = path.join(root, 'suspended');
    const suspended = await hold(folder, 'late');
    suspended.signal('SIGSTOP');
    await expect(openOutputFolder(folder)).rejects.toMatchObject({ code: 'output_locked' });
    ageOwners(folder, suspended.space, MINUTE_MS);
    const next = await openOutputFolder(folder);
    suspended.signal('SIGCONT');
    suspended.write('publish');
    await suspended.says(/^output_locked$/);
    await expect(openOutputFolder(folder)).rejects.toMatchObject({ code: 'output_locked' });
    await next.close();
    expect(readdirSync(root)).not.toContain('suspended');
  });

  it('that is killed loses its folder after the lease', async () => {
    const folder = path.join(root, 'killed');
    const killed = await hold(folder, 'half');
    await killed.kill();
    ageOwners(folder, killed.space, MINUTE_MS);
    await (await openOutputFolder(folder)).close();
    expect(readdirSync(root)).not.toContain('killed');
  });
});

describe.skipIf(NAMESPACE_ARGUMENTS === null)('two servers in containers on one data folder', () => {
  it(
    `that are killed ${KILLS} times lose no task, and none is FAILED because of them`,
    async () => {
      const home = path.join(root, 'home');
      mkdirSync(home);
      const store = createFileTaskStore({ home });
      const servers = await Promise.all([serve(home), serve(home)]);
      const ids = new Set<string>();
      const post = async ({ url }: Server, name: string) => ids.add(await postListing(url, name));
      for (let n = 0; n < TASKS; n += 1) await post(servers[n % 2]!, `Agent ${n}`);

      for (let kill = 0; kill < KILLS; kill += 1) {
        const victim = kill % 2;
        const { container } = servers[victim]!;
        const isDue = ({ worker, progress }: TaskRecord) =>
          worker?.space === container.space && (progress?.percent ?? 0) >= KILL_AT[kill % KILL_AT.length]!;
        for (;;) {
          const { data } = await store.list({ state: 'RUNNING', limit: 100 });
          if (data.some(isDue)) break;
          // Nothing is left to kill: the other server has done it all.
          const { data: waiting } = await store.list({ state: 'PENDING', limit: 1 });
          if (data.length + waiting.length === 0) await post(servers[1 - victim]!, `Later ${ids.size}`);
          await pause();
        }
        await container.kill();
        containers.delete(container);
        ageOwners(home, container.space, 10 * MINUTE_MS);
        servers[victim] = await serve(home);
      }

      for (const id of ids) {
        const task = await ended((id) => store.get(id), id);
        expect({ id, state: task.state, failure: task.failure }).toEqual({
          id,
          state: 'SUCCEEDED',
          failure: null,
        });
        // The files of the other attempts are gone, and clients get those of the result from each server.
        const files = path.join(home, 'files', String(task.organizationId), id);
        await gone(() => readdirSync(files).length === 1);
        for (const { url } of servers) expect(await download(url, id)).toBe('video/mp4');
      }
      expect(ids.size).toBe((await store.list({ limit: 100 })).data.length);
      for (const { container } of servers) await container.kill();
      for (const { container } of servers) ageOwners(home, container.space, 10 * MINUTE_MS);
      await createFileStorage(home).removeAbandoned();
      expect(readdirSync(path.join(home, 'files', '.staging'))).toEqual([]);
    },
    60_000 + KILLS * 30_000,
  );
});

interface Server {
  readonly container: Container;
  readonly url: string;
}

async function serve(home: string): Promise<Server> {
  const launcher = path.join(REPOSITORY, 'bin/listing-video.js');
  const container = await start([launcher, 'serve', '--port', '0', '--quality', 'draft', '--home', home]);
  const [, url = ''] = await container.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/);
  return { container, url };
}

async function postListing(url: string, lastName: string): Promise<string> {
  const listing = JSON.parse(await readFile(path.join(SMALL, 'listing.json'), 'utf8'));
  for (const asset of listing.assets) asset.url = `${photos.origin}/${path.basename(asset.url)}`;
  listing.agents[0].last_name = lastName;
  const response = await fetch(`${url}/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(listing),
  });
  expect(response.status).toBe(202);
  return ((await response.json()) as { id: string }).id;
}

/** The content type of the task's video, as `url` serves it. */
async function download(url: string, id: string): Promise<string | null> {
  const task = (await (await fetch(`${url}/v1/tasks/${id}`)).json()) as { results: { url: string }[] };
  const video = await fetch(new URL(new URL(task.results[0]!.url).pathname, url));
  await video.arrayBuffer();
  return video.status === 200 ? video.headers.get('content-type') : String(video.status);
}

async function ended(get: (id: string) => Promise<TaskRecord>, id: string): Promise<TaskRecord> {
  for (;;) {
    const task = await get(id);
    if (task.state === 'SUCCEEDED' || task.state === 'FAILED') return task;
    await pause();
  }
}

/** Waits for what another process does without an event. */
async function gone(isGone: () => boolean): Promise<void> {
  while (!isGone()) await pause();
}

function pause(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 25));
}

/** Sets the heartbeats of all claims and folders back whose owner was in this pid namespace, as if time had passed. */
function ageOwners(folder: string, space: string, ageMs: number): void {
  const past = (Date.now() - ageMs) / 1000;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!/^(?:claim\.\d+|owner\.json|\.listing-video\.lock)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    try {
      if (JSON.parse(readFileSync(file, 'utf8')).space === space) utimesSync(file, past, past);
    } catch {
      // Its owner has just removed it.
    }
  }
}
