/** A handler in a process of its own: everything that passes between the two, and every way it may end. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createTaskEngine } from '../../src/task/engine/task-engine.ts';
import type { TaskContext } from '../../src/task/engine/task-handler.ts';
import { createProcessHandler } from '../../src/task/process/process-handler.ts';
import type { JsonValue, TaskProgress, TaskRecord } from '../../src/task/task.ts';
import type { RunnableTask } from '../../src/task/task-store.ts';
import { beginAttempt, newTaskRecord } from '../../src/task/task-transition.ts';
import { buildModule } from '../build-module.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

const program = await buildModule('test/task/fixtures/task-process.ts');
const ENTRY = pathToFileURL(program.path);
const folder = mkdtempSync(path.join(tmpdir(), 'listing-video-process-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await program.remove();
});

interface Heard {
  readonly facts: JsonValue[];
  readonly warnings: Record<string, unknown>[];
}

function open(killAfterMs = 60_000, entry = ENTRY, silenceMs = 60_000) {
  const heard: Heard = { facts: [], warnings: [] };
  const handler = createProcessHandler<JsonValue, JsonValue, JsonValue, JsonValue>({
    entry,
    env: () => ({ PATH: process.env.PATH, FROM_SERVER: 'yes' }),
    requestFor: async (task) => ({ for: task.id }),
    onFact: (fact) => heard.facts.push(fact),
    logger: { debug: () => {}, warn: (message, facts) => heard.warnings.push({ message, ...facts }) },
    killAfterMs,
    silenceMs,
  });
  return { handler, heard };
}

/** Runs one task to its end, through an engine. `onBegun` is told when its process has begun. */
async function run(
  payload: JsonValue,
  options: { killAfterMs?: number; onBegun?: (cancel: () => void, progress: TaskProgress) => void } = {},
): Promise<{ task: TaskRecord; heard: Heard }> {
  const { handler, heard } = open(options.killAfterMs);
  const engine = createTaskEngine({ store: createMemoryTaskStore(), handler });
  const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
  const stopping = new AbortController();
  const task = await engine.runTask(id, {
    signal: stopping.signal,
    onProgress: (progress) => options.onBegun?.(() => stopping.abort(), progress),
  });
  return { task, heard };
}

it('hands over task and request, and hands back progress, facts and the outcome; it yields to the server', async () => {
  const { task, heard } = await run('succeed');
  const priority = Math.min(19, getPriority() + 5);
  expect(task.outcome).toEqual({
    id: task.id,
    attempt: 1,
    fence: 1,
    request: { for: task.id },
    priority,
    env: 'yes',
  });
  expect(task.progress).toEqual({ percent: 100, stage: 'render', etaSeconds: 0 });
  expect(heard).toEqual({ facts: [{ frames: 12 }], warnings: [] });
});

it('fails as the handler in it does', async () => {
  const { task } = await run('fail');
  expect(task.failure).toEqual({
    code: 'no_usable_assets',
    message: 'no usable assets: 5 of 5 dropped',
    hint: 'send others',
    context: { dropped_assets: [{ url: 'x', reason: 'corrupt: x' }] },
  });
});

it('keeps a bug’s words from clients', async () => {
  const { task } = await run('bug');
  expect(task.failure).toEqual({
    code: 'internal_error',
    message: 'internal error',
    context: { detail: 'a path such as /home/secret' },
  });
});

