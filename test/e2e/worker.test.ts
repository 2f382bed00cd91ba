/** `serve --no-render` and `worker` as their own processes, over one database: one accepts, the other renders. */
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { ask, post, readTask } from '../api/server/ask-server.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';
import { PhotoHost } from './photo-host.ts';
import { Desk, type Running } from './program.ts';

const desk = new Desk('photos');
const running = new Set<Running>();
const photos = await PhotoHost.open();

afterEach(async () => {
  for (const program of running) program.kill('SIGKILL');
  await Promise.all([...running].map(({ finished }) => finished));
});
afterAll(() => {
  photos.close();
  desk.close();
});

async function accept(api: string): Promise<string> {
  const { status, json } = await post(api, await photos.listing());
  expect(status).toBe(202);
  return json.id;
}

describeWithPostgres('an API server and a worker with one database', (server) => {
  const start = (args: readonly string[], env: Record<string, string> = {}): Running => {
    const program = desk.start(args, { env: { LISTING_VIDEO_DATABASE: server.url, ...env } });
    running.add(program);
    void program.finished.then(() => running.delete(program));
    return program;
  };
  const serve = async (env: Record<string, string> = {}) => {
    const program = start(['serve', '--no-render', '--port', '0', '--quality', 'draft'], env);
    const [, url = ''] = await program.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
    return { program, url };
  };
  const work = async (...args: string[]) => {
    const program = start(['worker', '--allow-assets-from', '127.0.0.1', ...args]);
    const [, url = ''] = await program.says(/^waiting for tasks(?:, listening on (http:\S+))?$/m);
    return { program, url };
  };
  beforeAll(async () => {
    const { exitCode, stdout, stderr } = await desk.run(['database', 'migrate', '--json'], {
      env: { LISTING_VIDEO_DATABASE: server.url },
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    // The build has graphile-worker with its migrations.
    expect(JSON.parse(stdout).applied.at(-1)).toMatch(/^queue \d+$/);
  });

  it('make a video together: the server needs no ffmpeg, and renders nothing by itself', async () => {
    const api = await serve({ LISTING_VIDEO_FFMPEG: path.join(desk.root, 'no-ffmpeg') });
    expect(await ask(`${api.url}/readyz`)).toEqual({ status: 200, json: { status: 'ready' } });
    const beta = { headers: { 'service-beta': 'templates' } };
    expect((await ask(`${api.url}/v1/templates`, beta)).json.data.length).toBeGreaterThan(2);
    const id = await accept(api.url);
    expect(await readTask(api.url, id)).toMatchObject({ state: 'PENDING' });

    const { program } = await work();
    const workers = async () => JSON.parse((await start(['workers', 'list', '--json']).finished).stdout).data;
    await expect.poll(workers).toMatchObject([{ state: 'working', tasks_at_once: 1 }]);
    const metrics = await (await fetch(`${api.url}/metrics`)).text();
    expect(metrics).toContain('listing_video_workers 1');
    await expect
      .poll(() => readTask(api.url, id), { timeout: 90_000 })
      .toMatchObject({ state: 'SUCCEEDED', results: [{ agent_id: expect.any(String) }] });
    const [{ url }] = (await readTask(api.url, id)).results;
    const video = await fetch(url);
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    await video.arrayBuffer();

    for (const { exit, log, end } of [
      { exit: api.program, log: /without --storage/, end: /task ended/ },
      { exit: program, log: /without --storage[\s\S]*task ended[\s\S]*draining/, end: /listening/ },
    ]) {
      exit.kill('SIGTERM');
      const { exitCode, stderr } = await exit.finished;
      expect([exitCode, stderr]).toEqual([0, expect.stringMatching(log)]);
      expect(stderr).not.toMatch(end);
      for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
    }
  }, 120_000);

  it('drains: a worker ends its task after SIGTERM, takes no other, and says so at /readyz', async () => {
    const api = await serve();
    const release = photos.pause();
    const { program, url } = await work('--port', '0');
    expect(await ask(`${url}/readyz`)).toEqual({ status: 200, json: { status: 'ready' } });
    expect((await fetch(`${url}/v1/tasks`)).status).toBe(404);
    const asked = once(photos, 'asked');
    const first = await accept(api.url);
    await asked;
    program.kill('SIGTERM');
    await program.sees(/draining/);
    expect((await ask(`${url}/readyz`)).status).toBe(503);
    const second = await accept(api.url);
    release();
    expect((await program.finished).exitCode).toBe(0);
    expect(await readTask(api.url, first)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await readTask(api.url, second)).toMatchObject({ state: 'PENDING' });
  }, 120_000);

  it('ends at once after a second signal', async () => {
    const api = await serve();
    const release = photos.pause();
    const asked = once(photos, 'asked');
    const { program } = await work();
    await accept(api.url);
    await asked;
    program.kill('SIGTERM');
    await program.sees(/draining/);
    program.kill('SIGTERM');
    expect((await program.finished).exitCode).toBe(130);
    release();
  }, 60_000);

  it('takes over the task of a worker that died, and counts it', async () => {
    const api = await serve();
    const database = openDatabase({ url: server.url });
    // What the tests before this one left.
    await database.query(`delete from listing_video.tasks where state in ('PENDING', 'RUNNING')`);
    await database.query('delete from listing_video_queue._private_jobs');
    await database.query('delete from listing_video.worker_pools');
    const release = photos.pause();
    const asked = once(photos, 'asked');
    const { program: dead } = await work();
    const id = await accept(api.url);
    await asked;
    await expect
      .poll(() => database.query('select id from listing_video.worker_pools where running = 1'))
      .toHaveLength(1);
    dead.kill('SIGKILL');
    await dead.finished;
    release();
    // As if six seconds had passed.
    const ago = `clock_timestamp() - interval '7 seconds'`;
    await database.query(`update listing_video.worker_pools set beat_at = ${ago}`);
    await database.query(
      `update listing_video_queue._private_jobs set locked_at = ${ago} where locked_at is not null`,
    );
    const listed = await start(['workers', 'list', '--json']).finished;
    expect(JSON.parse(listed.stdout).data).toMatchObject([{ state: 'silent', running_tasks: 1 }]);
    const { url } = await work('--port', '0');
    await expect.poll(() => readTask(api.url, id), { timeout: 60_000 }).toMatchObject({ state: 'SUCCEEDED' });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'listing_video_queue_redeliveries_total 1',
    );
    await database.close();
  }, 90_000);

  it('is not ready while the database is away, and does not start without it', async () => {
    const { program, url } = await work('--port', '0');
    const ready = async () => (await ask(`${url}/readyz`)).json;
    await server.stop();
    try {
      await expect.poll(ready).toMatchObject({ context: { checks: { database: false, ffmpeg: true } } });
      const { exitCode, stderr } = await start(['worker']).finished;
      expect([exitCode, stderr]).toEqual([3, expect.stringContaining('the database 127.0.0.1')]);
    } finally {
      await server.start();
    }
    await expect.poll(ready).toEqual({ status: 'ready' });
    program.kill('SIGTERM');
    const log = (await program.finished).stderr.trim().split('\n');
    for (const line of log) expect(JSON.parse(line)).toHaveProperty('level');
  }, 60_000);

  it('starts only with a database that has its tables, and a worker only with ffmpeg', async () => {
    for (const args of [['worker'], ['serve', '--no-render']]) {
      const { exitCode, stderr } = await start([...args, '--no-database']).finished;
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(/needs a database[\s\S]*LISTING_VIDEO_DATABASE/),
      ]);
    }
    const empty = start(['worker', '--database', server.url.replace(/postgres$/, 'template1')]);
    expect(await empty.finished).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('database migrate'),
    });
    const blind = start(['worker'], { LISTING_VIDEO_FFMPEG: path.join(desk.root, 'no-ffmpeg') });
    expect(await blind.finished).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('ffmpeg') });
  }, 60_000);
});
