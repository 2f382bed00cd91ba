/**
 * Batches from words to exit code: which listings are made, in what order, how many at once, and what is printed about
 * them.
 */
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import manifestSchema from '../../../src/cli/create/batch-manifest.schema.json' with { type: 'json' };
import { ListingVideoError } from '../../../src/platform/errors.ts';
import type { VideoTaskPayload } from '../../../src/video/video-task.ts';
import { deferred } from '../../deferred.ts';
import { agent, folderOf, listing } from '../listing-files.ts';
import { type AnyJson, outcomeOf, run, succeeding, type VideoHandler } from '../run-cli.ts';
import { readXml } from './read-xml.ts';

const idOf = (task: { readonly payload: unknown }): string => (task.payload as AnyJson).listing.id;

/** Succeeds but for the ids given, and keeps the payloads in the order in which they were begun. */
function failingFor(...ids: string[]): { handler: VideoHandler; payloads: VideoTaskPayload[] } {
  const payloads: VideoTaskPayload[] = [];
  const handler: VideoHandler = async (task, context) => {
    payloads.push(task.payload);
    if (ids.includes(idOf(task))) throw new ListingVideoError('render_failed', `broken ${idOf(task)}`);
    return succeeding(task, context);
  };
  return { handler, payloads };
}

const line = (id: string, change: object = {}): string => JSON.stringify({ ...listing(id), ...change });

async function manifestIn(cwd: string, name = 'manifest.json'): Promise<AnyJson> {
  return JSON.parse(await readFile(path.join(cwd, 'videos', name), 'utf8'));
}

const TWO = { '1.json': listing('one'), '2.json': listing('two') };

const validate = new Ajv2020({ strict: false }).compile(manifestSchema);
function expectValid(manifest: AnyJson): void {
  validate(manifest);
  expect(validate.errors).toBeNull();
}

describe('NDJSON', () => {
  it('on stdin is one listing per line, with blank lines and a byte order mark between', async () => {
    const { handler, payloads } = failingFor();
    const stdin = `\uFEFF${line('one')}\r\n\n  \n${line('two')}\n`;
    const { cwd, exitCode, json } = await run('create - --json', { handler, stdin });
    expect(exitCode).toBe(0);
    expect(json().data.map((task: AnyJson) => task.listing_file)).toEqual(['-:1', '-:4']);
    expect(payloads.map(({ listing: { id }, baseDir, listingFile }) => [id, baseDir, listingFile])).toEqual([
      ['one', cwd, null],
      ['two', cwd, null],
    ]);
  });

  it.each([
    ['that is not JSON', '{"id": "x",', 'json_invalid', /^-:2:\d+: not JSON/],
    ['that is no listing', '{"id": "x"}', 'missing', /Field required/],
    ['of plain words', 'oops', 'json_invalid', /^-:2:1: not JSON/],
  ])('with a line %s makes the others and names the line', async (_, bad, type, message) => {
    const stdin = `${line('one')}\n${bad}\n${line('three')}`;
    const { exitCode, json } = await run('create - --json', { stdin });
    expect(exitCode).toBe(1);
    expect(json().data).toHaveLength(2);
    expect(json().invalid).toMatchObject([
      { file: '-:2', detail: [{ type }, ...json().invalid[0].detail.slice(1)] },
    ]);
    expect(json().invalid[0].detail[0].msg).toMatch(message);
  });

  it('differs from one listing that is laid out over many lines, valid or not', async () => {
    const cwd = await folderOf();
    const pretty = JSON.stringify(listing('one'), null, 2);
    const valid = await run(['create', '-', '--json'], { cwd, stdin: pretty });
    expect(valid.json().data[0].listing_file).toBe('-');
    const broken = pretty.replace('"agents"', 'agents');
    const bad = await run(['create', '-', '--json'], { cwd, stdin: broken });
    expect(bad.json().error.context.files).toHaveLength(1);
    expect(bad.json().error.message).toMatch(/-:\d+:3: not JSON/);
  });

  it('is read from files of that name, whose paths resolve against their folder', async () => {
    const cwd = await folderOf({
      'in/new.ndjson': `${line('one')}\n${line('two')}\n`,
      'in/b.JSONL': line('b'),
    });
    const { handler, payloads } = failingFor();
    const words = ['create', 'in/new.ndjson', 'in/b.JSONL'];
    expect((await run(words, { cwd, handler })).exitCode).toBe(0);
    expect(payloads.map(({ baseDir }) => baseDir)).toEqual(Array(3).fill(`${cwd}/in`));
    const checked = await run(['validate', ...words.slice(1), '--json'], { cwd });
    expect(checked.json().files.map((file: AnyJson) => file.file)).toEqual([
      'in/new.ndjson:1',
      'in/new.ndjson:2',
      'in/b.JSONL:1',
    ]);
  });

  it('without a line is an input without a listing', async () => {
    const cwd = await folderOf({ 'empty.ndjson': '\n \n' });
    const { exitCode, stderr } = await run(['create', 'empty.ndjson'], { cwd });
    expect([exitCode, stderr.includes('empty.ndjson: there is no listing in it')]).toEqual([2, true]);
  });

  it('points into the file where a line breaks a rule', async () => {
    const cwd = await folderOf({ 'a.ndjson': `${line('one')}\n${line('two', { bedrooms: -1 })}` });
    const { stderr } = await run(['create', 'a.ndjson'], { cwd, isTty: true, env: { NO_COLOR: '1' } });
    expect(stderr).toMatch(/a\.ndjson:2:\d+ {2}bedrooms: expected 0 or more, found -1/);
    expect(stderr).toMatch(/^ +2 \| .*"bedrooms":-1\}$/m);
  });
});

