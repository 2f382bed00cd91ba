/** A worker with a queue: it claims when the queue tells it of a task, not by itself. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Liveness } from '../../src/platform/disk/process-identity.ts';
import { createTaskEngine, type TaskEngine } from '../../src/task/engine/task-engine.ts';
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

function openEngine() {
  return createTaskEngine({
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

it('claims what waits at its start, and then nothing before the queue tells it', async () => {
  const first = await create();
  engine.start();
  await settled();
  expect(started).toEqual([first.id]);
  ends.shift()?.();
  // It looks once more when it trusts leases.
  await clock.advance(LEASE.durationMs);
  const second = await create();
  await clock.advance(60_000);
  expect([started, clock.waiting]).toEqual([[first.id], 0]);
  const told = worker.dispatch(second.id);
  await settled();
  expect(started).toEqual([first.id, second.id]);
  ends.shift()?.();
  expect(await told).toBeNull();
});

it('claims by turns, and says which tasks of the queue still wait', async () => {
  const [first, second] = [await create(), await create()];
  engine.start();
  await settled();
  expect(started).toEqual([first.id]);
  expect(await worker.dispatch(second.id)).toMatchObject({ id: second.id, state: 'PENDING' });
  ends.shift()?.();
  await settled();
  expect(started).toEqual([first.id, second.id]);
  expect(await worker.dispatch(first.id)).toBeNull();
  expect(await worker.dispatch(idAt(START_MS, 99))).toBeNull();
});

it('refuses tasks while it renders, and after the drain began', async () => {
  engine.start();
  await settled();
  expect(worker.refused()).toEqual([]);
  await create();
  await worker.dispatch(idAt(START_MS, 99));
  expect([worker.refused(), worker.runningCount]).toEqual(['all', 1]);
  const drained = engine.drain(60_000);
  expect(isStopped).toBe(false);
  ends.shift()?.();
  await drained;
  expect([worker.refused(), isStopped]).toEqual(['all', true]);
});

it('prepares a task that came while it renders', async () => {
  await create();
  engine.start();
  await settled();
  const other = await create('org-2');
  expect(await worker.dispatch(other.id)).toMatchObject({ state: 'PENDING' });
  await clock.advance(2_000);
  expect(started.at(-1)).toBe(other.id);
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
    expect(await worker.dispatch(claim.id)).toMatchObject({ state: 'RUNNING', worker: identity('second') });
    await clock.advance(LEASE.heartbeatMs);
    expect(await owner.heartbeat(claim)).toBe('owned');
    await clock.advance(LEASE.durationMs - 1_000);
    expect([await worker.dispatch(claim.id), started]).toMatchObject([{ state: 'RUNNING' }, []]);
  });

  it('takes it by itself after the time of a lease if its server is dead', async () => {
    const { claim } = await openLate();
    await clock.advance(LEASE.durationMs - 1);
    expect(started).toEqual([]);
    await clock.advance(1);
    expect(started).toEqual([claim.id]);
  });

  it('takes it as soon when its clock is set back meanwhile', async () => {
    const { claim } = await openLate();
    clock.setBack(3_600_000);
    await worker.dispatch(claim.id);
    await clock.advance(LEASE.durationMs);
    void worker.dispatch(claim.id);
    await settled();
    expect(started).toEqual([claim.id]);
  });
});
