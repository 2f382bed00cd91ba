/** `create` from end to end, through the launcher: what is made, what is reused, what is left. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { reportSchema } from '../../src/video/publish/report.ts';
import { decodeVideo } from './decode-video.ts';
import { Desk, type Finished, SMALL_LISTING } from './program.ts';

const desk = new Desk();
afterAll(() => desk.close());

describe('create', () => {
  let first: Finished;
  beforeAll(async () => {
    first = await desk.run(['create', SMALL_LISTING, '--quality', 'draft', '--preview']);
  });

  it('prints the paths of what it made, and nothing else, on stdout', () => {
    expect(first).toMatchObject({ exitCode: 0 });
    const folder = path.join(desk.out, 'small');
    expect(first.stdout.trim().split('\n')).toEqual(
      ['a.mp4', 'a.gif', 'report.html'].map((name) => path.join(folder, name)),
    );
  });

  it('says in the report for people that it made a draft, and of what size', () => {
    const html = readFileSync(path.join(desk.out, 'small', 'report.html'), 'utf8');
    expect(html).toContain('draft, 960 × 540, 15 frames per second');
  });

  it('leaves the complete set and nothing beside it', async () => {
    expect(await desk.names()).toEqual([
      'a.gif',
      'a.jpg',
      'a.mp4',
      'a.txt',
      'a.vtt',
      'report.html',
      'report.json',
    ]);
    expect(await desk.workFolders()).toEqual([]);
  });

  it('makes a draft of half the size and rate whose every frame decodes, from the hero to the card', async () => {
    const report = await desk.report();
    const video = await decodeVideo(path.join(desk.out, 'small', 'a.mp4'));
    expect(video.frames).toBe(report.videos[0].frames);
    expect(video.probed).toMatchObject({ widthPx: 960, heightPx: 540, fps: 15 });
    expect(report.videos[0]).toMatchObject({ width_px: 960, height_px: 540, fps: video.probed.fps });
    expect(video.hasAudio).toBe(true);
    // The hook's photos stand on their own colors, the card on the page, which is ivory (#F4EFE4).
    expect(Math.max(...video.firstFrameCorner)).toBeGreaterThan(16);
    expect(video.lastFrameCorner.map((value, at) => Math.abs(value - [0xf4, 0xef, 0xe4][at]!) <= 4)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('writes a report that follows its documented schema', async () => {
    const validate = new Ajv2020({ strict: false }).compile(reportSchema());
    const report = await desk.report();
    validate(report);
    expect(validate.errors).toBeNull();
    const at = (name: string) => pathToFileURL(path.join(desk.out, 'small', name)).href;
    const { created_at } = report.videos[0];
    expect(report.results).toEqual([
      { agent_id: 'a', url: at('a.mp4'), preview_url: at('a.gif'), created_at, metadata: {} },
    ]);
  });

  it('makes nothing again when nothing has changed, and says so', async () => {
    const before = { video: desk.digest('a.mp4'), report: await desk.report() };
    const again = await desk.run(['create', SMALL_LISTING, '--quality', 'draft', '--preview']);
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    expect(again.stderr).toMatch(/^note: nothing has changed: the video is up to date/m);
    const report = await desk.report();
    expect(report.videos[0]).toMatchObject({
      is_unchanged: true,
      created_at: before.report.videos[0].created_at,
    });
    expect(report.videos[0].segments.rendered).toBe(0);
    expect(report.task_id).not.toBe(before.report.task_id);
    expect(desk.digest('a.mp4')).toBe(before.video);
  });

  it('renders only the card again when only a phone number has changed', async () => {
    const listing = await desk.writeListing('phone.json', ({ agents }) => {
      agents[0]!.phones = [{ number: '(503) 555-0123' }];
    });
    expect(await desk.run(['create', listing, '--quality', 'draft', '--preview'])).toMatchObject({
      exitCode: 0,
    });
    const { segments, scenes } = (await desk.report()).videos[0];
    expect(segments.rendered).toBe(1);
    expect(segments.reused).toBeGreaterThan(2);
    expect(scenes.at(-1).texts).toContain('(503) 555-0123');
  });

  it('notices a video that somebody damaged, and makes it again from the cache', async () => {
    writeFileSync(path.join(desk.out, 'small', 'a.mp4'), 'not a video');
    expect(await desk.run(['create', SMALL_LISTING, '--quality', 'draft', '--preview'])).toMatchObject({
      exitCode: 0,
    });
    const [video] = (await desk.report()).videos;
    expect(video).toMatchObject({ is_unchanged: false, segments: { rendered: 0 } });
    expect((await decodeVideo(path.join(desk.out, 'small', 'a.mp4'))).frames).toBe(video.frames);
  });

  it('cuts on the beats of other music when that is requested, at the same loudness', async () => {
    const before = { report: await desk.report(), video: desk.digest('a.mp4') };
    const args = ['create', SMALL_LISTING, '--quality', 'draft', '--preview', '--music', 'luxury'];
    expect(await desk.run(args)).toMatchObject({ exitCode: 0 });
    const [video] = (await desk.report()).videos;
    const [earlier] = before.report.videos;
    expect(earlier.sound).toMatchObject({ music: expect.stringMatching(/^classic/), bpm: null });
    expect(video.is_unchanged).toBe(false);
    expect(video.scenes).not.toEqual(earlier.scenes);
    expect(video.sound).toMatchObject({ music: 'luxury', title: 'Long Light' });
    expect(Math.abs(video.sound.loudness_lufs + 16)).toBeLessThanOrEqual(0.5);
    expect(video.key).not.toBe(earlier.key);
    expect(desk.digest('a.mp4')).not.toBe(before.video);
    expect(await desk.run(args)).toMatchObject({ stderr: expect.stringContaining('nothing has changed') });
    expect((await desk.report()).videos[0].sound).toEqual(video.sound);
  });

  it('adds a video without branding under a name that says nothing, and leaves the agent’s as it is', async () => {
    const agentsOwn = { video: desk.digest('a.mp4'), report: (await desk.report()).videos[0] };
    const args = ['create', SMALL_LISTING, '--quality', 'draft', '--preview', '--music', 'luxury'];
    const { exitCode, stdout } = await desk.run([...args, '--also-unbranded']);
    expect(exitCode).toBe(0);
    const name = 'unbranded-1920x1080';
    expect(stdout).toContain(path.join(desk.out, 'small', `${name}.mp4`));
    expect(await desk.names()).toEqual(expect.arrayContaining([`${name}.mp4`, `${name}.jpg`, `${name}.gif`]));
    const report = await desk.report();
    const validate = new Ajv2020({ strict: false }).compile(reportSchema());
    validate(report);
    expect(validate.errors).toBeNull();
    expect(report.unbranded).toMatchObject([
      { template_id: 'unbranded', ratio: '1920:1080', is_unchanged: false },
    ]);
    expect(JSON.stringify(report.unbranded)).not.toMatch(/Ada|Byron/);
    expect(readFileSync(path.join(desk.out, 'small', `${name}.mp4`)).toString('latin1')).not.toMatch(
      /Ada|Byron/,
    );
    expect(report.videos).toMatchObject([{ key: agentsOwn.report.key, is_unchanged: true }]);
    expect(desk.digest('a.mp4')).toBe(agentsOwn.video);
    expect(await desk.run([...args, '--also-unbranded'])).toMatchObject({
      stderr: expect.stringContaining('nothing has changed'),
    });
  });

  it('gives a data layer’s broken music up with a warning, and a command’s with an error', async () => {
    const song = path.join(desk.root, 'broken.mp3');
    writeFileSync(song, Buffer.from(`ID3${'\x91'.repeat(5000)}`));
    const args = ['create', SMALL_LISTING, '--quality', 'draft', '--preview'];
    expect(await desk.run([...args, '--data', `music=${song}`])).toMatchObject({ exitCode: 0 });
    const [video] = (await desk.report()).videos;
    expect(video.sound).toMatchObject({ music: expect.stringMatching(/^classic/) });
    expect(video.warnings).toEqual([
      expect.stringMatching(/"broken\.mp3" cannot be used.*"classic(-\d)?" is used$/),
    ]);
    const ordered = await desk.run([...args, '--music', song]);
    expect(ordered.exitCode).toBe(1);
    expect(ordered.stderr).toContain('the music "broken.mp3" cannot be used: it cannot be decoded');
  });

  it('makes everything again when forced to, whatever the cache has', async () => {
    const before = desk.digest('a.gif');
    const root = path.join(desk.home, 'cache');
    const cache = createDiskCache(root, { maxBytes: 1e9 });
    const wrong = path.join(desk.root, 'wrong');
    writeFileSync(wrong, 'not a picture');
    const kinds = ['previews', 'posters', 'stills'] as const;
    for (const kind of kinds) {
      const entries = readdirSync(path.join(root, kind), { recursive: true }).map((entry) =>
        path.basename(`${entry}`),
      );
      for (const entry of entries.filter((name) => name.includes('~'))) {
        await cache.put(kind, entry.slice(0, entry.lastIndexOf('~')), wrong);
      }
    }
    const forced = await desk.run(['create', SMALL_LISTING, '--quality', 'draft', '--preview', '--force']);
    expect(forced).toMatchObject({ exitCode: 0 });
    const [{ segments }] = (await desk.report()).videos;
    expect(segments).toMatchObject({ reused: 0 });
    expect(desk.digest('a.gif')).toBe(before);
    const folder = path.join(desk.out, 'small');
    expect(readFileSync(path.join(folder, 'a.jpg')).subarray(0, 2).toString('hex')).toBe('ffd8');
    expect(readFileSync(path.join(folder, 'report.html'), 'utf8')).not.toContain(btoa('not a picture'));
  });

  it('describes a run without making one', async () => {
    const dry = await desk.run([
      'create',
      SMALL_LISTING,
      '--dry-run',
      '--json',
      '--out',
      path.join(desk.root, 'dry'),
    ]);
    expect(dry.exitCode).toBe(0);
    const { videos, cost } = JSON.parse(dry.stdout).data?.[0] ?? JSON.parse(dry.stdout);
    expect(cost.credits).toBe(1);
    expect(videos[0].scenes[0]).toMatchObject({ kind: 'hero', start_sec: 0 });
    expect(await desk.names('../dry')).toEqual([]);
  });

  it('keeps the task for other terminals to read', async () => {
    const list = await desk.run(['tasks', 'list', '--state', 'SUCCEEDED', '--json']);
    const { data } = JSON.parse(list.stdout);
    expect(data.length).toBeGreaterThanOrEqual(4);
    const one = await desk.run(['tasks', 'get', data[0].id, '--json']);
    expect(JSON.parse(one.stdout)).toEqual({ schema_version: 1, ...data[0] });
    expect(data[0].results[0]).toMatchObject({ agent_id: 'a', metadata: {} });
  });

  it('keeps the cache within its limit, and scenes rather than photos', async () => {
    const usage = async () => {
      const { kinds, size_bytes: size } = JSON.parse((await desk.run(['cache', '--json'])).stdout);
      const sizeOf = (kind: string) =>
        kinds.find((share: { kind: string }) => share.kind === kind).size_bytes;
      return { size, photos: sizeOf('photos'), scenes: sizeOf('scenes') };
    };
    const before = await usage();
    expect(Math.min(before.photos, before.scenes)).toBeGreaterThan(0);
    const dry = ['create', SMALL_LISTING, '--dry-run', '--out', path.join(desk.root, 'dry')];
    const limit = before.size - 1000;
    expect(await desk.run([...dry, '--cache-size', `${limit}`])).toMatchObject({ exitCode: 0 });
    const after = await usage();
    expect(after.size).toBeLessThanOrEqual(limit);
    expect(after.photos).toBeLessThan(before.photos);
    expect(after.scenes).toBe(before.scenes);
    expect(await desk.run([...dry, '--cache-size', '0'])).toMatchObject({ exitCode: 0 });
    expect(await usage()).toMatchObject({ photos: 0, scenes: 0 });
  });
});
