/** `--keep` on a data folder that lost its tasks, and on a machine whose clock is wrong: it deletes no video. */
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type Sweep, sweepOld } from '../../src/api/server/upkeep/retention.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { createFileStorage } from '../../src/video/publish/file-storage.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { idAt } from '../task/store-harness.ts';

const DAY_MS = 86_400_000;
const KEEP_MS = 30 * DAY_MS;
const START_MS = Date.UTC(2026, 10, 1);

let home: string;
let nowMs: number;
let store: TaskStore;

beforeEach(async () => {
  home = temporaryFolder();
  nowMs = START_MS;
  store = openStore();
  for (let n = 0; n < 3; n++) await addVideo(n);
});

const openStore = (): TaskStore => createFileTaskStore({ home, durable: false, nowMs: () => nowMs });
const videoOf = (id: string): string => path.join(home, 'files', 'org', id, 'video.mp4');
const idOf = (n: number): string => idAt(START_MS + n, n);
const videosLeft = (): boolean[] => [0, 1, 2].map((n) => existsSync(videoOf(idOf(n))));

async function addVideo(n: number): Promise<void> {
  const id = idOf(n);
  await store.create({ id, origin: 'api', organizationId: 'org', payload: null });
  const result = await store.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  await store.settle(result.claim, { kind: 'succeeded', outcome: null }, null);
  await mkdir(path.dirname(videoOf(id)), { recursive: true });
  await writeFile(videoOf(id), 'video');
}

function sweep(): Promise<Sweep | { readonly refusal: string }> {
  const deps = {
    ...{ store, files: createFileStorage(home), sweepFile: path.join(home, 'sweep.json') },
    accounts: { prune: async () => 0 },
    uploads: { release: async () => {} },
  };
  return sweepOld(deps, { keepMs: KEEP_MS, nowMs, isStopped: () => false });
}

/** An hourly sweep on each day, as a server makes it. */
async function runFor(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    nowMs += DAY_MS;
    await sweep();
  }
}

it('videos go with their tasks, when these are old', async () => {
  await runFor(29);
  expect(videosLeft()).toEqual([true, true, true]);
  await runFor(2);
  expect(videosLeft()).toEqual([false, false, false]);
  expect((await store.list({ limit: 9 })).data).toEqual([]);
});

it('a bucket that is away is asked once in a sweep, and no task goes without its videos', async () => {
  await runFor(29);
  nowMs += 2 * DAY_MS;
  let asked = 0;
  const remove = async () => {
    asked += 1;
    throw new ListingVideoError('storage_unavailable', 'the bucket s3://films is not available');
  };
  const deps = {
    store,
    files: { remove },
    uploads: { release: async () => {} },
    sweepFile: path.join(home, 'sweep.json'),
    accounts: { prune: async () => 0 },
  };
  await expect(sweepOld(deps, { keepMs: KEEP_MS, nowMs, isStopped: () => false })).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  expect(asked).toBe(1);
  expect((await store.list({ limit: 9 })).data).toHaveLength(3);
});

it('videos stay while the folder of their tasks is missing, and new tasks change nothing about that', async () => {
  await runFor(20);
  await rename(path.join(home, 'tasks'), path.join(home, 'elsewhere'));
  await runFor(20);
  expect(videosLeft()).toEqual([true, true, true]);
  const id = idAt(nowMs, 9);
  await store.create({ id, origin: 'api', organizationId: 'org', payload: null });
  await runFor(20);
  expect(videosLeft()).toEqual([true, true, true]);
  // The disk is mounted again.
  await cp(path.join(home, 'elsewhere'), path.join(home, 'tasks'), { recursive: true });
  await rm(path.join(home, 'index'), { recursive: true });
  await sweep();
  expect(videosLeft()).toEqual([false, false, false]);
});

it('nothing goes while the clock is ten years ahead for an hour, or again when it is right', async () => {
  await runFor(2);
  const rightMs = nowMs;
  nowMs += 3_650 * DAY_MS;
  const expected = { refusal: expect.stringContaining('the clock says 2036-') };
  expect(await sweep()).toEqual(expected);
  nowMs += 3_600_000;
  expect(await sweep()).toMatchObject({ refusal: expect.stringContaining('nothing is deleted before') });
  nowMs = rightMs + 2 * 3_600_000;
  expect(await sweep()).toMatchObject({ refusal: expect.stringContaining('the clock says 2026-11-03') });
  await runFor(20);
  expect(videosLeft()).toEqual([true, true, true]);
});

it('a task whose files cannot be deleted is reported, keeps none of the others, and goes with a later sweep', async () => {
  await runFor(29);
  nowMs += 2 * DAY_MS;
  const files = createFileStorage(home);
  const dying = {
    remove: async (owner: Parameters<typeof files.remove>[0]) => {
      await files.remove(owner);
      throw new Error('killed');
    },
  };
  const deps = {
    ...{ store, files: dying, accounts: { prune: async () => 0 } },
    uploads: { release: async () => {} },
  };
  const sweepFile = path.join(home, 'sweep.json');
  const swept = await sweepOld({ ...deps, sweepFile }, { keepMs: KEEP_MS, nowMs, isStopped: () => false });
  expect(swept).toMatchObject({ tasks: 0, warnings: [0, 1, 2].map((n) => ({ id: idOf(n) })) });
  expect(videosLeft()).toEqual([false, false, false]);
  expect((await store.list({ limit: 9 })).data).toHaveLength(3);
  await sweep();
  expect([videosLeft(), (await store.list({ limit: 9 })).data]).toEqual([[false, false, false], []]);
});
