import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { silentTrack } from '../../../src/media/encode/audio/soundtrack.ts';
import { encodeSegments } from '../../../src/media/encode/encode-segments.ts';
import { runFfmpegJob } from '../../../src/media/encode/ffmpeg/run-ffmpeg.ts';
import { assembleVideo } from '../../../src/media/encode/mp4/assemble-video.ts';
import { readTrackFile } from '../../../src/media/encode/mp4/track-file.ts';
import { verifyVideo } from '../../../src/media/encode/mp4/verify-video.ts';
import { shrinkVideo } from '../../../src/media/encode/shrink-video.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { FORMAT, numberedFrames, segmentsOf } from './numbered-frames.ts';
import { availableFfmpegs } from './workbench.ts';

const ffmpeg = (await availableFfmpegs())[0]!.path;
const expected = { ...FORMAT, frameCount: 20, title: 'A title', comment: 'A comment' };
let folder: string;
let sound: Buffer;
let audio: string;

beforeAll(async () => {
  folder = temporaryFolder();
  const segments = segmentsOf(12, 8);
  await encodeSegments({ ffmpeg, format: FORMAT, ...numberedFrames(segments), segments, outDir: folder });
  audio = await silentTrack({ ffmpeg, durationFrames: 20, fps: 30, outDir: folder });
  const paths = segments.map(({ key }) => join(folder, `${key}.segment`));
  const outPath = join(folder, 'good.mp4');
  await assembleVideo({
    format: FORMAT,
    segments: paths,
    audio,
    title: 'A title',
    comment: 'A comment',
    outPath,
  });
  sound = await readFile(outPath);
});

/** The good video with `found` (latin1), which occurs once, replaced by as many other bytes. */
async function tampered(found: string, replacement: string): Promise<string> {
  const at = sound.indexOf(found, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  const bytes = Buffer.from(sound);
  bytes.write(replacement, at, 'latin1');
  const path = join(folder, 'tampered.mp4');
  await writeFile(path, bytes);
  return path;
}

describe('verifyVideo', () => {
  it('accepts what we make', async () => {
    const path = join(folder, 'good.mp4');
    await expect(verifyVideo(path, expected)).resolves.toMatchObject({
      frameCount: 20,
      durationSec: 20 / 30,
    });
  });

  it.each([
    ['frame count', { frameCount: 21 }, ['frames is 20, expected 21']],
    ['size', { widthPx: 640, heightPx: 360 }, ['frame size is 320x180', 'coded size is 320x180']],
    ['frame rate', { fps: 25 }, ['time of frame 1']],
    ['title', { title: 'Another' }, ['title is A title, expected Another']],
    ['comment', { comment: '' }, ['comment is A comment']],
    [
      'container',
      { hasEditLists: false },
      ['edit list of track 1 is true, expected false', 'edit list of track 2'],
    ],
  ])('finds another %s', async (_what, change, words) => {
    const failure = await verifyVideo(join(folder, 'good.mp4'), { ...expected, ...change }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: 'verification_failed', exitCode: 1 });
    const differences = failure.context.differences.join('\n');
    for (const word of words) expect(differences).toContain(word);
  });

  it.each([
    ['color tags of the container', 'nclx\x00\x01', 'nclx\x00\x09', 'color tags'],
    ['a video codec', 'avc1\x00\x00\x00\x00', 'avc3\x00\x00\x00\x00', 'video codec is avc3'],
    ['a missing sound track', 'soun\x00', 'text\x00', 'tracks is video, expected video audio'],
    ['its parts out of order', 'moov', 'free', 'order of boxes is ftyp free mdat'],
  ])('finds %s', async (_what, found, replacement, words) => {
    const path = await tampered(found, replacement);
    await expect(verifyVideo(path, expected)).rejects.toMatchObject({
      code: 'verification_failed',
      message: expect.stringContaining(words),
    });
  });

  it.each([1, 100, 20_000])('finds a file that lacks its last %i bytes', async (missing) => {
    const path = join(folder, 'cut.mp4');
    await writeFile(path, sound.subarray(0, Math.max(10, sound.length - missing)));
    await expect(verifyVideo(path, expected)).rejects.toMatchObject({ code: 'verification_failed' });
  });

  it('finds a moov behind the pictures, another profile, and colours that are not tagged', async () => {
    const path = join(folder, 'ffmpeg.mp4');
    const describeJob = (command: import('fluent-ffmpeg').FfmpegCommand) =>
      command
        .input('testsrc2=s=320x180:r=30')
        .inputOptions(['-f lavfi'])
        .input('anullsrc=r=48000:cl=stereo')
        .inputOptions(['-f lavfi'])
        .outputOptions(['-frames:v 20', '-t 0.6666', '-pix_fmt yuv420p', '-profile:v baseline', '-c:a aac'])
        .output(path);
    await runFfmpegJob(ffmpeg, describeJob, { timeoutMs: 30_000 });
    const failure = await verifyVideo(path, expected).catch((error) => error);
    expect(failure.code).toBe('verification_failed');
    const differences = failure.context.differences.join('\n');
    for (const word of ['order of boxes', 'profile is 66', 'primaries is 2', 'title']) {
      expect(differences).toContain(word);
    }
  });
});

describe('shrinkVideo', () => {
  const format = { widthPx: 160, heightPx: 90, fps: 30 };
  const shrink = (key: string, maxBytes: number) =>
    shrinkVideo({
      ...{ ffmpeg, video: join(folder, 'good.mp4'), format, frameCount: 20 },
      ...{ maxBytes, outDir: folder, key, signal: new AbortController().signal },
    });

  it('makes smaller pictures that can be joined as all others, in two passes where one is too large', async () => {
    const path = (await shrink('once', 1e6))!;
    const { packetBytes } = (await readTrackFile(path))!;
    const maxBytes = Math.floor(packetBytes * 0.7);
    const smaller = (await shrink('twice', maxBytes))!;
    expect((await readTrackFile(smaller))!.packetBytes).toBeLessThanOrEqual(maxBytes);
    const outPath = join(folder, 'small.mp4');
    await assembleVideo({
      format,
      segments: [smaller],
      audio,
      title: 'A title',
      comment: 'A comment',
      outPath,
    });
    await verifyVideo(outPath, { ...expected, ...format });
    expect((await readdir(folder)).filter((name) => /\.log/.test(name))).toEqual([]);
  });

  it('leaves nothing where even the least quality is too large', async () => {
    expect(await shrink('never', 10)).toBeNull();
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([]);
  });
});
