/** The engine on the store in memory, with a clock of its own: running, cancelling, draining, retrying. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Liveness } from '../../src/platform/disk/process-identity.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createTaskEngine, type TaskEngineOptions } from '../../src/task/engine/task-engine.ts';
import { ProcessDeath } from '../../src/task/engine/task-failure.ts';
import type { TaskContext, TaskHandler } from '../../src/task/engine/task-handler.ts';
import type { JsonValue, TaskProgress, TaskRecord } from '../../src/task/task.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';
import { patchStore } from './patched-store.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

/** A handler that the test lets go on, one call at a time. */
class HeldHandler {
  readonly calls: {
    task: TaskRecord;
    context: TaskContext;
    succeed: (outcome: JsonValue) => void;
    fail: (error: unknown) => void;
  }[] = [];

  run: TaskHandler = (task, context) =>
    new Promise((succeed, fail) => {
      this.calls.push({ task, context, succeed, fail });
    });

  /** Heeds the signal, as a handler should. */
  runHeeding: TaskHandler = (task, context) => {
    const work = this.run(task, context);
    const aborted = new Promise<never>((_, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
    });
    return Promise.race([work, aborted]);
  };
}

let clock: ManualClock;
let entries: Map<string, unknown>;
let livenesses: Map<string, Liveness>;
let held: HeldHandler;
let made: number;
let store: TaskStore;

beforeEach(() => {
  clock = new ManualClock(START_MS);
  entries = new Map();
  livenesses = new Map();
  held = new HeldHandler();
  made = 0;
  store = openStore('first');
});

function openStore(name: string): TaskStore {
  return createMemoryTaskStore({
    entries,
    nowMs: clock.nowMs,
    self: identity(name),
    liveness: (owner) => livenesses.get(owner.started ?? '') ?? 'alive',
  });
}

function openEngine(options: Partial<TaskEngineOptions> = {}) {
  const newId = () => idAt(clock.nowMs(), made++);
  return createTaskEngine({ store, handler: held.runHeeding, clock, newId, ...options });
}

const cli = { origin: 'cli', organizationId: null, payload: { n: 1 } } as const;
const api = { origin: 'api', organizationId: 'org', payload: { n: 1 } } as const;

describe('runTask', () => {
  it('runs exactly the task asked for and returns it with its outcome', async () => {
    const engine = openEngine({ handler: async (task, { attempt }) => ({ id: task.id, attempt }) });
    const other = await engine.submit(cli);
    const task = await engine.submit(cli);
    const ended = await engine.runTask(task.id);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', outcome: { id: task.id, attempt: 1 } });
    expect(await store.get(task.id)).toEqual(ended);
    expect(await store.get(other.id)).toMatchObject({ state: 'PENDING' });
    expect(clock.waiting).toBe(0);
  });

  it('turns a known error into the failure, with its dropped assets, and does not try again', async () => {
    const dropped_assets = [{ url: 'https://x/1.jpg', reason: 'corrupt: truncated' }];
    const context = { dropped_assets, odd: () => 1 };
    let calls = 0;
    const engine = openEngine({
      handler: async () => {
        calls++;
        throw new ListingVideoError('render_failed', 'no frames', { hint: 'do this', context });
      },
    });
    const ended = await engine.runTask((await engine.submit(cli)).id);
    expect(ended).toMatchObject({ state: 'FAILED', attempts: 1 });
    expect(ended.failure).toEqual({
      code: 'render_failed',
      message: 'no frames',
      hint: 'do this',
      context: { dropped_assets },
    });
    expect(calls).toBe(1);
  });

  it.each([
    ['an unexpected error', () => Promise.reject(new Error('ENOENT /home/secret')), 'ENOENT /home/secret'],
    ['a value that is no error', () => Promise.reject('oops'), 'oops'],
    [
      'an outcome JSON cannot hold',
      () => Promise.resolve(1n as never),
      'the handler returned what JSON cannot hold',
    ],
    ['nothing', () => Promise.resolve(undefined as never), 'the handler returned what JSON cannot hold'],
  ])('keeps %s out of the message that clients see', async (_, handler, detail) => {
    const logged: unknown[] = [];
    const logger = {
      debug: () => {},
      warn: (message: string, facts: unknown) => logged.push([message, facts]),
    };
    const engine = openEngine({ handler, logger });
    const ended = await engine.runTask((await engine.submit(cli)).id);
    expect(ended.failure).toEqual({ code: 'internal_error', message: 'internal error', context: { detail } });
    expect(logged).toHaveLength(1);
  });

  it('refuses a task that has ended, runs elsewhere, or does not exist', async () => {
    const engine = openEngine({ handler: async () => 1 });
    const { id } = await engine.submit(cli);
    await engine.runTask(id);
    await expect(engine.runTask(id)).rejects.toMatchObject({ code: 'task_state_conflict' });
    const running = await engine.submit(cli);
    await openStore('second').claim(running.id);
    await expect(engine.runTask(running.id)).rejects.toMatchObject({ code: 'task_state_conflict' });
    await expect(engine.runTask('nonsense')).rejects.toMatchObject({ code: 'task_not_found' });
  });
});

