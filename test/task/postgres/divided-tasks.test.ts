/** Tasks whose work several workers do in batches. */
import { beforeEach, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../../src/platform/disk/process-identity.ts';
import { createTaskEngine } from '../../../src/task/engine/task-engine.ts';
import { taskJobs } from '../../../src/task/postgres/queue/jobs.ts';
import { repairQueue } from '../../../src/task/postgres/queue/repair-queue.ts';
import { beatPool } from '../../../src/task/postgres/queue/worker-pools.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import type { AttemptEnd, ClaimQuery, TaskClaim, TaskStore } from '../../../src/task/task-store.ts';
import { idAt, identity, START_MS } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

const FAILURE = { code: 'render_failed', message: 'a photo cannot be rendered', context: {} };
const LEASE_MS = 6_000;
const POOL = {
  host: 'other',
  pid: 1,
  version: '1',
  state: 'working',
  tasksAtOnce: 2,
  running: 1,
  takesBatches: true,
} as const;

describeWithDatabase('divided tasks', (server) => {
  const { database } = server;
  let nowMs: number;
  let made = 0;
  let one: TaskStore;
  let two: TaskStore;
  beforeEach(() => {
    nowMs = Date.now();
    [one, two] = [openStore(identity('one')), openStore(identity('two'))];
  });

  const openStore = (self: ProcessIdentity) =>
    createPostgresTaskStore({
      database,
      self,
      liveness: () => 'elsewhere',
      nowMs: () => nowMs,
      onChange: taskJobs,
    });
  const create = (organizationId: string | null = 'org-1') =>
    one.create({ id: idAt(START_MS, made++), origin: 'api', organizationId, payload: { photos: 3 } });
  /** Gives a worker the next job that waits, as the queue does, until it claims one. */
  const next = async (store: TaskStore, query: Partial<ClaimQuery> = {}) => {
    const { takesBatches = true } = query;
    const jobs = await database.query<{ id: string; key: string; kind: string }>(
      `select id, key, task_identifier as kind from listing_video_queue.jobs
       where locked_at is null and ($1 or task_identifier = 'render-task') order by priority, run_at, id`,
      [takesBatches],
    );
    for (const { key, kind } of jobs) {
      const [id = '', batch] = key.split(':');
      const only = kind === 'render-batch' ? { id, batch: Number(batch) } : { id };
      const result = await store.claimNext({
        ...{ origin: 'api', trustLeases: true, takesBatches, only },
        ...query,
      });
      if (result?.kind === 'claimed') return result.claim;
    }
    return null;
  };
  const claimed = (claim: TaskClaim | null): TaskClaim => {
    if (claim === null) throw new Error('nothing was claimed');
    return claim;
  };
  /** A task of three batches. Its first worker has the first of them. */
  const divided = async (organizationId: string | null = 'org-1') => {
    const task = await create(organizationId);
    const claim = claimed(await next(one));
    const first = await one.divisions!.divide(claim, ['a', 'b', 'c']);
    if (first === null) throw new Error('it was not divided');
    return { id: task.id, claim, first };
  };
  const batchesLeft = async () => {
    const rows = await database.query<{ number: number }>(
      'select number from listing_video.task_batches where number > 0 order by number',
    );
    return rows.map(({ number }) => number);
  };
  const batchJobs = async () => {
    const rows = await database.query<{ key: string }>(
      `select key from listing_video_queue.jobs where task_identifier = 'render-batch' order by key`,
    );
    return rows.map(({ key }) => key.split(':')[1]);
  };
  /** Time passes, and other workers renew the lease of the task. */
  const pass = async (ms: number) => {
    nowMs += ms;
    await database.query(
      `update listing_video.tasks set heartbeat_at = $1 where state = 'RUNNING' and worker is null`,
      [new Date(nowMs).toISOString()],
    );
  };

  it('waits as a row while its batches are done, and gives exactly one worker the task to finish it', async () => {
    const { id, first } = await divided();
    expect(await one.get(id)).toMatchObject({ state: 'RUNNING', worker: null, attempts: 1 });
    expect(await batchJobs()).toEqual(['2', '3']);
    const [second, third] = [claimed(await next(two)), claimed(await next(two))];
    expect([second.work, third.work]).toEqual(['b', 'c']);
    expect(second.task).toMatchObject({ id, payload: { photos: 3 } });
    expect(await next(two)).toBeNull();
    expect(new Set([first.fence, second.fence, third.fence]).size).toBe(3);
    const ends = await Promise.all([
      one.divisions!.endBatch(first),
      two.divisions!.endBatch(second),
      two.divisions!.endBatch(third),
    ]);
    const [finish, ...others] = ends.filter((claim) => claim !== null);
    expect(others).toEqual([]);
    expect(finish).toMatchObject({ id });
    expect(await one.check(finish!)).toBe('owned');
    expect((await one.get(id)).worker).not.toBeNull();
    await one.settle(finish!, { kind: 'succeeded', outcome: 'videos' }, null);
    expect(await one.get(id)).toMatchObject({ state: 'SUCCEEDED', outcome: 'videos', attempts: 1 });
    expect(await database.query('select 1 from listing_video.task_batches')).toEqual([]);
  });

  it('divides a task once, under its claim, or not at all', async () => {
    const { claim, first } = await divided();
    await expect(one.divisions!.divide(claim, ['x', 'y'])).rejects.toMatchObject({ code: 'lease_lost' });
    const [second, third] = [claimed(await next(two)), claimed(await next(two))];
    for (const batch of [first, second]) expect(await one.divisions!.endBatch(batch)).toBeNull();
    const finish = await one.divisions!.endBatch(third);
    expect(await one.divisions!.divide(finish!, ['x', 'y'])).toBeNull();
    await one.settle(finish!, { kind: 'failed', failure: FAILURE }, null);
    await one.retry(finish!.id);
    const again = claimed(await next(one));
    expect(await one.divisions!.divide(again, ['x', 'y'])).toMatchObject({ batch: 1 });
  });

  it('gives a batch whose worker died to another, which the late worker cannot undo', async () => {
    const { id, first } = await divided();
    const second = claimed(await next(two));
    await pass(LEASE_MS / 2);
    for (const batch of [first, second]) expect(await one.heartbeat(batch)).toBe('owned');
    await pass(LEASE_MS - 1_000);
    expect(await one.heartbeat(first)).toBe('owned');
    await pass(2_000);
    expect(await next(one, { trustLeases: false })).toMatchObject({ work: 'c' });
    await one.heartbeat(first);
    const taken = claimed(await next(one));
    expect([taken.work, taken.fence > second.fence]).toEqual(['b', true]);
    expect(await two.check(second)).toBe('lost');
    await expect(two.divisions!.endBatch(second)).rejects.toMatchObject({ code: 'lease_lost' });
    await expect(two.settle(second, { kind: 'given-back' }, null)).rejects.toMatchObject({
      code: 'lease_lost',
    });
    expect(await one.get(id)).toMatchObject({ attempts: 1, setbacks: { takeovers: 1 } });
  });

  it('puts a batch behind the others when it loses its worker again', async () => {
    const { id } = await divided();
    const others = await create('org-2');
    await next(two);
    const taken: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      await pass(LEASE_MS + 1_000);
      const claim = await next(two);
      taken.push(claim?.work ?? claim?.id);
    }
    expect((await one.get(id)).setbacks?.takeovers).toBeGreaterThan(1);
    expect(taken).toContain(others.id);
  });

  it('ends with the failure of a batch, and stops the others', async () => {
    const { id, first } = await divided();
    const second = claimed(await next(two));
    const ended = await two.settle(second, { kind: 'failed', failure: FAILURE }, null);
    expect(ended).toMatchObject({ id, state: 'FAILED', failure: FAILURE });
    expect(await one.check(first)).toBe('lost');
    expect([await batchesLeft(), await next(one)]).toEqual([[], null]);
  });

  it('is cancelled at once, and nobody finishes it', async () => {
    const { id, first } = await divided();
    expect(await two.requestCancel(id)).toMatchObject({ state: 'FAILED', failure: { code: 'cancelled' } });
    expect(await one.check(first)).toBe('lost');
    await expect(one.divisions!.endBatch(first)).rejects.toMatchObject({ code: 'lease_lost' });
    expect([await batchesLeft(), await next(two)]).toEqual([[], null]);
  });

  it('counts a fault of a batch once', async () => {
    const { id } = await divided();
    const end = async (how: AttemptEnd) => {
      const claim = claimed(await next(two));
      const { state, attempts, setbacks } = await two.settle(claim, how, null);
      return [state, attempts, setbacks?.machineFaults ?? 0];
    };
    expect(await end({ kind: 'given-back' })).toEqual(['RUNNING', 1, 0]);
    expect(await end({ kind: 'machine-fault', failure: FAILURE, counts: false })).toEqual(['RUNNING', 1, 0]);
    expect(await end({ kind: 'machine-fault', failure: FAILURE, counts: true })).toEqual(['RUNNING', 1, 1]);
    expect(await end({ kind: 'died', detail: {} })).toEqual(['RUNNING', 2, 1]);
    expect(await end({ kind: 'died', detail: {} })).toEqual(['RUNNING', 3, 1]);
    expect(await end({ kind: 'died', detail: {} })).toEqual(['FAILED', 3, 1]);
    expect((await one.get(id)).failure?.code).toBe('task_failed');
  });

  it('is left alone by a server that takes no batches, which takes it as a whole once nobody renews its lease', async () => {
    const { id, first } = await divided();
    expect(await next(two, { takesBatches: false })).toBeNull();
    await pass(LEASE_MS + 1_000);
    expect(await next(two, { takesBatches: false })).toBeNull();
    nowMs += LEASE_MS + 1_000;
    const whole = claimed(await next(two, { takesBatches: false }));
    expect([whole.id, whole.batch]).toEqual([id, undefined]);
    expect(await one.check(first)).toBe('lost');
    expect(await next(one)).toBeNull();
    await two.settle(whole, { kind: 'succeeded', outcome: 1 }, null);
  });

  it('shows the progress of its most advanced batch', async () => {
    const { id, first } = await divided();
    const second = claimed(await next(two));
    const at = (percent: number) => ({ percent, stage: 'render', etaSeconds: null });
    await one.saveProgress(first, at(40));
    await two.saveProgress(second, at(20));
    expect((await one.get(id)).progress?.percent).toBe(40);
    await two.saveProgress(second, at(50));
    expect((await one.get(id)).progress?.percent).toBe(50);
  });

  it('takes turns with other organizations', async () => {
    await divided('org-1');
    await create('org-2');
    await create('org-3');
    const served: (string | null | undefined)[] = [];
    for (let n = 0; n < 4; n++) served.push((await next(two))?.task.organizationId);
    expect(served).toEqual(['org-2', 'org-3', 'org-1', 'org-1']);
    await divided(null);
    expect(await next(two)).toMatchObject({ work: 'b', task: { organizationId: null } });
  });

  it('adds the jobs of batches that have none', async () => {
    const { id } = await divided();
    await beatPool(database, { ...POOL, id: 'live' });
    const lose = () => database.query(`delete from listing_video_queue._private_jobs`);
    await lose();
    await repairQueue(database, async () => {});
    expect(await batchJobs()).toEqual(['2', '3']);
    await database.query(`update listing_video.task_batches set heartbeat_at = now() - interval '1 minute'`);
    for (let n = 0; n < 2; n++) await repairQueue(database, async () => {});
    expect(await batchJobs()).toEqual(['1', '2', '3']);
    // The worker of the first batch died: the job of the task comes again.
    await lose();
    expect(
      await two.claimNext({ origin: 'api', trustLeases: true, takesBatches: true, only: { id } }),
    ).toBeNull();
    expect(await batchJobs()).toEqual(['1', '2', '3']);
  });

  it('counts the idle workers of other processes, less what waits', async () => {
    const pool = POOL;
    await beatPool(database, { ...pool, id: 'new', pid: 1 });
    await beatPool(database, { ...pool, id: 'also new', pid: 2, running: 0 });
    await beatPool(database, { ...pool, id: 'earlier version', pid: 3, takesBatches: undefined });
    await beatPool(database, { ...pool, id: 'stopping', pid: 4, state: 'draining' });
    expect(await one.divisions!.countIdle()).toBe(3);
    await create();
    expect(await one.divisions!.countIdle()).toBe(2);
  });

  it('survives rows that a person edited', async () => {
    const { id } = await divided();
    await database.query(
      `update listing_video.task_batches set worker = '"x"', state = 'RUNNING' where number = 2`,
    );
    await database.query(`update listing_video.task_batches set work = '{"a": 1}' where number = 3`);
    await pass(LEASE_MS + 1_000);
    const works = [await next(two), await next(two)].map((claim) => claim?.work ?? null);
    expect(works).toContainEqual({ a: 1 });
    await database.query(`delete from listing_video.tasks where id = $1`, [id]);
    expect(await next(two)).toBeNull();
  });

  it('is taken as a whole when a person removed its batches', async () => {
    const { id } = await divided();
    await database.query('delete from listing_video.task_batches where number > 0');
    await database.query(`update listing_video.tasks set heartbeat_at = now() - interval '1 minute'`);
    await repairQueue(database, async () => {});
    nowMs += LEASE_MS + 1_000;
    const claim = claimed(await next(two));
    expect([claim.id, claim.batch]).toEqual([id, undefined]);
  });

  it('fails, and does not come again and again, when a person edited what a batch is', async () => {
    const { id } = await divided();
    await database.query(`update listing_video.task_batches set work = 'null'`);
    const engine = createTaskEngine({
      store: two,
      handler: async () => 'all of it',
      dividesTasks: true,
      queue: { start: (worker) => void worker.dispatch({ id, batch: 2 }), stop: async () => {} },
    });
    engine.start();
    await expect.poll(async () => (await one.get(id)).state).toBe('FAILED');
    expect((await one.get(id)).failure).toMatchObject({ code: 'store_corrupt' });
    await engine.drain(0);
  });
});
