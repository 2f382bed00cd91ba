/** POST /v1/assets, and listings that name its URLs: what is stored, for whom, how long. Images are decoded. */
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepOld, sweepUploads } from '../../../src/api/server/upkeep/retention.ts';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { openUploads, type UploadsOptions } from '../../../src/video/uploads/open-uploads.ts';
import { UploadFolder } from '../../../src/video/uploads/upload-folder.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { aListing } from '../../listing/a-listing.ts';
import { bombPng, manyScans, quarters } from '../../media/assets/sample-pictures.ts';
import { type AnyJson, type Harness, type HarnessOptions, openHarness } from './harness.ts';
import { openWire, serviceOpener } from './running-service.ts';

const openService = serviceOpener();
const BETA = { 'service-beta': 'uploads' };
const HOUR_MS = 3_600_000;
const root = temporaryFolder();
let jpeg: Buffer;
let homes = 0;

beforeAll(async () => {
  jpeg = await quarters().jpeg().toBuffer();
});

/** An API with real uploads in a folder of its own. */
function open(options: Partial<UploadsOptions> = {}, harness: HarnessOptions = {}) {
  homes += 1;
  const home = path.join(root, `home-${homes}`);
  const uploads = openUploads({
    home,
    store: new UploadFolder(home),
    // What one of them has decoded the others know.
    cache: createDiskCache(path.join(root, 'cache'), { maxBytes: 1e9 }),
    nowMs: Date.now,
    decodesAtOnce: 1,
    ...options,
  });
  return { home, uploads, api: openHarness({ ...harness, deps: { ...harness.deps, uploads } }) };
}

function upload(api: Harness, body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}) {
  const sent = { 'content-type': 'image/jpeg', ...BETA, ...headers };
  return api.ask('/v1/assets', { method: 'POST', body, headers: sent });
}

/** Files below the folder of uploads. */
async function stored(home: string): Promise<string[]> {
  const entries = await readdir(path.join(home, 'uploads'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

function listingOf(...urls: readonly string[]): AnyJson {
  const listing = aListing();
  for (const [index, url] of urls.entries()) listing.assets[index].url = url;
  return listing;
}

describe('an image', () => {
  it('is stored as it came, under a URL that nobody can guess and that has nothing to download', async () => {
    const { api, home } = open();
    const { status, json } = await upload(api, jpeg);
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^upload_[0-9a-f]{32}$/),
      url: `https://videos.example/base/v1/assets/${json.id}`,
      width: 480,
      height: 360,
      size_bytes: jpeg.length,
      expires_at: expect.stringMatching(/\+00:00$/),
    });
    const leftMs = Date.parse(json.expires_at) - Date.now();
    expect(Math.abs(leftMs - 24 * HOUR_MS)).toBeLessThan(HOUR_MS);
    const [file = '', ...more] = await stored(home);
    expect(more).toEqual([]);
    expect(file).toBe(path.join(home, 'uploads', 'org_default', json.id));
    expect((await readFile(file)).equals(jpeg)).toBe(true);
    expect((await stat(path.dirname(file))).mode & 0o077).toBe(0);
    expect(await readdir(path.join(home, 'work'))).toEqual([]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await api.ask(new URL(json.url).pathname.replace('/base', ''), {
        method,
        headers: BETA,
      });
      expect(answer.json.code).toBe('not_found');
    }
    expect((await upload(api, jpeg)).json.id).not.toBe(json.id);
  });

  it('is what its bytes are, whatever the header says; upright, and in every format that a photo can have', async () => {
    const { api } = open();
    const png = await quarters().png().toBuffer();
    expect((await upload(api, png, { 'content-type': 'application/octet-stream' })).json.width).toBe(480);
    const turned = await quarters().jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect((await upload(api, turned)).json).toMatchObject({ width: 360, height: 480 });
  });

  it.each<[string, RegExp, () => string | Buffer | Promise<Buffer>]>([
    ['nothing', /^not_an_image: /, () => Buffer.alloc(0)],
    ['a page', /^not_an_image: /, () => '<!doctype html><script>alert(1)</script>'],
    ['an SVG', /^unsupported_format: /, () => '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a PDF', /^not_an_image: /, () => '%PDF-1.7\n'],
    ['a GIF that is a script', /^corrupt: /, () => 'GIF89a/*\u0000\u0000*/=1;alert(document.domain)//'],
    ['half of a photo', /^corrupt: /, () => jpeg.subarray(0, jpeg.length >> 1)],
    ['a PNG of 2.5 gigapixels', /^too_large: /, () => bombPng(50_000, 50_000)],
    ['a JPEG that takes minutes', /^(?:corrupt|too_large): /, () => manyScans(3_000, 6_000, 6_000)],
  ])('that is %s is refused, and leaves nothing', async (_, reason, make) => {
    const { api, home } = open();
    const { status, json } = await upload(api, await make());
    expect([status, json.code, json.message]).toEqual([400, 'unusable_asset', expect.stringMatching(reason)]);
    expect(json.context).toEqual({ reason: json.message.split(':')[0] });
    expect(json.message).not.toContain(home);
    expect(await stored(home)).toEqual([]);
    expect(await readdir(path.join(home, 'work'))).toEqual([]);
  });

  it.each([
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/json' },
    { 'content-type': 'image/' },
    { 'content-type': 'image/../x' },
    { 'content-type': '' },
    { 'content-encoding': 'gzip' },
  ])('is not what %j announces', async (headers) => {
    const { api } = open();
    const { status, json } = await upload(api, jpeg, headers);
    expect([status, json.code]).toEqual([400, 'unsupported_media_type']);
  });

  it('of more than 25 MiB is refused, announced or not', async () => {
    const { api, home } = open();
    const announced = await upload(api, jpeg, { 'content-length': String(25 * 1024 ** 2 + 1) });
    expect([announced.status, announced.json.code]).toEqual([400, 'body_too_large']);
    const real = await upload(api, Buffer.alloc(25 * 1024 ** 2 + 1, jpeg));
    expect([real.status, real.json.code]).toEqual([400, 'body_too_large']);
    expect(await stored(home)).toEqual([]);
  });

  it('needs a key that can create', async () => {
    const { api } = open();
    const { key } = await api.accounts.createKey({ organizationId: 'org_default', readOnly: true });
    expect((await upload(api, jpeg)).status).toBe(401);
    expect((await upload(api, jpeg, { 'x-api-key': key })).status).toBe(403);
  });

  it('is not stored on a disk that is nearly full, nor on one that gets full', async () => {
    const checkReadiness = async () => ({ isReady: false, checks: { disk: false } });
    const full = open({}, { deps: { checkReadiness } });
    expect(await upload(full.api, jpeg)).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    const { api, uploads, home } = open();
    Object.assign(uploads, {
      add: () => Promise.reject(new ListingVideoError('disk_full', `no space left in ${home}`)),
    });
    const { status, text } = await upload(api, jpeg);
    expect([status, text]).toEqual([503, expect.not.stringContaining(home)]);
  });
});