describe('before the first render', () => {
  it('all listings are validated', async () => {
    const cwd = await folderOf(TWO);
    const handler: VideoHandler = async (task, context) => {
      // Only a listing that was read before the first began can be made after its file has gone.
      await rm(path.join(cwd, '2.json'), { force: true });
      return succeeding(task, context);
    };
    expect((await run(['create', '1.json', '2.json'], { cwd, handler })).exitCode).toBe(0);
  });

  it('names that some file system takes for one are distinguished, also from the manifest', async () => {
    const ids = ['L-1', 'l-1', 'manifest.json', 'a/b', 'a:b'];
    const files = Object.fromEntries(ids.map((id, index) => [`${index}.json`, listing(id)]));
    const cwd = await folderOf(files);
    const { handler, payloads } = failingFor();
    expect((await run(['create', '.'], { cwd, handler })).exitCode).toBe(0);
    const folders = payloads.map(({ outputDir }) => path.basename(outputDir).toLowerCase());
    expect(new Set([...folders, 'manifest.json']).size).toBe(ids.length + 1);
    // Equal words, equal folders: or the next run would find nothing to reuse.
    const again = failingFor();
    await run(['create', '.'], { cwd, handler: again.handler });
    expect(again.payloads.map(({ outputDir }) => outputDir)).toEqual(payloads.map((each) => each.outputDir));
  });

  it.each([
    ['--report', 'file/x.xml', 3, 'cannot write'],
    ['--events-file', 'file/x.ndjson', 3, 'cannot write'],
    ['--report', 'folder', 2, 'is a folder'],
    ['--events-file', 'folder', 2, 'is a folder'],
  ])('%s %s is refused, exit %i', async (flag, file, exitCode, message) => {
    const cwd = await folderOf({ 'a.json': listing(), file: 'x', 'folder/x': '' });
    const { handler, payloads } = failingFor();
    const ended = await run(['create', 'a.json', flag, file], { cwd, handler });
    expect([ended.exitCode, payloads.length]).toEqual([exitCode, 0]);
    expect(ended.stderr).toContain(message);
  });

  it('a dry run is not asked for reports of what it does not do', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { exitCode, stderr } = await run(['create', 'a.json', '--dry-run', '--report', 'x.xml'], { cwd });
    expect([exitCode, stderr.includes('--dry-run makes no tasks')]).toEqual([2, true]);
  });
});

describe('--fail-fast', () => {
  const files = { ...TWO, '3.json': listing('three') };

  it('begins no other listing after one that fails', async () => {
    const { handler, payloads } = failingFor('two');
    const { exitCode, stderr } = await run('create . --fail-fast', { files, handler });
    expect([exitCode, payloads.length]).toEqual([1, 2]);
    expect(stderr).toMatch(/3\.json +NOT STARTED/);
    expect(stderr).toContain('3 listings: 1 succeeded, 1 failed, 1 not started');
  });

  it('begins none when one is invalid', async () => {
    const cwd = await folderOf({ ...files, '3.json': '{' });
    const { handler, payloads } = failingFor();
    const { exitCode, stdout } = await run(['create', '.', '--fail-fast'], { cwd, handler });
    expect([exitCode, payloads.length, stdout]).toEqual([1, 0, '']);
  });

  it('lets those that run come to their end', async () => {
    const secondOver = deferred();
    const handler: VideoHandler = async (task, context) => {
      if (idOf(task) === 'one') await secondOver.promise;
      if (idOf(task) === 'two') {
        setImmediate(secondOver.resolve);
        throw new ListingVideoError('render_failed', 'broken');
      }
      return succeeding(task, context);
    };
    const words = ['create', '.', '--fail-fast', '--json'];
    const { json } = await run(words, { files, handler, tasksAtOnce: 2 });
    expect(json().data.map((task: AnyJson) => task.state)).toEqual(['SUCCEEDED', 'FAILED']);
  });
});

