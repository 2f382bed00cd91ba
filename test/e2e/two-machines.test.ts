/**
 * Servers that share a database and a bucket and no file: what one accepts another renders, and each sends the result.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import type { paths } from '../api/generated-client/api-types.ts';
import { type AnyJson, ask as askServer, post as submit } from '../api/server/ask-server.ts';
import { launchBrowser, type TestBrowser } from '../studio/browser.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';
import { openGateway } from '../video/bucket/faulty-gateway.ts';
import { describeWithBucket } from '../video/bucket/test-bucket.ts';
import { PhotoHost } from './photo-host.ts';
import { Desk, type Running, SMALL_LISTING } from './program.ts';

const PHOTOS = path.join(path.dirname(SMALL_LISTING), 'photos');
/** The server of the test asks for no password. This one must appear nowhere. */
const PASSWORD = 'passw0rd-of-the-database';
const SECRETS = new RegExp(`${PASSWORD}|s3cr3t|X-Amz-Signature`);

const desk = new Desk('photos');
const running: Running[] = [];
const photos = await PhotoHost.open();
let browser: TestBrowser | null = null;

afterEach(async () => {
  await browser?.close();
  browser = null;
  photos.hold = Promise.resolve();
  photos.status = 200;
  await stop(running.splice(0));
});
afterAll(() => {
  photos.close();
  desk.close();
});

async function stop(programs: readonly Running[]): Promise<void> {
  for (const program of programs) program.kill('SIGTERM');
  for (const { finished } of programs) {
    const { exitCode, stdout, stderr } = await finished;
    expect([exitCode, stdout + stderr]).toEqual([0, expect.not.stringMatching(SECRETS)]);
  }
}

/** The listing with uploads instead of addresses, and the header that it needs. */
async function withUploads(api: string) {
  const listing = await photos.listing();
  const uploads = { 'service-beta': 'uploads' };
  for (const asset of listing.assets) {
    const body = await readFile(path.join(PHOTOS, path.basename(asset.url)));
    const headers = { ...uploads, 'content-type': 'image/jpeg' };
    const { status, json } = await ask(`${api}/v1/assets`, { method: 'POST', headers, body });
    expect([status, json]).toEqual([201, { ...json, url: `${api}/v1/assets/${json.id}` }]);
    asset.url = json.url;
  }
  return { listing, uploads };
}

async function ask(url: string, init?: RequestInit): Promise<{ status: number; json: AnyJson }> {
  const answer = await askServer(url, init);
  expect(JSON.stringify(answer.json)).not.toMatch(SECRETS);
  return answer;
}

async function post(...submitted: Parameters<typeof submit>): Promise<string> {
  const { status, json } = await submit(...submitted);
  expect([status, json]).toEqual([202, { id: expect.any(String) }]);
  return json.id;
}

const readTask = async (api: string, id: string) => (await ask(`${api}/v1/tasks/${id}`)).json;

async function ended(api: string, id: string): Promise<AnyJson> {
  await expect
    .poll(async () => (await readTask(api, id)).state, { timeout: 90_000 })
    .toMatch(/SUCCEEDED|FAILED/);
  return readTask(api, id);
}

