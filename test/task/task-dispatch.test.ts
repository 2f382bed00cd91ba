/** A worker with a queue: it does the work that the queue gives it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Liveness } from '../../src/platform/disk/process-identity.ts';
import {
  createTaskEngine,
  type TaskEngine,
  type TaskEngineOptions,
} from '../../src/task/engine/task-engine.ts';
import type { DispatchedWorker } from '../../src/task/engine/work-queue.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

const LEASE = { durationMs: 6_000, heartbeatMs: 1_500 };

let clock: ManualClock;
let entries: Map<string, unknown>;
let store: TaskStore;
let worker: DispatchedWorker;
let engine: TaskEngine;
let made: number;
let isStopped: boolean;
/** Ends the running tasks, in the order of their starts. */
let ends: (() => void)[];
let started: string[];

beforeEach(() => {
  clock = new ManualClock(START_MS);
  entries = new Map();
  store = openStore('first', 'alive');
  [made, isStopped, ends, started] = [0, false, [], []];
  engine = openEngine();
});

function openEngine(further: Partial<TaskEngineOptions> = {}) {
  return createTaskEngine({
    ...further,
    store,
    clock,
    concurrency: 1,
    prepared: 1,
    organizationRunning: 1,
    handler: ({ id }) =>
      new Promise((resolve) => {
        started.push(id);
        ends.push(() => resolve(null));
      }),
    queue: {
      start: (dispatched) => {
        worker = dispatched;
      },
      stop: async () => {
        isStopped = true;
      },
    },
  });
}

function openStore(name: string, liveness: Liveness) {
  return createMemoryTaskStore({
    entries,
    nowMs: clock.nowMs,
    lease: LEASE,
    self: identity(name),
    liveness: () => liveness,
  });
}

/** As another process submits. */
const create = (organizationId = 'org-1') =>
  store.create({ id: idAt(START_MS, made++), origin: 'api', organizationId, payload: null });

it('does what the queue gives it, and nothing else', async () => {
  const [first, second] = [await create(), await create()];
  engine.start();
  await clock.advance(60_000);
  expect([started, clock.waiting]).toEqual([[], 0]);
  const told = worker.dispatch(second);
  await settled();
  expect(started).toEqual([second.id]);
  ends.shift()?.();
  expect(await told).toBe('over');
  expect(await store.get(first.id)).toMatchObject({ state: 'PENDING' });
  for (const id of [second.id, idAt(START_MS, 99)]) expect(await worker.dispatch({ id })).toBe('over');
});

it('gives back what another worker can begin now, and what it cannot begin yet', async () => {
  const [first, young, full] = [await create(), await create('org-2'), await create()];
  engine.start();
  expect(worker.room()).toBe('slot');
  const told = worker.dispatch(first);
  await settled();
  expect([worker.room(), worker.runningCount]).toEqual(['prepare', 1]);
  expect(worker.fullOrganizations()).toEqual(['org-1']);
  expect(await worker.dispatch(young)).toBe('elsewhere');
  await clock.advance(2_000);
  expect(await worker.dispatch(full)).toBe('elsewhere');
  void worker.dispatch(young);
  await settled();
  expect([started, worker.room()]).toEqual([[first.id, young.id], 'none']);
  expect(await worker.dispatch(full)).toBe('later');
  ends.shift()?.();
  expect(await told).toBe('over');
});

it('waits for what it runs already when a queue that lost its connection gives it out again', async () => {
  const task = await create();
  engine.start();
  const first = worker.dispatch(task);
  await settled();
  const again = worker.dispatch(task);
  await settled();
  expect(started).toEqual([task.id]);
  ends.shift()?.();
  expect(await Promise.all([first, again])).toEqual(['over', 'over']);
  expect(started).toEqual([task.id]);
});

it('gives a task back to the queue that another process took, because that one can have died', async () => {
  const task = await create();
  engine.start();
  const told = worker.dispatch(task);
  await settled();
  clock.jump(LEASE.durationMs + 1_000);
  const other = openStore('second', 'elsewhere');
  expect((await other.claim(task.id)).kind).toBe('claimed');
  await clock.advance(1_000);
  ends.shift()?.();
  expect(await told).toBe('later');
});

it('takes nothing after the drain began', async () => {
  const [first, second] = [await create(), await create()];
  engine.start();
  void worker.dispatch(first);
  await settled();
  const drained = engine.drain(60_000);
  expect(isStopped).toBe(false);
  ends.shift()?.();
  await drained;
  expect([worker.room(), isStopped, await worker.dispatch(second)]).toEqual(['none', true, 'later']);
});

it('takes nothing while its machine is not ready, and finds out by itself when it is', async () => {
  let fault: string | null = 'ffmpeg_missing';
  engine = openEngine({ checkMachine: async () => fault });
  const task = await create();
  engine.start();
  expect(await worker.dispatch(task)).toBe('later');
  await clock.advance(10_000);
  expect([worker.room(), worker.state]).toEqual(['none', 'paused']);
  fault = null;
  await clock.advance(2_000);
  expect(worker.room()).toBe('slot');
  void worker.dispatch(task);
  await settled();
  expect(started).toEqual([task.id]);
});

describe('a server that starts when the database is back', () => {
  /** A task whose server sent its last heartbeat long ago. */
  const openLate = async () => {
    store = openStore('first', 'elsewhere');
    const { id } = await create();
    const owner = openStore('second', 'elsewhere');
    const result = await owner.claim(id);
    if (result.kind !== 'claimed') throw new Error(result.kind);
    await clock.advance(20_000);
    engine = openEngine();
    engine.start();
    await settled();
    return { owner, claim: result.claim };
  };

  it('leaves a task to its server, which renews its lease', async () => {
    const { owner, claim } = await openLate();
    expect(await worker.dispatch(claim)).toBe('later');
    await clock.advance(LEASE.heartbeatMs);
    expect(await owner.heartbeat(claim)).toBe('owned');
    await clock.advance(LEASE.durationMs - 1_000);
    expect([await worker.dispatch(claim), started]).toEqual(['later', []]);
  });

  it('takes it after the time of a lease if its server is dead, also when its clock is set back meanwhile', async () => {
    const { claim } = await openLate();
    await clock.advance(LEASE.durationMs - 1);
    expect(await worker.dispatch(claim)).toBe('later');
    clock.setBack(3_600_000);
    await worker.dispatch(claim);
    await clock.advance(LEASE.durationMs);
    void worker.dispatch(claim);
    await settled();
    expect(started).toEqual([claim.id]);
  });
});