describe('cancelling', () => {
  it('by the signal makes the task FAILED, cancelled, with what the handler knew', async () => {
    const engine = openEngine({ handler: held.run });
    const controller = new AbortController();
    const { id } = await engine.submit(cli);
    const run = engine.runTask(id, { signal: controller.signal });
    await settled();
    expect(held.calls[0]?.context.signal.aborted).toBe(false);
    controller.abort();
    expect(held.calls[0]?.context.signal.aborted).toBe(true);
    const dropped_assets = [{ url: 'u', reason: 'corrupt: x' }];
    held.calls[0]?.fail(new ListingVideoError('cancelled', 'stopped', { context: { dropped_assets } }));
    const ended = await run;
    expect(ended).toMatchObject({ state: 'FAILED' });
    expect(ended.failure).toEqual({ code: 'cancelled', message: 'cancelled', context: { dropped_assets } });
  });

  it('by a signal that was aborted before never calls the handler', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(cli);
    const ended = await engine.runTask(id, { signal: AbortSignal.abort() });
    expect(ended).toMatchObject({ state: 'FAILED', failure: { message: 'cancelled' }, attempts: 0 });
    expect(held.calls).toEqual([]);
  });

  it('by another process is noticed within a second', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(cli);
    const run = engine.runTask(id);
    await settled();
    await openEngine({ store: openStore('second') }).cancel(id);
    await clock.advance(1_000);
    expect(await run).toMatchObject({ state: 'FAILED', failure: { message: 'cancelled' } });
    expect(clock.waiting).toBe(0);
  });

  it('through the same engine stops the handler at once', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(cli);
    const run = engine.runTask(id);
    await settled();
    expect(await engine.cancel(id)).toMatchObject({ state: 'RUNNING', cancelRequested: true });
    expect(await run).toMatchObject({ state: 'FAILED', failure: { message: 'cancelled' } });
  });

  it('too late leaves a task that succeeded as it is', async () => {
    const engine = openEngine({ handler: held.run });
    const { id } = await engine.submit(cli);
    const run = engine.runTask(id);
    await settled();
    await engine.cancel(id);
    held.calls[0]?.succeed('done');
    expect(await run).toMatchObject({ state: 'SUCCEEDED', outcome: 'done' });
  });
});

describe('the lease', () => {
  it('is renewed every five seconds, so that no other process takes the task', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(api);
    const run = engine.runTask(id);
    await settled();
    livenesses.set('first', 'unknown');
    const second = openStore('second');
    for (let minute = 0; minute < 4; minute++) {
      await clock.advance(29_000);
      expect(await second.claimNext({ origin: 'api', trustLeases: true })).toBeNull();
    }
    held.calls[0]?.succeed(1);
    expect(await run).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
  });

  it('lost to another process stops the handler, and its work is not stored', async () => {
    const engine = openEngine({ handler: held.run });
    const { id } = await engine.submit(api);
    const run = engine.runTask(id);
    const failed = expect(run).rejects.toMatchObject({ code: 'lease_lost' });
    await settled();
    clock.jump(31_000);
    livenesses.set('first', 'unknown');
    const taken = await openStore('second').claimNext({ origin: 'api', trustLeases: true });
    expect(taken?.kind).toBe('claimed');
    const context = held.calls[0]!.context;
    await expect(context.assertOwned()).rejects.toMatchObject({ code: 'lease_lost' });
    expect(context.signal.aborted).toBe(true);
    held.calls[0]?.succeed('stale work');
    await failed;
    expect(await store.get(id)).toMatchObject({
      state: 'RUNNING',
      setbacks: { takeovers: 1 },
      outcome: null,
    });
  });

  it('lost without any publish is noticed at the next look', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(api);
    const failed = expect(engine.runTask(id)).rejects.toMatchObject({ code: 'lease_lost' });
    await settled();
    clock.jump(31_000);
    livenesses.set('first', 'unknown');
    await openStore('second').claimNext({ origin: 'api', trustLeases: true });
    await clock.advance(0);
    expect(held.calls[0]?.context.signal.aborted).toBe(true);
    await failed;
  });

  it('still held passes assertOwned', async () => {
    const engine = openEngine({
      handler: async (_, { assertOwned }) => {
        await assertOwned();
        return 'owned';
      },
    });
    expect(await engine.runTask((await engine.submit(cli)).id)).toMatchObject({ outcome: 'owned' });
  });
});

