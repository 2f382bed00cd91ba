/** The start page's server: who is let in, which folders it shows, what it opens, and that it runs once. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemProbe } from '../../src/platform/disk/process-identity.ts';
import { StudioMemory } from '../../src/studio/editor/studio-memory.ts';
import { makeNewFolder } from '../../src/studio/start/new-folder.ts';
import type { FolderView, ImportView, StartState } from '../../src/studio/start/protocol.ts';
import { type OpenListing, type Place, Start, type StartOptions } from '../../src/studio/start/start.ts';
import { startOnce } from '../../src/studio/start/start-server.ts';

const JPEG = Buffer.from('a photo, as the fake check of this test sees it');

async function aStart(options: Partial<StartOptions> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'listing-video-start-'));
  const [home, homeDir] = [path.join(folder, 'data'), path.join(folder, 'me')];
  await mkdir(path.join(homeDir, 'Videos'), { recursive: true });
  const opened: { place: Place; out: string }[] = [];
  const ended: string[] = [];
  let close = (): void => {};
  const openListing = async (place: Place, out: string): Promise<OpenListing> => {
    opened.push({ place, out });
    const listingFile = 'listing' in place ? place.listing : path.join(place.photos, 'listing.json');
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const end = async () => void ended.push(listingFile);
    return { listingFile, urlToOpen: `http://127.0.0.1:1/?token=${opened.length}`, closed, close: end };
  };
  const start = new Start({
    ...{ home, homeDir, out: null, openListing },
    root: path.join(homeDir, 'Videos', 'Listing Videos'),
    checkPhoto: async (bytes) => (bytes.length > 20 ? null : 'it is damaged'),
    importFile: async () => [],
    copySample: async () => {},
    nowMs: () => Date.UTC(2026, 10, 28, 12),
    ...options,
  });
  const onFault = (error: unknown) => faults.push(error);
  const serve = (patience: { patienceMs?: number } = {}) =>
    startOnce({ start, home, homeDir, port: 0, onFault, ...patience });
  const faults: unknown[] = [];
  onTestFinished(async () => {
    expect(faults).toEqual([]);
    await start.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, home, homeDir, start, serve, opened, ended, closeListing: () => close() };
}

/** As a browser that opened the address. */
async function aPage(started: Awaited<ReturnType<Awaited<ReturnType<typeof aStart>>['serve']>>) {
  if (!('own' in started)) throw new Error('another server runs');
  const { own } = started;
  onTestFinished(() => own.close());
  const { origin } = new URL(own.url);
  const entered = await fetch(own.urlToOpen, { redirect: 'manual' });
  const [cookie = ''] = entered.headers.get('set-cookie')!.split(';');
  const ask = async (method: string, place: string, body?: unknown, more: Record<string, string> = {}) => {
    const isBytes = body instanceof Uint8Array;
    const headers = { cookie, origin, ...(isBytes ? {} : { 'content-type': 'application/json' }), ...more };
    const content = body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) };
    const answer = await fetch(`${origin}${place}`, { method, headers, ...content });
    return { status: answer.status, body: (await answer.json()) as never };
  };
  return { own, origin, ask };
}

const ROUTES = [
  ['GET', '/api/start'],
  ['GET', '/api/folders'],
  ['GET', `/api/posters/${'0'.repeat(32)}`],
  ['GET', '/api/events'],
  ['POST', '/api/open'],
  ['POST', '/api/files?draft=a'],
  ['POST', '/api/imports'],
  ['POST', '/api/goodbye?page=a'],
] as const;

