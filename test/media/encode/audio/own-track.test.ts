/** Music files of the user's own: decoded, looped or cut, levelled; and files that are none. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inspectMusic, MAX_MUSIC_BYTES } from '../../../../src/media/encode/audio/inspect-music.ts';
import { loopPcm } from '../../../../src/media/encode/audio/loop-pcm.ts';
import { makeMusicTrack, musicTrackKey } from '../../../../src/media/encode/audio/music.ts';
import { readTrackFile } from '../../../../src/media/encode/mp4/track-file.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';
import { availableFfmpegs, writeScript } from '../workbench.ts';
import { decodeTrack, hear, RATE, readPcm, writeWav } from './sound-bench.ts';

const LENGTH = { durationFrames: 30, fps: 30 };
// One of them: `lay-soundtrack.test.ts` takes all.
const ffmpegs = (await availableFfmpegs()).slice(0, 1);
const tune = (sample: number) => 0.3 * Math.sin((2 * Math.PI * 330 * sample) / RATE);
/** Quiet, with a loud crack each second: its peaks would pass the ceiling long before its loudness is reached. */
const cracks = (sample: number) =>
  sample % RATE < 150 ? 0.9 * Math.sin((2 * Math.PI * 3000 * sample) / RATE) : tune(sample) / 15;

async function makeTrackOf(ffmpeg: string, path: string, durationFrames: number, decodesMusic = false) {
  const outDir = temporaryFolder();
  const found = await inspectMusic(path);
  if (!('file' in found)) throw new Error(found.problem);
  const music = { kind: 'file', file: found.file } as const;
  const track = await makeMusicTrack(music, { ffmpeg, decodesMusic, durationFrames, fps: 30, outDir });
  expect(await readdir(outDir)).toEqual([`${musicTrackKey(music, { durationFrames, fps: 30 })}.track`]);
  const { index } = (await readTrackFile(track))!;
  return { audio: index.audio!, track, outDir };
}

/** Also what a player hears of it. */
async function trackOf(...making: Parameters<typeof makeTrackOf>) {
  const { audio, track, outDir } = await makeTrackOf(...making);
  return { audio, ...(await hear(ffmpegs[0]!.path, track, outDir)) };
}

describe.each(ffmpegs)('a music file by ffmpeg $version', ({ path: ffmpeg }) => {
  it.each([
    ['longer than the video', 4, tune],
    ['shorter, so that it is looped', 1.3, tune],
    ['all peaks', 4, cracks],
  ])('%s, is as long as the picture, at -16 LUFS and under -1 dBTP', async (_what, seconds, valueAt) => {
    const path = await writeWav(join(temporaryFolder(), 'tune.wav'), seconds * RATE, valueAt);
    const { audio, integrated, truePeak } = await trackOf(ffmpeg, path, 90);
    expect(audio.soundSamples).toBe(3 * RATE);
    expect(Math.abs(audio.loudnessLufs! + 16)).toBeLessThanOrEqual(0.5);
    expect(Math.abs(integrated + 16)).toBeLessThanOrEqual(0.5);
    expect(truePeak).toBeLessThanOrEqual(-1);
  });
});

describe('a music file', () => {
  const ffmpeg = ffmpegs[0]!.path;

  it.each(['mp3', 'm4a', 'flac', 'ogg'])(
    'may be %s, decoded by ffmpeg or in WebAssembly',
    async (extension) => {
      const folder = temporaryFolder();
      const wav = await writeWav(join(folder, 'tune.wav'), 2 * RATE, tune);
      const path = join(folder, `tune.${extension}`);
      const codec = { mp3: 'libmp3lame', m4a: 'aac', flac: 'flac', ogg: 'libvorbis' }[extension]!;
      const args = ['-v', 'error', '-i', wav, '-metadata', 'title=Tune', '-ac', '2', '-c:a', codec, path];
      await promisify(execFile)(ffmpeg, args);
      // None in WebAssembly reads M4A.
      for (const decodesMusic of extension === 'm4a' ? [true] : [true, false]) {
        const { audio } = await makeTrackOf(ffmpeg, path, 60, decodesMusic);
        expect([audio.soundSamples, Math.abs(audio.loudnessLufs! + 16) <= 0.5]).toEqual([2 * RATE, true]);
      }
    },
  );

  it('has the same samples by ffmpeg and in WebAssembly, also in mono, at 44.1 kHz and with 24 bits', async () => {
    const folder = temporaryFolder();
    const wav = await writeWav(join(folder, 'tune.wav'), 2 * RATE, tune);
    const path = join(folder, 'other.wav');
    const args = ['-v', 'error', '-i', wav, '-ac', '1', '-ar', '44100', '-c:a', 'pcm_s24le', path];
    await promisify(execFile)(ffmpeg, args);
    const [byFfmpeg, inWasm] = await Promise.all([true, false].map((way) => trackOf(ffmpeg, path, 45, way)));
    expect(inWasm).toEqual(byFfmpeg);
  });

  it.each([
    ['silence', 'it is silent', (path: string) => writeWav(path, 2 * RATE, () => 0)],
    ['half a second', 'less than a second', (path: string) => writeWav(path, RATE / 2, tune)],
    [
      'a head without sound',
      'cannot be',
      (path: string) => writeFile(path, 'RIFF....WAVEfmt and then nothing'),
    ],
    [
      'an MP3 of noise',
      'cannot be',
      (path: string) => writeFile(path, Buffer.from(`ID3${'\x91'.repeat(5000)}`)),
    ],
  ])('that is %s cannot be used', async (_what, words, write) => {
    const path = join(temporaryFolder(), 'tune.wav');
    await write(path);
    await expect(trackOf(ffmpeg, path, 60)).rejects.toMatchObject({
      code: 'music_unusable',
      message: expect.stringContaining(words),
    });
  });

  it('is not called unusable when somebody stops its ffmpeg', async () => {
    const path = await writeWav(join(temporaryFolder(), 'tune.wav'), 3 * RATE, tune);
    const stopped = await writeScript('exit 255');
    await expect(trackOf(stopped, path, 60, true)).rejects.toMatchObject({
      code: 'encode_failed',
      context: { interrupted: true },
    });
  });

  it('that is repeated goes on with its beats', async () => {
    // A click each half second, 4.7 s long: without care the next would follow after 0.2 s.
    const isClick = (sample: number) => sample % (RATE / 2) < 240;
    const valueAt = (sample: number) => (isClick(sample) ? 0.5 * Math.sin(sample / 3) : 0);
    const outDir = temporaryFolder();
    const path = await writeWav(join(outDir, 'clicks.wav'), 4.7 * RATE, valueAt);
    const found = (await inspectMusic(path)) as { file: never };
    const beats = { bpm: 120, firstBeatSec: 0 };
    const length = { durationFrames: 300, fps: 30 };
    const track = await makeMusicTrack(
      { kind: 'file', file: found.file, beats },
      { ffmpeg, ...length, outDir },
    );
    const gaps = gapsBetweenClicks(await decodeTrack(ffmpeg, track, outDir));
    expect(gaps.length).toBeGreaterThan(15);
    for (const gap of gaps) expect(Math.abs(gap / RATE - 0.5)).toBeLessThan(0.01);
  });

  it('that changes while it is read cannot be used', async () => {
    const path = await writeWav(join(temporaryFolder(), 'tune.wav'), RATE, tune);
    const found = await inspectMusic(path);
    await writeWav(path, RATE, cracks);
    const music = { kind: 'file', file: (found as { file: never }).file } as const;
    const outDir = temporaryFolder();
    const making = makeMusicTrack(music, { ffmpeg, durationFrames: 30, fps: 30, outDir });
    await expect(making).rejects.toMatchObject({ code: 'music_unusable' });
    expect(await readdir(outDir)).toEqual([]);
  });
});

