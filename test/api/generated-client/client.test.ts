/**
 * A client made from the API document alone (openapi-typescript for the types, openapi-fetch for the requests) lives
 * the whole life of a task against the true service. What the document says wrongly does not compile or does not run.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiDocument } from '../../../src/api/server/openapi/api-document.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { quarters } from '../../media/assets/sample-pictures.ts';
// Made by the first test, which compiles this file with it: tsconfig.json leaves this file out.
import type { components, paths } from './api-types.ts';
import { type RealService, startRealService } from './real-service.ts';

type Listing = components['schemas']['Listing'];
type Task = components['schemas']['Task'];

const FILM = {
  mp4: new TextEncoder().encode('0123456789'),
  gif: new TextEncoder().encode('GIF89a'),
  jpg: new Uint8Array([0xff, 0xd8]),
};

let service: RealService;
let key: string;
let organizationId: string;

beforeAll(async () => {
  service = await startRealService({ film: FILM });
  const organization = await service.accounts.createOrganization({ name: 'Harbor & Pine' });
  organizationId = organization.id;
  await service.accounts.grant(organizationId, 5);
  key = (await service.accounts.createKey({ organizationId })).key;
});
afterAll(() => service.close());

function client(token = key) {
  return createClient<paths>({ baseUrl: service.url, headers: { Authorization: `Bearer ${token}` } });
}

function listing(name = 'front'): Listing {
  return {
    id: 'HP-204128',
    address: { street: '128 Harbor Pine Lane', state: null },
    bedrooms: 4,
    assets: Array.from({ length: 5 }, (_, index) => ({ url: `https://example.com/${index}/${name}.jpg` })),
    agents: [
      {
        id: 'june',
        first_name: 'June',
        last_name: 'Takemori',
        phones: [{ number: '(503) 555-0128', type: 'mobile' }],
        video_options: { ratio: '1080:1920', create_preview: true, metadata: { crm: 'A-1' } },
      },
      { id: 'marcus', first_name: 'Marcus', last_name: 'Adebanji' },
    ],
  };
}

/** Asks until the task is as wished; each answer must say when to ask again as long as it has not ended. */
async function until(id: string, isReached: (task: Task) => boolean): Promise<Task> {
  for (;;) {
    const { data, response } = await client().GET('/v1/tasks/{task_id}', {
      params: { path: { task_id: id }, header: { 'service-beta': ['task-progress'] } },
    });
    if (data === undefined) throw new Error(`status ${response.status}`);
    const hasEnded = data.state === 'SUCCEEDED' || data.state === 'FAILED';
    expect(response.headers.has('retry-after')).toBe(!hasEnded);
    if (isReached(data)) return data;
  }
}

/**
 * Compiles the files that speak to the API with the types that openapi-typescript makes of the document, and this file
 * also with those of a document of other words. Both at once: most of the work is the code that both import.
 */
async function compileWith(document: object, word: string, otherWord: string) {
  const folder = temporaryFolder();
  const at = (place: string) => fileURLToPath(new URL(place, import.meta.url));
  const packages = at('../../../node_modules');
  const inFolder = (...names: string[]) => path.join(folder, ...names);
  await writeFile(inFolder('openapi.json'), JSON.stringify(document));
  const generator = `${packages}/listing-video-types-generator/node_modules/openapi-typescript/bin/cli.js`;
  // A property with a default may be left out by whoever sends it: defaults alone do not make it required.
  const words = ['openapi.json', '--output', 'api-types.ts', '--default-non-nullable', 'false'];
  await execa(process.execPath, [generator, ...words], { cwd: folder });
  await mkdir(inFolder('other'));
  const types = await readFile(inFolder('api-types.ts'), 'utf8');
  await writeFile(inFolder('other', 'api-types.ts'), types.replaceAll(word, otherWord));
  const own = await readFile(at('./client.test.ts'), 'utf8');
  const moved = own.replaceAll(/(?<= from ')\.[^']*/g, (place) =>
    place === './api-types.ts' ? place : at(place),
  );
  await writeFile(inFolder('other', 'client.test.ts'), moved);
  const compilerOptions = {
    rootDirs: [at('.'), folder],
    typeRoots: [`${packages}/@types`],
    paths: { '*': [`${packages}/*`] },
  };
  const files = [
    ...[at('./client.test.ts'), at('../../e2e/two-machines.test.ts')],
    inFolder('other', 'client.test.ts'),
  ];
  const config = { extends: at('../../../tsconfig.json'), compilerOptions, files };
  await writeFile(
    inFolder('tsconfig.json'),
    JSON.stringify({ ...config, include: [at('../../../src/**/*.d.ts')], exclude: [] }),
  );
  // Its threads would do some of the work twice, and the cores have other tests to run.
  const compiler = [`${packages}/typescript/bin/tsc`, '-p', folder, '--singleThreaded', '--pretty', 'false'];
  return (await execa(process.execPath, compiler, { reject: false, cwd: folder })).stdout.split('\n');
}

