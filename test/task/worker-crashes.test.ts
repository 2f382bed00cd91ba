/**
 * Real workers in competition, killed with -9 in the middle of writes and of handlers: every task is done exactly once.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTaskEngine, type TaskEngine } from '../../src/task/engine/task-engine.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { buildModule } from '../build-module.ts';

const program = await buildModule('test/task/fixtures/worker.ts');
afterAll(() => program.remove());
const TASKS = 30;
/** File operations after which each of the first workers dies: a task takes about a hundred. */
const DEATHS = [3, 41, 90, 131, 17, 77, 58];

let home: string;
let work: string;
let store: TaskStore;
let engine: TaskEngine;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'listing-video-crash-'));
  work = join(home, 'work');
  await mkdir(work);
  store = createFileTaskStore({ home });
  engine = createTaskEngine({ store, handler: async () => null });
});
afterEach(async () => {
  const alive = [...children].filter((child) => child.exitCode === null && child.signalCode === null);
  // Nothing takes the place of those that are killed from here on.
  children.clear();
  for (const child of alive) child.kill('SIGKILL');
  await Promise.all(alive.map((child) => once(child, 'exit')));
  await rm(home, { recursive: true, force: true });
});

interface WorkerMessage {
  readonly ended?: string;
  readonly state?: string;
  readonly violation?: string;
}

function startWorker(dieAt: number, onMessage: (message: WorkerMessage) => void): ChildProcess {
  const child = fork(program.path, [home, work, String(dieAt)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr?.on('data', (text) => onMessage({ violation: String(text) }));
  child.on('message', (message) => onMessage(message as WorkerMessage));
  children.add(child);
  return child;
}

async function isAllDone(): Promise<boolean> {
  for (const state of ['PENDING', 'RUNNING'] as const) {
    if ((await store.list({ state, limit: 1 })).data.length > 0) return false;
  }
  return true;
}

describe('workers that are killed', () => {
  it('lose no task, run none twice at a time, and publish each once under its fence', async () => {
    const ids: string[] = [];
    for (let n = 0; n < TASKS; n++) {
      ids.push((await engine.submit({ origin: 'api', organizationId: 'org', payload: { n } })).id);
    }
    const violations: string[] = [];
    const deaths = [...DEATHS];
    let killed = 0;
    await new Promise<void>((resolve, reject) => {
      let checking = Promise.resolve();
      const check = () => {
        // One after the other: what happens during a check is looked at by the next one.
        checking = checking.then(async () => {
          if (await isAllDone()) resolve();
        });
        checking.catch(reject);
      };
      const onMessage = (message: WorkerMessage) => {
        if (message.violation !== undefined) violations.push(message.violation);
        if (message.ended !== undefined) check();
      };
      const replace = () => {
        const child = startWorker(deaths.shift() ?? 0, onMessage);
        child.on('exit', (_, signal) => {
          if (signal !== 'SIGKILL' || !children.has(child)) return;
          killed++;
          replace();
          check();
        });
      };
      for (let n = 0; n < 3; n++) replace();
    });
    for (const child of children) if (child.connected) child.send('drain');

    expect(violations).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(3);
    const { data } = await store.list({ limit: 100 });
    expect(data.map(({ id }) => id)).toEqual(ids.toReversed());
    const published = await readdir(work);
    for (const task of data) {
      const { fence } = task.outcome as { fence: number };
      // The record was written under the claim right after the one that did the work, and that one published.
      expect([task.state, task.fence]).toEqual(['SUCCEEDED', fence + 1]);
      const fences = published
        .filter((name) => name.startsWith(`${task.id}.published.`))
        .map((name) => Number(name.split('.').at(-1)));
      expect(Math.max(...fences)).toBe(fence);
      // No server's death cost the task an attempt.
      expect([task.attempts, task.retries]).toEqual([1, 0]);
      expect(fences.length).toBeLessThanOrEqual(1 + (task.setbacks?.takeovers ?? 0));
    }
    expect(await store.list({ limit: 1, organizationId: 'org', state: 'RUNNING' })).toMatchObject({
      data: [],
    });
  });

  it('drain on request, and give back nothing that could end', async () => {
    const { id } = await engine.submit({ origin: 'api', organizationId: null, payload: 1 });
    const worker = startWorker(0, () => {});
    const exited = once(worker, 'exit');
    await new Promise<void>((resolve) =>
      worker.on('message', (m: WorkerMessage) => m.ended === id && resolve()),
    );
    worker.send('drain');
    expect(await exited).toEqual([0, null]);
    expect(await store.get(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
  });

  it('of the command line are found dead at once, and the task can be retried and run elsewhere', async () => {
    const script = `
      import { createFileTaskStore } from ${JSON.stringify(new URL('../../src/task/files/tasks/file-task-store.ts', import.meta.url).href)};
      import { createTaskEngine } from ${JSON.stringify(new URL('../../src/task/engine/task-engine.ts', import.meta.url).href)};
      const engine = createTaskEngine({ store: createFileTaskStore({ home: process.argv[1] }), handler: () => {
        process.send('running');
        return new Promise(() => {});
      } });
      const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload: 1 });
      process.send(id);
      await engine.runTask(id);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, home], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.add(child);
    const [id] = (await once(child, 'message')) as [string];
    await once(child, 'message');
    expect(await engine.get(id)).toMatchObject({ state: 'RUNNING', worker: { pid: child.pid } });
    await expect(engine.retry(id)).rejects.toMatchObject({ code: 'task_state_conflict' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await engine.list({ state: 'FAILED', limit: 1 })).toMatchObject({ data: [{ id }] });
    await engine.retry(id);
    expect(await engine.runTask(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
  });
});
