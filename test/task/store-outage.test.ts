/**
 * A store that is away while tasks run: what was being done is finished and stored once, and nobody takes it meanwhile.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { createTaskEngine, type TaskEngineOptions } from '../../src/task/engine/task-engine.ts';
import type { TaskContext, TaskHandler } from '../../src/task/engine/task-handler.ts';
import type { TaskStore } from '../../src/task/task-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { createMemoryTaskStore } from './memory-task-store.ts';
import { Outage, patchStore } from './patched-store.ts';
import { idAt, identity, START_MS } from './store-harness.ts';

const LEASE = { durationMs: 6_000, heartbeatMs: 1_500 };
const SECOND = 1_000;

let clock: ManualClock;
let outage: Outage;
let entries: Map<string, unknown>;
let made: number;
/** The running calls of handlers, in the order in which they began. */
let calls: { readonly by: string; readonly context: TaskContext; readonly finish: () => void }[];
let ended: string[];

beforeEach(() => {
  clock = new ManualClock(START_MS);
  outage = new Outage();
  entries = new Map();
  made = 0;
  calls = [];
  ended = [];
});

/** The store as a process of another machine sees it: only the lease says whether an owner is alive. */
const openStore = (name: string) =>
  outage.of(
    createMemoryTaskStore({
      entries,
      lease: LEASE,
      nowMs: clock.nowMs,
      self: identity(name),
      liveness: () => 'elsewhere',
    }),
  );

function openEngine(name: string, options: Partial<TaskEngineOptions> = {}) {
  const handler: TaskHandler = (_, context) =>
    new Promise((resolve) => calls.push({ by: name, context, finish: () => resolve('made') }));
  return createTaskEngine({
    store: openStore(name),
    clock,
    newId: () => idAt(clock.nowMs(), made++),
    random: () => 0,
    handler,
    hooks: {
      reserve: async () => {},
      release: async () => {},
      settle: async ({ state }) => void ended.push(`${name}: ${state}`),
    },
    ...options,
  });
}

const task = { origin: 'api', organizationId: 'org', payload: 1 } as const;
const look = (id: string) => openStore('reader').get(id);

