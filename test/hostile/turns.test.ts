/** Clients that try to take the server for themselves: with many tasks, slow photo hosts, or listings that end it. */
import { describe, expect, it } from 'vitest';
import { createTaskEngine, type TaskEngine } from '../../src/task/engine/task-engine.ts';
import type { TaskHandler } from '../../src/task/engine/task-handler.ts';
import { openHarness } from '../api/server/harness.ts';
import { aListing } from '../listing/a-listing.ts';
import { ManualClock, settled } from '../task/manual-clock.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { idAt, openFileHarness, START_MS } from '../task/store-harness.ts';

async function stop(engine: TaskEngine, clock: ManualClock): Promise<void> {
  const drained = engine.drain(0);
  await clock.advance(5_000);
  await drained;
}

describe('a client with many tasks', () => {
  it('delays another client by one task, on the real store', async () => {
    const at = await openFileHarness();
    try {
      const store = at.open();
      const create = (organizationId: string) =>
        store.create({ id: at.newId(), origin: 'api', organizationId, payload: 1 });
      for (let n = 0; n < 300; n++) await create('big');
      const small = await create('small');
      const rank = new Map<string, number>();
      const turns = { rank, full: new Set<string>() };
      const served: string[] = [];
      for (let n = 1; n <= 3; n++) {
        const result = await store.claimNext({ origin: 'api', trustLeases: true, turns });
        if (result?.kind !== 'claimed') throw new Error('nothing to claim');
        served.push(result.claim.task.organizationId ?? '');
        rank.set(result.claim.task.organizationId ?? '', n);
      }
      expect(served).toEqual(['big', 'small', 'big']);
      expect(await store.get(small.id)).toMatchObject({ state: 'RUNNING' });
    } finally {
      await at.close();
    }
  });

  it('fills its own part of the queue, and not that of the others', async () => {
    const api = openHarness({ config: { queueLimit: 10, organizationWaiting: 5 } });
    const other = await api.accounts.createOrganization({ name: 'other' });
    const [mine, theirs] = [
      await api.accounts.createKey({ organizationId: 'org_default' }),
      await api.accounts.createKey({ organizationId: other.id }),
    ];
    const post = (key: string) => api.post(aListing(), { 'x-api-key': key });
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(mine.key)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.json).toMatchObject({
      code: 'unavailable',
      message: 'too many tasks of this organization are waiting',
    });
    expect(refused?.headers.get('retry-after')).toBe('5');
    for (let n = 0; n < 5; n++) expect((await post(theirs.key)).status).toBe(202);
    const full = await post(theirs.key);
    expect([full.status, full.json.message]).toEqual([
      503,
      'too many tasks of this organization are waiting',
    ]);
    await api.runAll();
    expect((await post(mine.key)).status).toBe(202);
  });
});

describe('a client with a slow photo host', () => {
  it('does not hold up the tasks of another one', async () => {
    const clock = new ManualClock(START_MS);
    const store = createMemoryTaskStore({ nowMs: clock.nowMs });
    // As `serve` has it by default: one slot, two places for preparation, one of them for another organization.
    const handler: TaskHandler = async ({ organizationId }, { signal, takeSlot }) => {
      if (organizationId === 'slow') {
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      (await takeSlot()).release();
      return 'made';
    };
    let made = 0;
    const newId = () => idAt(clock.nowMs(), made++);
    const engine = createTaskEngine({ store, clock, newId, handler, prepared: 2, organizationRunning: 2 });
    const submit = (organizationId: string) => engine.submit({ origin: 'api', organizationId, payload: 1 });
    for (let n = 0; n < 50; n++) await submit('slow');
    engine.start();
    await clock.advance(10_000);
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await submit('quick')).id);
    await clock.advance(10_000);
    for (const id of ids) expect(await store.get(id)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await store.count({ state: 'RUNNING', organizationId: 'slow', atMost: 9 })).toBe(2);
    await stop(engine, clock);
  });

  it('loses its task at the time limit, and the next one runs', async () => {
    const clock = new ManualClock(START_MS);
    const store = createMemoryTaskStore({ nowMs: clock.nowMs });
    // It is lively all the time: a byte a second.
    const handler: TaskHandler = async ({ payload }, { signal, reportLiveness }) => {
      const trickle = () => {
        reportLiveness();
        clock.schedule(trickle, 1_000);
      };
      if (payload === 'quick') return 'made';
      trickle();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    let made = 0;
    const newId = () => idAt(clock.nowMs(), made++);
    const limits = { timeMs: 30 * 60_000, silenceMs: 60_000 };
    const engine = createTaskEngine({ store, clock, newId, handler, limits });
    const submit = (payload: string) => engine.submit({ origin: 'api', organizationId: 'org', payload });
    const slow = await submit('slow');
    const quick = await submit('quick');
    engine.start();
    await clock.advance(30 * 60_000 + 2_000);
    expect(await store.get(slow.id)).toMatchObject({ state: 'FAILED', failure: { code: 'time_limit' } });
    expect(await store.get(quick.id)).toMatchObject({ state: 'SUCCEEDED' });
    await stop(engine, clock);
  });
});

describe('a listing that ends its server each time', () => {
  it('does not keep the others from their end', async () => {
    const clock = new ManualClock(START_MS);
    const entries = new Map<string, unknown>();
    const dead = new Set<string>();
    const open = (name: string) =>
      createMemoryTaskStore({
        entries,
        nowMs: clock.nowMs,
        self: { pid: 1, host: 'test', boot: 'boot', space: 'space', started: name },
        liveness: ({ started }) => (dead.has(started ?? '') ? 'dead' : 'alive'),
      });
    const store = open('client');
    let made = 0;
    const create = async (payload: string) =>
      store.create({ id: idAt(clock.nowMs(), made++), origin: 'api', organizationId: 'org', payload });
    const poison = await create('poison');
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await create('good')).id);
    for (let servers = 0; servers < 10; servers++) {
      const name = `server ${servers}`;
      let isDead = false;
      const handler: TaskHandler = async ({ payload }) => {
        if (payload !== 'poison' && !isDead) return 'made';
        isDead = true;
        return new Promise(() => {});
      };
      // Its clock stops with it, so a dead server does nothing more.
      const engine = createTaskEngine({ store: open(name), clock: new ManualClock(clock.nowMs()), handler });
      engine.start();
      for (let tick = 0; tick < 40 && !isDead; tick++) await settled();
      dead.add(name);
      clock.jump(100);
    }
    for (const id of ids) expect(await store.get(id)).toMatchObject({ state: 'SUCCEEDED', attempts: 1 });
    // It is never given up because of servers: each new one tries it when nothing else waits.
    expect(await store.get(poison.id)).toMatchObject({ attempts: 1, setbacks: { takeovers: 9 } });
  });
});