describeWithPostgres('two machines', (postgres) => {
  describeWithBucket('with one database and one bucket', (bucket) => {
    const env = () => {
      const database = new URL(postgres.url);
      database.password = PASSWORD;
      return { ...bucket.env, LISTING_VIDEO_DATABASE: database.href, LISTING_VIDEO_STORAGE: bucket.url };
    };
    const home = (name: string) => path.join(desk.root, name);
    const serve = async (machine: string, ...args: string[]): Promise<string> =>
      serveWith({}, machine, ...args);
    const serveWith = async (more: Record<string, string>, machine: string, ...args: string[]) => {
      const words = ['serve', '--port', '0', '--quality', 'draft', ...args];
      const program = desk.start(words, { home: home(machine), env: { ...env(), ...more } });
      running.push(program);
      const [, url = ''] = await program.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
      return url;
    };
    const command = async (...words: string[]): Promise<AnyJson> => {
      const done = await desk.run([...words, '--json'], { home: home('operator'), env: env() });
      expect(done.stdout + done.stderr).not.toMatch(SECRETS);
      return { exitCode: done.exitCode, json: JSON.parse(done.stdout) };
    };
    /** A server that renders nothing, for all tests. */
    let api: string;
    const front: Running[] = [];
    beforeAll(async () => {
      const { exitCode } = await desk.run(['database', 'migrate', '--quiet'], { env: env() });
      expect(exitCode).toBe(0);
      api = await serve('front', '--no-render');
      front.push(...running.splice(0));
    });
    afterAll(() => stop(front));

    it('the one renders what the other accepted, from photos that it was sent, and every server has the video', async () => {
      // Behind one address.
      const proxy = await serve('proxy', '--no-render', '--proxy-files', '--public-url', api);
      const { listing, uploads } = await withUploads(api);
      const id = await post(proxy, listing, uploads);
      expect((await readTask(api, id)).state).toBe('PENDING');
      // A browser at one server and a client of the document at the other follow it.
      browser = await launchBrowser();
      const { page, faults } = await browser.open(`${api}/#/tasks/${id}`);
      await page.getByText('Pending').first().waitFor();
      const events = await createClient<paths>({ baseUrl: proxy }).GET('/v1/tasks/{task_id}/events', {
        params: { path: { task_id: id }, header: { 'service-beta': ['task-events'] } },
        parseAs: 'stream',
      });
      const followed = new Response(events.data).text();
      const other = await serve('render');
      const task = await ended(api, id);
      expect(await followed).toMatch(/PENDING.*RUNNING.*\nevent: end\nid: \S+\ndata: .*"SUCCEEDED"/s);
      await page.getByText('Succeeded').first().waitFor();
      await page.getByLabel(/^Video of /).press('Space');
      await expect.poll(() => page.evaluate("document.querySelector('video').currentTime > 0")).toBe(true);
      expect(faults).toEqual([]);
      expect(task).toMatchObject({ state: 'SUCCEEDED', dropped_assets: [] });
      expect((await readTask(other, id)).state).toBe('SUCCEEDED');
      for (const machine of ['front', 'proxy', 'render'])
        expect(
          (await readdir(home(machine), { recursive: true })).filter((name) => /mp4|upload_/.test(name)),
        ).toEqual([]);

      const [{ url }] = task.results;
      const redirect = await fetch(url, { redirect: 'manual' });
      const location = redirect.headers.get('location') ?? '';
      expect([redirect.status, location]).toEqual([
        302,
        expect.stringContaining(bucket.env.AWS_ENDPOINT_URL_S3!),
      ]);
      const video = await bytesOf(location);
      expect((await readTask(proxy, id)).results[0].url).toBe(url);
      const proxied = url.replace(api, proxy);
      const passed = await fetch(proxied, { redirect: 'error' });
      expect([passed.status, passed.headers.get('content-type')]).toEqual([200, 'video/mp4']);
      const digest = createHash('sha256').update(video).digest('base64');
      expect(passed.headers.get('repr-digest')).toBe(`sha-256=:${digest}:`);
      expect(Buffer.from(await passed.arrayBuffer()).equals(video)).toBe(true);
      const part = await fetch(proxied, { headers: { range: 'bytes=4-7' } });
      expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
      // The URL opens this file and no other, and nobody can write with it.
      expect((await fetch(location.replace(/\.mp4\?/, '.jpg?'))).status).toBe(403);
      expect((await fetch(location, { method: 'PUT', body: 'x' })).status).toBe(403);

      for (const each of [api, other, proxy])
        expect(await ask(`${each}/readyz`)).toEqual({ status: 200, json: { status: 'ready' } });
      const [received, rendered] = await Promise.all([metricsOf(api), metricsOf(other)]);
      const puts = (metrics: AnyJson) =>
        metrics['listing_video_bucket_request_duration_seconds_count{kind="put",outcome="succeeded"}'];
      // The photos; what `/readyz` writes.
      expect(puts(received)).toBeGreaterThanOrEqual(listing.assets.length);
      // Videos, posters and segments, which the process of the task writes.
      expect(puts(rendered)).toBeGreaterThan(listing.assets.length);
      expect(rendered['listing_video_bucket_bytes_total{direction="sent"}']).toBeGreaterThan(video.length);
      expect(rendered['listing_video_shared_cache_lookups_total{result="miss"}']).toBeGreaterThan(0);
    }, 120_000);

    it('a task whose uploads cannot be read for a while waits for them, and drops none', async () => {
      const gateway = await openGateway(() => bucket.env.AWS_ENDPOINT_URL_S3!);
      await serveWith({ AWS_ENDPOINT_URL_S3: gateway.url }, 'render');
      let refused = 0;
      gateway.behave(({ method, url = '' }) =>
        method === 'GET' && url.includes('/uploads/') && ++refused <= 8 ? 'drop' : 'pass',
      );
      const { listing, uploads } = await withUploads(api);
      const task = await ended(api, await post(api, listing, uploads));
      expect([refused > 8, task]).toMatchObject([true, { state: 'SUCCEEDED', dropped_assets: [] }]);
      await gateway.close();
    }, 120_000);

    it('`create --server` sends the photos of this machine to one, and takes the videos from the bucket', async () => {
      await serve('render');
      const file = await desk.writeListing('mine.json', (listing) => ({ ...listing, id: 'mine' }));
      const words = ['create', file, '--server', api, '--json'];
      const { exitCode, stdout, stderr } = await desk.run(words, { home: home('client') });
      expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(SECRETS)]);
      expect(stdout).not.toMatch(SECRETS);
      const [made] = JSON.parse(stdout).data;
      expect(made).toMatchObject({ state: 'SUCCEEDED', dropped_assets: [] });
      const video = await readFile(fileURLToPath(made.results[0].url));
      expect(video.subarray(4, 8).toString()).toBe('ftyp');
      // What an interrupted command would need next time has no signed URL either.
      for (const name of await readdir(path.join(desk.out, 'mine'), { recursive: true }))
        if (/\.(json|html)$/.test(name))
          expect(await readFile(path.join(desk.out, 'mine', name), 'utf8')).not.toMatch(SECRETS);
    }, 120_000);

    it('uploads are removed after a day, by any server and by `tasks prune`, but not those of a task that failed', async () => {
      const { listing, uploads } = await withUploads(api);
      const held = await post(api, listing, uploads);
      await ask(`${api}/v1/tasks/${held}/cancel`, {
        method: 'POST',
        headers: { 'service-beta': 'task-cancel' },
      });
      const ofTask = listing.assets.map(({ url }: AnyJson) => path.basename(url));
      const { listing: other } = await withUploads(api);
      const unused = other.assets.map(({ url }: AnyJson) => path.basename(url));
      const database = openDatabase({ url: postgres.url });
      const age = (ids: readonly string[]) =>
        database.query(
          `update listing_video.uploads set created_at = created_at - interval '25 hours' where id = any($1)`,
          [ids],
        );
      const client = bucket.open();
      const stored = async (ids: readonly string[]) => {
        const names = (await client.list('uploads/')).map((key) => path.basename(key));
        return ids.filter((id) => names.includes(id));
      };
      await age([...ofTask, ...unused.slice(0, 2)]);
      expect(await command('tasks', 'prune', '--older-than', '30d', '--dry-run')).toMatchObject({
        exitCode: 0,
      });
      expect(await stored(unused)).toEqual(unused);
      expect(await command('tasks', 'prune', '--older-than', '30d')).toMatchObject({ exitCode: 0 });
      expect([await stored(ofTask), await stored(unused)]).toEqual([ofTask, unused.slice(2)]);
      await age(unused);
      await serve('late', '--no-render');
      await expect.poll(() => stored(unused)).toEqual([]);
      expect(await stored(ofTask)).toEqual(ofTask);
      expect(
        await database.query('select id from listing_video.uploads where id = any($1)', [unused]),
      ).toEqual([]);
      await database.close();
    }, 60_000);

    it('a task is made once by the same key at either, and one cancels what the other renders', async () => {
      const other = await serve('render');
      const release = photos.pause();
      const asked = once(photos, 'asked');
      const listing = await photos.listing();
      const key = { 'idempotency-key': 'once' };
      const [id, repeated] = await Promise.all([post(api, listing, key), post(other, listing, key)]);
      expect(repeated).toBe(id);
      await asked;
      const cancelled = await ask(`${api}/v1/tasks/${id}/cancel`, {
        method: 'POST',
        headers: { 'service-beta': 'task-cancel' },
      });
      expect([cancelled.status, cancelled.json.id]).toEqual([202, id]);
      expect(await ended(other, id)).toMatchObject({ state: 'FAILED', failure_message: 'cancelled' });
      release();
      expect(await bucket.open().list(`files/org_default/${id}/`)).toEqual([]);
    }, 120_000);

    it('of tasks that a person edited none reads a file or stops the others; one that failed is rendered after a retry from a third machine, and prune there removes it', async () => {
      photos.status = 404;
      const listing = await photos.listing();
      const accept = () => post(api, listing);
      const [file, garbage, elsewhere, fenced] = [
        await accept(),
        await accept(),
        await accept(),
        await accept(),
      ];
      const [late, id] = [await accept(), await accept()];
      const database = openDatabase({ url: postgres.url });
      const edit = (task: string, change: string) => database.query(change.replace('$ID', `'${task}'`));
      const payload = 'update listing_video.task_payloads set payload =';
      const job = 'update listing_video_queue._private_jobs set';
      const photo = JSON.stringify(pathToFileURL(path.join(PHOTOS, path.basename(listing.assets[0].url))));
      await edit(
        file,
        `${payload} jsonb_set(jsonb_set(payload::jsonb, '{baseDir}', '"/"'), '{listing,assets,0,url}', '${photo}') where task_id = $ID`,
      );
      await edit(garbage, `${payload} '["\\u0000", 1e999]' where task_id = $ID`);
      await edit(elsewhere, `update listing_video.tasks set organization_id = '../../other' where id = $ID`);
      await edit(fenced, 'update listing_video.tasks set fence = 2147483647 where id = $ID');
      await edit(late, `${job} run_at = '2999-01-01', payload = '{"taskId": [7]}' where key = $ID`);
      await edit(id, `${job} payload = '"; drop table jobs"' where key = $ID`);
      await serve('render');
      const messageOf = async (task: string) => (await ended(api, task)).failure_message;
      const unreadable = 'the service could not read the task';
      for (const task of [file, garbage]) expect(await messageOf(task)).toBe(unreadable);
      for (const task of [fenced, late, id]) expect(await messageOf(task)).toMatch(/no usable/);
      // Its organization has it no more.
      const [row] = await database.query('select state, failure from listing_video.tasks where id = $1', [
        elsewhere,
      ]);
      expect(row).toMatchObject({ state: 'FAILED', failure: { code: 'store_corrupt' } });
      await database.close();
      photos.status = 200;
      expect(await command('tasks', 'retry', id)).toMatchObject({ exitCode: 0 });
      await expect.poll(async () => (await readTask(api, id)).state, { timeout: 90_000 }).toBe('SUCCEEDED');
      const [{ url }] = (await readTask(api, id)).results;
      expect((await fetch(url)).status).toBe(200);
      expect(await command('tasks', 'prune', '--older-than', '0s')).toMatchObject({
        exitCode: 0,
        json: { removed: expect.arrayContaining([id]) },
      });
      expect((await fetch(`${api}/v1/tasks/${id}`)).status).toBe(404);
    }, 120_000);
  });
});

/** The values by names with labels. */
async function metricsOf(api: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${api}/metrics`)).text();
  expect(text).not.toMatch(SECRETS);
  const lines = text.split('\n').filter((line) => /^listing_video/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

async function bytesOf(url: string): Promise<Buffer> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
