/** `serve` as its own process, with the real renderer: interrupted twice, a task still becomes its videos, once. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type AnyJson, ask, post } from '../api/server/ask-server.ts';
import { childrenOf } from '../live-processes.ts';
import { decodeVideo } from './decode-video.ts';
import { PhotoHost } from './photo-host.ts';
import { Desk, type Running, SMALL_LISTING } from './program.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const desk = new Desk('photos');
const photos = await PhotoHost.open();
const running = new Set<Running>();

afterAll(async () => {
  for (const program of running) program.kill('SIGKILL');
  await Promise.all([...running].map(({ finished }) => finished));
  photos.close();
  desk.close();
});

async function serve(home: string, args: readonly string[] = []): Promise<{ program: Running; url: string }> {
  const program = desk.start(['serve', '--port', '0', '--quality', 'draft', ...args], { home });
  running.add(program);
  void program.finished.then(() => running.delete(program));
  const [, url = ''] = await program.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
  return { program, url };
}

async function smallListing(): Promise<AnyJson> {
  const listing = await photos.listing();
  // As an address with a signature would be: it must not come into the log.
  for (const asset of listing.assets) asset.url += '?X-Amz-Signature=5ecre7';
  listing.agents[0].video_options = { create_preview: true, metadata: { campaign: 'spring' } };
  return listing;
}

/** GET under a Host header that `fetch` would not send. */
async function getAs(
  host: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { ...headers, host } }, resolve).on('error', reject);
  });
  response.resume();
  await once(response, 'end');
  return response;
}

