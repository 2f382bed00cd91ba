/** The worker and faults of the machine: tasks go back, the worker pauses and tries again; nothing waits for ever. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import {
  createTaskEngine,
  type TaskEngine,
  type TaskEngineOptions,
} from '../../src/task/engine/task-engine.ts';
import { ProcessDeath } from '../../src/task/engine/task-failure.ts';
import type { TaskHandler } from '../../src/task/engine/task-handler.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';
import { patchStore } from './patched-store.ts';
import { idAt, START_MS } from './store-harness.ts';

const full = () => new ListingVideoError('disk_full', 'the disk is full');

let clock: ManualClock;
let store: TaskStore;
let made: number;
/** Times of the calls of the handler, in seconds since the start, and the tasks' payloads. */
let calls: { readonly atSec: number; readonly payload: unknown }[];
let warnings: string[];

beforeEach(() => {
  clock = new ManualClock(START_MS);
  store = createMemoryTaskStore({ nowMs: clock.nowMs });
  made = 0;
  calls = [];
  warnings = [];
});

function openEngine(handler: TaskHandler, options: Partial<TaskEngineOptions> = {}) {
  const engine = createTaskEngine({
    store,
    clock,
    newId: () => idAt(clock.nowMs(), made++),
    random: () => 0,
    logger: { debug: () => {}, warn: (message) => void warnings.push(message) },
    handler: (task, context) => {
      calls.push({ atSec: (clock.nowMs() - START_MS) / 1000, payload: task.payload });
      return handler(task, context);
    },
    ...options,
  });
  const submit = (payload: string | number) =>
    engine.submit({ origin: 'api', organizationId: 'org', payload });
  return { engine, submit };
}

/** Drains without grace; what still runs is given back. */
async function stop(engine: TaskEngine): Promise<void> {
  const drained = engine.drain(0);
  await clock.advance(5_000);
  await drained;
}

