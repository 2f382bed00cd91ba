/** `tasks`: what another terminal sees and does to the same store. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../src/platform/disk/json-codec.ts';
import { systemProbe } from '../../src/platform/disk/process-identity.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { machineFacts } from '../../src/platform/settings/machine-facts.ts';
import { resolveSettings, settingValues } from '../../src/platform/settings/resolve-settings.ts';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { newTaskId } from '../../src/task/new-task-id.ts';
import type { JsonValue } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { createFileStorage } from '../../src/video/publish/file-storage.ts';
import { openBackend } from '../../src/wiring/open-backend.ts';
import { deferred } from '../deferred.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';
import { folderOf, listing } from './listing-files.ts';
import { type AnyJson, engineOver, run, succeeding, type VideoHandler } from './run-cli.ts';

const failing: VideoHandler = async () => {
  throw new ListingVideoError('render_failed', 'ffmpeg was killed', { hint: 'try again' });
};

/** Puts a task into `store` and, with a handler, runs it to its end. */
async function addTask(store: TaskStore, id: string, handler?: VideoHandler, origin: 'cli' | 'api' = 'cli') {
  const engine = engineOver(store, handler ?? succeeding);
  const payload = aPayload(listing(id), `/out/${id}`, { listingFile: `/in/${id}.json` });
  const task = await engine.submit({ origin, organizationId: null, payload });
  return handler ? engine.runTask(task.id) : task;
}

describe('tasks list', () => {
  it('shows the newest first, in a table', async () => {
    const store = createMemoryTaskStore();
    const old = await addTask(store, 'L-1', succeeding);
    const young = await addTask(store, 'L-2', failing);
    const { exitCode, stdout } = await run('tasks list', { store });
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ID +STATE +AGE +LISTING +NOTE$/);
    expect(lines[1]).toMatch(new RegExp(`^${young.id} +FAILED .* L-2 +ffmpeg was killed$`));
    expect(lines[2]).toMatch(new RegExp(`^${old.id} +SUCCEEDED .* L-1 +1 video$`));
  });

  it('fits a narrow terminal and never cuts an id', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'a listing with a name that goes on and on', failing);
    const { stdout } = await run('tasks list', {
      store,
      isTty: true,
      columns: 70,
      env: { NO_COLOR: '1' },
    });
    const lines = stdout.trimEnd().split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(70);
    expect(lines[1]).toContain(task.id);
    expect(lines[1]).toContain('…');
  });

  it('pages with --limit and --starting-after, filters with --state', async () => {
    const store = createMemoryTaskStore();
    const ids: string[] = [];
    for (const id of ['1', '2', '3']) ids.unshift((await addTask(store, id, succeeding)).id);
    const failed = await addTask(store, '4', failing);
    const cwd = await folderOf();
    const first = await run('tasks list --json --limit 2 --state succeeded', {
      cwd,
      store,
    });
    expect(first.json().data.map((task: AnyJson) => task.id)).toEqual(ids.slice(0, 2));
    expect(first.json().has_more).toBe(true);
    const words = ['tasks', 'list', '--json', '--state', 'SUCCEEDED', '--starting-after', ids[1]!];
    const second = await run(words, { cwd, store });
    expect(second.json()).toMatchObject({ data: [{ id: ids[2] }], has_more: false });
    const third = await run(['tasks', 'list', '--json', '--state', 'FAILED'], { cwd, store });
    expect(third.json().data).toEqual([
      {
        id: failed.id,
        state: 'FAILED',
        failure_message: 'ffmpeg was killed',
        results: [],
        dropped_assets: [],
      },
    ]);
  });

  it('keeps its filters and its data folder in that command, which prints the next page', async () => {
    const store = createMemoryTaskStore();
    const ids: string[] = [];
    for (const id of ['1', '2', '3']) ids.unshift((await addTask(store, id, succeeding)).id);
    await addTask(store, '4', failing);
    const words = ['tasks', 'list', '--state', 'SUCCEEDED', '--limit', '1', '--home', 'my home'];
    const { cwd, stderr } = await run(words, { store });
    const next = `tasks list --state SUCCEEDED --limit 1 --starting-after ${ids[0]} --home 'my home'`;
    expect(stderr).toBe(`more: listing-video ${next}\n`);
    const typed = [...next.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const { json } = await run([...typed, '--json'], { cwd, store });
    expect(json().data).toMatchObject([{ id: ids[1] }]);
  });

  it('exits 2 for an unknown cursor', async () => {
    const words = ['tasks', 'list', '--starting-after', '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', '--json'];
    const { exitCode, json } = await run(words);
    expect(exitCode).toBe(2);
    expect(json().error.code).toBe('task_not_found');
  });

  it('shows hostile ids and messages escaped', async () => {
    const store = createMemoryTaskStore();
    await addTask(store, 'L\u001b[2J\u202e1', async () => {
      throw new ListingVideoError('render_failed', 'bad\u0007\nnews');
    });
    const { stdout } = await run('tasks list', { store });
    expect(stdout).toContain('L\\x1b[2J\\u202e1');
    expect(stdout).toContain('bad\\x07\\nnews');
  });
});