/** Looks until the task is as wanted. */
async function until(
  url: string,
  isWanted: (task: AnyJson) => boolean,
  headers: Record<string, string> = {},
): Promise<AnyJson> {
  for (;;) {
    const { json } = await ask(url, { headers: { 'service-beta': 'task-progress', ...headers } });
    if (isWanted(json)) return json;
    if (json.state === 'FAILED') throw new Error(json.failure_message);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isRendering = ({ state, progress }: AnyJson) => state === 'RUNNING' && progress.percent > 8;

it('a task outlives a drain and a kill -9, and is made once', async () => {
  const home = path.join(desk.root, 'server');
  const first = await serve(home, ['--grace', '0']);
  const created = await post(first.url, await smallListing(), { 'idempotency-key': 'spring' });
  expect(created.status).toBe(202);
  const { id } = created.json;
  const at = (url: string) => `${url}/v1/tasks/${id}`;

  await until(at(first.url), isRendering);
  first.program.kill('SIGTERM');
  const drained = await first.program.finished;
  expect(drained).toMatchObject({ exitCode: 0, stdout: `listening on ${first.url}\n` });
  // Whoever could list a folder of the home would know the names that nobody is to guess.
  for (const name of ['.', ...readdirSync(home)]) {
    expect([name, statSync(path.join(home, name)).mode & 0o077]).toEqual([name, 0]);
  }
  const given = JSON.parse((await desk.run(['tasks', 'get', id, '--json'], { home })).stdout);
  expect(given.state).toBe('PENDING');

  const second = await serve(home);
  await until(at(second.url), isRendering);
  second.program.kill('SIGKILL');
  await second.program.finished;

  const third = await serve(home);
  const task = await until(at(third.url), ({ state }) => state === 'SUCCEEDED');
  expect(task).toMatchObject({ dropped_assets: [], progress: { percent: 100, eta_seconds: 0 } });
  expect(task.results).toEqual([
    {
      agent_id: 'a',
      url: expect.stringMatching(
        new RegExp(`^${third.url}/files/org_default/${id}/[1-9]\\d*/[\\w-]{22}\\.mp4$`),
      ),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      preview_url: expect.stringMatching(/\.gif$/),
      metadata: { campaign: 'spring' },
    },
  ]);
  expect((await ask(`${third.url}/v1/tasks`)).json.data).toHaveLength(1);
  const repeated = await post(third.url, await smallListing(), { 'idempotency-key': 'spring' });
  expect(repeated).toEqual(created);

  const [{ url: videoUrl, preview_url: previewUrl }] = task.results;
  const film = Buffer.from(await (await fetch(videoUrl)).arrayBuffer());
  const copy = path.join(desk.root, 'film.mp4');
  writeFileSync(copy, film);
  expect((await decodeVideo(copy)).frames).toBeGreaterThan(100);
  const part = await fetch(videoUrl, { headers: { range: 'bytes=0-99' } });
  expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4']);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(film.subarray(0, 100));
  expect((await fetch(previewUrl, { method: 'HEAD' })).headers.get('content-type')).toBe('image/gif');
  const poster = await fetch(videoUrl.replace(/mp4$/, 'jpg'), { method: 'HEAD' });
  expect(poster.headers.get('content-type')).toBe('image/jpeg');

  const shown = JSON.parse((await desk.run(['tasks', 'get', id, '--json'], { home })).stdout);
  expect(existsSync(fileURLToPath(shown.results[0].url))).toBe(true);
  const metrics = await (await fetch(`${third.url}/metrics`)).text();
  expect(metrics).toMatch(/^listing_video_task_duration_seconds_count\{state="SUCCEEDED"\} 1$/m);
  expect(metrics).toMatch(/^listing_video_frames_rendered_total \d+$/m);
  expect(metrics).toMatch(/^listing_video_tasks\{state="PENDING"\} 0$/m);

  // Under a name that others can reach it trusts nobody without a key, unless told to.
  const open = ['--public-url', 'https://films.example.test'];
  const refused = await desk.run(['serve', '--port', '0', ...open], { home });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--allow-anonymous')]);
  const { program: moved, url: movedUrl } = await serve(home, [...open, '--allow-anonymous']);
  const { json: movedTask } = await ask(at(movedUrl));
  const paths = task.results.map(({ url }: AnyJson) => new URL(url).pathname);
  expect(movedTask.results.map(({ url }: AnyJson) => url)).toEqual(
    paths.map((each: string) => `https://films.example.test${each}`),
  );
  // As a proxy hands the request on: to the address it listens on, under its public name.
  const proxied = await getAs('films.example.test', movedUrl + paths[0], {
    'if-range': 'x',
    range: 'bytes=0-9',
  });
  expect([proxied.statusCode, proxied.headers['content-length']]).toEqual([200, String(film.length)]);
  expect((await getAs('films.example.com', third.url + paths[0])).statusCode).toBe(403);
  moved.kill('SIGTERM');
  expect((await moved.finished).exitCode).toBe(0);

  third.program.kill('SIGINT');
  const ended = await third.program.finished;
  expect(ended.exitCode).toBe(0);
  const lines = ended.stderr
    .trim()
    .split('\n')
    .map((line): AnyJson => JSON.parse(line));
  for (const line of lines) expect(line).toHaveProperty('level');
  expect(lines.filter(({ msg }) => msg === 'task ended')).toEqual([
    expect.objectContaining({ task: task.id, organization: 'org_default', state: 'SUCCEEDED' }),
  ]);
  expect(ended.stderr).not.toContain(path.basename(videoUrl, '.mp4'));
  expect(ended.stderr).not.toContain('5ecre7');
  // It yields to whatever else runs, such as the other tests.
}, 180_000);

describe('a key made meanwhile', () => {
  it('is wanted and known within a second, and private addresses are closed', async () => {
    const home = path.join(desk.root, 'keyed');
    const { program, url } = await serve(home);
    expect((await ask(`${url}/v1/organization`)).status).toBe(200);
    const made = await desk.run(['keys', 'create', '--organization', 'org_default', '--json'], { home });
    const { key } = JSON.parse(made.stdout);
    const headers = { authorization: `Bearer ${key}` };
    const locked = async () => (await ask(`${url}/v1/organization`)).status;
    await expect.poll(locked, { timeout: 10_000 }).toBe(401);
    expect((await ask(`${url}/v1/organization`, { headers })).status).toBe(200);
    const created = await post(url, await smallListing(), headers);
    const failed: AnyJson = await expect
      .poll(async () => (await ask(`${url}/v1/tasks/${created.json.id}`, { headers })).json.state, {
        timeout: 30_000,
      })
      .toBe('FAILED')
      .then(async () => (await ask(`${url}/v1/tasks/${created.json.id}`, { headers })).json);
    expect(failed.failure_message).toBe('no usable assets: 5 of 5 dropped');
    for (const { reason } of failed.dropped_assets) expect(reason).toMatch(/^blocked_address: /);
    program.kill('SIGTERM');
    const { exitCode, stderr } = await program.finished;
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain(key.slice(-16));
  });

  it('lets in what --allow-assets-from names, and nothing that is no address', async () => {
    const home = path.join(desk.root, 'allowed');
    const { key } = JSON.parse(
      (await desk.run(['keys', 'create', '--organization', 'org_default', '--json'], { home })).stdout,
    );
    const refused = await desk.run(['serve', '--port', '0', '--allow-assets-from', '127.0.0.0/99'], { home });
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    const { program, url } = await serve(home, ['--allow-assets-from', '127.0.0.0/8', '--grace', '0']);
    const headers = { 'x-api-key': key };
    const { json } = await post(url, await smallListing(), headers);
    await until(`${url}/v1/tasks/${json.id}`, isRendering, headers);
    program.kill('SIGTERM');
    expect((await program.finished).exitCode).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a task that a client cancels while it renders', () => {
  it('stops: its stream ends with it, no process of it is left, and its credits come back', async () => {
    const home = path.join(desk.root, 'cancelled');
    await desk.run(['organization', 'grant', '3'], { home });
    const { program, url } = await serve(home, ['--grace', '0']);
    const before = childrenOf(program.pid).length;
    const { id } = (await post(url, await smallListing())).json;
    const at = `${url}/v1/tasks/${id}`;
    const events = await fetch(`${at}/events`, { headers: { 'service-beta': 'task-events' } });
    const text = events.text();
    await until(at, isRendering);
    expect(childrenOf(program.pid).length).toBeGreaterThan(before);
    const cancel = { method: 'POST', headers: { 'service-beta': 'task-cancel' } };
    expect((await ask(`${at}/cancel`, cancel)).status).toBe(202);
    const [last] = (await text).match(/(?<=event: end\nid: \S+\ndata: ).*/) ?? [''];
    const ended = { id, state: 'FAILED', failure_message: 'cancelled', results: [], dropped_assets: [] };
    expect(JSON.parse(last)).toEqual(ended);
    expect(await ask(`${at}/cancel`, cancel)).toEqual({ status: 200, json: ended });
    await expect.poll(() => childrenOf(program.pid).length).toBe(before);
    await expect.poll(async () => (await ask(`${url}/v1/organization`)).json.balance).toBe(3);
    expect(readdirSync(path.join(home, 'files', '.staging'))).toEqual([]);
    program.kill('SIGTERM');
    expect((await program.finished).exitCode).toBe(0);
  });
});

it('a listing of uploads becomes a video, with nothing on the network', async () => {
  const home = path.join(desk.root, 'uploads');
  const { program, url } = await serve(home, ['--grace', '0']);
  const listing = JSON.parse(await readFile(SMALL_LISTING, 'utf8'));
  for (const asset of listing.assets) {
    const { status, json } = await ask(`${url}/v1/assets`, {
      method: 'POST',
      headers: { 'service-beta': 'uploads', 'content-type': 'image/jpeg' },
      body: new Uint8Array(await readFile(path.join(path.dirname(SMALL_LISTING), asset.url))),
    });
    expect(status).toBe(201);
    asset.url = json.url;
  }
  const { json } = await post(url, listing, { 'service-beta': 'uploads' });
  const task = await until(`${url}/v1/tasks/${json.id}`, ({ state }) => state === 'SUCCEEDED');
  expect(task.dropped_assets).toEqual([]);
  expect((await fetch(task.results[0].url)).status).toBe(200);
  program.kill('SIGTERM');
  expect((await program.finished).exitCode).toBe(0);
});

it('does not start where it would be open to all, on a port that is taken, nor on a home that cannot be written', async () => {
  const home = path.join(desk.root, 'unsafe');
  const open = await desk.run(['serve', '--port', '0', '--host', '0.0.0.0'], { home });
  expect(open).toMatchObject({ exitCode: 2, stdout: '' });
  expect(open.stderr).toMatch(/--allow-anonymous/);
  const { port } = new URL(photos.url);
  const taken = await desk.run(['serve', '--port', port], { home });
  expect(taken).toMatchObject({ exitCode: 3, stdout: '' });
  expect(taken.stderr).toMatch(/is in use/);
  const file = path.join(desk.root, 'no-folder');
  writeFileSync(file, '');
  const homeless = await desk.run(['serve', '--port', '0'], { home: file });
  expect(homeless).toMatchObject({ exitCode: 3, stdout: '' });
  expect(homeless.stderr).toMatch(/cannot write .*no-folder/);
});

const hasShellTools = ['curl', 'sed', 'bash'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe('the guide to the server', () => {
  it.skipIf(!hasShellTools)('shows requests that work as they stand', async () => {
    const guide = await readFile(path.join(REPOSITORY, 'src', 'cli', 'help', 'serve.md'), 'utf8');
    const [block = ''] = guide.match(/(?<=```sh\n)python3 [^`]*/) ?? [];
    const { program, url } = await serve(path.join(desk.root, 'guide'), ['--grace', '0']);
    const lines = block
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('http://127.0.0.1:8001', photos.url)
      .replaceAll('fixtures/listing.json', path.join(REPOSITORY, 'fixtures', 'listing.json'))
      .replaceAll(/(?<=[ @])listing\.json/g, path.join(desk.root, 'guide-listing.json'))
      .split('\n')
      // The photos are served by this test.
      .filter((line) => line !== '' && !/^(#|python3)/.test(line));
    expect(lines).toHaveLength(4);
    let id = '';
    const answers = [];
    for (const line of lines) {
      const { status, stdout, stderr } = await shell(line.replace('019a…', () => id));
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: '' });
      if (stdout === '') continue;
      answers.push(JSON.parse(stdout));
      id = answers[0].id;
    }
    expect(answers).toEqual([
      { id },
      { data: [expect.objectContaining({ id, progress: expect.anything() })], has_more: false },
      expect.objectContaining({ id, dropped_assets: expect.any(Array) }),
    ]);
    const [upload = ''] = guide.match(/^curl -s .*\/v1\/assets .*$/m) ?? [];
    const uploaded = await shell(
      upload.replace('http://127.0.0.1:8080', url).replace('@fixtures', `@${REPOSITORY}fixtures`),
    );
    expect(JSON.parse(uploaded.stdout)).toMatchObject({ width: 1920, height: 1280 });
    const [follow = ''] = guide.match(/^curl -sN .*$/m) ?? [];
    const command = follow.replace('http://127.0.0.1:8080', url).replace('019a…', id);
    // curl ends after a second, or with the task.
    const { stdout } = await shell(`${command} --max-time 1`);
    expect(stdout).toMatch(/^retry: 3000\n\nevent: (?:state|end)\nid: \S+\ndata: \{"id":/);
    program.kill('SIGTERM');
    expect((await program.finished).exitCode).toBe(0);
  });
});

function shell(line: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', line]);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text;
      });
    }
    child.on('error', reject).on('close', (status) => resolve({ status, ...texts }));
  });
}
