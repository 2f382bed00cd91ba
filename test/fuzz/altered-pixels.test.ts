/** Labels of altered photos and disclosures are in the pixels that a player decodes, and can be read there. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../src/design/photo.ts';
import type { TextLayer } from '../../src/design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../src/design/text/text.ts';
import { createTextRasterizer } from '../../src/design/text/text-rasterizer.ts';
import { makeTimeline } from '../../src/design/timeline/make-timeline.ts';
import { silentTrack } from '../../src/media/encode/audio/soundtrack.ts';
import { encodeSegments } from '../../src/media/encode/encode-segments.ts';
import { assembleVideo } from '../../src/media/encode/mp4/assemble-video.ts';
import { toYuv } from '../../src/media/render/color.ts';
import { transitionDrawer } from '../../src/media/render/draw-transitions.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { availableFfmpegs } from '../media/encode/workbench.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { type Drawn, type DrawnWords, judge, listingsOf } from './random-altered-photos.ts';

const ffmpeg = (await availableFfmpegs())[0]!.path;
const rasterizer = await createTextRasterizer();

/** Mean difference of luma, of 219 levels: a draft's letters are soft. */
const MAX_DIFFERENCE = 16;
const MIN_CORRELATION = 0.8;

describe('words of altered photos and disclosures', () => {
  it('are in the decoded pixels of every frame that needs them', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    const runs = fuzz(1);
    // A standard video takes half a minute.
    const few = listingsOf(fc.integer({ min: 5, max: 8 }), { draft: 6, standard: runs.numRuns > 1 ? 1 : 0 });
    await fc.assert(fc.asyncProperty(few, checkPixels), { ...runs, endOnFailure: true });
  });
});

async function checkPixels(drawn: Drawn): Promise<void> {
  const words = judge(drawn);
  const { widthPx, heightPx } = drawn.board;
  const frames = decodeLuma(await makeVideo(drawn), widthPx * heightPx);
  let index = 0;
  for await (const luma of frames) {
    for (const wanted of words.filter(({ frame }) => frame === index))
      await expectWords(wanted, luma, widthPx);
    index += 1;
  }
  expect(index).toBe(drawn.board.scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0));
}

const masks = new WeakMap<TextLayer, Promise<AlphaMask>>();

function maskOf(layer: TextLayer): Promise<AlphaMask> {
  const mask = masks.get(layer) ?? rasterizer.rasterize(layer.lines, layer.style);
  masks.set(layer, mask);
  return mask;
}

async function expectWords({ frame, layer, box, plateColor }: DrawnWords, luma: Buffer, stride: number) {
  const mask = await maskOf(layer);
  const [paper, ink] = [toYuv(plateColor).y, toYuv(layer.color).y];
  const pairs: (readonly [expected: number, seen: number])[] = [];
  for (let y = 0; y < mask.heightPx; y += 1) {
    for (let x = 0; x < mask.widthPx; x += 1) {
      const cover = mask.data[y * mask.widthPx + x]! / 255;
      const [left, top] = [Math.round(box.x) + mask.offsetXPx + x, Math.round(box.y) + mask.offsetYPx + y];
      pairs.push([paper + (ink - paper) * cover, luma[top * stride + left]!]);
    }
  }
  const text = `frame ${frame}: ${layer.reads}`;
  const difference = mean(pairs.map(([expected, seen]) => Math.abs(expected - seen)));
  expect(difference, text).toBeLessThan(MAX_DIFFERENCE);
  expect(correlation(pairs), text).toBeGreaterThan(MIN_CORRELATION);
}

async function makeVideo({ board, photos: all, quality }: Drawn): Promise<string> {
  const folder = temporaryFolder();
  const photos = await paintNoise(all, folder);
  const timeline = makeTimeline(board, transitionDrawer(photos), 'test');
  const { widthPx, heightPx, fps } = board;
  const format = { widthPx, heightPx, fps, quality };
  const pool = createRenderPool({ threads: 1 });
  try {
    const frames = pool.renderSpans({ timeline, photos, graphics: new Map(), spans: timeline.segments });
    await encodeSegments({ ffmpeg, format, frames, segments: timeline.segments, outDir: folder });
  } finally {
    await pool.close();
  }
  const audio = await silentTrack({ ffmpeg, durationFrames: timeline.totalFrames, fps, outDir: folder });
  const outPath = join(folder, 'video.mp4');
  const segments = timeline.segments.map(({ key }) => join(folder, `${key}.segment`));
  await assembleVideo({ format, segments, audio, title: board.title, comment: board.comment, outPath });
  return outPath;
}

/** Coarse noise, in which no letter can be read by chance. */
async function paintNoise(photos: readonly Photo[], folder: string): Promise<Map<string, Photo>> {
  const painted = new Map<string, Photo>();
  for (const photo of photos) {
    const { widthPx, heightPx, digest } = photo;
    const masterPath = join(folder, `${widthPx}x${heightPx}.yuv`);
    const isNew = ![...painted.values()].some((other) => other.masterPath === masterPath);
    if (isNew) await writeFile(masterPath, noise(widthPx, heightPx));
    painted.set(digest, { ...photo, masterPath });
  }
  return painted;
}

function noise(widthPx: number, heightPx: number): Buffer {
  const data = Buffer.alloc((widthPx * heightPx * 3) / 2, 128);
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 0; x < widthPx; x += 1)
      data[y * widthPx + x] = 16 + ((((x >> 4) * 7919) ^ ((y >> 4) * 104_729)) % 220);
  return data;
}

async function* decodeLuma(file: string, frameBytes: number): AsyncGenerator<Buffer> {
  const input = ['-v', 'error', '-i', file, '-map', '0:v', '-vsync', '0', '-vf', 'extractplanes=y'];
  const decoder = spawn(ffmpeg, [...input, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let parts: Buffer[] = [];
  let size = 0;
  for await (const part of decoder.stdout as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size < frameBytes) continue;
    let rest = Buffer.concat(parts);
    for (; rest.length >= frameBytes; rest = rest.subarray(frameBytes)) yield rest.subarray(0, frameBytes);
    [parts, size] = [[rest], rest.length];
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const [meanA, meanB] = [mean(pairs.map(([a]) => a)), mean(pairs.map(([, b]) => b))];
  const covariance = mean(pairs.map(([a, b]) => (a - meanA) * (b - meanB)));
  const [varianceA, varianceB] = [
    mean(pairs.map(([a]) => (a - meanA) ** 2)),
    mean(pairs.map(([, b]) => (b - meanB) ** 2)),
  ];
  return covariance / Math.sqrt(varianceA * varianceB);
}