describe('progress', () => {
  it('never falls, stays within 0 and 100, and is written at most once a second', async () => {
    const saved: TaskProgress[] = [];
    const seen: number[] = [];
    const recording = patchStore(store, {
      saveProgress: (claim, progress) => {
        saved.push(progress);
        return store.saveProgress(claim, progress);
      },
    });
    const engine = openEngine({ store: recording, handler: held.run });
    const { id } = await engine.submit(cli);
    const run = engine.runTask(id, { onProgress: ({ percent }) => seen.push(percent) });
    await settled();
    const { reportProgress } = held.calls[0]!.context;
    const report = (percent: number) => reportProgress({ percent, stage: 'render', etaSeconds: 9 });
    for (const percent of [-3, 10, 4, Number.NaN, 20]) report(percent);
    expect(seen).toEqual([0, 10, 10, 10, 20]);
    await settled();
    expect(saved.map(({ percent }) => percent)).toEqual([0]);
    await clock.advance(1_000);
    expect(saved.map(({ percent }) => percent)).toEqual([0, 20]);
    expect(await store.get(id)).toMatchObject({ progress: { percent: 20, stage: 'render', etaSeconds: 9 } });
    await clock.advance(5_000);
    expect(saved).toHaveLength(2);
    report(250);
    report(30);
    held.calls[0]?.fail(new ListingVideoError('render_failed', 'x'));
    expect((await run).progress).toEqual({ percent: 100, stage: 'render', etaSeconds: null });
  });
});

