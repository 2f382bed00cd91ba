import { copyFile, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input, type InputVideoTrack } from 'mediabunny';
import { describe, expect, it, vi } from 'vitest';
import { encodeSoundtrack, silentTrack } from '../../../src/media/encode/audio/soundtrack.ts';
import { encodeSegments } from '../../../src/media/encode/encode-segments.ts';
import { GROUP_FRAMES } from '../../../src/media/encode/encode-settings.ts';
import type { FoundFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { assembleVideo } from '../../../src/media/encode/mp4/assemble-video.ts';
import { verifyVideo } from '../../../src/media/encode/mp4/verify-video.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { FORMAT, numberedFrames, segmentsOf } from './numbered-frames.ts';
import { availableFfmpegs, decodeNumbers, decodeSound } from './workbench.ts';

const LENGTHS = [31, 1, 8, 45, 2, 60];
const FRAME_COUNT = LENGTHS.reduce((total, length) => total + length, 0);
const TITLE = '12 Élan Street';
const COMMENT = 'Made from listing 7';

interface Made {
  readonly segments: readonly string[];
  readonly audio: string;
  readonly video: string;
}

const madeBy = new Map<string, Promise<Made>>();

/** Made once per ffmpeg; not to be changed. */
function madeVideo(ffmpeg: string): Promise<Made> {
  const made = madeBy.get(ffmpeg) ?? makeVideo(ffmpeg);
  madeBy.set(ffmpeg, made);
  return made;
}

/** Segments 1 to 3 are encoded in another process than the rest, as agents' scenes and cached ones are. */
async function makeVideo(ffmpeg: string): Promise<Made> {
  const folder = temporaryFolder();
  const segments = segmentsOf(...LENGTHS);
  const runs = [segments.filter((_, i) => i < 1 || i > 3), segments.slice(1, 4)];
  for (const run of runs) {
    const { frames } = numberedFrames(run);
    await encodeSegments({ ffmpeg, format: FORMAT, frames, segments: run, outDir: folder });
  }
  const audio = await silentTrack({ ffmpeg, durationFrames: FRAME_COUNT, fps: FORMAT.fps, outDir: folder });
  const video = join(folder, 'video.mp4');
  const paths = segments.map(({ key }) => join(folder, `${key}.segment`));
  await assembleVideo({
    format: FORMAT,
    segments: paths,
    audio,
    title: TITLE,
    comment: COMMENT,
    outPath: video,
  });
  return { segments: paths, audio, video };
}

const expected = { ...FORMAT, frameCount: FRAME_COUNT, title: TITLE, comment: COMMENT };
const ffmpegs: FoundFfmpeg[] = await availableFfmpegs();

describe.each(ffmpegs)('a video joined of segments by ffmpeg $version ($source)', ({ path: ffmpeg }) => {
  it('shows every frame once, in order, and passes its verification', async () => {
    const { video } = await madeVideo(ffmpeg);
    const numbers = await decodeNumbers(ffmpeg, video);
    expect(numbers).toEqual(Array.from({ length: FRAME_COUNT }, (_, i) => i));
    await expect(verifyVideo(video, expected)).resolves.toEqual({
      frameCount: FRAME_COUNT,
      durationSec: FRAME_COUNT / 30,
      sizeBytes: (await stat(video)).size,
    });
  });

  it('has sound that starts with the picture and ends with it', async () => {
    const { video } = await madeVideo(ffmpeg);
    const { length } = await decodeSound(ffmpeg, video);
    // ffmpeg skips what the edit list skips in front, but plays the last packet to its end, as it does with its own
    // files.
    expect(length).toBeGreaterThanOrEqual(FRAME_COUNT * 1600);
    expect(length).toBeLessThan(FRAME_COUNT * 1600 + 1024);
    expect((length + 1024) % 1024).toBe(0);
  });
});

describe.each(['draft', 'high'] as const)('a video of %s quality', (quality) => {
  it('passes its verification, every frame in its place', async () => {
    const folder = temporaryFolder();
    const ffmpeg = ffmpegs.at(-1)!.path;
    const segments = segmentsOf(9, 12);
    const format = { ...FORMAT, quality };
    await encodeSegments({ ffmpeg, format, ...numberedFrames(segments), segments, outDir: folder });
    const audio = await silentTrack({ ffmpeg, durationFrames: 21, fps: 30, outDir: folder });
    const paths = segments.map(({ key }) => join(folder, `${key}.segment`));
    const outPath = join(folder, 'video.mp4');
    await assembleVideo({ format, segments: paths, audio, title: TITLE, comment: COMMENT, outPath });
    await verifyVideo(outPath, { ...expected, frameCount: 21 });
    expect(await decodeNumbers(ffmpeg, outPath)).toEqual(Array.from({ length: 21 }, (_, i) => i));
  });
});

/** Every packet with its time and bytes, as an independent demuxer reads them, and how long the tracks are. */
async function readTracks(path: string) {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const read = { video: [] as ReadPacket[], audio: [] as ReadPacket[], durations: {} as Durations };
  for (const track of await input.getTracks()) {
    const kind = track.isVideoTrack() ? 'video' : 'audio';
    read.durations[kind] = await track.computeDuration();
    for await (const { timestamp, data } of new EncodedPacketSink(track as InputVideoTrack).packets())
      read[kind].push({ timestamp, bytes: Buffer.from(data).toString('base64') });
  }
  input.dispose();
  return read;
}

interface ReadPacket {
  readonly timestamp: number;
  readonly bytes: string;
}

type Durations = { video?: number; audio?: number };

describe('assembleVideo', () => {
  const ffmpeg = ffmpegs[0]!.path;

  it('makes a file without edit lists whose picture and sound start at 0, with the frames and sound of every other', async () => {
    const { segments, audio, video } = await madeVideo(ffmpeg);
    const outPath = join(temporaryFolder(), 'no-edits.mp4');
    const request = { format: FORMAT, segments, audio, title: TITLE, comment: COMMENT, outPath };
    await assembleVideo({ ...request, hasEditLists: false });
    await verifyVideo(outPath, { ...expected, hasEditLists: false });
    expect(await decodeNumbers(ffmpeg, outPath)).toEqual(Array.from({ length: FRAME_COUNT }, (_, i) => i));
    const [usual, without] = [await readTracks(video), await readTracks(outPath)];
    expect(without.video).toEqual(usual.video);
    // The packet that only prepares the decoder is gone; all others have their times.
    expect(usual.audio[0]!.timestamp).toBeCloseTo(-1024 / 48_000, 9);
    expect(without.audio).toEqual(usual.audio.slice(1));
    expect(without.audio[0]!.timestamp).toBe(0);
    const lengths = [without.durations.video!, without.durations.audio!];
    expect(Math.abs(lengths[0]! - lengths[1]!)).toBeLessThan(1024 / 48_000);
  });

  it('is read by an independent demuxer with exact times, BT.709 tags and metadata', async () => {
    const { video } = await madeVideo(ffmpeg);
    const input = new Input({ source: new FilePathSource(video), formats: ALL_FORMATS });
    const picture = (await input.getPrimaryVideoTrack())!;
    const sound = (await input.getPrimaryAudioTrack())!;
    const config = (await picture.getDecoderConfig())!;
    expect(config.codec).toMatch(/^avc1\.6400/);
    expect(config.colorSpace).toEqual({
      primaries: 'bt709',
      transfer: 'bt709',
      matrix: 'bt709',
      fullRange: false,
    });
    expect((await sound.getDecoderConfig())?.codec).toBe('mp4a.40.2');
    expect(await sound.computeDuration()).toBeCloseTo(FRAME_COUNT / 30, 9);
    expect(await input.getMetadataTags()).toMatchObject({ title: TITLE, comment: COMMENT });
    const times: number[] = [];
    for await (const packet of new EncodedPacketSink(picture).packets()) times.push(packet.timestamp);
    times.sort((a, b) => a - b);
    expect(times).toHaveLength(FRAME_COUNT);
    for (const [frame, time] of times.entries()) expect(time).toBeCloseTo(frame / 30, 9);
    input.dispose();
  });

  it('keeps sound in sync: a click at one second is heard at one second', async () => {
    const folder = temporaryFolder();
    const segments = segmentsOf(60);
    const { frames } = numberedFrames(segments);
    await encodeSegments({ ffmpeg, format: FORMAT, frames, segments, outDir: folder });
    const audio = await encodeSoundtrack(
      { ffmpeg, durationFrames: 60, fps: 30, outDir: folder, fileName: 'click.track' },
      {
        addInputs: (command) =>
          command
            .input("aevalsrc='if(gte(t,1),sin(2*PI*1000*t),0)':s=48000:c=stereo")
            .inputOptions(['-f lavfi']),
        graph: 'anull',
      },
    );
    const outPath = join(folder, 'click.mp4');
    const paths = segments.map(({ key }) => join(folder, `${key}.segment`));
    await assembleVideo({ format: FORMAT, segments: paths, audio, title: '', comment: '', outPath });
    const sound = await decodeSound(ffmpeg, outPath);
    const firstLoud = sound.findIndex((sample) => Math.abs(sample) > 8000);
    await assembleVideo({
      ...{ format: FORMAT, segments: paths, audio, title: '', comment: '', outPath },
      hasEditLists: false,
    });
    const withoutEdits = await decodeSound(ffmpeg, outPath);
    expect(withoutEdits.length).toBe(sound.length);
    expect(withoutEdits.subarray(1024)).toEqual(sound.subarray(1024));
    // An encoder smears a sudden start over a part of a packet; half a frame would be heard by nobody.
    expect(Math.abs(firstLoud - 48_000)).toBeLessThan(800);
  });

  it('writes the same bytes each time', async () => {
    const { segments, audio, video } = await madeVideo(ffmpeg);
    const outPath = join(temporaryFolder(), 'again.mp4');
    await assembleVideo({ format: FORMAT, segments, audio, title: TITLE, comment: COMMENT, outPath });
    expect((await readFile(outPath)).equals(await readFile(video))).toBe(true);
  });

  it('takes the first frames of a segment, where no picture among them is shown later', async () => {
    const { segments } = await madeVideo(ffmpeg);
    const folder = temporaryFolder();
    const outPath = join(folder, 'cut.mp4');
    const audio = await silentTrack({ ffmpeg, durationFrames: 43 + 49, fps: FORMAT.fps, outDir: folder });
    const cutAfter = (frames: number) =>
      assembleVideo({
        ...{ format: FORMAT, audio, title: '', comment: '', outPath },
        segments: [
          { path: segments[3]!, frames: 43 },
          { path: segments[5]!, frames },
        ],
      });
    await cutAfter(1 + 8 * GROUP_FRAMES);
    const numbers = [...Array(43).keys()].map((frame) => 40 + frame);
    expect(await decodeNumbers(ffmpeg, outPath)).toEqual([
      ...numbers,
      ...[...Array(49).keys()].map((frame) => 87 + frame),
    ]);
    await expect(cutAfter(50)).rejects.toMatchObject({ code: 'encode_failed' });
  });

  it('refuses a damaged segment, and sound of another length, and leaves nothing', async () => {
    const { segments, audio } = await madeVideo(ffmpeg);
    const folder = temporaryFolder();
    const outPath = join(folder, 'other.mp4');
    const request = { format: FORMAT, segments, audio, title: '', comment: '', outPath };
    await expect(assembleVideo({ ...request, segments: segments.slice(1) })).rejects.toMatchObject({
      code: 'encode_failed',
    });
    const damaged = join(folder, 'damaged.segment');
    await copyFile(segments[0]!, damaged);
    const bytes = await readFile(damaged);
    bytes[100]! ^= 1;
    await writeFile(damaged, bytes);
    const failing = assembleVideo({ ...request, segments: [damaged, ...segments.slice(1)] });
    await expect(failing).rejects.toThrow(/missing or damaged/);
    expect(await readdir(folder)).toEqual(['damaged.segment']);
  });

  it('says so when the disk is full, and leaves nothing', async () => {
    const { segments, audio, video } = await madeVideo(ffmpeg);
    const folder = temporaryFolder();
    const handle = await open(video, 'r');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    vi.spyOn(Object.getPrototypeOf(handle), 'appendFile').mockRejectedValue(full);
    await handle.close();
    const outPath = join(folder, 'full.mp4');
    const failure = assembleVideo({ format: FORMAT, segments, audio, title: '', comment: '', outPath });
    await expect(failure).rejects.toBeInstanceOf(ListingVideoError);
    await expect(failure).rejects.toMatchObject({ code: 'disk_full', exitCode: 3 });
    expect(await readdir(folder)).toEqual([]);
  });
});
