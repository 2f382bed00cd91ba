/** Enlarging a plane once keeps what the frame kernel alone would blur, and adds no halos. */
import { beforeAll, describe, expect, it } from 'vitest';
import { resampleScratchBytes } from '../../../src/media/render/kernel/kernel-functions.ts';
import { type Kernel, loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { enlargePlane, LUMA_SHARPENING } from '../../../src/media/render/photos/enlarge-plane.ts';
import type { Size } from '../../../src/media/render/photos/sharp-pixels.ts';

let kernel: Kernel;
beforeAll(async () => {
  kernel = await loadKernel();
});

const FROM: Size = { widthPx: 100, heightPx: 60 };
const TO: Size = { widthPx: 190, heightPx: 114 };

type Field = (x: number, y: number) => number;

/** A plane of a field, which is given in pixels of `FROM` from the top left corner. */
function paint(field: Field, { widthPx, heightPx }: Size): Uint8Array {
  const scale = FROM.widthPx / widthPx;
  return Uint8Array.from({ length: widthPx * heightPx }, (_, i) =>
    Math.round(field(((i % widthPx) + 0.5) * scale, (Math.floor(i / widthPx) + 0.5) * scale)),
  );
}

/** Runs `work` on a copy of `plane` in the kernel's memory. @returns The plane of size `TO` that it writes. */
function made(plane: Uint8Array, work: (src: number, dst: number) => void): Uint8Array {
  const { memory } = kernel;
  const [src, dst] = [memory.allocate(plane.length), memory.allocate(TO.widthPx * TO.heightPx)];
  memory.bytes.set(plane, src);
  work(src, dst);
  const result = memory.view(dst, TO.widthPx * TO.heightPx).slice();
  memory.free(src);
  memory.free(dst);
  return result;
}

const enlarged = (plane: Uint8Array, sharpening = LUMA_SHARPENING) =>
  made(plane, (src, dst) => enlargePlane(kernel, src, FROM, dst, TO, sharpening));

/** What a frame shows of a photo that was not enlarged beforehand. */
function shownByFrameKernel(plane: Uint8Array): Uint8Array {
  const { widthPx: w, heightPx: h } = TO;
  const step = FROM.widthPx / w;
  const scratch = kernel.memory.allocate(resampleScratchBytes(w));
  const first = 0.5 * step - 0.5;
  const shown = made(plane, (src, dst) => {
    const { functions, lut } = kernel;
    const { widthPx: srcW, heightPx: srcH } = FROM;
    functions.resample(dst, w, w, h, src, srcW, srcW, srcH, first, step, first, step, lut, scratch);
  });
  kernel.memory.free(scratch);
  return shown;
}

/** Root of the mean squared difference, in levels, apart from a rim of 8 px. */
function difference(a: Uint8Array, b: Uint8Array): number {
  const { widthPx: w, heightPx: h } = TO;
  let [sum, count] = [0, 0];
  for (let y = 8; y < h - 8; y++) {
    for (let x = 8; x < w - 8; x++) {
      sum += (a[y * w + x]! - b[y * w + x]!) ** 2;
      count += 1;
    }
  }
  return Math.sqrt(sum / count);
}

describe('an enlarged plane', () => {
  it('keeps a flat area flat, to its rim', () => {
    for (const level of [16, 90, 235]) {
      expect(new Set(enlarged(paint(() => level, FROM)))).toEqual(new Set([level]));
    }
  });

  it('lies where the plane lay', () => {
    const slope: Field = (x, y) => 20 + x + 2 * y;
    expect(difference(enlarged(paint(slope, FROM)), paint(slope, TO))).toBeLessThan(0.8);
  });

  it.each([
    ['upright', 0.33, 0],
    ['level', 0, 0.33],
    ['slanting', 0.24, 0.24],
  ])('keeps the contrast of fine %s lines, of which the frame kernel loses a part', (_, across, down) => {
    const lines: Field = (x, y) => 128 + 60 * Math.sin(2 * Math.PI * (across * x + down * y));
    const plane = paint(lines, FROM);
    const flat = paint(() => 128, TO);
    const contrast = (shown: Uint8Array) => difference(shown, flat) / difference(paint(lines, TO), flat);
    expect(contrast(enlarged(plane))).toBeGreaterThan(contrast(shownByFrameKernel(plane)) + 0.1);
    expect(contrast(enlarged(plane))).toBeGreaterThan(0.95);
    expect(contrast(enlarged(plane))).toBeLessThan(1.25);
  });

  it('has no halo along an edge: at most a sixth of its height, and nothing 4 px beside it', () => {
    const edge = paint((x) => (x < 50 ? 60 : 160), FROM);
    const row = enlarged(edge).subarray(57 * TO.widthPx, 58 * TO.widthPx);
    expect(Math.max(...row)).toBeLessThanOrEqual(160 + 100 / 6);
    expect(Math.min(...row)).toBeGreaterThanOrEqual(60 - 100 / 6);
    const middle = TO.widthPx / 2;
    const far = [...row.subarray(0, middle - 8), ...row.subarray(middle + 8)];
    expect(far.every((value) => Math.min(Math.abs(value - 60), Math.abs(value - 160)) <= 1)).toBe(true);
  });
});
