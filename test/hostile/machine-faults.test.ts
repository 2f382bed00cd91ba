/**
 * Faults of the machine under a real server: accepted tasks wait for their end, and no task is FAILED because of them.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CreateAppOptions, createApp } from '../../src/library/create-app.ts';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { MIN_FREE_BYTES } from '../../src/platform/disk/free-space.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskRecord } from '../../src/task/task.ts';
import { type AnyJson, openHarness } from '../api/server/harness.ts';
import { aListing } from '../listing/a-listing.ts';
import { childrenOf } from '../live-processes.ts';
import { startServer } from '../media/assets/loopback-server.ts';
import { ManualClock } from '../task/manual-clock.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { START_MS } from '../task/store-harness.ts';

const TASKS = 12;
const MIB = 1024 * 1024;

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'listing-video-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Photos of a port that nobody listens on: a task that runs ends for a reason of its own, quickly. */
function hopelessListing(): AnyJson {
  const listing = aListing();
  for (const asset of listing.assets) asset.url = 'http://127.0.0.1:9/photo.jpg';
  return listing;
}

/** The API on the real store, with real task processes. */
async function openApi(home: string, options: Partial<CreateAppOptions> = {}) {
  const log: string[] = [];
  const waiting = new Set<() => void>();
  const write = (_: object, message: string) => {
    log.push(message);
    for (const check of waiting) check();
  };
  const logger = { debug: () => {}, info: write, warn: write, error: write };
  const api = await createApp({
    home,
    publicUrl: 'http://127.0.0.1',
    access: 'loopback',
    grace: '0s',
    logger,
    ...options,
  });
  onTestFinished(() => api.stop());
  const store = createFileTaskStore({ home });
  const post = (listing: AnyJson) =>
    api.app.request('/v1/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: '127.0.0.1' },
      body: JSON.stringify(listing),
    });
  return {
    store,
    start: api.start,
    ready: async () => {
      const answer = await api.app.request('/readyz', { headers: { host: '127.0.0.1' } });
      return { status: answer.status, json: (await answer.json()) as AnyJson };
    },
    async submit(listing: AnyJson): Promise<string> {
      const answer = await post(listing);
      expect(answer.status).toBe(202);
      return ((await answer.json()) as { id: string }).id;
    },
    /** Resolves when the log has this message. */
    logs: (message: string) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!log.includes(message)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

async function states(store: {
  list: (query: { limit: number }) => Promise<{ data: readonly TaskRecord[] }>;
}) {
  return (await store.list({ limit: 99 })).data.map(({ state, fence }) => `${state} ${fence}`);
}

describe('without ffmpeg', () => {
  it('12 accepted tasks are not touched, and run when it is there', async () => {
    const home = newFolder();
    const ffmpeg = path.join(home, 'ffmpeg-of-the-operator');
    writeFileSync(ffmpeg, '#!/bin/sh\nexit 1\n');
    chmodSync(ffmpeg, 0o755);
    const api = await openApi(home, { ffmpeg });
    for (let n = 0; n < TASKS; n++) await api.submit(hopelessListing());
    api.start();
    await api.logs('no task is started until this machine is ready');
    expect(await api.ready()).toMatchObject({
      status: 503,
      json: { context: { checks: { store: true, ffmpeg: false, worker: false } } },
    });
    expect(await states(api.store)).toEqual(Array(TASKS).fill('PENDING 0'));
    rmSync(ffmpeg);
    symlinkSync((await findFfmpeg({ searchPath: process.env.PATH ?? '' })).path, ffmpeg);
    await api.logs('the machine is ready for tasks again');
    // Now the tasks end for what lies in their listing.
    await api.logs('task ended');
    const { data } = await api.store.list({ limit: 1, state: 'FAILED' });
    expect(data[0]?.failure?.code).toBe('no_usable_assets');
  });

  it('a server that has found it before notices that it is gone, and that it is back', async () => {
    const home = newFolder();
    const ffmpeg = path.join(home, 'ffmpeg-of-the-operator');
    const found = (await findFfmpeg({ searchPath: process.env.PATH ?? '' })).path;
    symlinkSync(found, ffmpeg);
    const api = await openApi(home, { ffmpeg });
    // The answer is kept for a second.
    const becomes = async (status: number) => {
      for (;;) {
        const answer = await api.ready();
        if (answer.status === status) return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await becomes(200);
    rmSync(ffmpeg);
    expect((await becomes(503)).json).toMatchObject({ context: { checks: { store: true, ffmpeg: false } } });
    symlinkSync(found, ffmpeg);
    await becomes(200);
  });
});

/** A small disk of its own, or null with the reason printed. */
function mountDisk(folder: string): string | null {
  const disk = path.join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${MIN_FREE_BYTES + 16 * MIB}`,
    'tmpfs',
    disk,
  ]);
  if (mounted.status !== 0) {
    console.log(`skipped: cannot mount a small disk: ${mounted.stderr ?? mounted.error}`);
    return null;
  }
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  return disk;
}

describe('on a full disk', () => {
  it('no accepted task fails, and all run when there is space', async (test) => {
    const home = mountDisk(newFolder());
    if (home === null) return test.skip();
    const api = await openApi(home);
    for (let n = 0; n < 3; n++) await api.submit(hopelessListing());
    const ballast = path.join(home, 'ballast');
    writeFileSync(ballast, Buffer.alloc(0));
    // All of it: not even an empty file can be written.
    while (statfsSync(home).bavail > 0) {
      const { bavail, bsize } = statfsSync(home);
      appendFileSync(ballast, Buffer.alloc(Math.min(bavail * bsize, 32 * MIB)));
    }
    api.start();
    // By its check before a claim, or by the claim that fails.
    await Promise.race([
      api.logs('no task is started until this machine is ready'),
      api.logs('no task is started for a while, because of a fault of this machine'),
    ]);
    expect((await api.ready()).json.context.checks).toMatchObject({
      store: false,
      disk: false,
      worker: false,
    });
    expect((await states(api.store)).map((state) => state.split(' ')[0])).toEqual(Array(3).fill('PENDING'));
    rmSync(ballast);
    await api.logs('task ended');
    const { data } = await api.store.list({ limit: 9, state: 'FAILED' });
    expect(data.map(({ failure }) => failure?.code)).toEqual(data.map(() => 'no_usable_assets'));
  });
});

describe.skipIf(process.platform !== 'linux')('a process of a task that is killed', () => {
  it('three times ends its task with a plain sentence; the server goes on', async () => {
    // A host that never answers keeps the process at its work.
    const hosts = await startServer({ '/never.jpg': () => {} });
    onTestFinished(() => hosts.close());
    const listing = aListing();
    for (const asset of listing.assets) asset.url = `${hosts.origin}/never.jpg`;
    const api = await openApi(newFolder());
    const id = await api.submit(listing);
    api.start();
    const killed = new Set<number>();
    while (killed.size < 3) {
      const task = childrenOf(process.pid).find(
        ({ pid, command }) => command.includes('run-task-entry') && !killed.has(pid),
      );
      // It asks for its photo, so it has begun.
      if (task !== undefined && hosts.requests.length > killed.size) {
        process.kill(task.pid, 'SIGKILL');
        killed.add(task.pid);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await api.logs('task failed');
    expect(await api.store.get(id)).toMatchObject({
      state: 'FAILED',
      attempts: 3,
      failure: { code: 'task_failed', message: expect.stringMatching(/^given up after 3 attempts: /) },
    });
    expect((await api.ready()).status).toBe(200);
  });
});

describe('a pause', () => {
  it('is visible to operators at once, and refuses new tasks after a minute, until a task succeeds', async () => {
    const clock = new ManualClock(START_MS);
    let isFull = true;
    const api = openHarness({
      clock,
      store: createMemoryTaskStore({ nowMs: clock.nowMs }),
      handler: async () => {
        if (isFull) throw new ListingVideoError('disk_full', 'cannot write /srv/home: the disk is full');
        return { results: [], dropped_assets: [], report: '/srv/report.json' };
      },
    });
    const ids: string[] = [];
    for (let n = 0; n < TASKS; n++) ids.push((await api.post(aListing())).json.id);
    api.engine.start();
    await clock.advance(100);
    const ready = await api.ask('/readyz');
    expect([ready.status, ready.json.context.checks.worker]).toEqual([503, false]);
    expect((await api.post(aListing())).status).toBe(202);
    await clock.advance(61_000);
    const refused = await api.post(aListing());
    expect([refused.status, refused.json.code]).toEqual([503, 'unavailable']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).not.toContain('/srv');
    for (const id of ids) expect((await api.ask(`/v1/tasks/${id}`)).json.state).toBe('PENDING');

    isFull = false;
    await clock.advance(60_000);
    expect((await api.ask('/readyz')).status).toBe(200);
    for (const id of ids) expect((await api.ask(`/v1/tasks/${id}`)).json.state).toBe('SUCCEEDED');
    expect((await api.post(aListing())).status).toBe(202);
    const drained = api.engine.drain(0);
    await clock.advance(5_000);
    await drained;
  });
});
