/** `create --server` from arguments to files, against the real service over loopback sockets. */
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import eventsSchema from '../../../src/cli/create/batch-events.schema.json' with { type: 'json' };
import manifestSchema from '../../../src/cli/create/batch-manifest.schema.json' with { type: 'json' };
import { reportSchema } from '../../../src/video/publish/report.ts';
import { agent, folderOf, listing } from '../../cli/listing-files.ts';
import { runRemote } from './run-remote.ts';
import { serveFilms } from './served-videos.ts';
import { sendJson, startStub } from './stub-server.ts';
import { TINY_GIF, TINY_JPEG } from './tiny-video.ts';

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
type AnyJson = any;

const ajv = new Ajv2020({ strict: false, validateFormats: false });

async function readJson(...parts: readonly string[]): Promise<AnyJson> {
  return JSON.parse(await readFile(path.join(...parts), 'utf8'));
}

describe('a listing', () => {
  it('is made by the server, and its results lie where a local run would put them', async () => {
    const { url, filmOf, made, run } = await serveFilms();
    const agents = [agent('june', { create_preview: true, metadata: { crm: 'A-1' } }), agent('a/b')];
    const captioned = { ...listing('L-1', agents) };
    captioned.assets = captioned.assets.map((asset) => ({ ...asset, caption: 'A room' }));
    const cwd = await folderOf({ 'listing.json': captioned });
    const { exitCode, stdout, stderr } = await run(['create', 'listing.json'], { cwd });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('done: listing.json: 2 videos')]);
    expect(stderr).toContain(
      'dropped: listing.json: https://photos.example/0.jpg: too_small: 20 x 20 pixels',
    );
    const folder = path.join(cwd, 'videos', 'L-1');
    const names = await readdir(folder);
    const [strange = ''] = names.filter((name) => /^a-b~.*\.mp4$/.test(name));
    expect(names.sort()).toEqual(
      [
        strange,
        strange.replace('mp4', 'jpg'),
        'june.gif',
        'june.jpg',
        'june.mp4',
        'report.html',
        'report.json',
      ].sort(),
    );
    expect(stdout.split('\n')).toEqual([
      ...['june.mp4', 'june.gif', strange, 'report.html'].map((name) => path.join('videos', 'L-1', name)),
      '',
    ]);
    expect((await readFile(path.join(folder, 'june.mp4'))).equals(filmOf('june'))).toBe(true);
    expect((await readFile(path.join(folder, strange))).equals(filmOf('a/b'))).toBe(true);
    expect(await readFile(path.join(folder, 'june.gif'))).toEqual(TINY_GIF);
    expect(await readFile(path.join(folder, 'june.jpg'))).toEqual(TINY_JPEG);
    const report = await readJson(folder, 'report.json');
    expect(ajv.validate(reportSchema(), report), JSON.stringify(ajv.errors)).toBe(true);
    expect(report).toMatchObject({
      server: { url },
      quality: null,
      listing: { id: 'L-1', file: path.join(cwd, 'listing.json') },
      assets: { given: 5, used: 4 },
      videos: [
        { agent_id: 'june', duration_sec: 1, frames: 30, metadata: { crm: 'A-1' } },
        { preview: null },
      ],
    });
    expect(await readFile(path.join(folder, 'report.html'), 'utf8')).toContain(`at ${url}`);
    expect(made.map(({ id }) => id)).toEqual(['L-1']);
    expect(made[0]?.assets[0]).toMatchObject({ caption: 'A room' });
  });

  it('gives the JSON document of a local run, with files of this machine', async () => {
    const { run } = await serveFilms();
    const cwd = await folderOf({ 'listing.json': listing() });
    const { exitCode, json } = await run(['create', 'listing.json', '--json'], { cwd });
    expect([exitCode, json()]).toEqual([
      0,
      {
        data: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            state: 'SUCCEEDED',
            results: [
              {
                agent_id: 'ann',
                url: `file://${cwd}/videos/L-1/ann.mp4`,
                created_at: '2026-11-20T14:03:07.123+00:00',
                metadata: {},
              },
            ],
            dropped_assets: [{ url: 'https://photos.example/0.jpg', reason: 'too_small: 20 x 20 pixels' }],
            listing_file: 'listing.json',
            report: `${cwd}/videos/L-1/report.json`,
          },
        ],
        has_more: false,
      },
    ]);
  });

  it('in another shape lies beside the first, which is not sent again; another house is not sent at all', async () => {
    const { made, run } = await serveFilms();
    const cwd = await folderOf({ 'listing.json': listing('L-1') });
    const create = (...words: string[]) => run(['create', ...words, '--json'], { cwd });
    for (const words of [['listing.json'], ['listing.json', '--ratio', '1080:1920'], ['listing.json']])
      expect((await create(...words)).exitCode).toBe(0);
    expect(made).toHaveLength(2);
    const folder = path.join(cwd, 'videos', 'L-1');
    expect((await readdir(folder)).filter((name) => name.endsWith('.mp4'))).toEqual([
      'ann-1080x1920.mp4',
      'ann.mp4',
    ]);
    const report = await readJson(folder, 'report.json');
    expect(ajv.validate(reportSchema(), report), JSON.stringify(ajv.errors)).toBe(true);
    expect(report).toMatchObject({
      videos: [{ ratio: '1920:1080', video: { file: 'ann.mp4' }, is_unchanged: true }],
      kept: [{ ratio: '1080:1920', video: { file: 'ann-1080x1920.mp4' }, is_unchanged: true }],
      warnings: [
        expect.stringMatching(/^this is task .*, which an earlier command began$/),
        '9 of 16 photos are narrower than 960 pixels',
      ],
      notes: ['kept from earlier runs, without later changes: ann-1080x1920.mp4 (1080:1920)'],
    });
    const sent = made.length;
    const address = { street: '9 Oak Lane', city: 'Salem' };
    const assets = listing().assets.map((_, index) => ({ url: `https://photos.example/oak-${index}.jpg` }));
    await writeFile(path.join(cwd, 'oak.json'), JSON.stringify({ ...listing('L-1'), address, assets }));
    const other = await create('oak.json');
    expect([other.exitCode, other.json().error.code, made.length]).toEqual([1, 'output_exists', sent]);
  });

  it('is sent with the options of the command line for every agent', async () => {
    const { made, run } = await serveFilms();
    const agents = [agent('ann', { template_id: 'classic', template_data: { cta: 'Call' } }), agent('bob')];
    const cwd = await folderOf({ 'listing.json': listing('L-1', agents) });
    const words = ['--ratio', '1080:1920', '--preview', '--data', 'headline=Open house'];
    const { exitCode } = await run(['create', 'listing.json', ...words], { cwd });
    const shared = { ratio: '1080:1920', create_preview: true, template_id: 'classic' };
    expect([exitCode, made[0]?.agents.map((each) => each.video_options)]).toEqual([
      0,
      [
        { ...shared, template_data: { cta: 'Call', headline: 'Open house' } },
        { ...shared, template_data: { headline: 'Open house' } },
      ],
    ]);
  });

  it('that is unchanged is sent again only with --force; missing files are downloaded', async () => {
    const { made, filmOf, run } = await serveFilms();
    const cwd = await folderOf({ 'listing.json': listing('L-1', [agent('ann'), agent('bob')]) });
    const create = (...words: string[]) => run(['create', 'listing.json', ...words], { cwd });
    await create();
    const second = await create();
    expect([second.exitCode, second.stderr]).toEqual([0, expect.stringContaining('nothing has changed')]);
    expect(second.stderr).toContain('all reused');
    expect(made).toHaveLength(1);
    const film = path.join(cwd, 'videos', 'L-1', 'bob.mp4');
    await writeFile(film, 'damaged');
    const third = await create('--json');
    expect((await readFile(film)).equals(filmOf('bob'))).toBe(true);
    const report = await readJson(third.json().data[0].report);
    expect(report.videos.map((video: AnyJson) => video.is_unchanged)).toEqual([true, false]);
    expect(made).toHaveLength(1);
    expect((await create('--force')).exitCode).toBe(0);
    expect(made).toHaveLength(2);
    expect((await create('--ratio', '1080:1920')).exitCode).toBe(0);
    expect(made).toHaveLength(3);
  });

  it('whose task fails reports why, leaves nothing, and is made again by the next command', async () => {
    const { made, run } = await serveFilms();
    const cwd = await folderOf({ 'listing.json': listing('bad') });
    const { exitCode, stderr } = await run(['create', 'listing.json'], { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no usable assets: 5 of 5 dropped')]);
    expect(stderr).toContain('dropped: listing.json: https://photos.example/0.jpg');
    await expect(access(path.join(cwd, 'videos', 'bad'))).rejects.toMatchObject({ code: 'ENOENT' });
    await run(['create', 'listing.json'], { cwd });
    expect(made).toHaveLength(2);
  });

  it('continues at the server after Ctrl-C, and the same command resumes it', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { url, store, log, run } = await serveFilms({
      handler: async () => ended.then(() => ({ results: [], dropped_assets: [], report: null })),
    });
    const cwd = await folderOf({ 'listing.json': listing() });
    const interrupt = new AbortController();
    const stopping = run(['create', 'listing.json'], { cwd, interrupted: interrupt.signal });
    await expect.poll(() => log.some((line) => /\/events$/.test(line.path))).toBe(true);
    await expect.poll(async () => (await store.list({ limit: 1 })).data[0]?.state).toBe('RUNNING');
    interrupt.abort();
    const stopped = await stopping;
    const [task] = (await store.list({ limit: 10 })).data;
    expect([stopped.exitCode, task?.state]).toEqual([130, 'RUNNING']);
    expect(stopped.stderr).toContain(`no longer waiting for task ${task?.id}; it continues at ${url}`);
    expect(stopped.stderr).toContain(`listing-video tasks watch ${task?.id} --server ${url}`);
    end();
    // What this handler leaves is no result of the listing; that it is looked at is what counts here.
    const again = await run(['create', 'listing.json'], { cwd });
    expect([again.exitCode, again.stderr]).toEqual([3, expect.stringContaining('0 results for 1 agents')]);
    expect((await store.list({ limit: 10 })).data).toHaveLength(1);
  });
});

