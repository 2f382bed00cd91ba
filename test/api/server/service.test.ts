/** A server's life: what it refuses to start as, what it takes up, how it drains, what it forgets. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newTaskId } from '../../../src/task/new-task-id.ts';
import type { TaskRecord, TaskState } from '../../../src/task/task.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { VIDEO_TASK_CODEC } from '../../../src/video/video-task-codec.ts';
import { deferred } from '../../deferred.ts';
import { aListing } from '../../listing/a-listing.ts';
import { ManualClock } from '../../task/manual-clock.ts';
import { createMemoryTaskStore } from '../../task/memory-task-store.ts';
import { idAt } from '../../task/store-harness.ts';
import { aPayload } from '../../video/a-payload.ts';
import { post } from './ask-server.ts';
import type { VideoHandler } from './harness.ts';
import { openWire, serviceOpener } from './running-service.ts';

const DAY_MS = 86_400_000;
const open = serviceOpener();

/** Resolves once the task is in this state. */
async function reaches(store: TaskStore, id: string, state: TaskState): Promise<TaskRecord> {
  for (;;) {
    const task = await store.get(id);
    if (task.state === state) return task;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const accept = async (url: string): Promise<string> => (await post(url, aListing())).json.id;

describe('a server', () => {
  it.each(['0.0.0.0', '::', '192.168.1.7', 'videos.example'])(
    'does not listen on %s without a key',
    async (host) => {
      const { service } = await open({ host, lookupHost: async () => undefined });
      await expect(service.start()).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining(host),
        hint: expect.stringContaining('--allow-anonymous'),
      });
    },
  );

  it('does when there is a key or anonymous access is allowed', async () => {
    const keyed = await open({ host: '0.0.0.0' });
    await keyed.accounts.createKey({ organizationId: 'org_default' });
    expect(await keyed.service.start()).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    const anonymous = await open({ host: '0.0.0.0', allowAnonymous: true });
    const url = await anonymous.service.start();
    expect(anonymous.log).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/anonymous access is on/) }),
    );
    const { port } = new URL(url);
    expect(
      (await fetch(`http://127.0.0.1:${port}/v1/tasks`, { headers: { host: 'any.example' } })).status,
    ).toBe(200);
  });

  it.each([
    [{ host: '0.0.0.0' }, 'http://127.0.0.1'],
    [{ host: '::' }, 'http://[::1]'],
    [{ host: '0' }, 'http://127.0.0.1'],
    [{ host: '0.0.0.0', publicUrl: 'https://videos.example' }, null],
    [{ host: '127.0.0.1', publicUrl: 'https://videos.example' }, null],
    [{ host: '127.0.0.1' }, null],
  ])('with %o warns when others reach it, but not the videos that it names', async (options, shown) => {
    const { service, log } = await open({ ...options, allowAnonymous: true });
    const { port } = new URL(await service.start());
    const warnings = log.filter(({ level, msg }) => level === 'warn' && msg.includes('--public-url'));
    const expected = `the addresses of finished videos begin with ${shown}:${port}, which only this machine can open`;
    expect(warnings.map(({ msg }) => msg)).toEqual(shown === null ? [] : [expect.stringContaining(expected)]);
  });

  it('says at its start that it is for development', async () => {
    const { service, log } = await open();
    await service.start();
    expect(log[0]).toMatchObject({ level: 'warn', msg: expect.stringMatching(/^development mode/) });
  });

  it('says at its start which web pages may drive it without a key', async () => {
    const warningsOf = async (corsOrigins: readonly string[], hasKey: boolean) => {
      const { service, log, accounts } = await open({ corsOrigins });
      if (hasKey) await accounts.createKey({ organizationId: 'org_default' });
      await service.start();
      return log.filter(({ msg }) => /--cors-origin/.test(msg)).map(({ level, msg }) => `${level} ${msg}`);
    };
    expect(await warningsOf(['*'], false)).toEqual([
      expect.stringMatching(/^warn --cors-origin lets pages of any origin/),
    ]);
    expect(await warningsOf(['https://crm.example'], false)).toEqual([
      expect.stringMatching(/^warn --cors-origin lets pages of https:\/\/crm\.example/),
    ]);
    expect([...(await warningsOf([], false)), ...(await warningsOf(['*'], true))]).toEqual([]);
  });

  it('listens on IPv6 too', async () => {
    const { service } = await open({ host: '::1' });
    const url = await service.start();
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/v1/tasks`)).status).toBe(200);
  });

  it('says so when its port is taken', async () => {
    const first = await open();
    const { port } = new URL(await first.service.start());
    const second = await open({ port: Number(port) });
    await expect(second.service.start()).rejects.toMatchObject({
      code: 'cannot_listen',
      exitCode: 3,
      message: `port ${port} of 127.0.0.1 is in use`,
    });
  });

  it('runs what it is sent, and shows files under the address it listens on', async () => {
    const { service, store } = await open();
    const url = await service.start();
    const id = await accept(url);
    await reaches(store, id, 'SUCCEEDED');
    const task = (await (await fetch(`${url}/v1/tasks/${id}`)).json()) as { results: { url: string }[] };
    expect(task.results[0]!.url).toBe(`${url}/files/org_default/${id}/AAAAAAAAAAAAAAAAAAAAA0.mp4`);
  });

  it('takes up what an earlier run left, but no task of the command line', async () => {
    const store = createMemoryTaskStore();
    const payload = VIDEO_TASK_CODEC.payload.encode(aPayload(aListing()));
    const waiting = await store.create({
      id: newTaskId(),
      origin: 'api',
      organizationId: 'org_default',
      payload,
    });
    const other = await store.create({ id: newTaskId(), origin: 'cli', organizationId: null, payload });
    const { service } = await open({ store });
    await service.start();
    await reaches(store, waiting.id, 'SUCCEEDED');
    expect((await store.get(other.id)).state).toBe('PENDING');
  });
});

describe('a drain', () => {
  /** Runs until it is told to stop, or let go. */
  function patient() {
    const running = deferred();
    const finish = deferred();
    const handler: VideoHandler = async (_, { signal }) => {
      running.resolve();
      await Promise.race([
        finish.promise,
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
      return { results: [], dropped_assets: [], report: null };
    };
    return { handler, running: running.promise, finish: finish.resolve };
  }

  it('gives a task back that does not end in time, as if it had not begun', async () => {
    const { handler, running } = patient();
    const { service, store, stop } = await open({ handler, graceMs: 30 });
    const id = await accept(await service.start());
    await running;
    await stop();
    expect(await store.get(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
  });

  it('waits for a task that does, and meanwhile answers 503 on connections that then end', async () => {
    const { handler, running, finish } = patient();
    const { service, store, stop } = await open({ handler, graceMs: 60_000 });
    const url = await service.start();
    const id = await accept(url);
    await running;
    const stopped = stop();
    const api = await fetch(`${url}/v1/tasks/${id}`);
    expect([api.status, api.headers.get('connection')]).toEqual([503, 'close']);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    finish();
    await stopped;
    expect((await store.get(id)).state).toBe('SUCCEEDED');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('closes idle connections at once, and lets an answer under way be the last of its connection', async () => {
    const asked = deferred();
    const answer = deferred();
    const { service, stop } = await open({
      graceMs: 60_000,
      checkReadiness: async () => {
        asked.resolve();
        await answer.promise;
        return { isReady: true, checks: {} };
      },
    });
    const url = await service.start();
    const idle = await openWire(url);
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await idle.sees(/"ok"/);
    const busy = await openWire(url);
    busy.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await asked.promise;
    const stopped = stop();
    await idle.closed;
    answer.resolve();
    const text = await busy.closed;
    await stopped;
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text).toMatch(/connection: close/i);
  });

  it('does not wait for a client that never ends', async () => {
    const { service, stop } = await open({ graceMs: 0 });
    const wire = await openWire(await service.start());
    wire.write(
      'POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
    await stop();
    await wire.closed;
  });
});

describe('retention', () => {
  const nowMs = Date.now();

  async function ended(store: TaskStore, id: string, origin: 'api' | 'cli' = 'api'): Promise<void> {
    await store.create({ id, origin, organizationId: 'org_default', payload: null });
    const result = await store.claim(id);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await store.settle(result.claim, { kind: 'succeeded', outcome: null }, null);
  }

  it('removes old tasks of the API with their files, and no files without their task', async () => {
    let atMs = nowMs - 40 * DAY_MS;
    const store = createMemoryTaskStore({ nowMs: () => atMs });
    const [old, cli, orphan] = [1, 2, 3].map((n) => idAt(atMs, n)) as [string, string, string];
    await ended(store, old);
    await ended(store, cli, 'cli');
    atMs = nowMs;
    const [young, youngOrphan] = [4, 5].map((n) => idAt(nowMs, n)) as [string, string];
    await ended(store, young);
    const { service, home, log, stop } = await open({ store, keepMs: 30 * DAY_MS });
    const folder = path.join(home, 'files', 'org_default');
    for (const id of [old, orphan, young, youngOrphan, 'not-a-task']) {
      await mkdir(path.join(folder, id), { recursive: true });
      await writeFile(path.join(folder, id, 'x.mp4'), 'film');
    }
    await service.start();
    while (!log.some(({ tasks }) => tasks !== undefined)) await new Promise((done) => setImmediate(done));
    await stop();
    expect((await readdir(folder)).sort()).toEqual([orphan, young, youngOrphan, 'not-a-task'].sort());
    expect((await store.list({ limit: 9 })).data.map(({ id }) => id)).toEqual([young, cli]);
    expect(log).toContainEqual(expect.objectContaining({ tasks: 1 }));
  });

  it('is off unless asked for', async () => {
    let atMs = nowMs - 400 * DAY_MS;
    const store = createMemoryTaskStore({ nowMs: () => atMs });
    await ended(store, idAt(atMs, 1));
    atMs = nowMs;
    const { service, stop } = await open({ store });
    await service.start();
    await stop();
    expect((await store.list({ limit: 9 })).data).toHaveLength(1);
  });
});

it('what dead processes left half written is removed at the start and every hour, also without --keep', async () => {
  const clock = new ManualClock(Date.now());
  const removeAbandoned = vi.fn(async () => {});
  const { service, stop } = await open({ clock, removeAbandoned });
  await service.start();
  await clock.advance(0);
  expect(removeAbandoned).toHaveBeenCalledTimes(1);
  await clock.advance(3_600_000);
  expect(removeAbandoned).toHaveBeenCalledTimes(2);
  await stop();
  expect(clock.waiting).toBe(0);
});