describe('several at once', () => {
  it('are run, as many as fit, and listed in the order of the command line', async () => {
    const cwd = await folderOf({ ...TWO, '3.json': listing('three') });
    let running = 0;
    let most = 0;
    const together = deferred();
    const handler: VideoHandler = async (task, context) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 2) together.resolve();
      // Would wait for ever if the second were begun after the first.
      await together.promise;
      running -= 1;
      return succeeding(task, context);
    };
    const { json, exitCode } = await run(['create', '.', '--json'], { cwd, handler, tasksAtOnce: 2 });
    expect([exitCode, most]).toEqual([0, 2]);
    expect(json().data.map((task: AnyJson) => task.listing_file)).toEqual(['1.json', '2.json', '3.json']);
  });

  it('show one line on a terminal, which is out of the way when something is printed', async () => {
    const { stderr } = await run('create .', {
      files: TWO,
      isTty: true,
      columns: 60,
      env: { NO_COLOR: '1' },
      handler: failingFor('two').handler,
    });
    expect(stderr).toMatch(/0 of 2 done · 1\.json/);
    expect(stderr).toMatch(/1 of 2 done/);
    expect(stderr).toContain('error: 2.json: broken two');
  });

  it('tell how long the batch still takes, by the pace of the last ones', async () => {
    let now = 0;
    const minute: VideoHandler = (task, context) => {
      now += 60_000;
      return succeeding(task, context);
    };
    const names = Array.from({ length: 9 }, (_, index) => `${index}`);
    const cwd = await folderOf(Object.fromEntries(names.map((name) => [`${name}.json`, listing(name)])));
    const world = { cwd, isTty: true, env: { NO_COLOR: '1' }, handler: minute, nowMs: () => now };
    const { stderr } = await run(['create', '.'], world);
    expect(stderr).toMatch(/5 of 9 done\u001b/);
    expect(stderr).toMatch(/6 of 9 done, about 3 min left/);
  });

  it('show one line each where nobody sits', async () => {
    const { stderr } = await run('create .', { files: TWO });
    expect(stderr).toContain('1.json: started (1 of 2)\n');
    expect(stderr).not.toContain('50 %');
  });
});

describe('what is wrong with the machine', () => {
  it.each(['ffmpeg_missing', 'disk_full'] as const)('%s in a task ends the batch', async (code) => {
    const handler: VideoHandler = async () => {
      throw new ListingVideoError(code, 'unfit');
    };
    const { exitCode, json } = await run('create . --json', { files: TWO, handler });
    expect([exitCode, json().data.length]).toEqual([3, 1]);
  });

  it('but a folder that takes no files is that listing alone', async () => {
    const handler: VideoHandler = async (task, context) => {
      if (idOf(task) === 'one') throw new ListingVideoError('output_unwritable', 'in the way');
      return succeeding(task, context);
    };
    const { exitCode, json } = await run('create . --json', { files: TWO, handler });
    expect([exitCode, json().data.map((task: AnyJson) => task.state)]).toEqual([3, ['FAILED', 'SUCCEEDED']]);
  });
});