describe('tasks get', () => {
  it('prints a task as the API does, under --json', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', succeeding);
    const { exitCode, json } = await run(`tasks get ${task.id} --json`, {
      store,
    });
    expect(exitCode).toBe(0);
    expect(Object.keys(json())).toEqual(['id', 'state', 'results', 'dropped_assets']);
    expect(json().results[0].url).toBe('file:///out/L-1/ann.mp4');
  });

  it('prints what a person wants to know', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', failing);
    const { stdout } = await run(`tasks get ${task.id}`, { store });
    expect(stdout).toMatch(/^state +FAILED$/m);
    expect(stdout).toMatch(/^file +\/in\/L-1\.json$/m);
    expect(stdout).toMatch(/^failure +ffmpeg was killed$/m);
  });

  it.each([['get'], ['watch'], ['retry'], ['cancel']])('%s exits 2 for an unknown task', async (name) => {
    const { exitCode, stderr } = await run(['tasks', name, 'no-such-task']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no-such-task');
  });
});

describe('a record that somebody edited by hand', () => {
  /** A task that SUCCEEDED with this outcome. */
  async function endedWith(outcome: unknown, payload?: unknown) {
    const store = createMemoryTaskStore();
    const engine = createTaskEngine({ store, handler: async () => outcome as JsonValue });
    const { id } = await engine.submit({
      origin: 'cli',
      organizationId: null,
      payload: (payload ?? {
        listing: { id: 'L', agents: [] },
        listingFile: null,
        outputDir: '/out',
      }) as JsonValue,
    });
    await engine.runTask(id);
    return { store, id, cwd: await folderOf() };
  }

  it('is shown without the entries that are none', async () => {
    const outcome = {
      results: [null, 7, { url: 5, agent_id: 'x' }, { url: 'file://elsewhere/x.mp4', agent_id: 'a' }],
      dropped_assets: [null, { url: 'a.jpg' }, { url: 'b.jpg', reason: 'corrupt: x' }],
      report: 3,
    };
    const { store, id, cwd } = await endedWith(outcome);
    const text = await run(['tasks', 'get', id], { cwd, store });
    expect(text.exitCode).toBe(0);
    expect(text.stdout).toContain('result    file://elsewhere/x.mp4\ndropped   b.jpg: corrupt: x\n');
    const { json } = await run(['tasks', 'get', id, '--json'], { cwd, store });
    expect(json().results).toEqual([{ url: 'file://elsewhere/x.mp4', agent_id: 'a' }]);
  });

  it.each([
    [7, '-'],
    [{ listing: { id: 'x', agents: [] } }, 'x'],
    [{ listing: null, outputDir: '/out', listingFile: null }, '-'],
  ])('is shown with what is known of its listing when its payload is %j', async (payload, label) => {
    const { store, id, cwd } = await endedWith({}, payload);
    const { exitCode, stdout } = await run(['tasks', 'get', id], { cwd, store });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`listing   ${label}\n`)]);
  });
});

