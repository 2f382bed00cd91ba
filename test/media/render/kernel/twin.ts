/**
 * The kernel in plain TypeScript, 20 to 50 times slower: the oracle of the kernel's tests, which compare its bytes with
 * those of the AssemblyScript.
 */
import type { KernelFunctions } from '../../../../src/media/render/kernel/kernel-functions.ts';
import { KernelMemory } from '../../../../src/media/render/kernel/kernel-memory.ts';
import { type Kernel, withTable } from '../../../../src/media/render/kernel/load-kernel.ts';

const ROUND = 8_388_608;
const { floor, fround, max, min, sqrt } = Math;

const clampTap = (tap: number, last: number): number => max(0, min(tap, last));
const quantize = (x: number): number => floor(x * 1024 + 0.5);
const scaled = (value: number, factor: number): number => (value * factor + 128) >> 8;
const blended = (old: number, value: number, alpha: number): number =>
  (old * (256 - alpha) + value * alpha + 128) >> 8;
/** The low byte of an f32 after adding 2^23 has made its fraction an integer (half to even). */
const roundedByte = (x: number): number => (fround(x) - ROUND) & 255;

/** The memory as typed arrays; the allocator aligns u16, i16 and i32 tables. */
class Views {
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;

  constructor(buffer: ArrayBufferLike) {
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
  }
}

/** For each destination column its four source columns and the index of its weights. */
function columnTaps(dstW: number, srcW: number, x0: number, dx: number, lut: number): Int32Array {
  const taps = new Int32Array(5 * dstW);
  for (let i = 0; i < dstW; i++) {
    const position = quantize(x0 + i * dx);
    const first = (position >> 10) - 1;
    for (let k = 0; k < 4; k++) taps[5 * i + k] = clampTap(first + k, srcW - 1);
    taps[5 * i + 4] = (lut >> 1) + 4 * (position & 1023);
  }
  return taps;
}

/** Takes the place of `loadKernel`. */
export function loadTwin(): Kernel {
  const memory = new KernelMemory();
  return withTable(memory, createTwin(memory));
}