describe('files of this machine', () => {
  /** A server of an earlier version. */
  const withoutUploads = async (): Promise<string> =>
    (await startStub((_, response) => sendJson(response, 200, { id: 'org', balance: 0 }))).url;
  const local = {
    ...listing(),
    assets: [
      'photos/1.jpg',
      'file:///home/me/2.jpg',
      '/home/me/3.jpg',
      'C:\\4.jpg',
      'https://p.example/5.jpg',
    ].map((url) => ({ url })),
    agents: [
      {
        ...agent('ann', { template_id: 'classic', template_data: { logo: 'logo.png' } }),
        picture: '../ann.jpg',
      },
    ],
  };

  it('are refused by name and place by a server that takes no uploads', async () => {
    const cwd = await folderOf({ 'listing.json': local });
    const server = await withoutUploads();
    const { exitCode, json } = await runRemote(['create', 'listing.json', '--json'], { cwd, server });
    const [{ detail }] = json().error.context.files;
    expect([exitCode, json().error.code]).toEqual([2, 'invalid_listing']);
    expect(json().error.context.hint).toContain('--no-server');
    expect(detail.map(({ loc, input }: AnyJson) => [loc.slice(1).join('.'), input])).toEqual([
      ['assets.0.url', 'photos/1.jpg'],
      ['assets.1.url', 'file:///home/me/2.jpg'],
      ['assets.2.url', '/home/me/3.jpg'],
      ['assets.3.url', 'C:\\4.jpg'],
      ['agents.0.picture', '../ann.jpg'],
      ['agents.0.video_options.template_data.logo', 'logo.png'],
    ]);
    expect(detail[0].msg).toContain(
      `photos/1.jpg is a file of this machine, and ${server} takes no uploads: use an http or https URL, or --no-server`,
    );
    const shown = await runRemote(['create', 'listing.json'], {
      ...{ cwd, server, isTty: true },
      env: { NO_COLOR: '1' },
    });
    expect(shown.stderr).toMatch(/^ +\d+ \| +"url": "photos\/1\.jpg"$/m);
    expect(shown.stderr).toMatch(/\^{14}/);
  });

  it('are refused as a value of --data too', async () => {
    const cwd = await folderOf({ 'listing.json': listing() });
    const words = ['create', 'listing.json', '--data', 'logo=logo.png'];
    const { exitCode, stderr } = await runRemote(words, { cwd, server: await withoutUploads() });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('logo.png is a file of this machine')]);
  });

  it('are accepted with --no-server', async () => {
    const cwd = await folderOf({ 'listing.json': local });
    const { run } = await import('../../cli/run-cli.ts');
    const env = { LISTING_VIDEO_SERVER: 'http://127.0.0.1:9' };
    const { exitCode, settings } = await run(['create', 'listing.json', '--no-server'], { cwd, env });
    expect([exitCode, settings?.server]).toEqual([0, undefined]);
  });
});