describe('while the store is away', () => {
  it('the end of a task waits, and is stored within two seconds after the store is back', async () => {
    const [first, second] = [openEngine('first'), openEngine('second')];
    const { id } = await first.submit(task);
    first.start();
    await settled();
    second.start();
    await clock.advance(SECOND);
    outage.isNow = true;
    await clock.advance(10 * SECOND);
    calls[0]?.finish();
    await clock.advance(300 * SECOND);
    outage.isNow = false;
    await clock.advance(2 * SECOND);
    expect(await look(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1, outcome: 'made' });
    expect((await look(id)).setbacks).toBeUndefined();
    expect([calls.length, ended]).toEqual([1, ['first: SUCCEEDED']]);
    await Promise.all([first.drain(0), second.drain(0)]);
    expect(clock.waiting).toBe(0);
  });

  it('a running task goes on, and no server takes it after a long outage, not even its own', async () => {
    const [first, second] = [openEngine('first', { concurrency: 2 }), openEngine('second')];
    const { id } = await first.submit(task);
    first.start();
    await settled();
    second.start();
    let signs = 0;
    calls[0]?.context.onHeld(() => {
      signs += 1;
    });
    outage.isNow = true;
    await clock.advance(60 * SECOND);
    // The process that does the work is told that its server is there.
    expect(signs).toBeGreaterThanOrEqual(59);
    outage.isNow = false;
    await clock.advance(30 * SECOND);
    expect([calls.length, calls[0]?.context.signal.aborted]).toEqual([1, false]);
    calls[0]?.finish();
    await settled();
    expect(await look(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
    expect((await look(id)).setbacks).toBeUndefined();
    await Promise.all([first.drain(0), second.drain(0)]);
  });

  it('a running task of a server that is full is not taken by that server when a place becomes free', async () => {
    const engine = openEngine('first', { concurrency: 2 });
    const ids = [(await engine.submit(task)).id, (await engine.submit(task)).id];
    engine.start();
    await settled();
    outage.isNow = true;
    await clock.advance(20 * SECOND);
    outage.isNow = false;
    // Before the other one has renewed its lease.
    calls[0]?.finish();
    await settled();
    await clock.advance(20 * SECOND);
    calls[1]?.finish();
    await settled();
    for (const id of ids) expect((await look(id)).setbacks).toBeUndefined();
    expect([calls.length, ended]).toEqual([2, ['first: SUCCEEDED', 'first: SUCCEEDED']]);
    await engine.drain(0);
  });

  it('the check before a publication waits for the answer', async () => {
    const engine = openEngine('first', { limits: { silenceMs: 60 * SECOND } });
    const { id } = await engine.submit(task);
    engine.start();
    await settled();
    outage.isNow = true;
    let answer = 'none';
    void calls[0]?.context.assertOwned().then(
      () => (answer = 'owned'),
      () => (answer = 'lost'),
    );
    await clock.advance(120 * SECOND);
    expect([answer, calls[0]?.context.signal.aborted]).toEqual(['none', false]);
    outage.isNow = false;
    await clock.advance(SECOND);
    expect(answer).toBe('owned');
    calls[0]?.finish();
    await settled();
    expect(await look(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
    await engine.drain(0);
  });

  it('a drain waits for its grace, then ends without having stored the end', async () => {
    const engine = openEngine('first');
    const { id } = await engine.submit(task);
    engine.start();
    await settled();
    outage.isNow = true;
    calls[0]?.finish();
    await clock.advance(SECOND);
    let isDrained = false;
    const drained = engine.drain(30 * SECOND).then(() => (isDrained = true));
    await clock.advance(29 * SECOND);
    expect(isDrained).toBe(false);
    await clock.advance(5 * SECOND);
    await drained;
    outage.isNow = false;
    expect(await look(id)).toMatchObject({ state: 'RUNNING' });
    expect(clock.waiting).toBe(0);
  });

  it('a command does not wait: it ends with the error of the store', async () => {
    const engine = openEngine('first');
    const { id } = await engine.submit({ ...task, origin: 'cli', organizationId: null });
    const run = engine.runTask(id);
    const failed = expect(run).rejects.toMatchObject({ code: 'database_unavailable' });
    await settled();
    outage.isNow = true;
    calls[0]?.finish();
    await failed;
  });
});

describe('after the store is back', () => {
  it('all waiting tasks start within five seconds, however long it was away', async () => {
    const engine = openEngine('first', { concurrency: 2 });
    await engine.submit(task);
    await engine.submit(task);
    outage.isNow = true;
    engine.start();
    await clock.advance(600 * SECOND);
    expect(engine.health).toMatchObject({ state: 'paused', code: 'database_unavailable' });
    outage.isNow = false;
    await clock.advance(5 * SECOND);
    expect([calls.length, engine.health]).toEqual([2, { state: 'working' }]);
    for (const call of calls) call.finish();
    await settled();
    await engine.drain(0);
  });

  it('a task of a server that died during the outage is taken within ten seconds', async () => {
    const dead = openEngine('dead');
    const { id } = await dead.submit(task);
    // Claimed by a process that then sends no heartbeat.
    await openStore('dead').claim(id);
    const engine = openEngine('first');
    engine.start();
    await settled();
    outage.isNow = true;
    await clock.advance(20 * SECOND);
    outage.isNow = false;
    await clock.advance(10 * SECOND);
    expect(calls.map(({ by }) => by)).toEqual(['first']);
    calls[0]?.finish();
    await settled();
    expect(await look(id)).toMatchObject({ state: 'SUCCEEDED', setbacks: { takeovers: 1 } });
    await engine.drain(0);
  });
});

describe('an end whose answer is lost', () => {
  /** Stores the end, and loses the answer of the first try. */
  const losing = (store: TaskStore, between: (id: string) => Promise<void>): TaskStore => {
    let tries = 0;
    return patchStore(store, {
      settle: async (...end) => {
        if (tries++ > 0) return store.settle(...end);
        await between(end[0].id);
        outage.isNow = true;
        return store.settle(...end).finally(() => (outage.isNow = false));
      },
    });
  };

  it('is known as stored at the next try, and settled once', async () => {
    const plain = openStore('first');
    const store = losing(plain, async (id) => {
      const { fence } = await plain.get(id);
      await plain.settle({ id, fence }, { kind: 'succeeded', outcome: 'made' }, null);
    });
    const engine = openEngine('first', { store });
    const { id } = await engine.submit(task);
    engine.start();
    await settled();
    calls[0]?.finish();
    await clock.advance(3 * SECOND);
    expect([await look(id), ended]).toMatchObject([{ state: 'SUCCEEDED' }, ['first: SUCCEEDED']]);
    await engine.drain(0);
  });

  it('leaves the task to the server that took it meanwhile', async () => {
    const store = losing(openStore('first'), async (id) => {
      clock.jump(LEASE.durationMs + 1);
      await openStore('second').claim(id);
    });
    const engine = openEngine('first', { store });
    const { id } = await engine.submit(task);
    engine.start();
    await settled();
    calls[0]?.finish();
    await settled();
    await clock.advance(3 * SECOND);
    expect([await look(id), ended]).toMatchObject([{ state: 'RUNNING', worker: identity('second') }, []]);
    await engine.drain(0);
  });
});