const states = async (): Promise<Record<string, number>> => {
  const { data } = await store.list({ limit: 100 });
  const counts: Record<string, number> = {};
  for (const { state } of data) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

describe('a fault of the machine', () => {
  it('fails no task, and is met by fewer and fewer tries until it is gone', async () => {
    let isFull = true;
    const { engine, submit } = openEngine(async () => {
      if (isFull) throw full();
      return 'made';
    });
    for (let n = 0; n < 12; n++) await submit(n);
    engine.start();
    await clock.advance(10 * 60_000);
    expect(await states()).toEqual({ PENDING: 12 });
    const times = calls.map(({ atSec }) => atSec);
    expect(times.slice(0, 8)).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
    expect(times).toHaveLength(15);
    // Each try is another task, and none has used up an attempt.
    expect(calls.slice(0, 12).map(({ payload }) => payload)).toEqual(Array.from({ length: 12 }, (_, n) => n));
    for (const task of (await store.list({ limit: 99 })).data) expect(task.attempts).toBe(0);
    expect(engine.health).toMatchObject({ state: 'paused', code: 'disk_full' });

    isFull = false;
    await clock.advance(60_000);
    expect(await states()).toEqual({ SUCCEEDED: 12 });
    expect(engine.health).toEqual({ state: 'working' });
    expect(warnings.at(-1)).toBe('tasks run again');
    for (const task of (await store.list({ limit: 99 })).data) expect(task.attempts).toBe(1);
    await stop(engine);
    expect(clock.waiting).toBe(0);
  });

  it('is over at the latest after the longest pause, also if the clock was set back', async () => {
    const faults = Array.from({ length: 8 }, full);
    const { engine, submit } = openEngine(async () => {
      const fault = faults.pop();
      if (fault !== undefined) throw fault;
      return 'made';
    });
    await submit(1);
    engine.start();
    // After eight faults in a row the task is set aside for ten minutes.
    await clock.advance(130_000);
    expect(faults).toHaveLength(0);
    clock.setBack(365 * 86_400_000);
    await clock.advance(60_000);
    expect(await states()).toEqual({ SUCCEEDED: 1 });
    expect(engine.health).toEqual({ state: 'working' });
    await stop(engine);
  });

  it('of a task that runs in parallel is one fault, and a success ends the pause', async () => {
    let fail: (error: unknown) => void = () => {};
    let succeed: (outcome: string) => void = () => {};
    const { engine, submit } = openEngine(
      ({ payload }) =>
        new Promise((resolve, reject) => {
          if (payload === 'good') succeed = resolve;
          else fail = reject;
        }),
      { concurrency: 2 },
    );
    await submit('bad');
    await submit('good');
    engine.start();
    await settled();
    fail(full());
    await settled();
    expect(engine.health).toMatchObject({ state: 'paused', retryInMs: 1_000 });
    succeed('made');
    await settled();
    expect(engine.health).toEqual({ state: 'working' });
    await stop(engine);
  });

  it('that only one task meets fails it with the cause after ten times, while the others are made', async () => {
    const { engine, submit } = openEngine(async ({ payload }) => {
      if (payload === 'poison') throw full();
      return 'made';
    });
    const poison = await submit('poison');
    engine.start();
    for (let n = 0; n < 40; n++) {
      await submit(n);
      await clock.advance(5_000);
    }
    expect(await store.get(poison.id)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'disk_full', message: 'the disk is full' },
    });
    expect(await states()).toEqual({ SUCCEEDED: 40, FAILED: 1 });
    await stop(engine);
  });

  it('that the only task meets again and again does not keep the service closed', async () => {
    const { engine, submit } = openEngine(async ({ payload }) => {
      if (payload === 'poison') throw full();
      return 'made';
    });
    const poison = await submit('poison');
    engine.start();
    await clock.advance(100_000);
    expect(engine.health).toMatchObject({ state: 'paused', forMs: 100_000 });
    await clock.advance(100_000);
    // It is set aside, and the service is open for the next one.
    expect(engine.health).toEqual({ state: 'working' });
    expect(await store.get(poison.id)).toMatchObject({ state: 'PENDING', attempts: 0 });
    await submit('good');
    await settled();
    expect(await states()).toEqual({ PENDING: 1, SUCCEEDED: 1 });
    const before = calls.length;
    await clock.advance(10 * 60_000);
    expect(calls.length).toBeGreaterThan(before);
    await stop(engine);
  });

  it('does not keep the service closed while the first task after it runs', async () => {
    let work: TaskHandler = async () => {
      throw full();
    };
    const { engine, submit } = openEngine((task, context) => work(task, context));
    await submit(1);
    await submit(2);
    engine.start();
    await clock.advance(70_000);
    expect(engine.health).toMatchObject({ state: 'paused' });
    work = () => new Promise(() => {});
    await clock.advance(120_000);
    expect(engine.health).toEqual({ state: 'trying' });
    // It alone is tried.
    expect(engine.runningCount).toBe(1);
    await stop(engine);
  });

  it('of the listing’s own ends the task, and does not pause', async () => {
    const { engine, submit } = openEngine(async () => {
      throw new ListingVideoError('template_invalid', 'broken');
    });
    const { id } = await submit(1);
    engine.start();
    await settled();
    expect(await store.get(id)).toMatchObject({ state: 'FAILED', failure: { code: 'template_invalid' } });
    expect(engine.health).toEqual({ state: 'working' });
    await stop(engine);
  });

  it('is recognised in an unexpected error of the system, also below another one', async () => {
    const missing = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const errors = [missing, new ListingVideoError('render_failed', 'x', { cause: missing })];
    const { engine, submit } = openEngine(async () => {
      throw errors[calls.length - 1] ?? new Error('done');
    });
    const { id } = await submit(1);
    engine.start();
    await clock.advance(2_000);
    expect(await store.get(id)).toMatchObject({ state: 'PENDING' });
    expect(engine.health).toMatchObject({ state: 'paused', code: 'disk_full' });
    await clock.advance(5_000);
    expect(await store.get(id)).toMatchObject({ state: 'FAILED', failure: { code: 'internal_error' } });
    await stop(engine);
  });

  it('ends a task of the command line as before', async () => {
    const { engine } = openEngine(async () => {
      throw full();
    });
    const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload: 1 });
    expect(await engine.runTask(id)).toMatchObject({ state: 'FAILED', failure: { code: 'disk_full' } });
  });

  it('of the store when a task ends gives no other task out before the pause is over', async () => {
    let isFull = true;
    const broken = patchStore(store, {
      settle: (...end) => (isFull ? Promise.reject(full()) : store.settle(...end)),
    });
    const { engine, submit } = openEngine(async () => 'made', { store: broken });
    await submit(1);
    await submit(2);
    engine.start();
    await settled();
    expect(calls).toHaveLength(1);
    isFull = false;
    await clock.advance(60_000);
    expect(await states()).toEqual({ SUCCEEDED: 2 });
    await stop(engine);
  });
});

describe('the check of the machine', () => {
  it('comes before the first claim, and no task is touched until it passes', async () => {
    let code: string | null = 'ffmpeg_missing';
    let checks = 0;
    const { engine, submit } = openEngine(async () => 'made', {
      checkMachine: async () => {
        checks += 1;
        return code;
      },
    });
    engine.start();
    await clock.advance(60_000);
    // Nothing waits, so nothing is checked.
    expect([checks, engine.health]).toEqual([0, { state: 'working' }]);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await submit(n)).id);
    await clock.advance(90_000);
    expect(calls).toEqual([]);
    for (const id of ids) expect(await store.get(id)).toMatchObject({ state: 'PENDING', fence: 0 });
    expect(engine.health).toMatchObject({ state: 'paused', code: 'ffmpeg_missing', forMs: 90_000 });
    code = null;
    await clock.advance(1_000);
    expect(await states()).toEqual({ SUCCEEDED: 12 });
    expect(engine.health).toEqual({ state: 'working' });
    // A good result is kept for seconds, so that twelve tasks cost one check.
    const before = checks;
    await submit('another');
    await clock.advance(500);
    expect([await states(), checks]).toEqual([{ SUCCEEDED: 13 }, before]);
    await stop(engine);
  });
});