describe('tasks watch', () => {
  it('says at Ctrl-C that the task goes on, in one line under --json', async () => {
    const store = createMemoryTaskStore();
    const { id } = await addTask(store, 'L-1');
    const cwd = await folderOf();
    const world = {
      cwd,
      store,
      interrupted: AbortSignal.abort(),
      delay: async (_ms: number, signal: AbortSignal) => signal.throwIfAborted(),
    };
    const text = await run(['tasks', 'watch', id], world);
    expect(text.exitCode).toBe(130);
    expect(text.stderr).toContain(`stopped watching ${id}; the task continues`);
    const { jsonLines } = await run(['tasks', 'watch', id, '--json'], world);
    expect(jsonLines()).toMatchObject([{ id, state: 'PENDING' }, { error: { code: 'cancelled' } }]);
  });

  it('prints one line of JSON for each change, the last with the end', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1');
    const [begun, finish] = [deferred(), deferred()];
    const handler: VideoHandler = async (record, context) => {
      begun.resolve();
      await finish.promise;
      return succeeding(record, context);
    };
    const ended = engineOver(store, handler).runTask(task.id);
    await begun.promise;
    const { exitCode, jsonLines } = await run(`tasks watch ${task.id} --json`, {
      store,
      delay: async () => {
        finish.resolve();
        await ended;
      },
    });
    expect(exitCode).toBe(0);
    const events = jsonLines();
    expect(events.map((event) => event.state)).toEqual(['RUNNING', 'SUCCEEDED']);
    expect(events.at(-1).progress).toEqual({ percent: 100, stage: 'render', eta_seconds: 0 });
    expect(events.at(-1).results).toHaveLength(1);
  });

  it('of a task that failed prints its failure and exits 1', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', failing);
    const { exitCode, stderr } = await run(`tasks watch ${task.id}`, { store });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: L-1: ffmpeg was killed');
  });

  it('ends with 130 on Ctrl-C and leaves the task alone', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', undefined, 'api');
    const controller = new AbortController();
    const { exitCode } = await run(`tasks watch ${task.id}`, {
      store,
      interrupted: controller.signal,
      delay: async (_, signal) => {
        controller.abort();
        signal.throwIfAborted();
      },
    });
    expect(exitCode).toBe(130);
    expect((await store.get(task.id)).state).toBe('PENDING');
  });
});

describe('tasks retry', () => {
  it('runs a task of the command line right here and prints as create does', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', failing);
    const { exitCode, stdout, stderr } = await run(['tasks', 'retry', task.id], { cwd: '/out', store });
    expect(exitCode).toBe(0);
    expect(stdout).toBe('L-1/ann.mp4\nL-1/report.html\n');
    expect(stderr).toContain('done: L-1: 1 video');
    expect((await store.get(task.id)).state).toBe('SUCCEEDED');
  });

  it('has the document of create under --json', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', failing);
    const { json } = await run(['tasks', 'retry', task.id, '--json'], { cwd: '/out', store });
    expect(json()).toMatchObject({
      data: [
        { id: task.id, state: 'SUCCEEDED', listing_file: '/in/L-1.json', report: '/out/L-1/report.json' },
      ],
      has_more: false,
    });
  });

  it('leaves a task of a server to the server', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', failing, 'api');
    const { exitCode, stdout } = await run(['tasks', 'retry', task.id], { cwd: '/out', store });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('PENDING again');
    expect((await store.get(task.id)).state).toBe('PENDING');
  });

  it('of what is not FAILED exits 2', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', succeeding);
    const { exitCode, json } = await run(['tasks', 'retry', task.id, '--json'], { cwd: '/out', store });
    expect(exitCode).toBe(2);
    expect(json().error).toMatchObject({ code: 'task_state_conflict', context: { state: 'SUCCEEDED' } });
  });
});

