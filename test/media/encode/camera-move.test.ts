import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { FrameView } from '../../../src/design/photo.ts';
import type { Quality } from '../../../src/design/storyboard/scale-storyboard.ts';
import {
  encodedFrames,
  encodeSegments,
  FADE_FRAMES,
  toCameraMove,
} from '../../../src/media/encode/encode-segments.ts';
import type { EncoderFrame } from '../../../src/media/encode/feed-frames.ts';
import { moveDistances } from '../../../src/media/encode/h264/camera-move.ts';
import type { SegmentToEncode } from '../../../src/media/encode/h264/segment-cutter.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { keptReferences } from './kept-pictures.ts';
import { makeFilm } from './make-film.ts';
import { availableFfmpegs, writeScript } from './workbench.ts';

const ffmpegs = await availableFfmpegs();
/** Neither side is a multiple of 16. */
const FORMAT = { widthPx: 328, heightPx: 184, fps: 30 } as const;
const { widthPx: WIDTH, heightPx: HEIGHT } = FORMAT;
const FRAME_BYTES = (WIDTH * HEIGHT * 3) / 2;

/** A zoom and a pan: 8 % in 60 frames. */
function viewAt(frame: number): FrameView {
  const width = 0.8 - 0.001 * frame;
  return { left: 0.05 + 0.0012 * frame, top: 0.1 - 0.0005 * frame, width, height: width };
}

/** A photo of waves of several lengths, at a place from 0 to 1. */
function brightness(x: number, y: number): number {
  const waves = Math.sin(40 * x + 9 * y) + Math.sin(95 * y - 22 * x) + Math.sin(61 * (x + y));
  return 128 + 28 * waves;
}

function paint(frame: number): Uint8Array {
  const data = new Uint8Array(FRAME_BYTES).fill(128);
  const { left, top, width, height } = viewAt(frame);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [across, down] = [left + (width * (x + 0.5)) / WIDTH, top + (height * (y + 0.5)) / HEIGHT];
      data[y * WIDTH + x] = Math.round(brightness(across, down));
    }
  }
  return data;
}

/** The frames of the segments that are encoded. From frame `restsAt` of its segment on, the camera stands still. */
async function* framesOf(
  segments: readonly SegmentToEncode[],
  restsAt: number,
  painted = paint,
): AsyncGenerator<EncoderFrame> {
  for (const segment of segments) {
    const { ofMove, ofRest } = encodedFrames(segment);
    for (const frame of new Set([...ofMove, ...ofRest])) {
      const data = painted(Math.min(frame, restsAt));
      yield { index: segment.startFrame + frame, data, sameAsPrevious: false, release: () => {} };
    }
  }
}

/** A move of so many frames, in a segment of `ofFrames`. */
function moveOf(frames: number, ofFrames = frames) {
  return toCameraMove(
    Array.from({ length: frames }, (_, n) => viewAt(n)),
    ofFrames,
  );
}

async function showFilm(ffmpeg: string, quality: Quality, segments: readonly SegmentToEncode[]) {
  const format = { ...FORMAT, quality };
  return decode(ffmpeg, await makeFilm({ ffmpeg, format, segments, frames: framesOf(segments, 90) }));
}

/** Luma of each frame, in the order of display. Any warning of the decoder is an error. */
async function decode(ffmpeg: string, file: string): Promise<Uint8Array[]> {
  const { stdout, stderr } = await execa(
    ffmpeg,
    [
      ...['-v', 'warning', '-err_detect', 'explode', '-i', file, '-map', '0:v'],
      ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
    ],
    { encoding: 'buffer', maxBuffer: 1e9 },
  );
  expect(Buffer.from(stderr).toString()).toBe('');
  return Array.from({ length: stdout.length / FRAME_BYTES }, (_, n) =>
    stdout.subarray(n * FRAME_BYTES, n * FRAME_BYTES + WIDTH * HEIGHT),
  );
}

/** Peak signal-to-noise ratio of luma, dB. */
function psnr(decoded: Uint8Array, painted: Uint8Array): number {
  let sum = 0;
  for (let n = 0; n < decoded.length; n += 1) sum += (decoded[n]! - painted[n]!) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / decoded.length));
}

const cases = ffmpegs.flatMap(({ path, version }) =>
  (['draft', 'standard', 'high'] as const).map((quality) => ({ path, version, quality })),
);
const LEAST_DB = { draft: 34, standard: 38, high: 40 } as const;