describe('a flag that only the renderer uses', () => {
  it.each([
    ['--quality', 'draft'],
    ['--min-assets', '3'],
    ['--ffmpeg', '/bin/ffmpeg'],
    ['--cache-size', '1GB'],
    ['--also-ratio', '1080:1920'],
    ['--length', '30s,15s'],
    ['--unbranded-keep', 'status'],
    ['--dry-run'],
  ])('is refused: %s', async (...words) => {
    const cwd = await folderOf({ 'listing.json': listing() });
    const context = { cwd, server: 'http://127.0.0.1:9' };
    const { exitCode, stderr } = await runRemote(['create', 'listing.json', ...words], context);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error: ${words[0]} is`)]);
    expect(stderr).toContain('--no-server');
  });
});

describe('a batch', () => {
  it('has its manifest, events, JUnit report and exit code as where this machine renders', async () => {
    const { made, run } = await serveFilms();
    const cwd = await folderOf({
      'in/1.json': listing('one'),
      'in/2.json': listing('bad'),
      'in/3.json': listing('three', [agent('ann', { template_id: 'baroque' })]),
      'in/4.json': { ...listing('four'), bedrooms: -1 },
      'in/5.json': listing('five'),
    });
    const words = ['create', 'in', '--json', '--events-file', 'events.ndjson', '--report', 'junit.xml'];
    const { exitCode, json } = await run(words, { cwd });
    expect(exitCode).toBe(1);
    expect(json().data.map((task: AnyJson) => [task.listing_file, task.state])).toEqual([
      ['in/1.json', 'SUCCEEDED'],
      ['in/2.json', 'FAILED'],
      ['in/5.json', 'SUCCEEDED'],
    ]);
    expect(json().errors).toMatchObject([
      {
        listing_file: 'in/3.json',
        error: { code: 'template_not_found', context: { hint: 'one of: classic' } },
      },
    ]);
    expect(json().invalid).toMatchObject([{ file: 'in/4.json' }]);
    expect(made.map(({ id }) => id).sort()).toEqual(['bad', 'five', 'one']);

    const manifest = await readJson(cwd, 'videos', 'manifest.json');
    expect(ajv.validate(manifestSchema, manifest), JSON.stringify(ajv.errors)).toBe(true);
    expect(manifest.counts).toEqual({
      ...{ listings: 5, succeeded: 2, unchanged: 0, failed: 2, invalid: 1, not_started: 0 },
      ...{ pending: 0, running: 0 },
    });
    expect(manifest.listings[0].videos[0]).toMatchObject({
      video: { file: 'one/ann.mp4', size_bytes: 5_000 },
      poster: { file: 'one/ann.jpg' },
    });
    const events = (await readFile(path.join(cwd, 'events.ndjson'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const judge = ajv.compile(eventsSchema);
    for (const event of events) expect(judge(event), JSON.stringify([event, judge.errors])).toBe(true);
    const ofType = (type: string) => events.filter((event) => event.type === type).length;
    expect(['task.accepted', 'task.completed', 'task.failed', 'listing.rejected'].map(ofType)).toEqual([
      3, 2, 1, 2,
    ]);
    expect(events.some(({ stage }) => stage === 'fetch')).toBe(true);
    expect(await readFile(path.join(cwd, 'junit.xml'), 'utf8')).toContain(
      'tests="5" failures="1" errors="2"',
    );

    const again = await run(words, { cwd });
    expect([again.exitCode, made.map(({ id }) => id).sort()]).toEqual([1, ['bad', 'bad', 'five', 'one']]);
  });

  it('has no more tasks at once than --concurrency, and makes its shard alone', async () => {
    let running = 0;
    let most = 0;
    const handler = async (): Promise<never> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      throw new Error('none');
    };
    const { store, run } = await serveFilms({ handler });
    const files = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`in/${n}.json`, listing(`L-${n}`)]));
    const cwd = await folderOf(files);
    const words = ['create', 'in', '--shard', '1/2', '--concurrency', '1'];
    const { exitCode } = await run(words, { cwd });
    expect([exitCode, most, (await store.list({ limit: 10 })).data.length]).toEqual([1, 1, 3]);
  });

  it('stops at a key that the server does not know: it would meet every listing', async () => {
    const { url, log } = await serveFilms();
    const cwd = await folderOf({ 'in/1.json': listing('one'), 'in/2.json': listing('two') });
    const words = ['create', 'in', '--concurrency', '1', '--json'];
    const { exitCode, json } = await runRemote(words, { cwd, server: url, key: 'lv_live_nobody_knows' });
    expect([exitCode, json().errors.map((each: AnyJson) => each.error.code)]).toEqual([
      2,
      ['unauthenticated'],
    ]);
    expect(log.filter(({ path: asked }) => asked === '/v1/tasks')).toHaveLength(1);
  });
});

it('a folder that cannot be written is reported before anything is sent', async () => {
  const { log, run } = await serveFilms();
  const cwd = await folderOf({ 'listing.json': listing(), 'videos/L-1': 'a file' });
  const { exitCode } = await run(['create', 'listing.json'], { cwd });
  expect([exitCode, log.some(({ path: asked }) => asked === '/v1/tasks')]).toEqual([3, false]);
  await rm(path.join(cwd, 'videos', 'L-1'));
  expect((await run(['create', 'listing.json'], { cwd })).exitCode).toBe(0);
});