describe('tasks cancel', () => {
  it('ends a waiting task', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1');
    const { exitCode, json } = await run(['tasks', 'cancel', task.id, '--json'], { cwd: '/out', store });
    expect(exitCode).toBe(0);
    expect(json()).toMatchObject({ state: 'FAILED', failure_message: 'cancelled' });
  });

  it('of what has ended exits 2', async () => {
    const store = createMemoryTaskStore();
    const task = await addTask(store, 'L-1', succeeding);
    const { exitCode } = await run(['tasks', 'cancel', task.id], { cwd: '/out', store });
    expect(exitCode).toBe(2);
  });

  it('makes a create in another terminal end as cancelled, exit 1', async () => {
    const store = createMemoryTaskStore();
    const cwd = await folderOf({ 'a.json': listing() });
    const handler: VideoHandler = async (task, { signal }) => {
      await run(['tasks', 'cancel', task.id], { cwd, store });
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
      throw new Error('was not interrupted');
    };
    const { exitCode, stderr } = await run(['create', 'a.json'], { cwd, store, handler });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('a.json: cancelled');
  });
});

describe('tasks prune', () => {
  it('removes what ended before the span, and nothing else', async () => {
    const store = createMemoryTaskStore();
    const ended = await addTask(store, 'L-1', succeeding);
    const waiting = await addTask(store, 'L-2');
    const now = Date.parse(ended.updatedAt);
    const words = ['tasks', 'prune', '--older-than', '12h', '--json'];
    const early = await run(words, { cwd: '/out', store, nowMs: () => now + 11 * 3_600_000 });
    expect(early.json()).toEqual({ dry_run: false, removed: [] });
    const later = { cwd: '/out', store, nowMs: () => now + 13 * 3_600_000 };
    const dry = await run([...words, '--dry-run'], later);
    expect(dry.json()).toEqual({ dry_run: true, removed: [ended.id] });
    const read = await run(['tasks', 'prune', '--older-than', '12h', '--dry-run'], later);
    expect(read.stdout).toMatch(new RegExp(`^ID .*\\n${ended.id}  SUCCEEDED .* L-1 `));
    expect(read.stderr).toBe('would delete the records of 1 task; the videos stay\n');
    const late = await run(words, later);
    expect(late.json()).toEqual({ dry_run: false, removed: [ended.id] });
    expect((await store.get(waiting.id)).state).toBe('PENDING');
  });

  it('refuses a span it cannot read', async () => {
    const { exitCode, stderr } = await run(['tasks', 'prune', '--older-than', '30'], { cwd: '/out' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('expected a time span such as 30d or 12h, found "30"');
  });
});

it('cancel removes the files that a dead server had published for the task, but not yet reported', async () => {
  const home = await folderOf();
  const dead = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
  const store = createFileTaskStore({ home, self: dead });
  const id = newTaskId();
  await store.create({
    id,
    origin: 'api',
    organizationId: 'org_default',
    payload: toJson(aPayload(listing('L-1'))) ?? null,
  });
  expect(await store.claim(id)).toMatchObject({ kind: 'claimed', claim: { fence: 1 } });
  const files = createFileStorage(home);
  const folder = await files.openAttempt({ organizationId: 'org_default', taskId: id }, 1, async () => {});
  await writeFile(folder.stagedPath('a.mp4'), 'video');
  await folder.publish(['a.mp4']);
  await folder.close();
  const machine = machineFacts();
  const settings = settingValues(resolveSettings({ flags: { home }, env: {}, config: null, machine }));
  const backend = await openBackend(settings, { logger: { debug: () => {}, warn: () => {} } });
  expect(await backend.engine.cancel(id)).toMatchObject({ state: 'FAILED' });
  await backend.close();
  expect(existsSync(path.dirname(folder.path))).toBe(false);
});