describe('the worker', () => {
  it('runs what is submitted, as many at once as allowed, and nothing of the command line', async () => {
    const engine = openEngine({ concurrency: 2 });
    const command = await engine.submit(cli);
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await engine.submit(api)).id);
    engine.start();
    await settled();
    expect(held.calls.map(({ task }) => task.id)).toEqual(ids.slice(0, 2));
    expect(engine.runningCount).toBe(2);
    held.calls[0]?.succeed(1);
    await settled();
    expect(held.calls[2]?.task.id).toBe(ids[2]);
    held.calls[1]?.succeed(1);
    held.calls[2]?.succeed(1);
    await clock.advance(5_000);
    expect(await store.list({ limit: 9, state: 'SUCCEEDED' })).toMatchObject({ data: { length: 3 } });
    expect(await store.get(command.id)).toMatchObject({ state: 'PENDING' });
    // A new one is taken up without waiting for a poll.
    await engine.submit(api);
    await settled();
    expect(held.calls).toHaveLength(4);
    held.calls[3]?.succeed(1);
    await engine.drain(0);
    expect(clock.waiting).toBe(0);
  });

  it('finds what another process submitted within half a second', async () => {
    const engine = openEngine();
    engine.start();
    await settled();
    await openEngine({ store: openStore('second') }).submit(api);
    await clock.advance(500);
    expect(held.calls).toHaveLength(1);
    held.calls[0]?.succeed(1);
    await engine.drain(0);
  });

  it('takes up the tasks of servers that died, as often as that happens', async () => {
    const { id } = await openEngine().submit(api);
    const names = Array.from({ length: 8 }, (_, n) => `server ${n}`);
    for (const name of names) {
      const victim = openEngine({ store: openStore(name), handler: held.run });
      victim.start();
      await settled();
      livenesses.set(name, 'dead');
    }
    expect(held.calls.map(({ context }) => context.attempt)).toEqual(names.map(() => 1));
    const engine = openEngine();
    engine.start();
    await settled();
    held.calls.at(-1)?.succeed(1);
    await settled();
    expect(await store.get(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
    await engine.drain(0);
  });

  it('does not take late tasks for lost ones right after the machine slept', async () => {
    const { id } = await openEngine().submit(api);
    await openStore('second').claim(id);
    livenesses.set('second', 'unknown');
    const engine = openEngine();
    engine.start();
    await settled();
    clock.jump(8 * 3_600_000);
    await clock.advance(29_000);
    expect(held.calls).toHaveLength(0);
    await clock.advance(2_000);
    expect(held.calls.map(({ task }) => task.id)).toEqual([id]);
    held.calls[0]?.succeed(1);
    await engine.drain(0);
  });

  it('takes lost tasks after the clock was wrong for a while, and leaves those of live processes alone', async () => {
    const { id } = await openEngine().submit(api);
    await openStore('second').claim(id);
    livenesses.set('second', 'unknown');
    const engine = openEngine();
    engine.start();
    await settled();
    clock.jump(8 * 3_600_000);
    await clock.advance(1_000);
    clock.setBack(16 * 3_600_000);
    await clock.advance(29_000);
    expect(held.calls).toHaveLength(0);
    await clock.advance(2_000);
    expect(held.calls.map(({ task }) => task.id)).toEqual([id]);
    held.calls[0]?.succeed(1);
    await engine.drain(0);
  });

  it('renews its claims after the clock was set back', async () => {
    let renewals = 0;
    const counting = patchStore(store, {
      heartbeat: (claim) => {
        renewals += 1;
        return store.heartbeat(claim);
      },
    });
    const engine = openEngine({ store: counting });
    await engine.submit(api);
    engine.start();
    await clock.advance(1_000);
    clock.setBack(3_600_000);
    await clock.advance(11_000);
    expect(renewals).toBe(3);
    held.calls[0]?.succeed(1);
    await engine.drain(0);
  });

  it('goes on after the store failed for a while', async () => {
    let isBroken = true;
    const fault = new ListingVideoError('disk_full', 'full');
    const flaky = patchStore(store, {
      claimNext: (query) => (isBroken ? Promise.reject(fault) : store.claimNext(query)),
    });
    const engine = openEngine({ store: flaky });
    await engine.submit(api);
    engine.start();
    await clock.advance(2_000);
    expect(held.calls).toHaveLength(0);
    isBroken = false;
    await clock.advance(1_500);
    expect(held.calls).toHaveLength(1);
    held.calls[0]?.succeed(1);
    await engine.drain(0);
  });
});

