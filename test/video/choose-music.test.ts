/** The music of a video, and the warning when the requested music cannot be used. */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_SOUNDTRACKS_DIR } from '../../src/media/encode/audio/load-soundtrack.ts';
import type { FoundFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import {
  createMusicChooser,
  type MusicContext,
  tempoOfFile,
} from '../../src/video/plan/music/choose-music.ts';
import { createBeatFinder } from '../../src/video/plan/music/music-beats.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { RATE, writeWav } from '../media/encode/audio/sound-bench.ts';
import { availableFfmpegs } from '../media/encode/workbench.ts';

const folder = temporaryFolder();
await writeFile(join(folder, 'song.mp3'), 'ID3 and so on');
await writeFile(join(folder, 'text.txt'), 'no music');

const TEMPLATE = { music: 'modern' };
const choose = (wish: string | undefined, around: Partial<MusicContext> = {}, listingId = 'loft') =>
  createMusicChooser({ override: undefined, baseDir: folder, ...around }).choose(TEMPLATE, wish, listingId);

describe('the music of a video', () => {
  it.each([undefined, '', '  '])('is what the template names when the layer is %j', async (wish) => {
    const { name, warnings } = await choose(wish);
    expect(name).toMatch(/^modern(-\d)?$/);
    expect(warnings).toEqual([]);
  });

  it('is silence where a template names none', async () => {
    const chooser = createMusicChooser({ override: undefined, baseDir: null });
    expect(await chooser.choose({}, undefined, 'house')).toMatchObject({
      music: { kind: 'none' },
      name: 'none',
    });
  });

  it.each([
    ['luxury', 'luxury'],
    [' Social ', 'social'],
    ['none', 'none'],
    ['NONE', 'none'],
    ['song.mp3', 'song.mp3'],
    ['./song.mp3', 'song.mp3'],
    [join(folder, 'song.mp3'), 'song.mp3'],
    [pathToFileURL(join(folder, 'song.mp3')).href, 'song.mp3'],
  ])('is what the layer names: %s', async (wish, name) => {
    expect(await choose(wish)).toMatchObject({ name, warnings: [] });
  });

  it.each([
    ['moderm', 'no soundtrack is called "moderm", did you mean "modern"?'],
    ['xyzzyxyzzy', 'there are classic, luxury, modern, neutral, social, none, or a file'],
    ['https://x.example/song.mp3', 'music is not downloaded'],
    ['nowhere.mp3', 'there is no such file'],
    ['text.txt', 'it is not an MP3, M4A, WAV, FLAC or Ogg file'],
    ['.', 'it is not a file'],
    ['../'.repeat(400), 'cannot be used'],
  ])('is the template’s, with a warning, for %s', async (wish, words) => {
    const { name, warnings } = await choose(wish);
    expect(name).toBe('modern');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(words);
    expect(warnings[0]).toMatch(/^template data "music": .*; "modern" is used$/);
    expect(warnings[0]!.length).toBeLessThan(250);
  });

  it('is no file outside the folder of an untrusted listing', async () => {
    const inner = join(folder, 'inner');
    await mkdir(inner, { recursive: true });
    await copyFile(join(folder, 'song.mp3'), join(inner, 'own.mp3'));
    const untrusted = { baseDir: inner, isUntrusted: true };
    expect((await choose('own.mp3', untrusted)).name).toBe('own.mp3');
    for (const value of [
      '../song.mp3',
      join(folder, 'song.mp3'),
      pathToFileURL(join(folder, 'song.mp3')).href,
    ]) {
      const { name, warnings } = await choose(value, untrusted);
      expect([name, warnings[0]]).toEqual([
        'modern',
        expect.stringContaining('is outside the folder of the listing'),
      ]);
    }
  });

  it('reads no file where there is no folder of the client’s own', async () => {
    const { name, warnings } = await choose(join(folder, 'song.mp3'), { baseDir: null });
    expect(name).toBe('modern');
    expect(warnings[0]).toContain('only create can read files');
  });

  it('is that of the command line, also with a data layer and without its folder', async () => {
    const override = join(folder, 'song.mp3');
    expect(await choose('luxury', { override, baseDir: null })).toMatchObject({
      name: 'song.mp3',
      fallback: null,
    });
    expect(await choose('luxury', { override: 'none' })).toMatchObject({ name: 'none' });
  });

  it('is an error when that of the command line cannot be used', async () => {
    await expect(choose('luxury', { override: join(folder, 'gone.mp3') })).rejects.toMatchObject({
      code: 'music_unusable',
      message: expect.stringContaining('there is no such file'),
    });
  });

  it('can be a soundtrack of the user, before a built-in one', async () => {
    const dir = join(folder, 'soundtracks');
    await mkdir(dir);
    for (const file of ['social.json', 'social-body.m4a', 'social-end.m4a'])
      await copyFile(
        join(BUILT_IN_SOUNDTRACKS_DIR, file),
        join(dir, file.replace('social.json', 'modern.json')),
      );
    const { title, music } = await choose(undefined, { soundtrackDirs: [dir] });
    expect(title).toBe('Front Porch Run');
    expect(music).toMatchObject({ loaded: { bodyPath: join(dir, 'social-body.m4a') } });
    await writeFile(join(dir, 'modern.json'), '{"bpm": 100, "beatsPerBar": 4, "body": {}}');
    const damaged = await choose(undefined, { soundtrackDirs: [dir] });
    expect(damaged).toMatchObject({ name: 'none' });
    expect(damaged.warnings[0]).toMatch(
      /"modern" is damaged \(body\.loop must be an object\); the video has no music/,
    );
  });

  it('names a file that is missing without its folder, because clients of a server read the warning', async () => {
    const dir = join(folder, 'incomplete');
    await mkdir(dir);
    await copyFile(join(BUILT_IN_SOUNDTRACKS_DIR, 'modern.json'), join(dir, 'modern.json'));
    const { warnings } = await choose(undefined, { soundtrackDirs: [dir] });
    expect(warnings[0]).toMatch(/"modern" is damaged \(\S+ does not exist\); the video has no music/);
    expect(warnings[0]).not.toContain(folder);
  });

  it('is one of the mood’s soundtracks by the listing, unless one is named', async () => {
    const dir = join(folder, 'moods');
    await mkdir(dir);
    const source = join(BUILT_IN_SOUNDTRACKS_DIR, 'social');
    for (const part of ['-body.m4a', '-end.m4a'])
      await copyFile(`${source}${part}`, join(dir, `social${part}`));
    for (const name of ['modern', 'modern-2', 'modern-3', 'modern-art', 'modernist-2'])
      await copyFile(`${source}.json`, join(dir, `${name}.json`));
    const around = { soundtrackDirs: [dir] };
    const names = await Promise.all(
      Array.from({ length: 30 }, async (_, id) => (await choose(undefined, around, `house-${id}`)).name),
    );
    expect([...new Set(names)].sort()).toEqual(['modern', 'modern-2', 'modern-3']);
    expect((await choose(undefined, around, 'house-7')).name).toBe(names[7]);
    expect((await choose('modern', around, 'house-7')).name).toBe('modern');
    expect((await choose('modern-3', around, 'house-7')).name).toBe('modern-3');
  });

  it('has beats of its own; silence and files have those of the template’s music', async () => {
    expect((await choose('luxury')).beats).toEqual({ bpm: 66, beatsPerBar: 4 });
    const { beats } = await choose(undefined);
    expect(beats).not.toBeNull();
    expect((await choose('none')).beats).toEqual(beats);
    expect((await choose('song.mp3')).beats).toEqual(beats);
  });

  it('has the beats that are found in a file', async () => {
    const found = { bpm: 118.02, firstBeatSec: 0.21 };
    const around = { findBeats: async () => found };
    const chosen = await choose('song.mp3', around);
    expect(chosen.beats).toEqual({ ...found, beatsPerBar: 1 });
    expect(tempoOfFile(chosen)).toBe(118.02);
    expect((await choose('luxury', around)).beats).toEqual({ bpm: 66, beatsPerBar: 4 });
    const without = await choose('song.mp3', { findBeats: async () => null });
    expect(without.beats).toEqual((await choose(undefined)).beats);
    expect(tempoOfFile(without)).toBeNull();
  });

  it('is heard once for its beats, whatever the file is called', async () => {
    const folder = temporaryFolder();
    const beat = (sample: number) => Math.exp(-(sample % (RATE / 2)) / 300) * Math.sin(sample / 5);
    const paths = ['a.wav', 'b.wav'].map((name) => join(folder, name));
    for (const path of paths) await writeWav(path, 12 * RATE, beat);
    const cache = createDiskCache(join(folder, 'cache'), { maxBytes: 1e6 });
    const { path: ffmpeg } = (await availableFfmpegs())[0]!;
    let decoded = 0;
    const findFfmpeg = async () => {
      decoded += 1;
      return { path: ffmpeg, decodesMusic: true } as FoundFfmpeg;
    };
    const { signal } = new AbortController();
    for (const path of paths) {
      const findBeats = createBeatFinder({ cache, findFfmpeg, workDir: folder, signal });
      const { beats } = await choose(path, { findBeats });
      expect(beats).toMatchObject({ bpm: expect.closeTo(120, 0), beatsPerBar: 1 });
    }
    expect(decoded).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['a.wav', 'b.wav', 'cache']);
  });

  it('has no beats of its own where it cannot be decoded', async () => {
    const { path: ffmpeg } = (await availableFfmpegs())[0]!;
    const workDir = temporaryFolder();
    const findBeats = createBeatFinder({
      cache: createDiskCache(join(workDir, 'cache'), { maxBytes: 1e6 }),
      findFfmpeg: async () => ({ path: ffmpeg, decodesMusic: true }) as FoundFfmpeg,
      workDir,
      signal: new AbortController().signal,
    });
    expect((await choose('song.mp3', { findBeats })).beats).toEqual((await choose(undefined)).beats);
  });
});