describe('the limits of an attempt', () => {
  const heeding: TaskHandler = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('end a task that works longer than its time, however lively it is, and keep what it knew', async () => {
    const dropped_assets = [{ url: 'https://x/1.jpg', reason: 'timeout: x' }];
    const { engine, submit } = openEngine(
      async (task, context) => {
        const beat = () => {
          context.reportLiveness();
          clock.schedule(beat, 1_000);
        };
        beat();
        await heeding(task, context).catch((cause: Error) => {
          throw new ListingVideoError('cancelled', 'stopped', { cause, context: { dropped_assets } });
        });
        return null;
      },
      { limits: { timeMs: 30 * 60_000, silenceMs: 60_000 } },
    );
    const { id } = await submit(1);
    engine.start();
    await clock.advance(29.9 * 60_000);
    expect(await store.get(id)).toMatchObject({ state: 'RUNNING' });
    await clock.advance(60_000);
    expect(await store.get(id)).toMatchObject({
      state: 'FAILED',
      attempts: 1,
      failure: {
        code: 'time_limit',
        message: 'the videos were not ready within the time limit of 30 min',
        context: { dropped_assets, limit_seconds: 1800 },
      },
    });
    await stop(engine);
  });

  it('end work that shows nothing for a minute: its heartbeat stops, and the attempt counts', async () => {
    const beats: number[] = [];
    const spied = patchStore(store, {
      heartbeat: (claim) => {
        beats.push(clock.nowMs());
        return store.heartbeat(claim);
      },
    });
    // It ignores the signal, as a process that hangs does until it is killed.
    const { engine, submit } = openEngine(() => new Promise(() => {}), {
      store: spied,
      limits: { silenceMs: 60_000 },
    });
    await submit(1);
    engine.start();
    await clock.advance(59_000);
    const before = beats.length;
    expect(before).toBeGreaterThan(5);
    await clock.advance(600_000);
    expect(beats.length - before).toBeLessThanOrEqual(1);
    await stop(engine);
  });

  it('try work that stands still three times', async () => {
    const { engine, submit } = openEngine(heeding, { limits: { silenceMs: 60_000 } });
    const { id } = await submit(1);
    engine.start();
    await clock.advance(61_000);
    expect(await store.get(id)).toMatchObject({ state: 'RUNNING', attempts: 2 });
    await clock.advance(130_000);
    expect(await store.get(id)).toMatchObject({
      state: 'FAILED',
      attempts: 3,
      failure: { code: 'task_failed', context: { detail: 'the work made no progress for too long' } },
    });
    expect(calls).toHaveLength(3);
    await stop(engine);
  });

  it('do not count the time that the machine slept', async () => {
    const { engine, submit } = openEngine(heeding, { limits: { timeMs: 1_800_000, silenceMs: 60_000 } });
    const { id } = await submit(1);
    engine.start();
    await clock.advance(10_000);
    clock.jump(8 * 3_600_000);
    await clock.advance(10_000);
    expect(await store.get(id)).toMatchObject({ state: 'RUNNING', attempts: 1 });
    await stop(engine);
  });
});