describe('--shard', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const files = Object.fromEntries(ids.map((id) => [`${id}.json`, listing(id)]));

  it('shares the listings out, each to one shard', async () => {
    const cwd = await folderOf(files);
    const made: string[][] = [];
    for (const shard of ['1/2', '2/2']) {
      const { handler, payloads } = failingFor();
      const { exitCode } = await run(['create', '.', '--shard', shard], { cwd, handler });
      expect(exitCode).toBe(0);
      made.push(payloads.map((each) => each.listing.id));
    }
    expect(made).toEqual([
      ['a', 'c', 'e'],
      ['b', 'd'],
    ]);
    expect((await readdir(path.join(cwd, 'videos'))).filter((name) => name.endsWith('.json'))).toEqual([
      'manifest-1-of-2.json',
      'manifest-2-of-2.json',
    ]);
    expect((await manifestIn(cwd, 'manifest-2-of-2.json')).shard).toBe('2/2');
  });

  it('leaves an invalid listing to its own shard, and checks ids over all', async () => {
    const cwd = await folderOf({
      'a.json': listing('x'),
      'b.json': listing('x'),
      'c.json': '{',
      'd.json': listing('d'),
    });
    const first = await run(['create', '.', '--shard', '1/2', '--json'], { cwd });
    expect(first.json().invalid.map((each: AnyJson) => each.file)).toEqual(['c.json']);
    const second = await run(['create', '.', '--shard', '2/2', '--json'], { cwd });
    expect(second.json().invalid.map((each: AnyJson) => each.detail[0].ctx.error)).toEqual([
      'the listing id is used by a.json too',
    ]);
    expect(second.json().data.map((each: AnyJson) => each.listing_file)).toEqual(['d.json']);
  });

  it('without a listing has nothing to do, and that is no failure', async () => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { exitCode, stderr } = await run(['create', '.', '--shard', '2/2'], { cwd });
    const file = path.join(cwd, 'videos', 'manifest-2-of-2.json');
    expect([exitCode, stderr]).toEqual([0, `this shard has no listings\nmanifest: ${file}\n`]);
  });

  it.each(['0/2', '3/2', '1', '1/0', '-1/2', '1/2/3', 'one/two'])('refuses %s', async (word) => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { exitCode, stderr } = await run(['create', '.', `--shard=${word}`], { cwd });
    expect([exitCode, stderr.includes('such as 2/5')]).toEqual([2, true]);
  });
});

/** Makes what a real task leaves for the manifest: a report beside the videos. */
const reporting: VideoHandler = async (task) => {
  const payload = task.payload;
  const file = (name: string) => ({ file: name, size_bytes: 10, sha256: 'a'.repeat(64) });
  const videos = payload.listing.agents.map(({ id }) => ({
    ...{ agent_id: id, video: file(`${id}.mp4`), poster: file(`${id}.jpg`), preview: null },
    ...{
      duration_sec: 30,
      is_unchanged: payload.listing.id === 'same',
      segments: { rendered: 1, reused: 0 },
    },
  }));
  const { mkdir } = await import('node:fs/promises');
  await mkdir(payload.outputDir, { recursive: true });
  const { alsoRatio: ratio } = payload.options;
  const also = ratio && {
    also_ratio: videos.map((video) => ({ ...video, ratio, video: file(`${video.agent_id}-tall.mp4`) })),
  };
  await writeFile(path.join(payload.outputDir, 'report.json'), JSON.stringify({ videos, ...also }));
  const dropped_assets = [{ url: 'x.jpg', reason: 'corrupt: cut off' }];
  return { ...outcomeOf(payload), dropped_assets };
};

it('warnings of a batch are told once, with the number of listings', async () => {
  const handler: VideoHandler = async (task, context) => {
    const outcome = await reporting(task, context);
    const id = idOf(task);
    const warnings = [
      `the caption of photo 1 (${id}.jpg) is not shown`,
      ...(id === 'two' ? ['no price'] : []),
    ];
    await writeFile(
      path.join(task.payload.outputDir, 'report.json'),
      JSON.stringify({ videos: [], warnings }),
    );
    return outcome;
  };
  const { cwd, stderr } = await run('create .', { files: TWO, handler });
  expect(stderr.match(/warning: .*/g)).toEqual([
    'warning: 2 listings: the caption of photo 1 is not shown',
    'warning: 2.json: no price',
  ]);
  const verbose = await run(['create', '.', '--verbose', '--out', 'again'], { cwd, handler });
  expect(verbose.stderr).toContain('warning: the caption of photo 1 (one.jpg) is not shown');
});