describe('a client with generated types', () => {
  it('compiles with those of the document, and not with those of another', async () => {
    const document = createApiDocument('http://127.0.0.1:8080');
    const errors = await compileWith(document, 'failure_message', 'failed_because');
    expect(errors).toContainEqual(expect.stringContaining("'failure_message' does not exist"));
    expect(errors.filter((line) => !/^(?:other\/client\.test\.ts| )/.test(line))).toEqual([]);
  });
});

describe('a generated client', () => {
  it('lives the whole life of a task', async () => {
    const api = client();
    const before = await api.GET('/v1/organization');
    expect(before.data).toEqual({ id: organizationId, balance: 5 });

    const once = { params: { header: { 'Idempotency-Key': 'life-cycle' } }, body: listing() };
    const created = await api.POST('/v1/tasks', once);
    expect(created.response.status).toBe(202);
    const id = created.data!.id;
    expect(created.response.headers.get('location')).toBe(`/v1/tasks/${id}`);
    expect((await api.POST('/v1/tasks', once)).data).toEqual({ id });

    const running = await until(id, ({ progress }) => (progress?.percent ?? 0) >= 50);
    expect(running).toMatchObject({
      state: 'RUNNING',
      results: [],
      dropped_assets: [],
      progress: { stage: 'render', eta_seconds: 4 },
    });
    expect((await api.GET('/v1/organization')).data?.balance).toBe(3);

    service.finishOne();
    const { state, results, failure_message } = await until(id, (task) => task.state === 'SUCCEEDED');
    expect({ state, failure_message }).toEqual({ state: 'SUCCEEDED', failure_message: undefined });
    expect(results.map(({ agent_id }) => agent_id)).toEqual(['june', 'marcus']);
    expect(results.map(({ metadata }) => metadata)).toEqual([{ crm: 'A-1' }, {}]);
    expect(results.map((result) => 'preview_url' in result)).toEqual([true, false]);

    const film = await fetch(results[0]!.url, { headers: { range: 'bytes=2-4' } });
    expect([film.status, film.headers.get('content-type'), await film.text()]).toEqual([
      206,
      'video/mp4',
      '234',
    ]);
    const preview = await fetch(results[0]!.preview_url!);
    expect(preview.headers.get('content-type')).toBe('image/gif');
    await preview.body?.cancel();
    expect((await api.GET('/v1/organization')).data?.balance).toBe(3);
  });

  it('reads why a task failed, and gets its credits back', async () => {
    const api = client();
    const before = (await api.GET('/v1/organization')).data!.balance;
    const { data } = await api.POST('/v1/tasks', { body: listing('broken') });
    service.finishOne();
    const task = await until(data!.id, ({ state }) => state === 'FAILED');
    expect(task.failure_message).toBe('no usable assets: 5 of 5 dropped');
    expect(task.dropped_assets).toHaveLength(5);
    expect(task.dropped_assets[0]).toEqual({
      url: 'https://example.com/0/broken.jpg',
      reason: 'corrupt: the picture ends too early',
    });
    await expect.poll(async () => (await api.GET('/v1/organization')).data?.balance).toBe(before);
  });

  it('pages through the list', async () => {
    const api = client();
    const all = (await api.GET('/v1/tasks')).data!;
    expect(all.has_more).toBe(false);
    expect(all.data.length).toBeGreaterThanOrEqual(2);
    const ids: string[] = [];
    for (let after: string | undefined; ; after = ids.at(-1)) {
      const query = { limit: 1, ...(after === undefined ? {} : { starting_after: after }) };
      const { data } = await api.GET('/v1/tasks', { params: { query } });
      ids.push(...data!.data.map(({ id }) => id));
      if (!data!.has_more) break;
    }
    expect(ids).toEqual(all.data.map(({ id }) => id));
    const failed = await api.GET('/v1/tasks', { params: { query: { state: 'FAILED' } } });
    expect(failed.data!.data.map(({ state }) => state)).toEqual(['FAILED']);
  });

  it('uploads a photo and names it in a listing', async () => {
    await service.accounts.grant(organizationId, 2);
    const params = { header: { 'service-beta': ['uploads'] } };
    const photo = new Blob([new Uint8Array(await quarters().jpeg().toBuffer())]);
    const uploaded = await client().POST('/v1/assets', {
      params,
      body: photo as unknown as string,
      bodySerializer: (body) => body,
      headers: { 'Content-Type': 'image/jpeg' },
    });
    expect(uploaded.data).toMatchObject({ width: 480, height: 360, size_bytes: photo.size });
    const { url } = uploaded.data!;
    const assets = [{ url }, ...listing().assets.slice(1)];
    const created = await client().POST('/v1/tasks', { params, body: { ...listing(), assets } });
    expect(created.response.status).toBe(202);
    service.finishOne();
    await until(created.data!.id, ({ state }) => state === 'SUCCEEDED');
    const refused = await client().POST('/v1/tasks', {
      params,
      body: { ...listing(), assets: [{ url: `${url}0` }, ...assets.slice(1)] },
    });
    expect(refused.response.status).toBe(422);
  });

  it('finds a template and what it can set', async () => {
    const { data } = await client().GET('/v1/templates', {
      params: { header: { 'service-beta': ['templates'] } },
    });
    const modern = data!.data.find(({ id }) => id === 'modern')!;
    expect(modern.data_layers.find(({ type }) => type === 'color')?.default).toMatch(/^#[0-9A-F]{6}$/);
    const sheet = await fetch(modern.sheet_url!);
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await sheet.body?.cancel();
  });

  it('follows a task to its end, then cancels what is cancelled already', async () => {
    const api = client();
    const { data } = await api.POST('/v1/tasks', { body: listing() });
    const path = { task_id: data!.id };
    const events = await api.GET('/v1/tasks/{task_id}/events', {
      params: { path, header: { 'service-beta': ['task-events'] } },
      parseAs: 'stream',
    });
    expect(events.response.headers.get('content-type')).toBe('text/event-stream');
    const reader = events.data!.pipeThrough(new TextDecoderStream()).getReader();
    const cancel = () =>
      api.POST('/v1/tasks/{task_id}/cancel', {
        params: { path, header: { 'service-beta': ['task-cancel'] } },
      });
    let text = '';
    for (let isCancelled = false; ; ) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      if (isCancelled || !text.includes('event: state')) continue;
      isCancelled = true;
      expect([200, 202]).toContain((await cancel()).response.status);
    }
    expect(text).toMatch(/event: end\nid: \S+\ndata: .*"failure_message":"cancelled"/);
    expect((await cancel()).data).toMatchObject({ state: 'FAILED', failure_message: 'cancelled' });
  });

  it('is answered with what is wrong, in the shapes of the document', async () => {
    const api = client();
    const invalid = await api.POST('/v1/tasks', { body: { ...listing(), assets: [], bedrooms: -1 } });
    expect(invalid.response.status).toBe(422);
    if (invalid.error === undefined || !('detail' in invalid.error)) throw new Error('no violations');
    expect(invalid.error.detail.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['body.bedrooms', 'greater_than_equal'],
      ['body.assets', 'too_short'],
    ]);

    const missing = await api.GET('/v1/tasks/{task_id}', { params: { path: { task_id: 'no-such-task' } } });
    expect(missing.error).toMatchObject({ code: 'task_not_found' });

    const stranger = await client('lv_nobody').GET('/v1/organization');
    expect([stranger.response.status, stranger.error?.code]).toEqual([401, 'unauthenticated']);

    const reader = (await service.accounts.createKey({ organizationId, readOnly: true })).key;
    const refused = await client(reader).POST('/v1/tasks', { body: listing() });
    expect(refused.error).toMatchObject({ code: 'forbidden' });

    const agent = listing().agents[0]!;
    const agents = Array.from({ length: 20 }, (_, index) => ({ ...agent, id: `agent-${index}` }));
    const dear = await api.POST('/v1/tasks', { body: { ...listing(), agents } });
    expect(dear.error).toMatchObject({ code: 'insufficient_balance', context: { required: 20 } });
  });
});
