/** Jobs are part of the transactions of their tasks, and pools of workers take them. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemTaskClock } from '../../../src/task/engine/task-clock.ts';
import type { DispatchedWork, DispatchedWorker } from '../../../src/task/engine/work-queue.ts';
import { QUEUE_VERSION, requireQueue } from '../../../src/task/postgres/migrate-database.ts';
import { taskJobs } from '../../../src/task/postgres/queue/jobs.ts';
import { repairQueue } from '../../../src/task/postgres/queue/repair-queue.ts';
import { TaskQueue } from '../../../src/task/postgres/queue/task-queue.ts';
import { beatPool, listPools, unlockSilentPools } from '../../../src/task/postgres/queue/worker-pools.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { inOrder, type OnTaskChange } from '../../../src/task/postgres/tasks/task-change.ts';
import type { TaskStore } from '../../../src/task/task-store.ts';
import { migrateDatabaseAt } from '../../../src/wiring/stores/open-database.ts';
import { claimOf, FAILURE, idAt, START_MS } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

describeWithDatabase('the queue of the database', (server) => {
  const { database } = server;
  let store: TaskStore;
  let made = 0;
  let redelivered = 0;
  const warnings: string[] = [];
  const queues: TaskQueue[] = [];
  beforeEach(() => {
    store = openStore();
    redelivered = 0;
    warnings.length = 0;
  });
  afterEach(async () => {
    await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  });

  const openStore = (further: OnTaskChange = async () => {}) =>
    createPostgresTaskStore({ database, onChange: inOrder(taskJobs, further) });
  const create = (organizationId: string | null = null, by = store) =>
    by.create({ id: idAt(START_MS, made++), origin: 'api', organizationId, payload: 1 });
  const jobs = () =>
    database.query<{ key: string; flags: object | null }>(
      'select key, flags from listing_video_queue.jobs where key is not null order by key',
    );
  /** Jobs in the order in which they are dispatched. */
  const order = async () => {
    const rows = await database.query<{ key: string }>(
      'select key from listing_video_queue.jobs where locked_at is null order by priority, run_at, id',
    );
    return rows.map(({ key }) => key);
  };
  const noCleaning = async () => {};
  const keys = async () => (await jobs()).map(({ key }) => key);
  const start = (worker: Partial<DispatchedWorker>) => {
    const queue = new TaskQueue({
      database,
      url: server.url,
      clock: systemTaskClock,
      logger: { debug: () => {}, warn: (message) => warnings.push(message) },
      tasksAtOnce: 1,
      jobsAtOnce: 2,
      onRedelivered: (jobs) => {
        redelivered += jobs;
      },
    });
    queues.push(queue);
    queue.start({
      state: 'working',
      runningCount: 0,
      room: () => 'slot',
      fullOrganizations: () => [],
      distrustLeases: () => {},
      dispatch: async () => 'over',
      ...worker,
    });
  };
  /** Collects dispatched ids, and waits for some. */
  const collector = () => {
    const ids: string[] = [];
    let check = () => {};
    return {
      ids,
      add: (id: string) => {
        ids.push(id);
        check();
      },
      reach: (count: number) =>
        new Promise<void>((resolve) => {
          check = () => ids.length >= count && resolve();
          check();
        }),
    };
  };

  it('has a job for a task from its acceptance to its end, in the same transactions', async () => {
    const [one, two] = [await create('org-1'), await create()];
    expect(await jobs()).toEqual([
      { key: one.id, flags: { 'organization org-1': true } },
      { key: two.id, flags: null },
    ]);
    await store.settle(claimOf(await store.claim(one.id)), { kind: 'given-back' }, null);
    expect(await keys()).toEqual([one.id, two.id]);
    await store.requestCancel(one.id);
    await store.settle(claimOf(await store.claim(two.id)), { kind: 'failed', failure: FAILURE }, null);
    expect(await keys()).toEqual([]);
    await store.retry(two.id);
    expect(await keys()).toEqual([two.id]);
  });

  it('has no job for a task that was not stored, and no task without its job', async () => {
    const failing = openStore(async () => {
      throw new Error('no');
    });
    await expect(create(null, failing)).rejects.toThrow('no');
    expect(await keys()).toEqual([]);
  });

  it('has no job for a task of the command line', async () => {
    await store.create({ id: idAt(START_MS, made++), origin: 'cli', organizationId: null, payload: 1 });
    expect(await keys()).toEqual([]);
  });

  it('adds the jobs of tasks that have none, once, in their turns', async () => {
    const tasks = [await create('org-1'), await create('org-1'), await create('org-2')];
    const before = await jobs();
    await database.query('delete from listing_video_queue._private_jobs');
    await database.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('listing-video jobs', 0))`);
      // Another server does it.
      await repairQueue(database, noCleaning);
      expect(await jobs()).toEqual([]);
    });
    for (let n = 0; n < 2; n++) await repairQueue(database, noCleaning);
    expect(await jobs()).toEqual(before);
    expect((await order()).at(-1)).toBe(tasks[1]!.id);
  });

  it('has turns for ever, and forgets those that were not used when no job waits', async () => {
    const unused = [];
    for (let n = 0; n < 3; n++) unused.push(await create('org-1'));
    await repairQueue(database, noCleaning);
    const late = await create('org-2');
    expect((await order()).slice(0, 2).sort()).toEqual([unused[0]!.id, late.id].sort());
    for (const { id } of [...unused, late]) await store.requestCancel(id);
    await repairQueue(database, noCleaning);
    await database.query(`select setval('listing_video.turns', 3000000000)`);
    const seen = collector();
    const tasks = [await create('org-2'), await create('org-2'), await create('org-1')].map(({ id }) => id);
    expect(await order()).toEqual([tasks[0], tasks[2], tasks[1]]);
    start({
      dispatch: async ({ id }) => {
        seen.add(id);
        return 'over';
      },
    });
    await seen.reach(3);
    // The turn follows the job: jobs can be dispatched before it is stored.
    await expect
      .poll(() => database.query('select last_value as turn from listing_video.turns'))
      .toEqual([{ turn: 3_000_000_001 }]);
  });

  it('gives turns at insertion: one that adds many does not delay another, and what comes again comes first', async () => {
    const many = [];
    for (let n = 0; n < 6; n++) many.push((await create('org-1')).id);
    const seen = collector();
    const ends: (() => void)[] = [];
    start({
      dispatch: async ({ id }) => {
        seen.add(id);
        await new Promise<void>((resolve) => ends.push(resolve));
        return 'over';
      },
    });
    await seen.reach(2);
    const others = [await create('org-2'), await create('org-3'), await create('org-2')].map(({ id }) => id);
    // It lost its server.
    const again = await create('org-1');
    await store.settle(claimOf(await store.claim(again.id)), { kind: 'given-back' }, null);
    const count = many.length + others.length + 1;
    for (let n = 2; n < count; n++) {
      ends.shift()?.();
      await seen.reach(n + 1);
    }
    for (const end of ends) end();
    const [one, two, three] = others;
    expect(seen.ids.slice(2, 5)).toEqual([again.id, one, two]);
    expect(seen.ids.indexOf(three!)).toBeLessThan(7);
    expect(new Set(seen.ids).size).toBe(count);
  });

  it('dispatches tasks that were accepted before and after the start', async () => {
    const seen = collector();
    const before = await create();
    const dispatch = async ({ id }: DispatchedWork) => {
      seen.add(id);
      return 'over' as const;
    };
    start({ dispatch });
    await seen.reach(1);
    const after = await create();
    await seen.reach(2);
    expect(seen.ids).toEqual([before.id, after.id]);
  });

  it('brings work again that could not be done, at its place', async () => {
    const seen = collector();
    const task = await create();
    const dispatch = async ({ id }: DispatchedWork) => {
      seen.add(id);
      return seen.ids.length === 1 ? 'later' : 'over';
    };
    start({ dispatch });
    await seen.reach(2);
    expect(seen.ids).toEqual([task.id, task.id]);
  });

  it('leaves jobs to others that it refuses: all, or those of an organization', async () => {
    const seen = collector();
    const dispatch = async ({ id }: DispatchedWork) => {
      seen.add(id);
      return 'over' as const;
    };
    const wrong = async ({ id }: DispatchedWork) => {
      throw new Error(`a refused job came: ${id}`);
    };
    start({ room: () => 'none', dispatch: wrong });
    start({ room: () => 'prepare', dispatch: wrong });
    start({ fullOrganizations: () => ['org-1'], dispatch });
    await create('org-1');
    const other = await create('org-2');
    await seen.reach(1);
    expect(seen.ids).toEqual([other.id]);
  });

  it('asks the database for no job while it has no place, and takes one once there is a place', async () => {
    const seen = collector();
    const asked = collector();
    let isFull = true;
    // A search for jobs waits until the end of this transaction.
    await database.transaction(async (tx) => {
      start({
        room: () => {
          asked.add('');
          return isFull ? 'none' : 'slot';
        },
        dispatch: async ({ id }) => {
          seen.add(id);
          return 'over';
        },
      });
      await asked.reach(3);
      await tx.query('lock table listing_video_queue._private_jobs');
      await asked.reach(12);
    });
    const task = await create();
    isFull = false;
    await seen.reach(1);
    expect(seen.ids).toEqual([task.id]);
  });

  it('gives out jobs that are far ahead, because the clock of the database was set back', async () => {
    const task = await create();
    await database.query(`update listing_video_queue._private_jobs set run_at = now() + interval '1 hour'`);
    const seen = collector();
    start({
      dispatch: async ({ id }) => {
        seen.add(id);
        return 'over';
      },
    });
    await seen.reach(1);
    expect(seen.ids).toEqual([task.id]);
  });

  it('survives jobs that a person edited', async () => {
    const seen = collector();
    for (const payload of ['{}', '[]', 'null', '{"taskId": {"a": 1}}', `{"taskId": "' or 1=1"}`])
      await database.query(`select listing_video_queue.add_job('render-task', $1::json)`, [payload]);
    start({
      dispatch: async ({ id }) => {
        seen.add(id);
        return 'over';
      },
    });
    const task = await create();
    await seen.reach(1);
    expect(seen.ids).toEqual([task.id]);
  });

  it('removes dead jobs, and queues without jobs', async () => {
    const task = await create();
    await database.query(
      `update listing_video_queue._private_jobs set key = null, attempts = max_attempts where key = $1`,
      [task.id],
    );
    await database.query(`insert into listing_video_queue._private_job_queues (queue_name) values ('empty')`);
    start({});
    const left = () =>
      database.query(
        `select 1 from listing_video_queue._private_jobs where attempts = max_attempts
         union all select 2 from listing_video_queue._private_job_queues`,
      );
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
  });

  it('gives out the jobs of a pool that died, and of one that was never seen', async () => {
    const [one, two] = [await create(), await create()];
    const lock = (id: string, pool: string) =>
      database.query(
        `update listing_video_queue._private_jobs set locked_by = $2, locked_at = now() - interval '1 minute' where key = $1`,
        [id, pool],
      );
    await lock(one.id, 'dead');
    await lock(two.id, 'alive');
    const facts = { host: 'h', pid: 1, version: '1', state: 'working', tasksAtOnce: 1, running: 1 } as const;
    for (const id of ['dead', 'alive']) await beatPool(database, { id, ...facts });
    expect(await unlockSilentPools(database, true)).toBe(0);
    await database.query(
      `update listing_video.worker_pools set beat_at = now() - interval '7 seconds' where id = 'dead'`,
    );
    expect(await listPools(database)).toMatchObject([
      { ...facts, id: 'dead', state: 'silent' },
      { ...facts, id: 'alive', startedAt: expect.any(String), beatAt: expect.any(String) },
    ]);
    // One that sends deliveries leaves it to one that renders.
    expect(await unlockSilentPools(database, false)).toBe(0);
    expect(await unlockSilentPools(database, true)).toBe(1);
    expect((await listPools(database)).map(({ id }) => id)).toEqual(['alive']);
    await lock(one.id, 'unknown');
    expect(await unlockSilentPools(database, true)).toBe(1);
    // The clock of the database was set back, or a person edited the row.
    for (const time of [`now() + interval '1 hour'`, `'infinity'`]) {
      await beatPool(database, { id: 'dead', ...facts });
      await database.query(`update listing_video.worker_pools set beat_at = ${time} where id = 'dead'`);
      await lock(one.id, 'dead');
      expect((await listPools(database)).filter(({ state }) => state !== 'silent')).toHaveLength(1);
      expect(await unlockSilentPools(database, true)).toBe(1);
    }
    const locked = await database.query(
      'select key from listing_video_queue.jobs where locked_by is not null',
    );
    expect(locked).toEqual([{ key: two.id }]);
  });

  it('takes jobs again after the database was away', async () => {
    const seen = collector();
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const dispatch = async ({ id }: DispatchedWork) => {
      seen.add(id);
      await work;
      return 'over' as const;
    };
    start({ dispatch });
    const before = await create();
    await seen.reach(1);
    const pools = async () => (await listPools(database)).map(({ id }) => id);
    await expect.poll(pools, { timeout: 5_000 }).toHaveLength(1);
    const [broken] = await pools();
    await server.stop();
    // The end of the job cannot be stored, which breaks the pool.
    finish();
    await server.start();
    const after = await create();
    await seen.reach(3);
    // No worker died: the job that could not be ended comes again to this one.
    expect(seen.ids.sort()).toEqual([before.id, before.id, after.id]);
    expect([redelivered, warnings]).toEqual([0, [expect.stringContaining('lost its connection')]]);
    // The worker does not count twice until the broken pool is forgotten.
    await expect.poll(pools, { timeout: 4_000 }).toEqual([expect.not.stringMatching(broken!)]);
  });

  it('refuses a queue of another version', async () => {
    await expect(requireQueue(database)).resolves.toBe(QUEUE_VERSION);
    const set = (id: number) =>
      database.query('insert into listing_video_queue.migrations (id, breaking) values ($1, true)', [id]);
    await set(QUEUE_VERSION + 1);
    const hint = expect.stringContaining('update listing-video');
    await expect(requireQueue(database)).rejects.toMatchObject({ code: 'database_version', hint });
    await expect(migrateDatabaseAt(server.url)).rejects.toMatchObject({ code: 'database_version', hint });
    await database.query('delete from listing_video_queue.migrations where id > $1', [QUEUE_VERSION]);
    expect((await migrateDatabaseAt(server.url)).applied).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'notices soon that the machine of the database is gone',
    async () => {
      start({});
      const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, '0');
      // Of each open connection to the server: the kind of its timer, 2 for a keep-alive, and when it ends, in
      // hundredths of a second.
      const timers = () =>
        readFileSync('/proc/net/tcp', 'utf8')
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .filter(([, , remote, state]) => remote?.endsWith(`:${port}`) && state === '01')
          .map(([, , , , , timer = '']) => timer.split(':').map((part) => Number.parseInt(part, 16)));
      const listeners = () =>
        database.query(`select pid from pg_stat_activity where application_name = 'listing-video queue'`);
      await expect.poll(listeners).not.toEqual([]);
      await expect
        .poll(() => timers().every(([kind = 0, endsIn = 0]) => kind === 2 && endsIn <= 1_000))
        .toBe(true);
    },
  );
});
