/** `import reso --url`: feeds in the shapes of four vendors, read to their end, interrupted, changed and hostile. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../listing-files.ts';
import { type AnyJson, type CliRun, type FakeWorld, run } from '../run-cli.ts';
import { followsSchema, readListing } from './import-run.ts';
import {
  type Feed,
  fail,
  feedMedia,
  feedProperty,
  minute,
  reply,
  type Shape,
  startFeed,
  TOKEN,
} from './reso-feed.ts';

const words = (feed: Pick<Feed, 'url'>, more: readonly string[] = []): string[] => [
  ...['import', 'reso', '--url', feed.url, '--token-env', 'MLS_TOKEN', '--json'],
  ...more,
];

async function importFeed(
  feed: Pick<Feed, 'url'>,
  cwd: string,
  more: readonly string[] = [],
  world: Partial<FakeWorld> = {},
): Promise<{ result: CliRun; report: AnyJson; states: string[] }> {
  const result = await run(words(feed, more), { cwd, env: { MLS_TOKEN: TOKEN }, ...world });
  const report = result.json();
  if (report.listings) followsSchema(JSON.parse(result.stdout));
  return { result, report, states: (report.listings ?? []).map(({ state }: AnyJson) => state) };
}

const photosOf = async (cwd: string, id: string): Promise<string[]> =>
  (await readdir(path.join(cwd, 'listings', id, 'photos'))).sort();

/** All that an import left in its folder, as one text. */
async function everythingIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n') + files.join('\n');
}