describe('slots', () => {
  /** Takes a slot as soon as the test lets it, and holds it until the test ends it. */
  function slotted() {
    const steps = new Map<unknown, { prepared: () => void; done: () => void }>();
    const log: string[] = [];
    const handler: TaskHandler = async ({ payload }, context) => {
      const aborted = new Promise<never>((_, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
      });
      const wait = (step: 'prepared' | 'done') =>
        Promise.race([
          aborted,
          new Promise<void>((resolve) => {
            steps.set(payload, {
              prepared: () => {},
              done: () => {},
              ...steps.get(payload),
              [step]: resolve,
            });
          }),
        ]);
      log.push(`prepare ${payload}`);
      await wait('prepared');
      const slot = await context.takeSlot();
      log.push(`render ${payload}${slot.hasWaited ? ' after a wait' : ''}`);
      await wait('done');
      slot.release();
      return 'made';
    };
    return { steps, log, handler };
  }

  it('let the next task prepare while one renders, and no more', async () => {
    const { steps, log, handler } = slotted();
    const { engine, submit } = openEngine(handler, { prepared: 1 });
    for (const name of ['a', 'b', 'c']) await submit(name);
    engine.start();
    await clock.advance(2_500);
    expect(log).toEqual(['prepare a', 'prepare b']);
    steps.get('a')?.prepared();
    steps.get('b')?.prepared();
    await clock.advance(1_000);
    expect(log.slice(2)).toEqual(['render a']);
    steps.get('a')?.done();
    await clock.advance(1_000);
    expect(log.slice(3)).toEqual(['render b after a wait', 'prepare c']);
    expect(engine.runningCount).toBe(2);
    await stop(engine);
  });

  it('leave a new task to another server that can have a free slot', async () => {
    const { log, handler } = slotted();
    const { engine, submit } = openEngine(handler, { prepared: 1 });
    await submit('a');
    engine.start();
    await settled();
    await submit('b');
    await clock.advance(1_000);
    expect(log).toEqual(['prepare a']);
    await clock.advance(1_500);
    expect(log).toEqual(['prepare a', 'prepare b']);
    await stop(engine);
  });

  it('go to the next task when the process of the one that waits for it has died', async () => {
    let end = () => {};
    const log: string[] = [];
    const handler: TaskHandler = async ({ payload }, context) => {
      const slot = context.takeSlot();
      if (payload === 'waits') throw new ProcessDeath('the process died', {});
      log.push(`${payload}${(await slot).hasWaited ? ' after a wait' : ''}`);
      if (payload === 'renders') await new Promise<void>((resolve) => (end = resolve));
      return 'made';
    };
    const { engine, submit } = openEngine(handler, { prepared: 1 });
    for (const name of ['renders', 'waits']) await submit(name);
    engine.start();
    await clock.advance(10_000);
    await submit('next');
    await clock.advance(3_000);
    end();
    await clock.advance(3_000);
    expect(log).toEqual(['renders', 'next after a wait']);
    expect(await states()).toEqual({ SUCCEEDED: 2, FAILED: 1 });
    await stop(engine);
  });

  it('cost no time while a task waits for one: neither limit runs', async () => {
    const { steps, handler } = slotted();
    const { engine, submit } = openEngine(
      async (task, context) => {
        // Only the first one is alive, so only the wait keeps the second.
        const beat = () => {
          if (task.payload === 'a') context.reportLiveness();
          clock.schedule(beat, 1_000);
        };
        beat();
        return handler(task, context);
      },
      { prepared: 1, limits: { timeMs: 3_600_000, silenceMs: 60_000 } },
    );
    await submit('a');
    const second = await submit('b');
    engine.start();
    await clock.advance(2_500);
    steps.get('a')?.prepared();
    steps.get('b')?.prepared();
    await clock.advance(30 * 60_000);
    expect(await store.get(second.id)).toMatchObject({ state: 'RUNNING', attempts: 1 });
    steps.get('a')?.done();
    await settled();
    steps.get('b')?.done();
    await settled();
    expect(await states()).toEqual({ SUCCEEDED: 2 });
    await stop(engine);
  });

  it('are not waited for in a drain: the prepared task goes back at once, the other one ends', async () => {
    const { steps, log, handler } = slotted();
    const { engine, submit } = openEngine(handler, { prepared: 1 });
    await submit('a');
    const second = await submit('b');
    engine.start();
    await clock.advance(2_500);
    steps.get('a')?.prepared();
    await settled();
    const drained = engine.drain(30_000);
    await settled();
    // It asks for a slot only now.
    steps.get('b')?.prepared();
    await settled();
    expect(await store.get(second.id)).toMatchObject({ state: 'PENDING', attempts: 0 });
    steps.get('a')?.done();
    await drained;
    expect(log).toEqual(['prepare a', 'prepare b', 'render a']);
    expect(await states()).toEqual({ PENDING: 1, SUCCEEDED: 1 });
  });
});

describe('organizations', () => {
  it('take turns, and none runs more tasks than its limit', async () => {
    const running: { readonly organizationId: string | null; readonly end: () => void }[] = [];
    const order: (string | null)[] = [];
    const { engine } = openEngine(
      ({ organizationId }) =>
        new Promise((resolve) => {
          order.push(organizationId);
          running.push({ organizationId, end: () => resolve(1) });
        }),
      { concurrency: 3, organizationRunning: 2 },
    );
    const submit = (organizationId: string) => engine.submit({ origin: 'api', organizationId, payload: 1 });
    for (let n = 0; n < 6; n++) await submit('big');
    engine.start();
    await settled();
    expect(order).toEqual(['big', 'big']);
    for (const name of ['small', 'other', 'small']) await submit(name);
    await settled();
    while (running.length > 0) {
      expect(running.filter(({ organizationId }) => organizationId === 'big').length).toBeLessThanOrEqual(2);
      running.shift()?.end();
      await settled();
    }
    expect(order.join(' ')).toBe('big big small other big small big big big');
    await stop(engine);
  });
});
