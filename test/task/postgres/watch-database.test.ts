/** What an operator sees of a database: its workers, its queue in the metrics, and the line of `doctor`. */
import { expect, it } from 'vitest';
import { createMetrics } from '../../../src/api/server/watch/metrics.ts';
import { checkDatabase } from '../../../src/task/postgres/check-database.ts';
import type { Database } from '../../../src/task/postgres/database.ts';
import { openDatabase } from '../../../src/task/postgres/open-database.ts';
import { readQueue } from '../../../src/task/postgres/queue/read-queue.ts';
import { beatPool } from '../../../src/task/postgres/queue/worker-pools.ts';
import { createPostgresTaskStore } from '../../../src/task/postgres/tasks/postgres-task-store.ts';
import { run } from '../../cli/run-cli.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { idAt, START_MS } from '../store-harness.ts';
import { describeWithDatabase } from './test-server.ts';

const POOL = { host: 'render-1', pid: 7, version: '1.2.3', tasksAtOnce: 2, running: 1 } as const;

describeWithDatabase('a database in use', (server) => {
  const { database } = server;
  let made = 0;

  const cli = (...words: string[]) =>
    run(words, { cwd: temporaryFolder(), env: { LISTING_VIDEO_DATABASE: server.url } });

  it('lists its workers: where they are, what they do, and which are silent', async () => {
    expect(await cli('workers', 'list')).toMatchObject({ exitCode: 0, stdout: '', stderr: 'no workers\n' });
    await beatPool(database, { ...POOL, id: 'worker-a', state: 'working' });
    await beatPool(database, { ...POOL, id: 'worker-b', host: 'evil\u001b[31m', state: 'draining' });
    await beatPool(database, { ...POOL, id: 'worker-c', state: 'paused' });
    await database.query(
      `update listing_video.worker_pools set version = '', beat_at = now() - interval '1 minute' where id = 'worker-c'`,
    );
    const { stdout } = await cli('workers', 'list');
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ID +STATE +TASKS +HEARTBEAT +SINCE +VERSION +HOST$/);
    expect(rows).toEqual([
      expect.stringMatching(
        /^worker-a +working +1\/2 +\d s ago +\d{4}-\d\d-\d\d \d\d:\d\d +1\.2\.3 +render-1$/,
      ),
      expect.stringMatching(/^worker-b +draining .*evil[^\u001b]+$/),
      expect.stringMatching(/^worker-c +silent +1\/2 +1 min( \d s)? ago .* - +render-1$/),
    ]);
    const { data, has_more: hasMore } = (await cli('workers', 'list', '--json')).json();
    expect([data.length, hasMore]).toEqual([3, false]);
    expect(data[0]).toEqual({
      ...{ id: 'worker-a', state: 'working', host: 'render-1', pid: 7, version: '1.2.3' },
      ...{ running_tasks: 1, tasks_at_once: 2 },
      started_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
      last_heartbeat_at: expect.stringMatching(/^\d{4}-.*\+00:00$/),
    });
    expect(data[2]).toMatchObject({ id: 'worker-c', state: 'silent', version: null });
  });

  it('has metrics of its queue: what waits and runs, the age of the oldest, workers and redeliveries', async () => {
    const metrics = createMetrics({
      countTasks: async () => 0,
      runningHere: () => 0,
      hasProcessMetrics: false,
      readQueue: () => readQueue(database),
    });
    const text = async () => {
      const lines = (await metrics.render()).split('\n');
      return lines.filter((line) => /^listing_video_(queue|workers)/.test(line)).sort();
    };
    const age = 'listing_video_queue_oldest_waiting_seconds';
    const depth = (kind: string, running: number, waiting: number) => [
      `listing_video_queue_depth{kind="${kind}",state="running"} ${running}`,
      `listing_video_queue_depth{kind="${kind}",state="waiting"} ${waiting}`,
    ];
    expect(await text()).toEqual([
      ...depth('render-batch', 0, 0),
      ...depth('render-task', 0, 0),
      `${age}{kind="render-batch"} 0`,
      `${age}{kind="render-task"} 0`,
      'listing_video_queue_redeliveries_total 0',
      'listing_video_workers 0',
    ]);
    const store = createPostgresTaskStore({ database });
    const create = async (origin: 'api' | 'cli') => {
      const id = idAt(START_MS, made++);
      await store.create({ id, origin, organizationId: null, payload: 1 });
      return id;
    };
    const [task] = [await create('api'), await create('api'), await create('cli')];
    const { id: held } = await store.get(await create('api'));
    expect(await store.claim(held)).toMatchObject({ kind: 'claimed' });
    await database.query(
      `update listing_video.tasks
       set queued_at = clock_timestamp() - case when id = $1 then interval '90 seconds' else interval '0' end`,
      [task],
    );
    await database.query(
      `insert into listing_video.task_batches (task_id, number, state, queued_at, fence, work)
       select $1, number, case number when 0 then 'DIVIDED' when 1 then 'RUNNING' else 'WAITING' end,
         clock_timestamp() - number * interval '40 seconds', 0, '{}' from generate_series(0, 3) as number`,
      [held],
    );
    await beatPool(database, { ...POOL, id: 'worker-a', state: 'working' });
    await beatPool(database, { ...POOL, id: 'worker-b', state: 'working' });
    await database.query(
      `update listing_video.worker_pools set beat_at = now() - interval '1 minute' where id = 'worker-b'`,
    );
    metrics.observeRedelivery(2);
    expect(await text()).toEqual([
      ...depth('render-batch', 1, 2),
      ...depth('render-task', 1, 2),
      expect.stringMatching(/kind="render-batch"\} 12\d\.?\d*$/),
      expect.stringMatching(/kind="render-task"\} 9\d\.?\d*$/),
      'listing_video_queue_redeliveries_total 2',
      'listing_video_workers 1',
    ]);
    const away = createMetrics({
      countTasks: async () => 0,
      runningHere: () => 0,
      hasProcessMetrics: false,
      readQueue: () => Promise.reject(new Error('away')),
    });
    expect(await away.render()).toContain('listing_video_workers Nan');
  });

  it('is checked by doctor: what it is, and that it can be written', async () => {
    const found = /^127\.0\.0\.1:\d+\/postgres: PostgreSQL \d+\.\d+, schema version \d+, writable$/;
    expect(await checkDatabase(database)).toMatch(found);
    const user =
      'create role reader login; grant usage on schema listing_video, listing_video_queue to reader';
    await database.query(user);
    await database.query('grant select on all tables in schema listing_video, listing_video_queue to reader');
    const reader = openDatabase({ url: server.url.replace('postgres@', 'reader:5ecre7@') });
    await expect(checkDatabase(reader)).rejects.toMatchObject({
      code: 'database_unavailable',
      hint: expect.stringContaining('rights'),
    });
    await reader.close();
    const standby = openDatabase({ url: `${server.url}?options=-c%20default_transaction_read_only%3Don` });
    await expect(checkDatabase(standby)).rejects.toMatchObject({
      code: 'database_unavailable',
      hint: expect.stringContaining('can be written'),
    });
    await standby.close();
    for (const [aheadMs, found] of [
      [600_000, / is (599|600|601) s ahead of that of the database 127/],
      [-600_000, / is (599|600|601) s behind that of the database 127/],
    ] as const)
      await expect(checkDatabase(database, () => Date.now() + aheadMs)).rejects.toThrow(found);
    const old: Database = Object.create(database, {
      place: { value: 'db/videos' },
      query: { value: async () => [{ version: '13.9', number: 130_009 }] },
    });
    await expect(checkDatabase(old)).rejects.toMatchObject({
      message: 'the database db/videos is PostgreSQL 13.9, but must be 14 or newer',
    });
  });

  it('is a line of doctor, without its password', async () => {
    const check = async (url: string) => {
      const { stdout, stderr } = await run(['doctor', '--json'], {
        cwd: temporaryFolder(),
        // Without the video that it would make.
        env: { LISTING_VIDEO_DATABASE: url, LISTING_VIDEO_RENDER: 'no' },
      });
      expect(stdout + stderr).not.toContain('5ecre7');
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'database');
    };
    expect(await check(server.url.replace('postgres@', 'postgres:5ecre7@'))).toMatchObject({
      ok: true,
      hint: null,
    });
    expect(await check('postgres://ann:5ecre7@127.0.0.1:1/videos')).toMatchObject({
      ok: false,
      value: 'the database 127.0.0.1:1/videos is not available: ECONNREFUSED',
    });
    expect(await check(server.url.replace(/postgres$/, 'template1'))).toMatchObject({
      ok: false,
      hint: expect.stringContaining('database migrate'),
    });
  });
});