describe('manifest.json', () => {
  const yesterdays = { generator: 'listing-video 0.1.0', exit_code: 0, listings: [{}] };
  const files = {
    '1.json': listing('one', [agent('ann'), agent('bob')]),
    '2.json': '{',
    '3.json': listing('bad'),
  };
  const handler: VideoHandler = async (task, context) => {
    if (idOf(task) !== 'bad') return reporting(task, context);
    throw new ListingVideoError('no_usable_assets', 'none', {
      context: { dropped_assets: [{ url: 'y.jpg', reason: 'timeout: 5 s' }] },
    });
  };

  it('says what became of every listing, as its schema has it', async () => {
    const { cwd, exitCode, stderr } = await run('create 1.json 2.json 3.json', { files, handler });
    const manifest = await manifestIn(cwd);
    expectValid(manifest);
    expect(manifest).toMatchObject({
      schema_version: 1,
      generator: 'listing-video 9.8.7',
      started_at: '2026-11-20T14:00:00.000+00:00',
      exit_code: exitCode,
      counts: { listings: 3, succeeded: 1, unchanged: 0, failed: 1, invalid: 1, not_started: 0 },
      listings: [
        {
          listing_file: '1.json',
          state: 'SUCCEEDED',
          folder: 'one',
          report: 'one/report.json',
          videos: [
            { agent_id: 'ann', video: { file: 'one/ann.mp4', sha256: 'a'.repeat(64) } },
            { agent_id: 'bob' },
          ],
          dropped_assets: [{ url: 'x.jpg' }],
          error: null,
        },
        { listing_file: '2.json', state: 'INVALID', listing_id: null, error: { code: 'invalid_listing' } },
        { state: 'FAILED', error: { code: 'no_usable_assets' }, dropped_assets: [{ url: 'y.jpg' }] },
      ],
    });
    expect(stderr).toContain(`manifest: ${cwd}/videos/manifest.json`);
  });

  it('is true while the batch runs, so that a killed one leaves a true one', async () => {
    const cwd = await folderOf({
      ...TWO,
      'bad.json': '{',
      'videos/manifest.json': { generator: 'listing-video 9.8.7', runs: [], listings: [] },
    });
    let seen: AnyJson;
    const states = (manifest: AnyJson) => manifest.listings.map((each: AnyJson) => each.state);
    const running: VideoHandler = async (task, context) => {
      const look = async () => {
        seen = await manifestIn(cwd);
        const own = seen.listings.find((each: AnyJson) => each.listing_id === idOf(task));
        expect(own.state).toBe('RUNNING');
      };
      await vi.waitFor(look, { timeout: 20_000 });
      return reporting(task, context);
    };
    await run(['create', '1.json', '2.json', 'bad.json', '--concurrency', '1'], { cwd, handler: running });
    expectValid(seen);
    expect(states(seen)).toEqual(['SUCCEEDED', 'RUNNING', 'INVALID']);
    expect(seen).toMatchObject({ ended_at: null, exit_code: null, counts: { running: 1, succeeded: 1 } });
    expect(seen.runs[0].process.pid).toBe(process.pid);
    expect(await manifestIn(cwd)).toMatchObject({ exit_code: 1, runs: [{ exit_code: 1 }] });
    expect(await readdir(path.join(cwd, 'videos'))).toEqual(['manifest.json', 'one', 'two']);
  });

  it.each([
    ['whose listings are all invalid', { '1.json': '{', '2.json': '{' }, {}, 'INVALID', 2],
    [
      'that finds no store',
      TWO,
      {
        openBackend: async () => {
          throw new ListingVideoError('store_unwritable', 'no store');
        },
      },
      'NOT_STARTED',
      3,
    ],
  ] as const)('of a batch %s replaces yesterday’s', async (_, listings, world, state, exit) => {
    const cwd = await folderOf({ ...listings, 'videos/manifest.json': yesterdays });
    const { exitCode } = await run(['create', '1.json', '2.json'], { cwd, ...world });
    const manifest = await manifestIn(cwd);
    expect([exitCode, manifest.exit_code]).toEqual([exit, exit]);
    expect(manifest.listings.map((each: AnyJson) => each.state)).toEqual([state, state]);
  });

  it.each([
    ['an unknown template', ['--template', 'nope'], 'template_not_found'],
    ['an unknown data layer', ['--data', 'nope=1', '--template', 'modern'], 'usage'],
  ])('of a batch that %s ends says so, instead of yesterday’s results', async (_, words, code) => {
    const listings = { '1.json': listing('one'), '2.json': '{' };
    const cwd = await folderOf({ ...listings, 'videos/manifest.json': yesterdays });
    const { exitCode } = await run(['create', '1.json', '2.json', ...words], { cwd });
    const { runs, listings: entries } = await manifestIn(cwd);
    expect([exitCode, runs]).toMatchObject([2, [{ exit_code: 2, error: { code } }]]);
    expect(entries.map((each: AnyJson) => each.state)).toEqual(['NOT_STARTED', 'INVALID']);
  });

  it('lists the videos in the other ratio beside the agents’ own', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('same') });
    const words = ['create', '1.json', '2.json', '--also-ratio', '1080:1920'];
    await run(words, { cwd, handler: reporting });
    const manifest = await manifestIn(cwd);
    expectValid(manifest);
    expect(manifest.listings).toMatchObject([
      {
        videos: [{ video: { file: 'one/ann.mp4' } }],
        also_ratio: [{ ratio: '1080:1920', agent_id: 'ann', video: { file: 'one/ann-tall.mp4' } }],
      },
      { is_unchanged: true },
    ]);
  });

  it('is no listing itself, and not made for one alone', async () => {
    const cwd = await folderOf({ '1.json': listing('one') });
    await run(['create', '1.json'], { cwd });
    await expect(access(path.join(cwd, 'videos'))).rejects.toThrow();
    const again = await folderOf({
      'manifest.json': {},
      'manifest-1-of-2.json': {},
      '1.json': listing('one'),
    });
    expect((await run(['validate', '.', '--json'], { cwd: again })).json().files).toHaveLength(1);
  });

  it('tells what stood from an earlier run', async () => {
    const cwd = await folderOf({ '1.json': listing('same'), '2.json': listing('new') });
    const { stderr } = await run(['create', '.'], { cwd, handler });
    expect((await manifestIn(cwd)).listings.map((each: AnyJson) => each.is_unchanged)).toEqual([true, false]);
    expect(stderr).toMatch(/1\.json +SUCCEEDED +1 video, unchanged/);
    expect(stderr).toContain('2 listings: 2 succeeded (1 unchanged) in 0 s');
  });

  it('that cannot be written is exit 3, with the videos made', async () => {
    const cwd = await folderOf({
      ...TWO,
      'videos/manifest.json/x': '',
    });
    const { exitCode, stdout, stderr } = await run(['create', '1.json', '2.json'], { cwd });
    expect(exitCode).toBe(3);
    expect(stdout).toContain('one/ann.mp4');
    expect(stderr).toContain('cannot write');
  });
});