describe('an organization', () => {
  it('can store so many images of so many bytes, also when they come at once; others have their own', async () => {
    const { api, uploads, home } = open({ quota: { maxFiles: 3, maxBytes: 2.5 * jpeg.length } });
    const { id: other } = await api.accounts.createOrganization({ name: 'other' });
    const [ours, theirs] = await Promise.all(
      ['org_default', other].map((organizationId) => api.accounts.createKey({ organizationId })),
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload(api, jpeg, { 'x-api-key': ours!.key })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403]);
    expect(answers.find(({ status }) => status === 403)!.json).toMatchObject({
      code: 'upload_quota_exceeded',
      context: { max_files: 3, max_bytes: 2.5 * jpeg.length },
    });
    expect((await upload(api, jpeg, { 'x-api-key': theirs!.key })).status).toBe(201);
    await uploads.sweep({ nowMs: Date.now() + 25 * HOUR_MS, isOver: async () => true });
    expect(await stored(home)).toEqual([]);
    expect((await upload(api, jpeg, { 'x-api-key': ours!.key })).status).toBe(201);
  });
});

describe('a listing', () => {
  it('names uploads as assets, originals, portraits and logos; its task knows their files', async () => {
    const { api } = open();
    const made = [];
    for (let n = 0; n < 4; n++) made.push((await upload(api, jpeg)).json);
    const [photo, original, portrait, logo] = made;
    const listing = listingOf(photo.url);
    Object.assign(listing.assets[0], { altered: true, original: original.url });
    listing.agents[0].picture = portrait.url;
    listing.agents[0].video_options = { template_id: 'classic', template_data: { logo: logo.url } };
    const { status, json } = await api.post(listing, { 'service-beta': 'uploads, altered-photos' });
    expect(status).toBe(202);
    const payload = await api.engine.payload(json.id);
    expect(payload!.uploads).toEqual(Object.fromEntries(made.map(({ url, id }) => [url, id])));
    expect(payload!.listing.assets[0]!.url).toBe(photo.url);
  });

  it('that names uploads without the beta is told which header is missing, and stores nothing', async () => {
    const { api } = open();
    const { url } = (await upload(api, jpeg)).json;
    const listing = listingOf(url);
    listing.agents[0].picture = url;
    const { status, json } = await api.post(listing, { 'service-beta': 'task-details' });
    const error =
      'this is an upload of this service: send the header `service-beta: uploads` with the listing, too';
    const fault = { msg: `Value error, ${error}`, type: 'value_error', input: url, ctx: { error } };
    expect([status, json.detail]).toEqual([
      422,
      [
        { loc: ['body', 'assets', 0, 'url'], ...fault },
        { loc: ['body', 'agents', 0, 'picture'], ...fault },
      ],
    ]);
    expect((await api.ask('/v1/tasks')).json.data).toEqual([]);
  });

  it('cannot name the upload of another organization, one that never was, or another path', async () => {
    const { api } = open();
    const { id: other } = await api.accounts.createOrganization({ name: 'other' });
    const ours = await api.accounts.createKey({ organizationId: 'org_default' });
    const theirs = await api.accounts.createKey({ organizationId: other });
    const { url, id } = (await upload(api, jpeg, { 'x-api-key': theirs.key })).json;
    const base = url.slice(0, -id.length);
    for (const named of [
      url,
      `${base}upload_${'0'.repeat(32)}`,
      `${base}../../${other}/${id}`,
      `${base}${other}/${id}`,
      `${base}..%2f${other}%2f${id}`,
      `${base}${id}%00`,
      `${base}${id}?x=1`,
      `${base}tasks`,
      base,
    ]) {
      const { status, json } = await api.post(listingOf('https://example.com/1.jpg', named), {
        ...BETA,
        'x-api-key': ours.key,
      });
      expect([named, status, json.detail]).toEqual([
        named,
        422,
        [
          {
            loc: ['body', 'assets', 1, 'url'],
            type: 'value_error',
            msg: 'Value error, no such upload: it is older than a day, was removed, or belongs to another organization',
            input: named,
            ctx: { error: expect.any(String) },
          },
        ],
      ]);
    }
    expect((await api.post(listingOf(url), { ...BETA, 'x-api-key': theirs.key })).status).toBe(202);
  });

  it('cannot name an upload that is older than a day', async () => {
    let nowMs = Date.now();
    const { api } = open({ nowMs: () => nowMs });
    const { url } = (await upload(api, jpeg)).json;
    nowMs += 23 * HOUR_MS;
    expect((await api.post(listingOf(url), BETA)).status).toBe(202);
    nowMs += 2 * HOUR_MS;
    expect((await api.post(listingOf(url), BETA)).status).toBe(422);
  });
});