describe('after an abort', () => {
  it('it stops', async () => {
    const { task } = await run('heed', { onBegun: (cancel) => cancel() });
    expect(task.failure).toMatchObject({ code: 'cancelled', message: 'cancelled' });
  });

  it('it is killed when it does not heed', async () => {
    let pid = 0;
    const { task } = await run('ignore', {
      killAfterMs: 1,
      onBegun: (cancel, { percent }) => {
        pid = percent;
        cancel();
      },
    });
    expect(task.failure?.message).toBe('cancelled');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

it('publishes nothing once another process has the task', async () => {
  const { handler } = open();
  const assertOwned = () => Promise.reject(new Error('lost'));
  const lost = handler(aTask('succeed'), { ...aContext(), assertOwned });
  await expect(lost).rejects.toMatchObject({ code: 'lease_lost' });
});

/** Runs one task of a server until it has ended. */
async function serve(payload: JsonValue): Promise<{ task: TaskRecord; heard: Heard }> {
  const { handler, heard } = open();
  const ended = deferred<TaskRecord>();
  const hooks = {
    reserve: async () => {},
    release: async () => {},
    settle: async (task: TaskRecord) => ended.resolve(task),
  };
  const engine = createTaskEngine({ store: createMemoryTaskStore(), handler, hooks });
  await engine.submit({ origin: 'api', organizationId: 'org', payload });
  engine.start();
  const task = await ended.promise;
  await engine.drain(0);
  return { task, heard };
}

describe.skipIf(process.platform === 'win32')('a process that is killed at its work', () => {
  it('costs the task one attempt of three', async () => {
    const [once, ever] = [path.join(folder, 'once'), path.join(folder, 'ever')];
    const survived = await serve(`die 1 ${once}`);
    expect(survived.task).toMatchObject({ state: 'SUCCEEDED', outcome: 'survived', attempts: 2 });
    expect(survived.heard.warnings).toMatchObject([{ signal: 'SIGKILL', stderr: 'it was too much' }]);
    const lost = await serve(`die 99 ${ever}`);
    expect(lost.task).toMatchObject({ state: 'FAILED', attempts: 3 });
    expect(lost.task.failure).toMatchObject({
      code: 'task_failed',
      message: 'given up after 3 attempts: each time the process that ran the task ended before the task did',
      context: { signal: 'SIGKILL', stderr: 'it was too much', attempts: 3 },
    });
    expect(readFileSync(ever, 'utf8')).toBe('xxx');
  });

  it('counts the same when only a program that it started was killed', async () => {
    const { task } = await serve('lose a program');
    expect(task).toMatchObject({ state: 'FAILED', attempts: 3, failure: { context: { program: 'ffmpeg' } } });
  });
});

it('blames the machine when the process cannot begin', async () => {
  const entry = new URL('./fixtures/no-such-entry.js', import.meta.url);
  const { handler } = open(60_000, entry);
  await expect(handler(aTask('succeed'), aContext())).rejects.toMatchObject({ code: 'unavailable' });
});

it('waits for its slot, and gives it back', async () => {
  const log: string[] = [];
  const { handler } = open();
  const outcome = handler(aTask('take a slot'), {
    ...aContext(),
    takeSlot: async () => {
      log.push('taken');
      return { hasWaited: true, release: () => log.push('released') };
    },
    assertOwned: async () => void log.push('publishing'),
  });
  expect(await outcome).toEqual({ hasWaited: true });
  expect(log).toEqual(['taken', 'released', 'publishing']);
});

it('ends by itself when its server does not renew the claim any more', async () => {
  const { handler } = open(60_000, ENTRY, 1);
  await expect(handler(aTask('linger'), aContext())).rejects.toMatchObject({
    code: 'unavailable',
    context: { exitCode: 75 },
  });
});

it('goes on as long as its server renews the claim', async () => {
  const { handler } = open(60_000, ENTRY, 1_000);
  let renew = () => {};
  const outcome = handler(aTask('go on for longer'), {
    ...aContext(),
    onHeld: (listener) => {
      renew = listener;
    },
    reportProgress: () => renew(),
  });
  expect(await outcome).toBe('alive');
});

it.skipIf(process.platform === 'win32')('heeds no signal but ends with its server', async () => {
  const child = fork(program.path, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.send({
    type: 'run',
    task: aTask('linger'),
    attempt: 1,
    order: null,
    addedNiceness: 0,
    silenceMs: 60_000,
  });
  const messages: { type: string }[] = [];
  await new Promise<void>((resolve) => {
    child.on('message', (message: { type: string }) => {
      messages.push(message);
      if (message.type === 'progress') resolve();
    });
  });
  expect(messages).toMatchObject([{ type: 'begun' }, { type: 'progress' }]);
  // Both signals were sent before this.
  child.send({ type: 'owned', isOwned: true });
  child.disconnect();
  expect(await exited).toEqual([0, null]);
});

function aContext(): TaskContext {
  return {
    signal: new AbortController().signal,
    attempt: 1,
    fence: 1,
    reportProgress: () => {},
    reportLiveness: () => {},
    takeSlot: async () => ({ hasWaited: false, release: () => {} }),
    onHeld: () => {},
    assertOwned: async () => {},
  };
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function aTask(payload: JsonValue): RunnableTask {
  const now = new Date(START_MS).toISOString();
  const fields = {
    id: idAt(START_MS, 1),
    origin: 'api',
    organizationId: 'org_default',
    summary: null,
  } as const;
  const waiting = newTaskRecord(fields, now, identity('first'));
  return { ...beginAttempt(waiting, now, identity('first')), fence: 1, payload };
}