describe('nobody but the browser that opened the address', () => {
  it('reads a folder, opens a listing or starts an import', async () => {
    const { serve, opened } = await aStart();
    const { ask, origin } = await aPage(await serve());
    const strangers: Record<string, string>[] = [
      { cookie: '' },
      { cookie: `studio-${new URL(origin).port}=${'a'.repeat(32)}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    ];
    for (const [method, place] of ROUTES) {
      const others = method === 'GET' ? [] : [{ origin: 'https://evil.example' }, { origin: 'null' }];
      for (const headers of [...strangers, ...others]) {
        const { status } = await ask(method, place, method === 'GET' ? undefined : { sample: true }, headers);
        expect([place, headers, status]).toEqual([place, headers, 403]);
      }
    }
    expect(opened).toEqual([]);
  });

  it('gets a ticket, but for a process that has the key', async () => {
    const { serve } = await aStart();
    const { ask } = await aPage(await serve());
    const wrong = await ask('POST', '/api/tickets', { nonce: 'a', proof: 'a' }, { cookie: '' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

it('shows the folders of the home folder with their photos, and follows no link that leaves it', async () => {
  const { serve, homeDir, folder } = await aStart();
  await mkdir(path.join(homeDir, 'Pictures', 'house', 'photos'), { recursive: true });
  await mkdir(path.join(homeDir, '.secret'));
  await mkdir(path.join(folder, 'other'));
  for (const name of ['1.jpg', '2.JPG', '.3.jpg', 'notes.txt'])
    await writeFile(path.join(homeDir, 'Pictures', name), '');
  await writeFile(path.join(homeDir, 'Pictures', 'house', 'photos', 'a.heic'), '');
  await writeFile(path.join(homeDir, 'Pictures', 'house', 'listing.json'), '{}');
  await symlink('../other', path.join(homeDir, 'out'));
  await symlink('Pictures', path.join(homeDir, 'in'));
  const { ask } = await aPage(await serve());
  const folders = async (at: string) => ask('GET', `/api/folders?${new URLSearchParams({ at })}`);
  expect((await folders('')).body satisfies FolderView).toEqual({
    ...{ at: '', photos: 0, has_listing: false, more: 0 },
    folders: [
      { name: 'in', photos: 2, has_listing: false },
      { name: 'Pictures', photos: 2, has_listing: false },
      { name: 'Videos', photos: 0, has_listing: false },
    ],
  });
  expect((await folders('Pictures')).body).toMatchObject({
    folders: [{ name: 'house', photos: 1, has_listing: true }],
  });
  for (const at of ['..', '../other', 'out', 'Pictures/../../other', folder, '/etc', 'none', 'a\0b'])
    expect([at, (await folders(at)).status]).toEqual([at, 404]);
  for (const at of ['../other', 'out', '/etc'])
    expect((await ask('POST', '/api/open', { folder: at })).status).toBe(404);
});

describe('a listing', () => {
  it('of a folder is opened in it, once, until its pages are closed', async () => {
    const { serve, homeDir, opened, ended, closeListing, start } = await aStart();
    const house = path.join(homeDir, 'house');
    await mkdir(house);
    const { ask } = await aPage(await serve());
    const open = () => ask('POST', '/api/open', { folder: 'house', street: ' 12 Main St ' });
    expect(await open()).toEqual({ status: 200, body: { url: 'http://127.0.0.1:1/?token=1' } });
    expect(opened).toEqual([
      { place: { photos: house, street: '12 Main St' }, out: path.join(house, 'videos') },
    ]);
    await writeFile(path.join(house, 'listing.json'), '{}');
    await Promise.all([open(), open()]);
    expect([opened.length, start.isBusy]).toEqual([1, true]);
    closeListing();
    await expect.poll(() => ended).toEqual([path.join(house, 'listing.json')]);
    await open();
    expect(opened[1]).toMatchObject({ place: { listing: path.join(house, 'listing.json') } });
  });

  it('of photos that were sent is in a folder that is named for the address, else for the date', async () => {
    const { serve, homeDir, opened } = await aStart();
    const root = path.join(homeDir, 'Videos', 'Listing Videos');
    const { ask } = await aPage(await serve());
    const send = (draft: string, name: string, words: string, bytes = JPEG) =>
      ask('POST', `/api/files?${new URLSearchParams({ draft, name, words })}`, bytes);
    expect(await send('a', '../../bad.jpg', '12 Main St.', Buffer.from('short'))).toMatchObject({
      status: 422,
      body: { message: 'it cannot be used: it is damaged' },
    });
    await Promise.all([send('a', '../../1.jpg', '12 Main St.'), send('a', '2.jpg', '12 Main St.')]);
    await send('b', '1.jpg', '');
    await send('c', '1.jpg', '../..');
    for (const draft of ['a', 'b', 'c']) await ask('POST', '/api/open', { draft });
    expect(opened.map(({ place }) => 'photos' in place && path.relative(root, place.photos))).toEqual([
      '12-main-st',
      '2026-11-28',
      '2026-11-28-2',
    ]);
    expect(await readFile(path.join(root, '12-main-st', '1.jpg'))).toEqual(JPEG);
    expect((await ask('POST', '/api/open', { draft: 'a' })).status).toBe(404);
  });

  it('that another studio has open is opened there', async () => {
    const other = 'http://127.0.0.1:2/?token=a';
    const { serve, homeDir, start } = await aStart({ openListing: async () => ({ other }) });
    await mkdir(path.join(homeDir, 'house'));
    const { ask } = await aPage(await serve());
    expect(await ask('POST', '/api/open', { folder: 'house' })).toEqual({
      status: 200,
      body: { url: other },
    });
    expect(start.isBusy).toBe(false);
  });

  it('of photos that were sent keeps nothing that a killed process left half written', async () => {
    const { serve, homeDir } = await aStart();
    const root = path.join(homeDir, 'Videos', 'Listing Videos');
    const [dead, mine] = [
      path.join(root, '.incoming', '0123456789abcdef'),
      path.join(root, '.incoming', 'mine'),
    ];
    for (const folder of [dead, mine]) await mkdir(folder, { recursive: true });
    const owner = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
    await writeFile(path.join(dead, 'owner.json'), JSON.stringify(owner));
    await writeFile(path.join(dead, '.1.jpg.abc.tmp'), 'half');
    const { ask } = await aPage(await serve());
    expect(await readdir(path.join(root, '.incoming'))).toEqual(['mine']);
    await ask(
      'POST',
      `/api/files?${new URLSearchParams({ draft: 'a', name: '1.jpg', words: 'house' })}`,
      JPEG,
    );
    expect(await readdir(path.join(root, 'house'))).toEqual(['1.jpg']);
  });

  it('of before is shown with its picture while its file is there, and opened with its own videos', async () => {
    const { serve, home, homeDir, opened } = await aStart();
    const files = ['gone', 'old', 'new'].map((name) => path.join(homeDir, name, 'listing.json'));
    for (const [index, file] of files.entries()) {
      const memory = await StudioMemory.open(home, file, () => {});
      memory.remember({ file, out: path.join(homeDir, 'out'), opened_at: `2026-11-0${index + 1}` });
      if (index === 2) memory.set('title', '12 Main St, Portland');
      await memory.saved();
      if (index > 0) await mkdir(path.dirname(file));
      if (index > 0) await writeFile(file, '{}');
      if (index === 2) await writeFile(memory.pictureFile, 'jpeg');
    }
    const { ask } = await aPage(await serve());
    const { recent, folder } = (await ask('GET', '/api/start')).body as StartState;
    expect(folder).toBe('~/Videos/Listing Videos');
    expect(recent).toMatchObject([
      { title: '12 Main St, Portland', place: '~/new', poster: expect.stringMatching(/^\/api\/posters\//) },
      { title: 'old', place: '~/old', poster: null },
    ]);
    await ask('POST', '/api/open', { listing: recent[0]!.key });
    expect(opened).toEqual([{ place: { listing: files[2] }, out: path.join(homeDir, 'out') }]);
    expect((await ask('POST', '/api/open', { listing: 'unknown' })).status).toBe(404);
  });

  it('that an import made can be opened, and nothing else by its name', async () => {
    const file = '/listings/M-1/listing.json';
    const record = { source: 'a.csv:2', photos: 5, reasons: [] };
    const { serve, opened } = await aStart({
      importFile: async () => [
        { ...record, listing_id: 'M-1', state: 'written', file },
        { ...record, listing_id: null, state: 'invalid', file: null, reasons: ['no id'] },
      ],
    });
    const { ask } = await aPage(await serve());
    const { listings } = (await ask('POST', '/api/imports?name=a.csv', JPEG)).body as ImportView;
    expect(listings).toEqual([
      { key: expect.any(String), name: 'M-1', state: 'written', photos: 5, reasons: [] },
      { key: null, name: 'a.csv:2', state: 'invalid', photos: 5, reasons: ['no id'] },
    ]);
    await ask('POST', '/api/open', { listing: listings[0]!.key });
    expect(opened).toMatchObject([{ place: { listing: file } }]);
  });
});

describe('the start page runs once', () => {
  it('of two that start at one moment, and the second gets an address of the first', async () => {
    const { serve } = await aStart();
    const started = await Promise.all([serve(), serve()]);
    const own = started.find((each) => 'own' in each)!;
    const other = started.find((each) => 'other' in each) as { other: string };
    const { origin } = await aPage(own);
    expect(new URL(other.other).origin).toBe(origin);
    const enter = async () => (await fetch(other.other, { redirect: 'manual' })).status;
    expect([await enter(), await enter()]).toEqual([303, 403]);
  });

  it('and gives no address of a stranger at its port, nor of one that died', async () => {
    const { serve, home } = await aStart();
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(JSON.stringify({ challenge: 'c', ticket: 'evil', proof: 'evil' }));
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    const first = await serve();
    const folder = path.join(home, 'studio');
    const lock = (await readdir(folder)).find((name) => /^start-page-.+\.lock$/.test(name))!;
    const [held = ''] = await readdir(path.join(folder, lock));
    const say = () => writeFile(path.join(folder, lock, held, 'server.json'), JSON.stringify({ port }));
    await say();
    await expect(serve({ patienceMs: 0 })).rejects.toMatchObject({
      code: 'output_locked',
      context: { pid: process.pid },
    });
    expect([...new Set(asked.splice(0))]).toEqual(['/api/session', '/api/tickets']);
    if ('own' in first) await first.own.close();

    const dead = { ...systemProbe().self, pid: 2 ** 22 + 4711, started: '1' };
    await mkdir(path.join(folder, lock, held), { recursive: true });
    await writeFile(path.join(folder, lock, held, 'owner.json'), JSON.stringify(dead));
    await say();
    const [memory = ''] = (await readdir(folder)).filter((name) => name.endsWith('.key'));
    await writeFile(path.join(folder, `.${memory.replace('.key', '.json')}.abc.tmp`), 'half');
    const { own } = await aPage(await serve());
    expect([asked, own.port === port]).toEqual([[], false]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

it('makes a new folder for each listing, and keeps the others', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'listing-video-start-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const make = (words: string) => makeNewFolder(path.join(root, 'all'), words, 'spare');
  const made = [await make('Ü 1'), await make('Ü 1'), await make('/../'), await make('')];
  expect(made.map((folder) => path.basename(folder))).toEqual(['u-1', 'u-1-2', 'spare', 'spare-2']);
});
