/** `create` from words to exit code, with a real task engine over a fake handler. */
import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { VideoTaskPayload } from '../../src/video/video-task.ts';
import { openBackend } from '../../src/wiring/open-backend.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { agent, folderOf, listing } from './listing-files.ts';
import {
  type AnyJson,
  type FakeWorld,
  outcomeOf,
  planOf,
  run,
  succeeding,
  type VideoHandler,
} from './run-cli.ts';

const failing =
  (error: unknown): VideoHandler =>
  async () => {
    throw error;
  };

/** Runs `create a.json` in a folder that has this listing, and keeps the payloads of its tasks. */
async function createOne(words: readonly string[] = [], world: Partial<FakeWorld> = {}) {
  const cwd = await folderOf({ 'a.json': listing() });
  const { handler, payloads } = recording();
  return { payloads, ...(await run(['create', 'a.json', ...words], { cwd, handler, ...world })) };
}

/** A handler that keeps the payloads it was given. */
function recording(): { handler: VideoHandler; payloads: VideoTaskPayload[] } {
  const payloads: VideoTaskPayload[] = [];
  const handler: VideoHandler = async (task) => {
    const payload = task.payload;
    payloads.push(payload);
    return outcomeOf(payload);
  };
  return { handler, payloads };
}

describe('create', () => {
  it('prints the paths of the results on stdout, relative to where the person is', async () => {
    const cwd = await folderOf({ 'a.json': listing('L-1', [agent('ann'), agent('bob')]) });
    const { exitCode, stdout, stderr, isBackendClosed } = await run(['create', 'a.json'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toBe('videos/L-1/ann.mp4\nvideos/L-1/bob.mp4\nvideos/L-1/report.html\n');
    expect(stderr).toContain('a.json: 50 %, rendering, 3 s left');
    expect(stderr).toContain('done: a.json: 2 videos');
    expect(isBackendClosed).toBe(true);
  });

  it('renders videos without branding, and lists them after the agents’', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const url = `file://${cwd}/videos/L-1/unbranded.mp4`;
    const film = { ratio: '1920:1080', url, created_at: 'now' } as const;
    const handler: VideoHandler = async (task) => {
      const payload = task.payload;
      expect(payload.options.alsoUnbranded).toBe(true);
      return { ...outcomeOf(payload), unbranded: [film] };
    };
    const people = await run(['create', 'a.json', '--also-unbranded'], { cwd, handler });
    expect(people.stdout.split('\n').slice(0, 2)).toEqual(['videos/L-1/ann.mp4', 'videos/L-1/unbranded.mp4']);
    expect(people.stderr).toContain('2 videos');
    const programs = await run(['create', 'a.json', '--also-unbranded', '--json'], { cwd, handler });
    expect(programs.json().data[0]).toMatchObject({ results: [{ agent_id: 'ann' }], unbranded: [film] });
  });

  it.each<[words: string[], env: Record<string, string>, kept: string[]]>([
    [[], {}, ['price', 'status']],
    [['--unbranded-keep', 'open_house, link'], {}, ['open_house', 'link']],
    [['--unbranded-keep', 'link', '--unbranded-keep', 'price'], {}, ['link', 'price']],
    [['--unbranded-keep', ''], { LISTING_VIDEO_UNBRANDED_KEEP: 'link' }, []],
    [[], { LISTING_VIDEO_UNBRANDED_KEEP: 'status' }, ['status']],
  ])('keeps in videos without branding what %j and %j say', async (words, env, kept) => {
    const { exitCode, payloads } = await createOne(words, { env });
    expect([exitCode, payloads[0]!.options.unbrandedKeep]).toEqual([0, kept]);
  });

  it('takes no other words for what is kept, and suggests the nearest', async () => {
    const { exitCode, stderr } = await createOne(['--unbranded-keep', 'price,open_hose']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--unbranded-keep: expected some of open_house, price, status or link');
    expect(stderr).toContain('did you mean open_house?');
  });

  it.each<[words: string[], env: Record<string, string>, options: object]>([
    [['--for', 'youtube, tiktok'], {}, { destinations: ['youtube', 'tiktok'] }],
    [['--for', 'web', '--for', 'mls'], {}, { destinations: ['web', 'mls'], alsoUnbranded: true }],
    [[], { LISTING_VIDEO_FOR: 'facebook' }, { destinations: ['facebook'] }],
    [['--length', 'normal, 30'], {}, { lengths: ['normal', '30s'] }],
    [['--length', '30s', '--length', '30s,Short'], {}, { lengths: ['30s', 'short'] }],
    [[], { LISTING_VIDEO_LENGTH: '30s' }, { templateData: { length: '30s' } }],
    [['--data', 'length=20s'], { LISTING_VIDEO_LENGTH: '30s,15s' }, { templateData: { length: '20s' } }],
  ])('makes files for the places and lengths of %j and %j', async (words, env, options) => {
    const { exitCode, payloads } = await createOne(words, { env });
    expect([exitCode, payloads[0]!.options]).toEqual([0, expect.objectContaining(options)]);
  });

  it('makes none for places that a flag takes back, and suggests the nearest name', async () => {
    const env = { LISTING_VIDEO_FOR: 'facebook' };
    for (const words of [['--no-for'], ['--for', '']])
      expect((await createOne(words, { env })).payloads[0]!.options.destinations).toBeUndefined();
    const { exitCode, stderr } = await createOne(['--for', 'instagram']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--for: expected some of youtube, instagram-reels, tiktok');
    expect(stderr).toContain('did you mean instagram-reels?');
  });

  it('renders every video also in another ratio, lists those after the agents’ own, and counts them', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const video = { agent_id: 'ann', ratio: '1080:1920', created_at: 'now', metadata: {} } as const;
    const tall = { ...video, url: `file://${cwd}/videos/L-1/ann-1080x1920.mp4` };
    const handler: VideoHandler = async ({ payload }) => {
      expect(payload.options.alsoRatio).toBe('1080:1920');
      return { ...outcomeOf(payload), also_ratio: [tall] };
    };
    const words = ['create', 'a.json', '--also-ratio', '1080:1920'];
    const people = await run(words, { cwd, handler });
    expect(people.stdout.split('\n').slice(0, 2)).toEqual([
      'videos/L-1/ann.mp4',
      'videos/L-1/ann-1080x1920.mp4',
    ]);
    expect(people.stderr).toContain('2 videos');
    const programs = await run([...words, '--json'], { cwd, handler });
    expect(programs.json().data[0]).toMatchObject({ results: [{ agent_id: 'ann' }], also_ratio: [tall] });
  });

  it('refuses --also-ratio with the ratio of every video, but not a saved default of it', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { handler, payloads } = recording();
    const words = ['create', 'a.json', '--ratio', '1080:1920'];
    const refused = await run([...words, '--also-ratio', '1080:1920'], { cwd, handler });
    expect([refused.exitCode, payloads]).toEqual([2, []]);
    expect(refused.stderr).toContain('--also-ratio 1080:1920: every video has this shape already');
    const env = { LISTING_VIDEO_ALSO_RATIO: '1080:1920' };
    expect((await run(words, { cwd, handler, env })).exitCode).toBe(0);
    expect(payloads[0]!.options).toMatchObject({ ratio: '1080:1920', alsoRatio: '1080:1920' });
    expect((await run([...words, '--no-also-ratio'], { cwd, handler, env })).exitCode).toBe(0);
    expect(payloads[1]!.options.alsoRatio).toBeUndefined();
  });

  it('prints one document under --json, with the file and the report of each task', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { json, exitCode } = await run(['create', 'a.json', '--json'], { cwd });
    expect(exitCode).toBe(0);
    expect(json()).toEqual({
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
          dropped_assets: [],
          listing_file: 'a.json',
          report: `${cwd}/videos/L-1/report.json`,
        },
      ],
      has_more: false,
    });
  });

  it('hands options to the task, and paths that resolve against the listing', async () => {
    const cwd = await folderOf({ 'in/a.json': listing() });
    const { handler, payloads } = recording();
    await run(
      [
        ...[
          'create',
          'in/a.json',
          '--template',
          'modern',
          '--data',
          'headline=a=b',
          '--data',
          'price=',
          '--force',
        ],
        ...['--ratio', '1080:1920', '--preview', '--quality', 'draft', '--min-assets', '3', '--out', 'made'],
        ...['--length', '15s'],
      ],
      { cwd, handler },
    );
    expect(payloads[0]).toMatchObject({
      listingFile: `${cwd}/in/a.json`,
      baseDir: `${cwd}/in`,
      outputDir: `${cwd}/made/L-1`,
      options: {
        templateId: 'modern',
        templateData: { headline: 'a=b', price: '', length: '15s' },
        ratio: '1080:1920',
        preview: true,
        quality: 'draft',
        minAssets: 3,
        force: true,
      },
    });
  });

  it.each([
    ['None', 'none'],
    ['classic', 'classic'],
    ['songs/tune.mp3', '<cwd>/songs/tune.mp3'],
  ])('hands the music %s to the task as %s', async (given, carried) => {
    const cwd = await folderOf({ 'a.json': listing(), 'songs/tune.mp3': 'ID3 and so on' });
    const { handler, payloads } = recording();
    await run(['create', 'a.json', '--music', given], { cwd, handler });
    expect(payloads[0]!.options.music).toBe(carried.replace('<cwd>', cwd));
  });

  it("leaves every agent's own options in force when none is given", async () => {
    const { payloads } = await createOne();
    expect(payloads[0]!.options).toEqual({
      quality: 'standard',
      unbrandedKeep: ['price', 'status'],
      minAssets: 1,
      force: false,
    });
  });

  it('turns previews off for every agent with --no-preview', async () => {
    const { payloads } = await createOne(['--no-preview']);
    expect(payloads[0]!.options.preview).toBe(false);
  });

  it('reads a listing from stdin, whose relative paths resolve against the working folder', async () => {
    const { handler, payloads } = recording();
    const { cwd, exitCode } = await run('create -', { handler, stdin: JSON.stringify(listing()) });
    expect(exitCode).toBe(0);
    expect(payloads[0]).toMatchObject({ listingFile: null, baseDir: cwd });
  });

  it('makes tasks of the command line, which no server runs', async () => {
    const store = createMemoryTaskStore();
    await createOne([], { store });
    const { data } = await store.list({ limit: 10 });
    expect(data.map(({ origin, organizationId }) => [origin, organizationId])).toEqual([['cli', null]]);
  });

  it('names dropped assets and says what it reused', async () => {
    const handler: VideoHandler = async (task) => ({
      ...outcomeOf(task.payload),
      dropped_assets: [{ url: 'https://x.example/1.jpg', reason: 'too_small: 200x100' }],
    });
    const { stderr, stdout } = await createOne([], { handler });
    expect(stderr).toContain('dropped: a.json: https://x.example/1.jpg: too_small: 200x100');
    expect(stdout).not.toContain('dropped');
  });

  it('says what was reused, from the report', async () => {
    const report = {
      videos: [{ agent_id: 'ann', is_unchanged: false, segments: { rendered: 2, reused: 9 } }],
    };
    const cwd = await folderOf({ 'a.json': listing(), 'videos/L-1/report.json': report });
    const { stderr } = await run(['create', 'a.json'], { cwd });
    expect(stderr).toContain('reused 9 of 11 scenes');
    const { stderr: beside } = await run(['create', 'a.json', '--json'], { cwd });
    expect(beside).toContain('reused 9 of 11 scenes');
  });

  it('prints results and nothing else under --quiet', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), bedroms: 3 } });
    const { stdout, stderr } = await run(['create', 'a.json', '--quiet'], { cwd });
    expect(stdout).toContain('ann.mp4');
    expect(stderr).toBe('');
  });
});