describe('a camera move', () => {
  it.each(cases)('shows every frame where it should be ($version, $quality)', async ({ path, quality }) => {
    const segments = [
      // A move and a rest, the rest long enough for B-frames; a move alone that ends between two groups; none; all.
      { key: 'a', startFrame: 0, endFrame: 50, move: moveOf(32, 50) },
      { key: 'b', startFrame: 50, endFrame: 84, move: moveOf(34) },
      { key: 'c', startFrame: 84, endFrame: 100 },
      { key: 'd', startFrame: 100, endFrame: 131, move: moveOf(31) },
    ];
    const frames = await showFilm(path, quality, segments);
    expect(frames).toHaveLength(131);
    for (const { startFrame, endFrame } of segments) {
      const found = Array.from({ length: endFrame - startFrame }, (_, n) =>
        psnr(frames[startFrame + n]!, paint(n)),
      );
      expect(Math.min(...found)).toBeGreaterThan(LEAST_DB[quality]);
    }
  });

  it.each(cases)(
    'is followed by a ground in its own color ($version, $quality)',
    async ({ path, quality }) => {
      const ground = { y: 49, from: 0.75 * HEIGHT };
      // A dark photo, over whose foot a ground comes in from the left when the camera has moved.
      const withGround = (frame: number) => {
        const data = paint(frame).map((value, at) => (at < WIDTH * HEIGHT ? 30 + value / 5 : value));
        for (let y = ground.from; y < HEIGHT; y += 1)
          data.fill(ground.y, y * WIDTH, y * WIDTH + Math.max(0, Math.min(WIDTH, 40 * (frame - 31))));
        return data;
      };
      const segments = [{ key: 'a', startFrame: 0, endFrame: 50, move: moveOf(31, 50) }];
      const file = await makeFilm({
        ffmpeg: path,
        format: { ...FORMAT, quality },
        segments,
        frames: framesOf(segments, 90, withGround),
      });
      for (const luma of (await decode(path, file)).slice(41)) {
        const grounds = luma.subarray(ground.from * WIDTH);
        expect(
          Math.abs(grounds.reduce((sum, value) => sum + value, 0) / grounds.length - ground.y),
        ).toBeLessThan(1);
      }
    },
  );

  it.each(cases)('leaves a decoder room for pictures that wait ($version, $quality)', async (of) => {
    const outDir = temporaryFolder();
    const segments = [{ key: 'a', startFrame: 0, endFrame: 100, move: moveOf(49, 100) }];
    const format = { ...FORMAT, quality: of.quality };
    await encodeSegments({ ffmpeg: of.path, format, segments, frames: framesOf(segments, 90), outDir });
    const kept = await keptReferences(join(outDir, 'a.segment'));
    // Of four pictures. So do streams of x264.
    expect(kept.length).toBeGreaterThan(50);
    expect(Math.max(...kept)).toBeLessThanOrEqual(3);
    // In the move, both that others are mixed from.
    expect(new Set(kept.slice(0, 40))).toEqual(new Set([2]));
  });

  it('can last longer than numbers of pictures do, and be held or rest longer still', async () => {
    const segments = [
      { key: 'a', startFrame: 0, endFrame: 480, move: moveOf(121, 480) },
      { key: 'b', startFrame: 480, endFrame: 540, heldFrames: 40, move: moveOf(20) },
      { key: 'c', startFrame: 540, endFrame: 545 },
    ];
    const frames = await showFilm(ffmpegs[0]!.path, 'standard', segments);
    expect(frames).toHaveLength(545);
    for (const frame of [0, 50, 89]) expect(psnr(frames[frame]!, paint(frame))).toBeGreaterThan(38);
    for (let frame = 90; frame < 480; frame += 1) expect(psnr(frames[frame]!, paint(90))).toBeGreaterThan(38);
    for (let frame = 0; frame < 20; frame += 1)
      expect(psnr(frames[480 + frame]!, paint(frame))).toBeGreaterThan(38);
    for (const held of frames.slice(500, 540)) expect(held).toEqual(frames[499]);
  });

  it.each(cases)('can be followed by held frames ($version, $quality)', async ({ path, quality }) => {
    const segments = [{ key: 'a', startFrame: 0, endFrame: 160, heldFrames: 60, move: moveOf(70, 100) }];
    const frames = await showFilm(path, quality, segments);
    expect(frames).toHaveLength(160);
    for (const frame of [0, 1, 35, 65, 75, 89]) {
      expect(psnr(frames[frame]!, paint(frame))).toBeGreaterThan(LEAST_DB[quality]);
    }
    for (const held of frames.slice(100)) expect(psnr(held, frames[99]!)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a fade', () => {
  /** Brightness from a photo to a page, the page half there after 12 frames. */
  const shareAt = (frame: number) => Math.min(1, frame / 24);
  const paintFade = (frame: number): Uint8Array =>
    paint(0).map((value, n) => (n < WIDTH * HEIGHT ? value + (230 - value) * shareAt(frame) : value));
  const still = toCameraMove(
    Array.from({ length: 60 }, () => viewAt(0)),
    25,
    FADE_FRAMES,
  );

  it.each(cases)('is mixed from every twelfth frame, and then held ($version, $quality)', async (of) => {
    const segments = [{ key: 'a', startFrame: 0, endFrame: 60, heldFrames: 35, move: still }];
    expect(encodedFrames(segments[0]!)).toEqual({ ofMove: [0, 12, 24], ofRest: [] });
    const more = [{ key: 'b', startFrame: 60, endFrame: 65 }];
    async function* frames(): AsyncGenerator<EncoderFrame> {
      for (const index of [0, 12, 24, 60, 61, 62, 63, 64])
        yield { index, data: paintFade(index % 60), sameAsPrevious: false, release: () => {} };
    }
    const format = { ...FORMAT, quality: of.quality };
    const film = await makeFilm({
      ffmpeg: of.path,
      format,
      segments: [...segments, ...more],
      frames: frames(),
    });
    const shown = await decode(of.path, film);
    expect(shown).toHaveLength(65);
    for (let frame = 0; frame < 60; frame += 1)
      expect(psnr(shown[frame]!, paintFade(frame))).toBeGreaterThan(LEAST_DB[of.quality]);
    for (const held of shown.slice(25, 60)) expect(held).toEqual(shown[24]);
  });
});

describe('when one of two encoders ends too early', () => {
  it.each(['move', 'usual'])('there is no half segment, and the error says so: %s', async (which) => {
    const [ofMove, ofRest] = which === 'move' ? ['head -c 300000 > /dev/null; exit 3', ''] : ['', 'exit 3'];
    const ffmpeg = await writeScript(
      `case "$*" in *bframes=0*) ${ofMove || ':'};; *) ${ofRest || ':'};; esac\nexec ${ffmpegs[0]!.path} "$@"`,
    );
    const outDir = temporaryFolder();
    const segments = [
      { key: 'a', startFrame: 0, endFrame: 60, move: moveOf(31, 60) },
      { key: 'b', startFrame: 60, endFrame: 120, move: moveOf(31, 60) },
    ];
    const format = { ...FORMAT, quality: 'draft' } as const;
    const frames = framesOf(segments, 60);
    await expect(encodeSegments({ ffmpeg, format, segments, frames, outDir })).rejects.toMatchObject({
      code: 'encode_failed',
      context: { exitCode: 3 },
    });
    expect(await readdir(outDir)).toEqual([]);
  });
});

describe('the macroblocks of a frame between two encoded ones', () => {
  it('are mixed where they should be, though each distance is rounded', () => {
    const counts = { columns: Math.ceil(WIDTH / 16), rows: Math.ceil(HEIGHT / 16) };
    const off: number[] = [];
    for (let now = 1; now < 60; now += 1) {
      const before = now - (now % 6);
      if (before === now) continue;
      const views = { now: viewAt(now), after: viewAt(before + 6), before: viewAt(before) };
      const shareOfAfter = (now - before) / 6;
      const found = moveDistances({ ...views, shareOfAfter }, FORMAT, counts);
      for (let column = 0; column < counts.columns; column += 1) {
        const at = 16 * column + 8;
        const exact = ({ left, width }: FrameView) =>
          ((views.now.left - left) * WIDTH + (views.now.width - width) * at) / width;
        const [after, before] = found.columns.map((distances) => distances[column]! / 4) as [number, number];
        const [offAfter, offBefore] = [after - exact(views.after), before - exact(views.before)];
        off.push(Math.abs(shareOfAfter * offAfter + (1 - shareOfAfter) * offBefore));
      }
    }
    // Each rounded to its nearest: 0.12 and 0.04 px.
    expect(Math.max(...off)).toBeLessThan(1 / 16);
    expect(off.reduce((sum, value) => sum + value, 0) / off.length).toBeLessThan(0.02);
  });
});

describe('the frames of a camera move that are encoded', () => {
  const stretch = (growth: number, frames: number): FrameView[] =>
    Array.from({ length: frames }, (_, n) => ({
      left: 0,
      top: 0,
      width: growth ** -n,
      height: growth ** -n,
    }));

  it('are every sixth, and the rest begins with the last of them', () => {
    const move = moveOf(32, 35);
    expect(move?.views).toHaveLength(31);
    expect(encodedFrames({ key: 'a', startFrame: 100, endFrame: 135, move })).toEqual({
      ofMove: [0, 6, 12, 18, 24, 30],
      ofRest: [30, 31, 32, 33, 34],
    });
  });

  it('end with the segment where the move does', () => {
    expect(encodedFrames({ key: 'a', startFrame: 0, endFrame: 15, move: moveOf(15) })).toEqual({
      ofMove: [0, 6, 12, 14],
      ofRest: [],
    });
  });

  it('end before the encoder begins anew by itself', () => {
    const still = Array.from({ length: 2000 }, () => viewAt(0));
    const move = toCameraMove(still, 2000);
    expect(encodedFrames({ key: 'a', startFrame: 0, endFrame: 2000, move }).ofMove).toHaveLength(300);
  });

  it('are all where the move is short or fast', () => {
    expect(moveOf(12)).toBeUndefined();
    expect(toCameraMove(stretch(1.01, 40), 40)).toBeUndefined();
    expect(toCameraMove(stretch(1.003, 40), 40)?.views).toHaveLength(40);
    expect(toCameraMove([], 40)).toBeUndefined();
  });

  it('end before the camera is fast', () => {
    const slow = stretch(1.001, 28);
    const fast = stretch(1.01, 30).map((view) => ({ ...view, width: view.width * slow.at(-1)!.width }));
    const views = [...slow, ...fast];
    expect(toCameraMove(views, 58)?.views).toHaveLength(25);
  });
});