function createTwin(memory: KernelMemory): KernelFunctions {
  let current: Views | undefined;
  const views = (): Views => {
    const { buffer } = memory.bytes;
    if (current?.u8.buffer !== buffer) current = new Views(buffer);
    return current as Views;
  };

  return {
    resample(dst, dstStride, dstW, dstH, src, srcStride, srcW, srcH, x0, dx, y0, dy, lut, scratch) {
      const { u8, i16, i32 } = views();
      const rowBytes = 16 * Math.ceil(dstW / 8) + 32;
      const ring = scratch + 16;
      const held = scratch >> 2;
      i32.fill(-1, held, held + 4);
      const lastY = srcH - 1;
      const taps = columnTaps(dstW, srcW, x0, dx, lut);
      for (let j = 0; j < dstH; j++) {
        const positionY = quantize(y0 + j * dy);
        const firstY = (positionY >> 10) - 1;
        for (let k = 0; k < 4; k++) {
          const tap = clampTap(firstY + k, lastY);
          if (i32[held + (tap & 3)] === tap) continue;
          i32[held + (tap & 3)] = tap;
          const out = (ring + rowBytes * (tap & 3)) >> 1;
          const row = src + tap * srcStride;
          for (let i = 0, at = 0; i < dstW; i++, at += 5) {
            const weights = taps[at + 4] as number;
            const sum =
              (u8[row + (taps[at] as number)] as number) * (i16[weights] as number) +
              (u8[row + (taps[at + 1] as number)] as number) * (i16[weights + 1] as number) +
              (u8[row + (taps[at + 2] as number)] as number) * (i16[weights + 2] as number) +
              (u8[row + (taps[at + 3] as number)] as number) * (i16[weights + 3] as number);
            i16[out + i] = (sum + 128) >> 8;
          }
        }
        const weights = (lut >> 1) + 4 * (positionY & 1023);
        const [w0, w1, w2, w3] = [i16[weights], i16[weights + 1], i16[weights + 2], i16[weights + 3]] as [
          number,
          number,
          number,
          number,
        ];
        const [r0, r1, r2, r3] = [0, 1, 2, 3].map(
          (k) => (ring + rowBytes * (clampTap(firstY + k, lastY) & 3)) >> 1,
        ) as [number, number, number, number];
        const to = dst + j * dstStride;
        for (let i = 0; i < dstW; i++) {
          const sum =
            (i16[r0 + i] as number) * w0 +
            (i16[r1 + i] as number) * w1 +
            (i16[r2 + i] as number) * w2 +
            (i16[r3 + i] as number) * w3 +
            (1 << 19);
          u8[to + i] = clampTap(sum >> 20, 255);
        }
      }
    },

    crossfadeLuma(dst, a, b, count, mix) {
      const { u8 } = views();
      const share = fround(mix);
      const keep = fround(1 - share);
      for (let i = 0; i < count; i++) {
        const pa = max(0, (u8[a + i] as number) - 16);
        const pb = max(0, (u8[b + i] as number) - 16);
        const root = fround(sqrt(fround(fround(pa * pa * keep) + fround(pb * pb * share))));
        u8[dst + i] = roundedByte(root + (ROUND + 16));
      }
    },

    crossfadeChroma(dst, a, b, w, h, mix) {
      const { u8 } = views();
      const share = fround(mix);
      const keep = fround(1 - share);
      const [cw, ch] = [w >> 1, h >> 1];
      const luma = (base: number, at: number): number =>
        max(17, ((u8[base + at] as number) + (u8[base + at + w] as number) + 1) >> 1) - 16;
      for (let y = 0; y < ch; y++) {
        for (let x = 0; x < cw; x++) {
          const at = y * w * 2 + x * 2;
          const [ya, yb] = [luma(a, at), luma(b, at)];
          const ma = fround(ya * keep);
          const mb = fround(yb * share);
          const root = fround(sqrt(fround(fround(ma * ya) + fround(mb * yb))));
          const [ka, kb] = [fround(ma / root), fround(mb / root)];
          for (const p of [w * h + y * cw + x, w * h + cw * ch + y * cw + x]) {
            const ca = (u8[a + p] as number) - 128;
            const cb = (u8[b + p] as number) - 128;
            u8[dst + p] = roundedByte(fround(fround(ca * ka) + fround(cb * kb)) + (ROUND + 128));
          }
        }
      }
    },

    fillRect(dst, dstStride, w, h, columns, rows, _solidFrom, _solidTo, value, alpha) {
      const { u8, u16 } = views();
      for (let y = 0; y < h; y++) {
        const rowAlpha = scaled(u16[(rows >> 1) + y] as number, alpha);
        if (rowAlpha === 0) continue;
        for (let x = 0; x < w; x++) {
          const at = dst + y * dstStride + x;
          u8[at] = blended(u8[at] as number, value, scaled(u16[(columns >> 1) + x] as number, rowAlpha));
        }
      }
    },

    blendRect(dst, dstStride, src, srcStride, w, h, columns, rows, _solidFrom, _solidTo, alpha) {
      const { u8, u16 } = views();
      for (let y = 0; y < h; y++) {
        const rowAlpha = scaled(u16[(rows >> 1) + y] as number, alpha);
        if (rowAlpha === 0) continue;
        for (let x = 0; x < w; x++) {
          const at = dst + y * dstStride + x;
          const pixelAlpha = scaled(u16[(columns >> 1) + x] as number, rowAlpha);
          u8[at] = blended(u8[at] as number, u8[src + y * srcStride + x] as number, pixelAlpha);
        }
      }
    },

    overlayMask(dst, dstStride, mask, maskStride, w, h, value, opacity) {
      const { u8 } = views();
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const at = dst + y * dstStride + x;
          const coverage = u8[mask + y * maskStride + x] as number;
          u8[at] = blended(u8[at] as number, value, scaled(coverage + (coverage >> 7), opacity));
        }
      }
    },

    overlayPremultiplied(dst, dstStride, src, mask, srcStride, w, h, opacity) {
      const { u8 } = views();
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const at = dst + y * dstStride + x;
          const from = y * srcStride + x;
          const coverage = u8[mask + from] as number;
          const alpha = scaled(coverage + (coverage >> 7), opacity);
          const sum = (u8[at] as number) * (256 - alpha) + (u8[src + from] as number) * opacity + 128;
          u8[at] = min(255, sum >> 8);
        }
      }
    },

    shiftMask(dst, dstStride, src, srcStride, w, h, fx, fy) {
      const { u8 } = views();
      const w00 = (fx * fy + 128) >> 8;
      const [w10, w01, w11] = [fy - w00, fx - w00, 256 - fx - fy + w00];
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const upper = src + y * srcStride + x;
          const lower = upper + srcStride;
          const sum =
            (u8[upper] as number) * w00 +
            (u8[upper + 1] as number) * w10 +
            (u8[lower] as number) * w01 +
            (u8[lower + 1] as number) * w11;
          u8[dst + y * dstStride + x] = (sum + 128) >> 8;
        }
      }
    },

    chromaMask(dst, dstStride, w, h, src, srcStride) {
      const { u8 } = views();
      const across = (at: number): number =>
        (u8[at - 1] as number) + 2 * (u8[at] as number) + (u8[at + 1] as number);
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const at = src + 2 * y * srcStride + 2 * x;
          u8[dst + y * dstStride + x] = (across(at) + across(at + srcStride) + 4) >> 3;
        }
      }
    },

    multiplyMask(mask, stride, w, h, columns, rows) {
      const { u8, u16 } = views();
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const at = mask + y * stride + x;
          const factor = scaled(u16[(columns >> 1) + x] as number, u16[(rows >> 1) + y] as number);
          u8[at] = scaled(u8[at] as number, factor);
        }
      }
    },

    areaScale(dst, dstStride, dstW, dstH, src, srcStride, srcW, columns, rows, scratch) {
      const { u8, u16, i32 } = views();
      const sums = u16.subarray(scratch >> 1, (scratch >> 1) + srcW);
      for (let y = 0; y < dstH; y++) {
        const [first, count, weights] = i32.subarray(
          (rows >> 2) + 3 * y,
          (rows >> 2) + 3 * y + 3,
        ) as never as [number, number, number];
        sums.fill(0);
        for (let k = 0; k < count; k++) {
          const row = src + (first + k) * srcStride;
          const weight = u16[(weights >> 1) + k] as number;
          for (let x = 0; x < srcW; x++) sums[x] = (sums[x] as number) + (u8[row + x] as number) * weight;
        }
        for (let x = 0; x < dstW; x++) {
          const entry = (columns >> 2) + 3 * x;
          const from = i32[entry] as number;
          const weightsX = (i32[entry + 2] as number) >> 1;
          let sum = 32_768;
          for (let k = 0; k < (i32[entry + 1] as number); k++) {
            sum += (sums[from + k] as number) * (u16[weightsX + k] as number);
          }
          u8[dst + y * dstStride + x] = sum >>> 16;
        }
      }
    },

    enlarge(dst, dstW, dstH, src, srcW, srcH, columns, rows, scratch) {
      const { u8, i16, i32 } = views();
      const ring = scratch + 32 + 16 * Math.ceil((srcW + 16) / 16);
      const rowBytes = 16 * Math.ceil(dstW / 8);
      const held = scratch >> 2;
      i32.fill(-1, held, held + 8);
      const inRing = (row: number): number => (ring + rowBytes * (row & 7)) >> 1;
      for (let y = 0; y < dstH; y++) {
        const first = i32[(rows + 24 * y) >> 2] as number;
        const weightsY = (rows + 24 * y + 8) >> 1;
        for (let k = 0; k < 8; k++) {
          const row = clampTap(first + k, srcH - 1);
          if (i32[held + (row & 7)] === row) continue;
          i32[held + (row & 7)] = row;
          for (let x = 0; x < dstW; x++) {
            const left = i32[(columns + 24 * x) >> 2] as number;
            const weightsX = (columns + 24 * x + 8) >> 1;
            let sum = 128;
            for (let t = 0; t < 8; t++) {
              const pixel = u8[src + row * srcW + clampTap(left + t, srcW - 1)] as number;
              sum += pixel * (i16[weightsX + t] as number);
            }
            i16[inRing(row) + x] = sum >> 8;
          }
        }
        for (let x = 0; x < dstW; x++) {
          let sum = 1 << 19;
          for (let k = 0; k < 8; k++) {
            const row = clampTap(first + k, srcH - 1);
            sum += (i16[inRing(row) + x] as number) * (i16[weightsY + k] as number);
          }
          u8[dst + y * dstW + x] = max(0, min(255, sum >> 20));
        }
      }
    },
  };
}