describe('create with bad input', () => {
  it('starts nothing when the only listing is invalid: exit 2, violations on stderr', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), agents: [] } });
    const { exitCode, stdout, stderr, settings } = await run(['create', 'a.json'], { cwd });
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('agents: 1 to 20 agents are needed, there are none');
    expect(stderr).toContain('error: a.json is not a valid listing: 1 violation');
    expect(settings).toBeNull();
  });

  it('answers with invalid_listing under --json', async () => {
    const cwd = await folderOf({ 'a.json': { ...listing(), agents: [] } });
    const { exitCode, json } = await run(['create', 'a.json', '--json'], { cwd });
    expect(exitCode).toBe(2);
    expect(json().error).toMatchObject({
      code: 'invalid_listing',
      context: { files: [{ file: 'a.json', valid: false, detail: [{ type: 'too_short' }] }] },
    });
  });

  it.each([
    ['a file that is not there', 'nope.json', 'no such file', 'file_not_found'],
    ['text that is not JSON', 'bad.json', 'bad.json:2:3', 'json_invalid'],
    ['a glob without a match', 'x*.json', 'no file matches', 'file_not_found'],
    ['an empty folder', 'empty', 'no *.json file in this folder', 'json_invalid'],
  ])('says once what is wrong with %s', async (_, word, reason, type) => {
    const cwd = await folderOf({ 'bad.json': '{\n  oops', 'empty/readme.txt': 'x' });
    const told = await run(['create', word], { cwd });
    expect(told.stderr.split(reason)).toHaveLength(2);
    const { exitCode, stderr, json } = await run(['create', word, '--json'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toBe('');
    const { error } = json();
    expect(error.code).toBe(type === 'file_not_found' ? type : 'invalid_listing');
    expect(error.context.files[0].detail[0].type).toBe(type);
    expect(error.message).toContain(reason);
  });

  it.each([
    ['a folder of photos', 'my photos/', "listing-video init --photos 'my photos'"],
    ['a photo', 'my photos/IMG_1.JPG', "listing-video init --photos 'my photos'"],
    ['a photo in the working folder', 'front.jpg', 'listing-video init --photos .'],
  ])('names the command that makes a listing of %s', async (_, word, hint) => {
    const jpeg = await readFile(new URL('../../fixtures/small/photos/front.jpg', import.meta.url));
    const cwd = await folderOf({ 'my photos/IMG_1.JPG': jpeg, 'front.jpg': jpeg });
    for (const command of ['create', 'validate']) {
      const { exitCode, stdout, stderr } = await run([command, word], { cwd });
      expect([exitCode, `${stdout}${stderr}`.split(`try: ${hint}\n`).length]).toEqual([2, 2]);
    }
  });

  it('takes a folder with photos and a listing as a batch', async () => {
    const cwd = await folderOf({ 'in/a.json': listing('a'), 'in/b.json': listing('b'), 'in/1.jpg': 'x' });
    const { exitCode, stderr } = await run(['create', 'in'], { cwd });
    expect([exitCode, stderr.includes('2 succeeded')]).toEqual([0, true]);
  });

  it('refuses a template that does not exist before anything is made, with the nearest that does', async () => {
    const store = createMemoryTaskStore();
    const { exitCode, stderr } = await createOne(['--template', 'clasic'], { store });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no template is called "clasic"');
    expect(stderr).toContain('did you mean classic?');
    expect((await store.list({ limit: 1 })).data).toEqual([]);
  });

  it('names the agent whose template does not exist', async () => {
    const cwd = await folderOf({ 'a.json': listing('L', [agent('ann', { template_id: 'nope' })]) });
    const { exitCode, json } = await run(['create', 'a.json', '--json'], { cwd });
    expect(exitCode).toBe(2);
    expect(json().error).toMatchObject({
      code: 'template_not_found',
      context: { agent_id: 'ann', template_id: 'nope', available: ['classic', 'modern'] },
    });
  });

  it.each([
    ['--data', 'novalue', 'expected key=value'],
    ['--data', 'headlin=Open house', 'did you mean headline?'],
    [
      '--length',
      '5s',
      '--length: expected short, normal, long or 10s to 90s (several: separated by commas), found',
    ],
    ['--length', '30s, 5s', 'found "5s"'],
    ['--quality', 'hi', 'expected draft, standard or high'],
    ['--min-assets', '0', 'a whole number from 1 to 100'],
    ['--concurrency', 'many', 'a whole number'],
    ['--ratio', '16:9', 'expected 1920:1080 or 1080:1920'],
    ['--music', 'clasic', 'did you mean classic?'],
    ['--music', 'https://x.example/song.mp3', 'music cannot be fetched'],
    ['--music', 'nowhere.mp3', 'there is no such file'],
    ['--music', './a.json', 'it is not an MP3, M4A, WAV, FLAC or Ogg file'],
  ])('refuses %s %s', async (flag, value, message) => {
    const { exitCode, stderr } = await createOne([flag, value]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('create with a task that fails', () => {
  it('exits 1 with the failure and what to do', async () => {
    const error = new ListingVideoError('no_usable_assets', 'no usable assets: 5 of 5 dropped', {
      context: { dropped_assets: [{ url: 'https://x.example/1.jpg', reason: 'timeout: 5 s' }] },
    });
    const { exitCode, stdout, stderr } = await createOne([], { handler: failing(error) });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('error: a.json: no usable assets: 5 of 5 dropped');
    expect(stderr).toContain('dropped: a.json: https://x.example/1.jpg: timeout: 5 s');
    expect(stderr).toMatch(/try: fix the cause, then run listing-video tasks retry [0-9a-f-]{36}/);
  });

  it('shows the FAILED task under --json', async () => {
    const error = new ListingVideoError('render_failed', 'ffmpeg was killed');
    const { exitCode, json } = await createOne(['--json'], { handler: failing(error) });
    expect(exitCode).toBe(1);
    expect(json().data[0]).toMatchObject({
      state: 'FAILED',
      failure_message: 'ffmpeg was killed',
      results: [],
      report: null,
    });
  });

  it.each(['disk_full', 'ffmpeg_missing', 'output_unwritable'] as const)('exits 3 for %s', async (code) => {
    const handler = failing(new ListingVideoError(code, 'unfit', { hint: 'mend it' }));
    const { exitCode, stderr } = await createOne([], { handler });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('try: mend it');
  });

  it('exits 3 when the store cannot be written', async () => {
    const openBackend = async () => {
      throw new ListingVideoError('store_unwritable', 'cannot write /home/x', { hint: 'choose --home' });
    };
    const { exitCode, json } = await createOne(['--json'], { openBackend });
    expect(exitCode).toBe(3);
    expect(json().error).toMatchObject({ code: 'store_unwritable', message: 'cannot write /home/x' });
  });
});

describe('create of several listings', () => {
  const files = {
    'in/1.json': listing('one'),
    'in/2.json': { ...listing('two'), agents: [] },
    'in/3.json': listing('three'),
    'in/report.json': { not: 'a listing' },
  };

  it('is not stopped by a bad one, ends with a summary, exits 1', async () => {
    const { exitCode, stdout, stderr } = await run('create in', { files });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('videos/one/ann.mp4');
    expect(stdout).toContain('videos/three/ann.mp4');
    expect(stderr).toMatch(/in\/1\.json +SUCCEEDED +1 video/);
    expect(stderr).toMatch(/in\/2\.json +INVALID +agents: 1 to 20 agents/);
    expect(stderr).not.toContain('in/report.json');
  });

  it('lists the invalid ones beside the tasks under --json', async () => {
    const { exitCode, json } = await run('create in/*.json gone.json --json', { files });
    expect(exitCode).toBe(1);
    const { data, invalid } = json();
    expect(data.map((task: AnyJson) => [task.listing_file, task.state])).toEqual([
      ['in/1.json', 'SUCCEEDED'],
      ['in/3.json', 'SUCCEEDED'],
    ]);
    expect(invalid.map((entry: AnyJson) => [entry.file, entry.detail[0].type])).toEqual([
      ['in/2.json', 'too_short'],
      ['in/report.json', 'missing'],
      ['gone.json', 'file_not_found'],
    ]);
  });

  it('exits 2 when none of them is valid, since nothing could be started', async () => {
    const cwd = await folderOf({ '1.json': '{', '2.json': '[]' });
    const { exitCode, json } = await run(['create', '1.json', '2.json', '--json'], { cwd });
    expect(exitCode).toBe(2);
    expect(json()).toMatchObject({
      data: [],
      has_more: false,
      invalid: [{ file: '1.json' }, { file: '2.json' }],
    });
  });

  it('goes on after a task that fails', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two') });
    const handler: VideoHandler = async (task, context) => {
      if ((task.payload as AnyJson).listing.id === 'one')
        throw new ListingVideoError('render_failed', 'broken');
      return succeeding(task, context);
    };
    const { exitCode, json } = await run(['create', '1.json', '2.json', '--json'], { cwd, handler });
    expect(exitCode).toBe(1);
    expect(json().data.map((task: AnyJson) => task.state)).toEqual(['FAILED', 'SUCCEEDED']);
  });

  it('goes on after one that could not be made a task, and tells what came before', async () => {
    const cwd = await folderOf({
      '1.json': listing('one'),
      '2.json': listing('two'),
      '3.json': listing('three'),
    });
    const store = createMemoryTaskStore();
    const create = store.create.bind(store);
    store.create = async (task) => {
      if ((task.payload as AnyJson).listing.id === 'two') {
        throw new ListingVideoError('task_state_conflict', 'id taken', { hint: 'again' });
      }
      return create(task);
    };
    const words = ['create', '1.json', '2.json', '3.json'];
    const { exitCode, json, stderr } = await run([...words, '--json'], { cwd, store });
    expect(exitCode).toBe(1);
    expect(json().data.map((task: AnyJson) => task.listing_file)).toEqual(['1.json', '3.json']);
    expect(json().errors).toEqual([
      {
        listing_file: '2.json',
        error: { code: 'task_state_conflict', message: 'id taken', context: { hint: 'again' } },
      },
    ]);
    expect(stderr).toContain('error: 2.json: id taken');
  });

  it('stops when the environment is unfit, exit 3', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two') });
    const store = createMemoryTaskStore();
    store.create = async () => {
      throw new ListingVideoError('disk_full', 'the disk is full');
    };
    const { exitCode, stderr } = await run(['create', '1.json', '2.json'], { cwd, store });
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/1\.json +FAILED +the disk is full/);
    expect(stderr).toMatch(/2\.json +NOT STARTED/);
  });

  it('makes a file once that two words stand for, and refuses an id used twice', async () => {
    const cwd = await folderOf({ '1.json': listing('same'), '2.json': listing('same') });
    const { exitCode, json } = await run(['create', '1.json', './1.json', '*.json', '--json'], { cwd });
    expect(exitCode).toBe(1);
    expect(json().data).toHaveLength(1);
    expect(json().invalid[0].detail[0]).toMatchObject({
      loc: ['body', 'id'],
      type: 'value_error',
      ctx: { error: 'the listing id is used by 1.json too' },
    });
  });
});

describe('an interrupted create', () => {
  it('leaves the task FAILED, cancelled, starts no other, exits 130', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two') });
    const controller = new AbortController();
    const store = createMemoryTaskStore();
    const handler: VideoHandler = async (_task, { signal }) => {
      controller.abort();
      signal.throwIfAborted();
      throw new Error('was not interrupted');
    };
    const { exitCode, stdout, stderr } = await run('create 1.json 2.json', {
      cwd,
      store,
      handler,
      interrupted: controller.signal,
    });
    expect(exitCode).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toContain('1.json: cancelled');
    expect(stderr).toMatch(/2\.json +NOT STARTED/);
    expect(stderr).toMatch(
      /2 listings: 0 succeeded, 1 interrupted, 1 not started in .*\nrun the same command again/,
    );
    const { data } = await store.list({ limit: 10 });
    expect(data.map((task) => [task.state, task.failure?.message])).toEqual([['FAILED', 'cancelled']]);
  });

  it('does not wait for a listing on stdin that nobody types', async () => {
    const controller = new AbortController();
    const waiting = run('create -', {
      stdin: null,
      interrupted: controller.signal,
    });
    setImmediate(() => controller.abort());
    expect((await waiting).exitCode).toBe(130);
  });

  it('exits 130 when it had not begun', async () => {
    const { exitCode, json } = await createOne(['--json'], { interrupted: AbortSignal.abort() });
    expect(exitCode).toBe(130);
    expect(json().error.code).toBe('cancelled');
  });
});

describe('create --dry-run', () => {
  it('shows both shapes of every video, and says once what holds for all', async () => {
    const cwd = await folderOf({ 'a.json': listing('L-1', [agent('ann'), agent('bob')]) });
    const { stdout } = await run('create a.json --dry-run --also-ratio 1080:1920', {
      cwd,
      describe: async (payload) => {
        const plan = await planOf(payload);
        const videos = plan.videos.map((video) => ({ ...video, warnings: ['9 of 16 photos are small'] }));
        return { ...plan, videos, also_ratio: videos.map((video) => ({ ...video, ratio: '1080:1920' })) };
      },
    });
    expect(stdout.match(/^video for .*/gm)).toEqual([
      expect.stringContaining('(ann): classic, 1920:1080'),
      expect.stringContaining('(bob): classic, 1920:1080'),
      expect.stringContaining('(ann): classic, 1080:1920'),
      expect.stringContaining('(bob): classic, 1080:1920'),
    ]);
    expect(stdout.match(/.*photos are small.*/g)).toEqual(['warning: 9 of 16 photos are small']);
  });

  it('prints the plan and makes no task', async () => {
    const store = createMemoryTaskStore();
    const { exitCode, stdout } = await createOne(['--dry-run'], { store });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'video for Ann Lee (ann): classic, 1920:1080, 0:36.7, 14 of 16 scenes to render, music: classic',
    );
    expect(stdout).toContain('0:00.0-0:04.5  hero     1.jpg  "12 Main St"');
    expect(stdout).toMatch(/^to render: 33\.3 s of video$/m);
    // Only tasks of a server cost credits.
    expect(stdout).not.toContain('credit');
    expect((await store.list({ limit: 1 })).data).toEqual([]);
  });

  it('says when each altered photo and its original are visible', async () => {
    const spans = [{ start_sec: 12, end_sec: 15.25 }];
    const staged = { url: 'photos/a\u001b.jpg', label: 'Virtually staged', original_url: null };
    const describe = async (payload: VideoTaskPayload) => {
      const plan = await planOf(payload);
      const altered = [
        { ...staged, spans, original_spans: [] },
        { ...staged, url: 'sky.jpg', spans, original_spans: [{ start_sec: 15, end_sec: 17 }] },
      ];
      return { ...plan, videos: plan.videos.map((video) => ({ ...video, altered_photos: altered })) };
    };
    const { stdout } = await createOne(['--dry-run'], { describe });
    expect(stdout.match(/^ {2}altered: .*/gm)).toEqual([
      '  altered: 0:12.0-0:15.3, no original  a\\x1b.jpg  "Virtually staged"',
      '  altered: 0:12.0-0:15.3, original 0:15.0-0:17.0  sky.jpg  "Virtually staged"',
    ]);
    const { json } = await createOne(['--dry-run', '--json'], { describe });
    expect(json().videos[0].altered_photos[0]).toMatchObject({ label: 'Virtually staged', spans });
  });

  it('names what --clean would remove, and removes nothing', async () => {
    const fileOf = (file: string) => {
      return { file, size_bytes: 4, sha256: createHash('sha256').update('mine').digest('hex') };
    };
    const kept = ['ann', 'bob', 'eve'].map((id) => ({
      ...{ agent_id: id, ratio: '1080:1920', template_id: 'classic', duration_sec: 9, sound: {} },
      ...{ video: fileOf(`${id}.mp4`), poster: fileOf(`${id}.jpg`), preview: null },
    }));
    const files = Object.fromEntries(
      kept.flatMap(({ video, poster }) => [video.file, poster.file].map((name) => [name, 'mine'])),
    );
    const report = { schema_version: 1, listing: { id: 'L-1' }, videos: [], kept, dropped_assets: [] };
    const folder = { ...files, 'eve.mp4': 'cut by the user', 'report.json': report };
    const photos = ['front', 'kitchen', 'pool', 'bedroom', 'living-room'].map((name) => `photos/${name}.jpg`);
    const cwd = await folderOf({
      'a.json': { ...listing(), assets: photos.map((url) => ({ url })) },
      ...Object.fromEntries(Object.entries(folder).map(([name, text]) => [`videos/L-1/${name}`, text])),
    });
    await cp(
      fileURLToPath(new URL('../../fixtures/small/photos/', import.meta.url)),
      path.join(cwd, 'photos'),
      { recursive: true },
    );
    const dry = ['create', 'a.json', '--dry-run', '--out', 'videos'];
    const { stdout } = await run([...dry, '--clean'], { cwd, openBackend });
    expect(stdout.match(/^(to remove|warning: not removed).*/gm)).toEqual([
      'warning: not removed, because this program did not write it as it is: eve.mp4',
      'to remove: bob.jpg',
      'to remove: bob.mp4',
    ]);
    const shown = await run([...dry, '--clean', '--json'], { cwd, openBackend });
    expect(shown.json().to_remove).toEqual(['bob.jpg', 'bob.mp4']);
    expect((await run([...dry, '--json'], { cwd, openBackend })).json()).not.toHaveProperty('to_remove');
    expect(await readdir(path.join(cwd, 'videos', 'L-1'))).toEqual(Object.keys(folder).sort());
  });

  it('says that --clean would remove nothing', async () => {
    const describe = async (payload: VideoTaskPayload) => ({ ...(await planOf(payload)), to_remove: [] });
    const { stdout } = await createOne(['--dry-run', '--clean'], { describe });
    expect(stdout).toContain('to remove: nothing\n');
  });

  it('exits 1 without a usable asset', async () => {
    const describe = async () => {
      throw new ListingVideoError('no_usable_assets', 'no usable assets: 5 of 5 dropped');
    };
    const { exitCode, json } = await createOne(['--dry-run', '--json'], { describe });
    expect(exitCode).toBe(1);
    expect(json().error.code).toBe('no_usable_assets');
  });

  const dropping = async () => {
    throw new ListingVideoError('no_usable_assets', 'no usable assets: 1 of 1 dropped', {
      hint: 'mend them',
      context: { dropped_assets: [{ url: 'a\u001b.jpg', reason: 'corrupt: cut off' }] },
    });
  };

  it('says why each asset was dropped when none is left', async () => {
    const { stderr } = await createOne(['--dry-run'], { describe: dropping });
    expect(stderr).toContain('dropped: a.json: a\\x1b.jpg: corrupt: cut off\nerror: no usable assets');
  });

  it('tells what failed in a batch also under --quiet, with what to do', async () => {
    const cwd = await folderOf({ 'a.json': listing('a'), 'b.json': listing('b') });
    const words = ['create', 'a.json', 'b.json', '--dry-run', '--quiet'];
    const { exitCode, stderr } = await run(words, { cwd, describe: dropping });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: a.json: no usable assets: 1 of 1 dropped\n  try: mend them');
    expect(stderr).toContain('error: b.json: ');
  });

  it('stops a batch with exit 3 when the environment is not fit', async () => {
    const cwd = await folderOf({ 'a.json': listing('a'), 'b.json': listing('b') });
    let asked = 0;
    const describe = async () => {
      asked += 1;
      throw new ListingVideoError('ffmpeg_missing', 'no ffmpeg', { hint: 'see doctor' });
    };
    const { exitCode, json } = await run('create a.json b.json --dry-run --json', {
      cwd,
      describe,
    });
    expect([exitCode, asked]).toEqual([3, 1]);
    expect(json().data).toEqual([
      {
        listing_file: 'a.json',
        error: { code: 'ffmpeg_missing', message: 'no ffmpeg', context: { hint: 'see doctor' } },
      },
    ]);
  });

  it('shows how far the photos are checked', async () => {
    const { stderr } = await createOne(['--dry-run'], {
      describe: async (payload, { onProgress }) => {
        onProgress?.({ percent: 40, stage: 'assets', etaSeconds: null });
        return planOf(payload);
      },
    });
    expect(stderr).toBe('a.json: 40 %, checking photos\n');
  });
});