describe('an upload', () => {
  async function age(file: string, ms: number): Promise<void> {
    const atSec = (Date.now() - ms) / 1000;
    await utimes(file, atSec, atSec);
  }

  it('is removed after a day, but not before every task that uses it has succeeded or is removed', async () => {
    const { api, uploads, home } = open();
    const used = (await upload(api, jpeg)).json;
    const unused = (await upload(api, jpeg)).json;
    const fresh = (await upload(api, jpeg)).json;
    const fileOf = ({ id }: AnyJson) => path.join(home, 'uploads', 'org_default', id);
    const first = (await api.post(listingOf(used.url), BETA)).json.id;
    const second = (await api.post(listingOf(used.url), BETA)).json.id;
    for (const each of [used, unused]) await age(fileOf(each), 25 * HOUR_MS);
    const sweep = () =>
      sweepUploads({ uploads, store: api.store, sweepFile: path.join(home, 'sweep.json') }, Date.now());
    expect(await sweepUploads({ uploads: open().uploads, store: api.store, sweepFile: '/x/y' }, 0)).toBe(0);
    const left = async () =>
      (await stored(home)).filter((file) => /upload_/.test(path.basename(file))).sort();
    expect(await sweep()).toBe(1);
    expect(await left()).toEqual([fileOf(used), fileOf(fresh)].sort());
    await api.engine.runTask(first);
    expect(await sweep()).toBe(0);
    await api.engine.cancel(second);
    // It can be retried.
    expect(await sweep()).toBe(0);
    expect(await left()).toEqual([fileOf(used), fileOf(fresh)].sort());
    const deps = { store: api.store, files: { remove: async () => {} }, uploads, accounts: api.accounts };
    await sweepOld(
      { ...deps, sweepFile: path.join(home, 'keep.json') },
      { keepMs: -HOUR_MS, nowMs: Date.now(), isStopped: () => false },
    );
    expect(await sweep()).toBe(1);
    expect(await stored(home)).toEqual([fileOf(fresh)]);
  });

  it('stays while it is not known whether its task has ended, and while the clock cannot be right', async () => {
    const { api, uploads, home } = open();
    const { url, id } = (await upload(api, jpeg)).json;
    await api.post(listingOf(url), BETA);
    await age(path.join(home, 'uploads', 'org_default', id), 25 * HOUR_MS);
    const sweepFile = path.join(home, 'sweep.json');
    const away = {
      get: () => Promise.reject(new ListingVideoError('store_corrupt', 'x')),
      list: () => api.store.list({ limit: 1 }),
    };
    expect(await sweepUploads({ uploads, store: away, sweepFile }, Date.now())).toBe(0);
    await writeFile(sweepFile, JSON.stringify({ seenMs: Date.now() + 48 * HOUR_MS, holdUntilMs: null }));
    expect(await sweepUploads({ uploads, store: api.store, sweepFile }, Date.now())).toMatchObject({
      refusal: expect.stringContaining('nothing is deleted'),
    });
    expect((await stored(home)).length).toBe(2);
  });

  it('that a task was to use which was never stored is free again', async () => {
    const { api, home } = open();
    const { url, id } = (await upload(api, jpeg)).json;
    Object.assign(api.engine, { submit: () => Promise.reject(new ListingVideoError('disk_full', 'x')) });
    expect((await api.post(listingOf(url), BETA)).status).toBe(503);
    expect(await stored(home)).toEqual([path.join(home, 'uploads', 'org_default', id)]);
  });

  it('stays while the tasks are lost, for a month', async () => {
    const { api, uploads, home } = open();
    const { url, id } = (await upload(api, jpeg)).json;
    const task = (await api.post(listingOf(url), BETA)).json.id;
    await age(path.join(home, 'uploads', 'org_default', id), 40 * 24 * HOUR_MS);
    const hold = path.join(home, 'uploads', 'org_default', 'tasks', task);
    const empty = openHarness().store;
    const sweep = (store: Harness['store']) =>
      sweepUploads({ uploads, store, sweepFile: path.join(home, 'sweep.json') }, Date.now());
    await age(hold, 29 * 24 * HOUR_MS);
    const other = open();
    await other.api.post(aListing());
    expect(await sweep(other.api.store)).toBe(0);
    await age(hold, 31 * 24 * HOUR_MS);
    expect(await sweep(empty)).toBe(0);
    expect((await stored(home)).length).toBe(2);
    expect(await sweep(other.api.store)).toBe(1);
    expect(await stored(home)).toEqual([]);
  });

  it('is not decoded for a client that left while others were served', async () => {
    const { uploads, home } = open();
    const unknown = await quarters(64, 48).jpeg().toBuffer();
    expect(await uploads.add('org_a', unknown, () => false)).toEqual({ kind: 'unwanted' });
    expect(await stored(home)).toEqual([]);
    expect(await readdir(path.join(home, 'work'))).toEqual([]);
  });

  it('is stored although its work folder cannot be removed', async () => {
    const cache = createDiskCache(path.join(root, 'other-cache'), { maxBytes: 1e9 });
    const trim = () => Promise.reject(new ListingVideoError('disk_full', 'x'));
    const { api, home } = open({ cache: Object.assign(Object.create(cache), { trim }) });
    const { status, json } = await upload(api, jpeg);
    expect(status).toBe(201);
    expect(await stored(home)).toEqual([path.join(home, 'uploads', 'org_default', json.id)]);
  });
});

describe('over HTTP', () => {
  it('works without keys; half of all places are for one client, and those that stall give way to no one of its own', async () => {
    const { service } = await openService();
    const url = await service.start();
    const send = () =>
      fetch(`${url}/v1/assets`, {
        method: 'POST',
        headers: { ...BETA, 'content-type': 'image/jpeg' },
        body: new Uint8Array(jpeg),
      });
    expect((await send()).status).toBe(201);
    const stalled = await Promise.all(Array.from({ length: 32 }, () => openWire(url)));
    for (const wire of stalled) {
      wire.write(
        'POST /v1/assets HTTP/1.1\r\nhost: localhost\r\nservice-beta: uploads\r\ncontent-type: image/jpeg\r\n' +
          'content-length: 100000\r\nexpect: 100-continue\r\n\r\n',
      );
    }
    for (const wire of stalled) await wire.sees(/100 Continue/);
    const refused = await send();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    for (const wire of stalled) wire.destroy();
    await expect.poll(async () => (await send()).status).toBe(201);
  });
});