describe('import reso --url', () => {
  it.each<Shape>(['bridge', 'trestle', 'spark', 'mls-grid'])(
    'reads the pages of a feed such as %s, with its photos',
    async (shape) => {
      const feed = await startFeed(shape, 5, 2);
      const cwd = await folderOf();
      const { result, report, states } = await importFeed(feed, cwd);
      expect([result.exitCode, states]).toEqual([0, Array(5).fill('written')]);
      expect(report.listings[2].source).toBe('page 2, property 1');
      expect(report.feed).toMatchObject({
        pages: 3,
        properties: 5,
        photos: { fetched: 25, present: 0, failed: 0 },
      });
      const { assets, agents } = await readListing(cwd, 'A-4');
      const names = await photosOf(cwd, 'A-4');
      expect(assets.map(({ url }: AnyJson) => url).sort()).toEqual(names.map((name) => `photos/${name}`));
      expect(names[0]).toMatch(/^M4-0_[0-9a-f]{16}\.jpg$/);
      expect(agents[0]?.video_options?.template_data).toMatchObject({ status: 'For sale' });
      expect((await run(['validate', 'listings/'], { cwd })).exitCode).toBe(0);
      // The token stays with the feed.
      const elsewhere = feed.photos.filter(({ headers }) => `http://${headers.host}` !== feed.origin);
      expect(elsewhere.map(({ headers }) => headers.authorization)).toEqual(elsewhere.map(() => undefined));
      expect(elsewhere.length).toBe(shape === 'trestle' ? 0 : 25);
      expect((await everythingIn(cwd)) + result.stdout + result.stderr).not.toContain(TOKEN);
    },
  );

  it('continues 500 properties where they were interrupted, and then reads what was changed', async () => {
    const feed = await startFeed('mls-grid', 500, 100);
    // Most of a feed is off the market.
    for (const [index, each] of feed.properties.entries())
      if ((index + 1) % 5 > 1) each.StandardStatus = 'Expired';
    const cwd = await folderOf();
    const stop = new AbortController();
    feed.intercept = ({ url }) => {
      if (url.pathname === '/photos/230/0.jpg') stop.abort();
      return false;
    };
    const interrupted = await importFeed(feed, cwd, [], { interrupted: stop.signal });
    expect(interrupted.result.exitCode).toBe(130);
    expect(interrupted.result.stderr).toContain('run the same command again: it continues');
    expect([interrupted.states.length, feed.pages.length]).toEqual([229, 3]);
    // Nothing is left of what was on its way.
    expect((await everythingIn(cwd)).match(/\.lock|\.tmp/)).toBeNull();

    feed.intercept = () => false;
    const before = feed.photos.length;
    const { report, states, result } = await importFeed(feed, cwd, ['--since', 'last']);
    expect(result.stderr).toContain('continuing after 200 properties');
    expect(feed.pages.slice(3).map(({ url }) => url.searchParams.get('$skip'))).toEqual([
      '200',
      '300',
      '400',
    ]);
    expect([result.exitCode, states.length]).toEqual([0, 300]);
    expect(report.counts).toMatchObject({ written: 109, unchanged: 11, skipped: 180 });
    expect(report.feed).toMatchObject({
      pages: 3,
      properties: 500,
      is_continued: true,
      next_since: minute(500),
    });
    expect(report.feed.photos.fetched + report.feed.photos.present).toBe(600);
    expect(feed.photos.length - before).toBe(report.feed.photos.fetched);
    const ids = (await readdir(path.join(cwd, 'listings'))).filter((name) => name.startsWith('A-'));
    expect(ids).toHaveLength(200);

    const edited = path.join(cwd, 'listings/A-20/listing.json');
    await writeFile(edited, (await readFile(edited, 'utf8')).replace('12 Main St', '12 Main Street'));
    const changes: Record<number, object> = {
      10: { StandardStatus: 'Pending' },
      20: { ListPrice: 1 },
      30: { MlgCanView: false },
      40: { Media: feedMedia(feed.photoOrigin, 40, 6, 2) },
      50: { Media: feedMedia(feed.photoOrigin, 50, 3) },
    };
    for (const [number, facts] of Object.entries(changes))
      Object.assign(feed.properties[Number(number) - 1], { ModificationTimestamp: minute(600), ...facts });
    const old = await photosOf(cwd, 'A-40');
    const next = await importFeed(feed, cwd, ['--since', 'last']);
    const found = Object.fromEntries(next.report.listings.map((each: AnyJson) => [each.listing_id, each]));
    expect(Object.keys(found).sort()).toEqual(['A-10', 'A-20', 'A-30', 'A-40', 'A-50', 'A-500']);
    expect(found['A-10']).toMatchObject({
      state: 'written',
      notes: ['its status was "For sale", and is now "Pending"'],
    });
    expect(found['A-20']).toMatchObject({ state: 'kept', file: 'listings/A-20/listing.json' });
    expect(found['A-30'].state).toBe('skipped');
    expect(found['A-30'].reasons).toEqual([
      expect.stringContaining('MlgCanView is false'),
      'listings/A-30/listing.json of an earlier import is still there: remove it and its videos',
    ]);
    expect(found['A-50']).toMatchObject({
      state: 'invalid',
      notes: expect.arrayContaining(['listings/A-50/listing.json of an earlier import stays as it was']),
    });
    expect(found['A-500'].state).toBe('unchanged');
    expect(next.report.feed).toMatchObject({ photos: { fetched: 6 }, next_since: minute(600) });
    expect((await photosOf(cwd, 'A-40')).filter((name) => old.includes(name))).toEqual([]);
    expect(next.result.exitCode).toBe(1);
  });

  it('waits as long as a feed asks for, and asks at most twice a second', async () => {
    const feed = await startFeed('spark', 1, 2);
    const waits: number[] = [];
    let answers = 0;
    feed.intercept = ({ url }, response) => {
      if (!url.pathname.endsWith('/Property') || ++answers > 2) return false;
      return fail(response, 429, `Over rate limit of ${TOKEN}`, answers === 1 ? { 'retry-after': '40' } : {});
    };
    const { result, report } = await importFeed(feed, await folderOf(), [], {
      delay: async (durationMs) => void waits.push(durationMs),
    });
    expect([result.exitCode, report.feed.requests]).toEqual([0, 4]);
    expect(waits.filter((wait) => wait === 500)).toHaveLength(3);
    expect(waits[0]).toBe(40_000);
    expect(result.stderr).toMatch(
      /is busy: Over rate limit of \[redacted\] \(HTTP status 429\); trying again/,
    );
  });

  it('has a photo that did not come with the next import, and one that never comes is reported', async () => {
    const feed = await startFeed('mls-grid', 3, 2);
    for (const each of feed.properties) each.Media = feedMedia(feed.photoOrigin, each.ListingKey.slice(1), 7);
    feed.properties[2].Media[6].MediaURL = 'http://169.254.169.254/latest/meta-data';
    const cwd = await folderOf();
    feed.intercept = ({ url }, response) => {
      const status = { '/photos/1/3.jpg': 503, '/photos/2/2.jpg': 404 }[url.pathname];
      if (url.pathname === '/photos/2/1.jpg') return reply(response, '<html>not found</html>');
      return status !== undefined && fail(response, status, 'no photo');
    };
    const first = await importFeed(feed, cwd);
    expect(first.report.listings.map(({ photos }: AnyJson) => photos)).toEqual([6, 5, 6]);
    expect(first.report.listings.flatMap(({ left_out }: AnyJson) => left_out)).toEqual([
      { source: 'Media[3]', reason: 'the photo was not fetched: HTTP 503 Service Unavailable' },
      { source: 'Media[1]', reason: expect.stringMatching(/^the photo was not fetched: .*HTML/) },
      { source: 'Media[2]', reason: 'the photo was not fetched: HTTP 404 Not Found' },
      { source: 'Media[6]', reason: expect.stringContaining('photo') },
    ]);
    expect(first.report.feed.next_since).toBe(minute(1));
    feed.intercept = () => false;
    const second = await importFeed(feed, cwd, ['--since', 'last']);
    expect(second.report.listings[0]).toMatchObject({ state: 'written', photos: 7 });
    expect(second.report.feed.next_since).toBe(minute(3));
  });

  it.each<Shape>(['bridge', 'spark'])(
    'continues with the page that %s names in its own way',
    async (shape) => {
      const feed = await startFeed(shape, 2, 1);
      const cwd = await folderOf();
      let isAway = true;
      feed.intercept = ({ url }, response) =>
        isAway && /[$]skip/.test(decodeURIComponent(url.search)) && fail(response, 401, 'expired');
      expect((await importFeed(feed, cwd)).report.error.code).toBe('unauthenticated');
      expect(await everythingIn(cwd)).not.toContain(TOKEN);
      isAway = false;
      const { report } = await importFeed(feed, cwd);
      expect(report).toMatchObject({ counts: { written: 1 }, feed: { pages: 1, is_continued: true } });
      // A time after the cursor leaves a gap, which is read later.
      feed.properties[1].ModificationTimestamp = minute(9);
      const later = await importFeed(feed, cwd, ['--since', minute(8)]);
      expect(later.report.feed).toMatchObject({ properties: 1, next_since: minute(2) });
    },
  );

  it('begins again where the feed has forgotten the page, and with --since all', async () => {
    const feed = await startFeed('trestle', 4, 2);
    const cwd = await folderOf();
    // The second page is refused in this import, and at the start of the next.
    feed.intercept = ({ url }, response) => {
      if (!url.searchParams.has('$skip') || feed.pages.length > 3) return false;
      return fail(response, 410, 'The link has expired');
    };
    const failed = await importFeed(feed, cwd);
    expect([failed.result.exitCode, failed.report.error.code]).toEqual([2, 'server_refused']);
    const { result, report } = await importFeed(feed, cwd);
    expect(result.stderr).toContain('reading from the beginning');
    expect(report).toMatchObject({
      counts: { written: 2, unchanged: 2 },
      feed: { photos: { present: 10, fetched: 10 } },
    });
    const again = await importFeed(feed, cwd, ['--since', 'all']);
    expect(again.report.counts).toMatchObject({ unchanged: 4 });
  });

  it('does not let two imports of one feed write at once, nor a second property take the folder of the first', async () => {
    const feed = await startFeed('bridge', 1, 2);
    const cwd = await folderOf();
    let during: CliRun | null = null;
    feed.intercept = () => false;
    const delay: FakeWorld['delay'] = async () => {
      during ??= await run(words(feed), { cwd, env: { MLS_TOKEN: TOKEN } });
    };
    expect((await importFeed(feed, cwd, [], { delay })).states).toEqual(['written']);
    expect(during!.json().error).toMatchObject({
      code: 'output_locked',
      message: expect.stringContaining('importing this feed'),
    });
    feed.properties.splice(
      0,
      1,
      feedProperty(feed.photoOrigin, 1, { ListingKey: 'other', ModificationTimestamp: minute(9) }),
    );
    const { report } = await importFeed(feed, cwd, ['--since', 'last']);
    expect(report.listings[0]).toMatchObject({ state: 'written', listing_id: 'other' });
  });

  it('reports to people in words', async () => {
    const feed = await startFeed('mls-grid', 1, 2);
    const argv = words(feed).filter((word) => word !== '--json');
    const { stderr, stdout } = await run([...argv, '--since', 'last'], { env: { MLS_TOKEN: TOKEN } });
    expect(stdout).toMatch(/^written +listings\/A-1\/listing\.json: 5 photos, 1 agent$/m);
    expect(stderr).toContain('this feed was not read to its end before: reading everything');
    expect(stderr).toContain('1 record: 1 written');
    expect(stderr).toContain('1 page in 1 request; 5 photos fetched (320 bytes)');
  });
});