describe('--report', () => {
  const hostile = '<a href="x">\n\t&\u0000\u001b]0;\ud800\u202e]]>';

  it.each(['--report', '--report-junit'])('%s is JUnit XML, whatever the names', async (flag) => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': '{', '3.json': listing(hostile) });
    const handler: VideoHandler = async (task, context) => {
      if (idOf(task) === hostile)
        throw new ListingVideoError('render_failed', `no ${hostile}`, { hint: 'a & b' });
      return reporting(task, context);
    };
    const { exitCode } = await run(['create', '.', flag, 'new/folder/junit.xml'], { cwd, handler });
    expect(exitCode).toBe(1);
    const root = readXml(await readFile(path.join(cwd, 'new/folder/junit.xml'), 'utf8'));
    expect(root).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '3', failures: '1', errors: '1', skipped: '0' },
    });
    const [one, two, three] = root.children[0]!.children;
    expect(one).toMatchObject({ attributes: { name: 'one', file: '1.json', classname: 'listing-video' } });
    expect(one!.children.map(({ name, text }) => [name, text])).toEqual([
      ['system-out', `${cwd}/videos/one/ann.mp4\n${cwd}/videos/one/report.html`],
      ['system-err', 'dropped: x.jpg: corrupt: cut off'],
    ]);
    expect(two!.children[0]).toMatchObject({ name: 'error', attributes: { type: 'invalid_listing' } });
    expect(three!.attributes.name).toBe('<a href="x">\n\t&\uFFFD\uFFFD]0;\uFFFD\uFFFD]]>');
    expect(three!.children[0]).toMatchObject({ name: 'failure', attributes: { type: 'render_failed' } });
    // The message is in its attribute: CIs show both.
    expect(three!.children[0]!.text).toBe('try: a & b');
    const { attributes, text } = two!.children[0]!;
    expect(text).not.toContain(attributes.message);
  });

  it('is written for one listing too, and says what was not begun', async () => {
    const cwd = await folderOf({ '1.json': listing('one'), '2.json': listing('two'), 'bad.json': '{' });
    const { handler } = failingFor('one');
    await run(['create', '1.json', '2.json', '--fail-fast', '--report', 'j.xml'], { cwd, handler });
    const [, skipped] = readXml(await readFile(path.join(cwd, 'j.xml'), 'utf8')).children[0]!.children;
    expect(skipped!.children[0]!.name).toBe('skipped');
    expect((await run(['create', 'bad.json', '--report', 'k.xml'], { cwd })).exitCode).toBe(2);
    expect(readXml(await readFile(path.join(cwd, 'k.xml'), 'utf8')).attributes.errors).toBe('1');
  });
});
