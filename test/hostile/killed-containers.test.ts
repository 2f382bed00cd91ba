/**
 * Containers that are killed or suspended while they work on a shared data folder. No task is lost or FAILED because of
 * them, and no process publishes after another one has taken its place.
 *
 * `LISTING_VIDEO_TEST_KILLS=30 npx vitest run test/hostile/killed-containers.test.ts` runs longer.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeAbandoned } from '../../src/platform/disk/owned-folder.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskRecord } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { createFileStorage } from '../../src/video/publish/file-storage.ts';
import { removeTornFolders } from '../../src/video/publish/folder-lock.ts';
import { openOutputFolder } from '../../src/video/publish/output-folder.ts';
import { workRoot } from '../../src/video/work-folder.ts';
import { post, readTask } from '../api/server/ask-server.ts';
import { buildModule } from '../build-module.ts';
import { type LoopbackServer, type Route, startServer } from '../media/assets/loopback-server.ts';
import { ageOwners, type Container, NAMESPACE_ARGUMENTS, startContainer } from './pid-namespace.ts';

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

describe.skipIf(NAMESPACE_ARGUMENTS === null)('create in a container', () => {
  let holder: Awaited<ReturnType<typeof buildModule>>;
  beforeAll(async () => {
    holder = await buildModule('test/hostile/hold-folder.ts');
  });
  afterAll(() => holder.remove());
  const hold = async (folder: string, content: string) => {
    const container = await start([holder.path, folder, content]);
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

  it('that is killed loses its folder after the lease, to the same listing or to a run of another one', async () => {
    const out = path.join(root, 'videos');
    const folders = [path.join(out, 'L-1'), path.join(out, 'L-2')] as const;
    for (const killed of await Promise.all(folders.map((folder) => hold(folder, 'half')))) {
      await killed.kill();
      ageOwners(out, killed.space, MINUTE_MS);
    }
    const folder = await openOutputFolder(folders[0]);
    await removeTornFolders(out);
    expect(readdirSync(out)).toEqual(['L-1']);
    await folder.close();
    expect(readdirSync(out)).toEqual([]);
  });
});

describe.skipIf(NAMESPACE_ARGUMENTS === null)('two servers in containers on one data folder', () => {
  let home: string;
  let store: TaskStore;
  let servers: Server[];
  beforeAll(async () => {
    home = path.join(root, 'home');
    mkdirSync(home);
    store = createFileTaskStore({ home });
    servers = await Promise.all([serve(home), serve(home)]);
  });
  const filesOf = ({ id, organizationId }: TaskRecord) =>
    path.join(home, 'files', String(organizationId), id);

  it('of which one is paused while it renders: the other makes its task, and the first changes nothing', async () => {
    const [first, second] = servers as [Server, Server];
    const pauseOne = async () => {
      for (let attempt = 0; ; attempt += 1) {
        const id = await postListing(first.url, `Paused ${attempt}`);
        await until(async () => ((await store.get(id)).progress?.percent ?? 0) > 8);
        const { worker } = await store.get(id);
        const [late, other] = worker?.space === first.container.space ? [first, second] : [second, first];
        late.container.signal('SIGSTOP');
        // A quick machine may have ended the video before the signal came.
        if ((await store.get(id)).state === 'RUNNING') return { id, late, other };
        late.container.signal('SIGCONT');
      }
    };
    const { id, late, other } = await pauseOne();
    let task: TaskRecord;
    try {
      ageOwners(path.join(home, 'tasks'), late.container.space, MINUTE_MS);
      task = await ended(store, id);
    } finally {
      // The next test needs both servers.
      late.container.signal('SIGCONT');
    }
    expect(task).toMatchObject({ state: 'SUCCEEDED', worker: { space: other.container.space } });
    // Its render process goes on until its server tells it that the task is lost.
    await until(async () => staged(home).length === 0);
    expect(readdirSync(filesOf(task))).toEqual([String(task.fence - 1)]);
    expect(await store.get(id)).toEqual(task);
    for (const { url } of servers) expect(await download(url, id)).toBe('video/mp4');
  }, 180_000);

  it(
    `that are killed ${KILLS} times lose no task, and none is FAILED because of them`,
    async () => {
      const ids = new Set<string>();
      for (let n = 0; n < TASKS; n += 1) ids.add(await postListing(servers[n % 2]!.url, `Agent ${n}`));
      for (let kill = 0; kill < KILLS; kill += 1) {
        const victim = kill % 2;
        const { container } = servers[victim]!;
        let killAt = KILL_AT[kill % KILL_AT.length]!;
        const isDue = ({ worker, progress }: TaskRecord) =>
          worker?.space === container.space && (progress?.percent ?? 0) >= killAt;
        await until(async () => {
          const { data } = await store.list({ state: 'RUNNING', limit: 100 });
          if (data.some(isDue)) return true;
          const { data: waiting } = await store.list({ state: 'PENDING', limit: 1 });
          if (data.length + waiting.length > 0) return false;
          // All is done already. Whom a task is posted to takes it first. A quick machine makes a video of which most
          // frames are cached before its server stores the progress once more.
          killAt = Math.max(0, killAt - 20);
          ids.add(await postListing(servers[victim]!.url, `Later ${ids.size}`));
          return false;
        });
        await container.kill();
        containers.delete(container);
        ageOwners(home, container.space, 10 * MINUTE_MS);
        servers[victim] = await serve(home);
      }

      for (const id of ids) {
        const task = await ended(store, id);
        expect({ id, state: task.state, failure: task.failure }).toEqual({
          id,
          state: 'SUCCEEDED',
          failure: null,
        });
        // The server that ended the task removes the files of the other attempts.
        await until(async () => readdirSync(filesOf(task)).length === 1);
        for (const { url } of servers) expect(await download(url, id)).toBe('video/mp4');
      }
      for (const { container } of servers) await container.kill();
      for (const { container } of servers) ageOwners(home, container.space, 10 * MINUTE_MS);
      // One that was killed before it wrote the owner, or while it removed the folder, left a folder that only its own
      // age judges.
      for (const folder of [path.join(home, 'files', '.staging'), workRoot(home)]) {
        for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), 0, 0);
      }
      await createFileStorage(home).removeAbandoned();
      await removeAbandoned(workRoot(home));
      expect([...staged(home), ...readdirSync(workRoot(home))]).toEqual([]);
    },
    180_000 + KILLS * 30_000,
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
  // The shortest template: 15 seconds.
  listing.agents[0].video_options = { template_id: 'social' };
  const { status, json } = await post(url, listing);
  expect(status).toBe(202);
  return json.id;
}

/** The content type of the task's video, as `url` serves it. */
async function download(url: string, id: string): Promise<string | null> {
  const task = await readTask(url, id);
  const video = await fetch(new URL(new URL(task.results[0].url).pathname, url));
  await video.arrayBuffer();
  return video.status === 200 ? video.headers.get('content-type') : String(video.status);
}

async function ended(store: TaskStore, id: string): Promise<TaskRecord> {
  await until(async () => ['SUCCEEDED', 'FAILED'].includes((await store.get(id)).state));
  return store.get(id);
}

/** Folders in which attempts are writing. */
function staged(home: string): string[] {
  return readdirSync(path.join(home, 'files', '.staging'));
}

/** Polls what another process does without an event. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 25));
}