describe('a feed that is wrong or hostile', () => {
  const errorOf = async (feed: Pick<Feed, 'url'>, world: Partial<FakeWorld> = {}): Promise<AnyJson> => {
    const { result, report } = await importFeed(feed, await folderOf(), [], world);
    expect(result.stdout + result.stderr).not.toContain(TOKEN);
    return { exit: result.exitCode, ...report.error };
  };
  const page = (value: unknown, next?: string): string =>
    JSON.stringify({ value, ...(next !== undefined && { '@odata.nextLink': next }) });

  it.each<[string, (feed: Feed) => string, number, RegExp]>([
    [
      'a next page on another host',
      ({ photoOrigin }) => page([], `${photoOrigin}/odata`),
      3,
      /on another host/,
    ],
    [
      'pages that name each other',
      ({ url }) => page([], `${url}&n=${Math.random()}`),
      3,
      /repeats its pages/,
    ],
    ['a page of a website', () => '<html>Sign in</html>', 3, /page 1 of .* is no OData answer/],
    [
      'a page that is cut off',
      () => page([{ ListingKey: 'K1' }]).slice(0, -4),
      3,
      /ends before its JSON does/,
    ],
    ['an error in an answer of 200', () => '{"error":{"message":"no"}}', 3, /is no OData answer/],
    ['the Web API of Bridge', () => '{"success":true,"bundle":[]}', 3, /is no OData answer/],
  ])('ends at %s', async (_, body, exit, message) => {
    const feed = await startFeed('mls-grid', 0, 2);
    feed.intercept = (_request, response) => reply(response, body(feed));
    expect(await errorOf(feed)).toMatchObject({ exit, message: expect.stringMatching(message) });
    expect(feed.photos).toEqual([]);
  });

  it.each<[number, string, number, string]>([
    [401, 'unauthenticated', 2, 'does not accept the token'],
    [403, 'forbidden', 2, 'does not allow this'],
    [302, 'server_refused', 2, 'redirects to https://elsewhere.example/?token=[redacted]'],
    [500, 'server_unreachable', 3, 'failed: it said [redacted] (HTTP status 500)'],
  ])('explains HTTP status %s', async (status, code, exit, message) => {
    const feed = await startFeed('mls-grid', 0, 2);
    const location = { location: `https://elsewhere.example/?token=${TOKEN}` };
    feed.intercept = (_request, response) => fail(response, status, `it said ${TOKEN}`, location);
    expect(await errorOf(feed)).toMatchObject({ exit, code, message: expect.stringContaining(message) });
    expect(feed.pages.filter(({ url }) => url.hostname === 'elsewhere.example')).toEqual([]);
  });

  it('goes on after a property that is broken', async () => {
    const feed = await startFeed('mls-grid', 2, 2);
    const good = JSON.stringify(feed.properties[1]);
    feed.intercept = ({ url }, response) =>
      url.pathname.endsWith('/Property') && reply(response, `{"value":[{"ListingKey":"K1",,},7,${good}]}`);
    const { states, result } = await importFeed(feed, await folderOf());
    expect([states, result.exitCode]).toEqual([['invalid', 'invalid', 'written'], 1]);
  });

  it('ends when no photo comes, so that the next import has them', async () => {
    const feed = await startFeed('mls-grid', 9, 9);
    const cwd = await folderOf();
    feed.intercept = ({ url }, response) =>
      url.pathname.startsWith('/photos/') && fail(response, 503, 'away');
    const { report, result } = await importFeed(feed, cwd);
    expect([result.exitCode, report.error.message]).toEqual([
      3,
      'no photo of 3 listings in a row could be fetched: HTTP 503 Service Unavailable',
    ]);
    feed.intercept = () => false;
    expect((await importFeed(feed, cwd, ['--since', 'last'])).report.counts.written).toBe(9);
  });

  it.each<[string[], RegExp]>([
    [['--url', 'http://api.example.com/odata/Property'], /--url is not encrypted/],
    [['--url', 'https://u:secret-5b1946@api.example.com/odata'], /has a user name or password/],
    [
      ['--url', 'https://api.example.com/odata?access_token=secret-5b1946'],
      /has a secret in it: "access_token"/,
    ],
    [['--url', 'property.json'], /--url is not a URL/],
    [['--url', 'https://a.example/?=200'], /the shell has taken the \$ for its own/],
    [['--url', 'https://a.example/', '--token-env', 'secret-5b1946'], /the variable is not set/],
    [['--url', 'https://a.example/', '--token-env', 'OTHER_TOKEN'], /the variable OTHER_TOKEN is not set/],
    [['--url', 'https://a.example/', '--token-env', 'BROKEN'], /characters that a token cannot have/],
    [['--url', 'https://a.example/', '--ndjson', 'x'], /cannot be combined with --ndjson/],
    [['--url', 'https://a.example/', '--since', 'soon'], /--since: "soon" is no time/],
    [
      ['--url', 'https://a.example/?$filter=ModificationTimestamp gt 1', '--since', 'last'],
      /a time in \$filter/,
    ],
    [['--url', 'https://a.example/', 'property.json'], /cannot be combined with files/],
    [['property.json', '--since', 'last'], /--since needs --url/],
    [[], /missing argument/],
  ])('is refused before anything is asked for: %j', async (given, message) => {
    const { exitCode, stderr } = await run(['import', 'reso', ...given], { env: { BROKEN: 'a\nb' } });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain('secret-5b1946');
  });

  it('has a cursor that is damaged: the whole feed is read once it is removed', async () => {
    const feed = await startFeed('mls-grid', 1, 2);
    const cwd = await folderOf();
    await importFeed(feed, cwd);
    const [folder = ''] = (await readdir(path.join(cwd, 'listings'))).filter((name) =>
      name.startsWith('.feed-'),
    );
    const file = path.join(cwd, 'listings', folder, 'cursor.json');
    await writeFile(file, '{"version":1,"since":"yesterday"}');
    const { report } = await importFeed(feed, cwd, ['--since', 'last']);
    expect(report.error).toMatchObject({
      code: 'store_corrupt',
      context: { hint: expect.stringContaining('remove it') },
    });
    await rm(file);
    expect((await importFeed(feed, cwd, ['--since', 'last'])).states).toEqual(['unchanged']);
  });
});
