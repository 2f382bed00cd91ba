/** `studio` and `demo`, over a studio in memory: what they open, what they print, how they end. */
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openerOf, showerOf } from '../../src/cli/studio/open-browser.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { Settings } from '../../src/platform/settings/setting-table.ts';
import type { StartRequest } from '../../src/wiring/open-start.ts';
import type { OpenedStudio, StudioRequest } from '../../src/wiring/open-studio.ts';
import { folderOf, listing } from './listing-files.ts';
import { type FakeWorld, run } from './run-cli.ts';

const PHOTOS = fileURLToPath(new URL('../../fixtures/small/photos', import.meta.url));
const URL_WITH_TOKEN = 'http://127.0.0.1:49152/?token=secret';

async function studio(
  argv: readonly string[],
  cwd: string,
  { opened = {}, ...world }: Partial<FakeWorld> & { opened?: Partial<OpenedStudio> | null } = {},
) {
  const interrupt = new AbortController();
  const happened: string[] = [];
  let asked: { settings: Settings; request: StudioRequest } | undefined;
  const result = await run(argv, {
    cwd,
    interrupted: interrupt.signal,
    openStudio: async (settings, request) => {
      asked = { settings, request };
      if (opened === null) return null;
      return {
        url: URL_WITH_TOKEN,
        urlToOpen: URL_WITH_TOKEN,
        listingFile: path.join(cwd, 'listing.json'),
        first: null,
        closed: new Promise<void>(() => {}),
        close: async () => void happened.push('close'),
        ...opened,
      };
    },
    onWrite: (stream, text) => {
      if (stream === 'stdout') happened.push(text.trim());
      if (text.includes('Ctrl-C')) interrupt.abort();
    },
    ...world,
  });
  return { ...result, happened, ...asked };
}

describe('studio', () => {
  it('prints its address, and ends with 0 when a signal has closed it', async () => {
    const cwd = await folderOf({ 'listing.json': listing() });
    const { exitCode, happened, request, stderr } = await studio(['studio', '.'], cwd);
    expect([exitCode, happened]).toEqual([0, [URL_WITH_TOKEN, 'close']]);
    expect(request).toMatchObject({ place: { listing: path.join(cwd, 'listing.json') }, port: 0 });
    expect(stderr).toContain('press Ctrl-C to stop');
  });

  it('prints one document with --json', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { json } = await studio(['studio', 'a.json', '--json'], cwd);
    expect(json()).toEqual({ url: URL_WITH_TOKEN, listing_file: path.join(cwd, 'listing.json') });
  });

  it('takes a port of its own, not that of a server, and never works on a server', async () => {
    const cwd = await folderOf({ 'listing.json': listing() });
    const env = { LISTING_VIDEO_PORT: '8080', LISTING_VIDEO_SERVER: 'https://videos.example.com' };
    const free = await studio(['studio', '.'], cwd, { env });
    expect([free.request?.port, free.settings?.server]).toEqual([0, undefined]);
    expect((await studio(['studio', '.', '--port', '8090'], cwd, { env })).request?.port).toBe(8090);
  });

  it.each([
    ['a folder with a listing', 'house', { listing: 'house/listing.json' }],
    ['a folder of photos', 'photos', { photos: 'photos' }],
    ['a listing with another name', 'open-house.json', { listing: 'open-house.json' }],
  ])('opens %s', async (_, word, place) => {
    const cwd = await folderOf({
      'house/listing.json': listing(),
      'open-house.json': listing(),
      'photos/x': 'x',
    });
    const { request } = await studio(['studio', word], cwd);
    const [[kind, name]] = Object.entries(place) as [[string, string]];
    expect(request?.place).toEqual({ [kind]: path.join(cwd, name) });
  });

  it('says what it made of a folder of photos, and what it did not take', async () => {
    const cwd = await folderOf();
    const skipped = [{ file: 'plan.pdf', reason: 'a PDF document' }];
    const first = { file: path.join(cwd, 'listing.json'), photoCount: 12, leftOut: [], skipped };
    const { stderr } = await studio(['studio', '.'], cwd, { opened: { first } });
    expect(stderr).toContain(`wrote ${path.join(cwd, 'listing.json')} with 12 photos`);
    expect(stderr).toContain('skipped: plan.pdf: a PDF document');
  });

  it.each([
    ['nope.json', 'cannot open nope.json: no such file'],
    ['-', 'the studio edits a file, not stdin'],
    ['', 'the name of the listing is empty'],
    ['many.ndjson', 'many.ndjson has many listings, and the studio edits one'],
    ['photos/bedroom.jpg', 'photos/bedroom.jpg is a photo, not a listing'],
    ['empty', 'empty has no listing.json and no photos'],
  ])('refuses %j with what to do', async (word, message) => {
    const cwd = await folderOf({ 'many.ndjson': '{}', 'empty/x.txt': 'x' });
    await cp(PHOTOS, path.join(cwd, 'photos'), { recursive: true });
    const { exitCode, stderr } = await studio(['studio', word], cwd, { opened: null });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain('try: ');
  });

  it('ends with the error of a studio that cannot open', async () => {
    const cwd = await folderOf({ 'listing.json': listing() });
    const openStudio = () => Promise.reject(new ListingVideoError('cannot_listen', 'port 80 is in use'));
    const { exitCode, stderr } = await studio(['studio', '.', '--port', '80'], cwd, { openStudio });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('port 80 is in use')]);
  });
});