describe('drain', () => {
  it('gives back a task whose process is stopped together with the server', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(api);
    engine.start();
    await settled();
    const drained = engine.drain(30_000);
    await settled();
    held.calls[0]?.fail(new ProcessDeath('stopped', {}));
    await drained;
    expect(await store.get(id)).toMatchObject({ state: 'PENDING', attempts: 0 });
  });

  it('lets a running task end within the grace and takes no other', async () => {
    const engine = openEngine();
    const first = await engine.submit(api);
    const second = await engine.submit(api);
    engine.start();
    await settled();
    const drained = engine.drain(30_000);
    await clock.advance(10_000);
    expect(held.calls[0]?.context.signal.aborted).toBe(false);
    held.calls[0]?.succeed(1);
    await drained;
    expect(await store.get(first.id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await store.get(second.id)).toMatchObject({ state: 'PENDING', attempts: 0 });
    expect(clock.waiting).toBe(0);
  });

  it('gives back what is not done by then, without using up an attempt', async () => {
    const engine = openEngine();
    const { id } = await engine.submit(api);
    engine.start();
    await settled();
    const drained = engine.drain(30_000);
    await clock.advance(30_000);
    await drained;
    expect(held.calls[0]?.context.signal.aborted).toBe(true);
    expect(await store.get(id)).toMatchObject({ state: 'PENDING', attempts: 0, failure: null });
    expect(engine.runningCount).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it('does not wait for a handler that ignores its signal, and nothing of it is published', async () => {
    const engine = openEngine({ handler: held.run });
    const { id } = await engine.submit(api);
    engine.start();
    await settled();
    const drained = engine.drain(1_000);
    await clock.advance(3_000);
    await drained;
    expect(await store.get(id)).toMatchObject({ state: 'PENDING' });
    await expect(held.calls[0]?.context.assertOwned()).rejects.toMatchObject({ code: 'lease_lost' });
  });

  it('of an idle worker is immediate, and it takes nothing afterwards', async () => {
    const engine = openEngine();
    engine.start();
    await settled();
    await engine.drain(30_000);
    await engine.submit(api);
    await clock.advance(5_000);
    expect(held.calls).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});

describe('the truth about commands that died', () => {
  it('is what get and list show', async () => {
    const victim = openEngine({ store: openStore('victim') });
    const running = await victim.submit(cli);
    const waiting = await victim.submit(cli);
    void victim.runTask(running.id);
    await settled();
    const engine = openEngine();
    expect(await engine.get(running.id)).toMatchObject({ state: 'RUNNING' });
    livenesses.set('victim', 'dead');
    const failed = await engine.list({ state: 'FAILED', limit: 9 });
    expect(failed.data.map(({ id }) => id)).toEqual([running.id]);
    expect(await engine.get(waiting.id)).toMatchObject({ state: 'FAILED', failure: { code: 'task_failed' } });
    expect(await engine.list({ state: 'PENDING', limit: 9 })).toMatchObject({ data: [] });
    const retried = await engine.retry(running.id);
    expect(retried).toMatchObject({ state: 'PENDING', attempts: 0, retries: 1 });
    const run = engine.runTask(running.id);
    await settled();
    held.calls.at(-1)?.succeed('again');
    expect(await run).toMatchObject({ state: 'SUCCEEDED', outcome: 'again', attempts: 1 });
  });
});

describe('hooks', () => {
  const logTo = (log: string[]) => ({
    reserve: async ({ id, retries }: { id: string; retries: number }) =>
      void log.push(`reserve ${id} ${retries}`),
    release: async ({ id }: { id: string }) => void log.push(`release ${id}`),
    settle: async ({ id, state }: TaskRecord) => void log.push(`settle ${id} ${state}`),
  });

  it('reserve before a task is accepted and settle when it has ended, once per retry', async () => {
    const log: string[] = [];
    const handler = () => Promise.reject(new ListingVideoError('render_failed', 'x'));
    const engine = openEngine({ hooks: logTo(log), handler });
    const { id } = await engine.submit(api);
    await engine.runTask(id);
    await engine.retry(id);
    expect(log).toEqual([`reserve ${id} 0`, `settle ${id} FAILED`, `reserve ${id} 1`]);
  });

  it('release what was not accepted, but never the reservation of a task that another process accepted', async () => {
    const log: string[] = [];
    const full = patchStore(store, {
      create: () => Promise.reject(new ListingVideoError('disk_full', 'full')),
    });
    const id = idAt(START_MS, 77);
    await expect(openEngine({ hooks: logTo(log), store: full }).submit({ ...api, id })).rejects.toMatchObject(
      {
        code: 'disk_full',
      },
    );
    expect(log).toEqual([`reserve ${id} 0`, `release ${id}`]);
    const engine = openEngine({ hooks: logTo(log) });
    await engine.submit({ ...api, id });
    await expect(engine.submit({ ...api, id })).rejects.toMatchObject({ code: 'task_state_conflict' });
    expect(log.slice(2)).toEqual([`reserve ${id} 0`, `reserve ${id} 0`]);
  });

  it('that refuse leave everything as it was', async () => {
    const refuse = async () => {
      throw new ListingVideoError('usage', 'no credits');
    };
    const hooks = { reserve: refuse, release: async () => {}, settle: async () => {} };
    const engine = openEngine({ hooks });
    await expect(engine.submit(api)).rejects.toMatchObject({ message: 'no credits' });
    expect(await store.list({ limit: 1 })).toMatchObject({ data: [] });
    const { id } = await openEngine().submit(api);
    const cancelled = await openEngine().cancel(id);
    await expect(engine.retry(id)).rejects.toMatchObject({ message: 'no credits' });
    expect(await store.get(id)).toEqual(cancelled);
  });
});
