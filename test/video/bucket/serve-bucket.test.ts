/**
 * `serve --storage` as its own process: results in a bucket, few requests, and a bucket that goes away fails no task.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AnyJson, endOf, post, readTask } from '../../api/server/ask-server.ts';
import { PhotoHost } from '../../e2e/photo-host.ts';
import { Desk, type Running } from '../../e2e/program.ts';
import { copyCache } from '../../e2e/small-listing.ts';
import { type Gateway, openGateway } from './faulty-gateway.ts';
import { describeWithBucket } from './test-bucket.ts';

describeWithBucket('serve with a bucket', (server) => {
  const desk = new Desk();
  let count = 0;
  let home: string;
  let photos: PhotoHost;
  let gateway: Gateway;
  let running: Running | null = null;
  beforeAll(async () => {
    photos = await PhotoHost.open();
  });
  beforeEach(async () => {
    count += 1;
    home = path.join(desk.root, `server${count}`);
    gateway = await openGateway(() => server.env.AWS_ENDPOINT_URL_S3!);
  });
  afterEach(async () => {
    running?.kill('SIGKILL');
    await running?.finished;
    await gateway.close();
  });
  afterAll(() => {
    photos.close();
    desk.close();
  });

  const env = () => ({ ...server.env, AWS_ENDPOINT_URL_S3: gateway.url, LISTING_VIDEO_STORAGE: server.url });

  async function serve(): Promise<string> {
    running = desk.start(['serve', '--port', '0', '--quality', 'draft'], { home, env: env() });
    const [, url = ''] = await running.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
    return url;
  }

  const submit = async (url: string): Promise<string> => (await post(url, await photos.listing())).json.id;

  const requests = (method: string, part: string) =>
    gateway.seen.filter((line) => line.startsWith(`${method} `) && line.includes(part));

  it('stores results and segments with few requests, and takes the segments from there on an empty disk', async () => {
    const url = await serve();
    const id = await submit(url);
    const task = await endOf(url, id);
    expect(task.state).toBe('SUCCEEDED');
    expect(requests('PUT', '/files/')).toHaveLength(3);
    const segments = requests('PUT', '/cache/segments/').length;
    expect(segments).toBeGreaterThan(3);
    expect(requests('GET', '/cache/segments/')).toHaveLength(segments);
    expect(requests('PUT', '/ready').length).toBeLessThanOrEqual(2);
    // Results, segments and one soundtrack: nothing else is asked for, and nothing is listed or removed.
    const others = gateway.seen.filter((line) => !/\/(files|segments|audio|ready)(\/|$)/.test(line));
    expect(others).toEqual([]);
    const film = await fetch(task.results[0].url);
    expect(film.headers.get('content-type')).toBe('video/mp4');
    expect(
      Buffer.from(await film.arrayBuffer())
        .subarray(4, 8)
        .toString(),
    ).toBe('ftyp');
    expect(await readdir(path.join(home, 'files'))).toEqual(['.staging']);

    await rm(path.join(home, 'cache'), { recursive: true });
    const before = gateway.seen.length;
    const second = await endOf(url, await submit(url));
    expect(second.state).toBe('SUCCEEDED');
    const later = gateway.seen.slice(before);
    expect(later.filter((line) => line.includes('/cache/') && line.startsWith('PUT'))).toEqual([]);
    running?.kill('SIGTERM');
    const { stderr, exitCode } = (await running?.finished)!;
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/X-Amz|s3cr3t|test:tester/);
  }, 120_000);

  it('loses no task while the bucket is away, says so at /readyz, and goes on by itself', async () => {
    copyCache(home, 'photos');
    const url = await serve();
    const ready = async () => (await fetch(`${url}/readyz`)).json() as AnyJson;
    await fetch(`${url}/readyz`);
    // Also the cache: its segments are in the bucket since the test before.
    gateway.behave(({ url: to }) => (to?.includes('/ready') ? 'pass' : 'drop'));
    const id = await submit(url);
    await running!.sees(/a task works without the cache in the bucket/);
    // It renders without the cache, and waits with its results.
    while (requests('PUT', '/files/').length < 4) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await readTask(url, id)).state).toBe('RUNNING');
    gateway.behave(() => 'pass');
    expect((await endOf(url, id)).state).toBe('SUCCEEDED');
    expect((await ready()).context?.checks?.storage ?? true).toBe(true);
  }, 120_000);

  it('makes a task once whose server is killed while it uploads, and prunes what dead attempts left', async () => {
    copyCache(home, 'photos');
    const first = await serve();
    gateway.behave(({ url: to }) => (to?.includes('/files/') ? 'hang' : 'pass'));
    const id = await submit(first);
    while (requests('PUT', '/files/').length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    running?.kill('SIGKILL');
    await running?.finished;
    gateway.behave(() => 'pass');
    const second = await serve();
    const task = await endOf(second, id);
    expect(task.state).toBe('SUCCEEDED');
    const { pathname } = new URL(task.results[0].url);
    const [, , organization, , attempt] = pathname.split('/');
    expect(Number(attempt)).toBeGreaterThan(1);
    running?.kill('SIGTERM');
    await running?.finished;

    const bucket = server.open();
    const folder = `files/${organization}/${id}`;
    const left = { key: `${folder}/1/left.mp4`, sizeBytes: 1, open: () => Readable.from([Buffer.from('x')]) };
    await bucket.put(left);
    const results = (await bucket.list(`${folder}/`)).filter((key) => key !== left.key);
    expect(results).toHaveLength(3);
    const prune = await desk.run(['tasks', 'prune', '--older-than', '0s', '--json'], { home, env: env() });
    expect(JSON.parse(prune.stdout)).toMatchObject({ removed: [id] });
    expect(await bucket.list(`${folder}/`)).toEqual(results);
  }, 120_000);

  it('is checked by doctor, which names the cause and no key', async () => {
    // Without the video that it would make.
    const right = { ...env(), LISTING_VIDEO_RENDER: 'no' };
    const good = await desk.run(['doctor', '--json'], { home, env: right });
    const storageOf = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).checks.find(({ name }: AnyJson) => name === 'storage');
    expect(storageOf(good)).toMatchObject({ ok: true, value: `${server.url}, writable` });
    expect(await server.open().list('doctor/')).toEqual([]);
    const wrong = { ...right, AWS_SECRET_ACCESS_KEY: 'wr0ngs3cr3t' };
    const bad = await desk.run(['doctor', '--json'], { home, env: wrong });
    expect(storageOf(bad)).toMatchObject({
      ok: false,
      value: expect.stringContaining('SignatureDoesNotMatch'),
    });
    for (const { stdout, stderr } of [good, bad]) expect(stdout + stderr).not.toMatch(/wr0ng|s3cr3t|tester/);
  }, 60_000);

  it('has its cache pruned by a command', async () => {
    const bucket = server.open();
    const entry = {
      key: 'cache/segments/old',
      sizeBytes: 4,
      open: () => Readable.from([Buffer.from('text')]),
    };
    await bucket.put(entry);
    const prune = (...words: string[]) => desk.run(['storage', 'prune', ...words], { home, env: env() });
    expect((await prune('--max-size', '1TB')).stdout).toContain('freed 0 B (0 entries)');
    const pruned = await prune('--max-size', '0', '--json');
    expect(JSON.parse(pruned.stdout)).toMatchObject({ storage: server.url, dry_run: false, kept_entries: 0 });
    expect(await bucket.list('cache/')).toEqual([]);
    expect(await prune('--older-than', 'soon')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--older-than: expected a time span'),
    });
  }, 60_000);

  it('starts with wrong keys, is not ready, and starts no task', async () => {
    const wrong = { ...env(), AWS_SECRET_ACCESS_KEY: 'wr0ngs3cr3t' };
    running = desk.start(['serve', '--port', '0'], { home, env: wrong });
    const [, url = ''] = await running.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, ((await answer.json()) as AnyJson).context.checks]).toEqual([
      503,
      expect.objectContaining({ storage: false, store: true }),
    ]);
    await running.sees(/SignatureDoesNotMatch.*the bucket cannot be written/);
    const id = await submit(url);
    await running.sees(/no task is started until this machine is ready/);
    expect((await readTask(url, id)).state).toBe('PENDING');
    running.kill('SIGTERM');
    expect((await running.finished).stderr).not.toContain('wr0ng');
  }, 60_000);

  it('does not start without keys, and says which variable is missing', async () => {
    const none = { ...env(), AWS_SECRET_ACCESS_KEY: '' };
    const { exitCode, stderr } = await desk.run(['serve', '--port', '0'], { home, env: none });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('AWS_SECRET_ACCESS_KEY')]);
  });
});