/** Samples from each click to the next. */
function gapsBetweenClicks(sound: Float32Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < sound.length; at++)
    if (Math.abs(sound[at]!) > 0.05 && at - (starts.at(-1) ?? -RATE) > RATE / 10) starts.push(at);
  return starts.slice(1).map((start, index) => start - starts[index]!);
}

describe('inspectMusic', () => {
  it('refuses what is no file, too large, or something else, without waiting', async () => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'folder.mp3'));
    await promisify(execFile)('mkfifo', [join(folder, 'pipe.mp3')]);
    await writeFile(join(folder, 'huge.mp3'), 'ID3');
    await truncate(join(folder, 'huge.mp3'), MAX_MUSIC_BYTES + 1);
    await writeFile(join(folder, 'list.m3u8'), '#EXTM3U\nhttp://127.0.0.1:9/x.ts\n');
    await writeFile(join(folder, 'list.ffconcat'), 'ffconcat version 1.0\nfile /etc/passwd\n');
    await writeFile(join(folder, 'empty.mp3'), '');
    const problems = await Promise.all(
      (await readdir(folder)).sort().map(async (name) => {
        const found = await inspectMusic(join(folder, name));
        return [name, 'problem' in found ? found.problem : null];
      }),
    );
    const none = 'it is not an MP3, M4A, WAV, FLAC or Ogg file';
    expect(Object.fromEntries(problems)).toEqual({
      'empty.mp3': none,
      'folder.mp3': 'it is not a file',
      'huge.mp3': 'it has 201 MiB, at most 200 MiB are read',
      'list.ffconcat': none,
      'list.m3u8': none,
      'pipe.mp3': 'it is not a file',
    });
  });

  it('tells files apart by their bytes, not by their names', async () => {
    const folder = temporaryFolder();
    const [a, b, c] = ['a.mp3', 'b.mp3', 'c.mp3'].map((name) => join(folder, name));
    await writeFile(a!, 'ID3 one');
    await writeFile(b!, 'ID3 one');
    await writeFile(c!, 'ID3 two');
    const keys = await Promise.all(
      [a, b, c].map(async (path) => {
        const found = await inspectMusic(path!);
        return 'file' in found ? musicTrackKey({ kind: 'file', file: found.file }, LENGTH) : '';
      }),
    );
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('loopPcm', () => {
  it('repeats without a step: the joins are no rougher than the music', async () => {
    const folder = temporaryFolder();
    // A tone that does not close on itself after these: a bare repeat would jump.
    const samples = 52_837;
    const wav = await writeWav(join(folder, 'tune.wav'), samples, tune);
    const bytes = await readFile(wav);
    const from = join(folder, 'from.pcm');
    await writeFile(from, bytes.subarray(44));
    const to = join(folder, 'to.pcm');
    await loopPcm(from, to, { samples, totalSamples: 5 * RATE, crossfadeSamples: RATE / 4 });
    const heard = await readPcm(to);
    expect(heard).toHaveLength(5 * RATE);
    const step = (pcm: Float32Array) =>
      pcm.reduce((most, value, i) => Math.max(most, i === 0 ? 0 : Math.abs(value - pcm[i - 1]!)), 0);
    expect(step(heard)).toBeLessThan(step(await readPcm(from)) * 1.5);
    // The repeat is the music from its start, to the sample.
    expect(heard[samples]).toBeCloseTo(tune(RATE / 4), 6);
  });
});