describe('the start page', () => {
  const page = { url: URL_WITH_TOKEN, urlToOpen: URL_WITH_TOKEN, closed: new Promise<void>(() => {}) };
  const start = async (argv: readonly string[], world: Partial<FakeWorld> & { opened?: object } = {}) => {
    const happened: string[] = [];
    let request: StartRequest | undefined;
    const { opened = {}, ...rest } = world;
    const result = await studio(['studio', ...argv], await folderOf({ 'listing.json': listing() }), {
      // Else it opens a browser, also without a terminal.
      env: { CI: 'true' },
      openStart: async (_, given) => {
        request = given;
        return { ...page, close: async () => void happened.push('close'), ...opened };
      },
      ...rest,
    });
    return { ...result, happened, request };
  };

  it('opens without an argument, and says how to open this folder', async () => {
    const { exitCode, stdout, stderr, happened, request } = await start([]);
    expect([exitCode, stdout.trim(), happened]).toEqual([0, URL_WITH_TOKEN, ['close']]);
    expect(stderr).toContain('to edit listing.json of this folder: listing-video studio .');
    expect(request).toMatchObject({ out: null, port: 0 });
    expect((await start(['--out', 'all'])).request?.out).toMatch(/all$/);
  });

  it('of another process gets one more page, and this one ends', async () => {
    const other = 'http://127.0.0.1:49152/?token=once';
    const { exitCode, stdout, stderr, happened } = await start([], { opened: { other } });
    expect([exitCode, stdout.trim(), happened]).toEqual([0, other, []]);
    expect(stderr).toContain('runs already');
  });

  it.each([[['--until-closed']], [['--until-closed', '--no-open']]])(
    'with %j ends when its pages are closed',
    async (flags) => {
      const interrupted = new AbortController().signal;
      const { exitCode, happened } = await start(flags, {
        interrupted,
        opened: { closed: Promise.resolve() },
      });
      expect([exitCode, happened]).toEqual([0, ['close']]);
    },
  );

  it('imports a file with the command import, and says what came of each record', async () => {
    const csv =
      'MLS #,Status,Street Address,City,State,Zip Code,Photos\n7,Active,1 Main St,Tampa,FL,33606,\n';
    const openStart: FakeWorld['openStart'] = async (_, { importFile }) => {
      const out = await folderOf();
      const entries = await importFile('../mls.csv', Buffer.from(csv), out);
      expect(entries).toMatchObject([{ source: 'mls.csv:2', listing_id: '7', state: 'invalid', file: null }]);
      const json = await importFile('a', Buffer.from(' {"value":[{}]}'), out);
      expect(json).toMatchObject([{ state: 'invalid', reasons: [expect.stringContaining('ListingId')] }]);
      await expect(importFile('a.xlsx', Buffer.from('PK\x03\x04'), out)).rejects.toThrow('workbook');
      return { ...page, close: async () => undefined };
    };
    expect(await start([], { openStart })).toMatchObject({ exitCode: 0 });
  });

  it('copies the sample', async () => {
    const { request, cwd } = await start([]);
    await request!.copySample(path.join(cwd, 'sample'));
    expect(existsSync(path.join(cwd, 'sample', 'listing.json'))).toBe(true);
  });
});

describe('demo', () => {
  it('copies the sample with its photos into a folder, and keeps there what was changed', async () => {
    const cwd = await folderOf();
    const { request, settings } = await studio(['demo', '--out', 'sample'], cwd);
    const file = path.join(cwd, 'sample', 'listing.json');
    expect([request?.place, settings?.out]).toEqual([{ listing: file }, path.join(cwd, 'sample', 'videos')]);
    const { assets, agents } = JSON.parse(await readFile(file, 'utf8'));
    const copied = (await readdir(path.join(cwd, 'sample'), { recursive: true })).map(String);
    for (const { url } of assets) expect(copied).toContain(path.normalize(url));
    expect(copied).toContain(path.normalize(agents[0].picture));

    await writeFile(file, JSON.stringify(listing('mine')));
    await studio(['demo', '--out', 'sample'], cwd);
    expect(JSON.parse(await readFile(file, 'utf8')).id).toBe('mine');
  });

  it('without a folder takes a temporary one, which stays only if something in it was changed', async () => {
    const cwd = await folderOf();
    const unused = await studio(['demo'], cwd);
    const folder = path.dirname((unused.request!.place as { listing: string }).listing);
    expect(existsSync(folder)).toBe(false);
    const used = await studio(['demo'], cwd, {
      openStudio: async (_, { place }) => {
        if ('listing' in place) await writeFile(place.listing, '{}');
        throw new ListingVideoError('cannot_listen', 'no port is free');
      },
    });
    const [, kept = ''] = /your work is in (.*)/.exec(used.stderr) ?? [];
    expect(await readFile(path.join(kept, 'listing.json'), 'utf8')).toBe('{}');
    await rm(kept, { recursive: true });
  });

  it('does not mix the sample with files of a folder that has others', async () => {
    const cwd = await folderOf({ 'mine/notes.txt': 'x' });
    const { exitCode, stderr } = await studio(['demo', '--out', 'mine'], cwd);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('mine is not empty')]);
    expect(await readdir(path.join(cwd, 'mine'))).toEqual(['notes.txt']);
  });
});

describe('the browser', () => {
  it.each([
    ['darwin', {}, 'open'],
    ['win32', {}, 'rundll32'],
    ['linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['linux', {}, undefined],
    ['darwin', { SSH_CONNECTION: '10.0.0.1' }, undefined],
    ['linux', { DISPLAY: ':0', CI: 'true' }, undefined],
  ] as const)('on %s with %j is opened by %s', (platform, env, program) => {
    const opener = openerOf(URL_WITH_TOKEN, env, platform);
    expect(opener?.[0]).toBe(program);
    if (opener) expect(opener.at(-1)).toBe(URL_WITH_TOKEN);
    expect(showerOf('/videos/june.mp4', env, platform) === null).toBe(opener === null);
  });
});
