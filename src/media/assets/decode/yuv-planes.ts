/**
 * Converts sRGB pixels to the planes that the kernel and x264 use: YUV 4:2:0, BT.709, limited range. In integers, in
 * WebAssembly where the machine has SIMD, else in TypeScript: the same bytes.
 */
import { loadAssembly, webAssembly } from '../../../platform/load-assembly.ts';

/** Bytes of one image: the Y plane, then U, then V. Both sides are even. */
export function yuvByteLength(widthPx: number, heightPx: number): number {
  return (widthPx * heightPx * 3) / 2;
}

// BT.709-6, table 3, items 3.2 to 3.4: E'Y = 0.2126 R + 0.7152 G + 0.0722 B; E'CB = (B - Y) / 1.8556;
// E'CR = (R - Y) / 1.5748; Y spans 219 steps from 16, the differences 224 around 128. In 16-bit fixed point. Each row's
// sum is exact (219 / 255 or zero), so that white is 235 and every gray has U = V = 128 without rounding luck.
const Y_R = 11966;
const Y_B = 4064;
const Y_G = 56284 - Y_R - Y_B;
const U_B = 28784;
const U_R = -6596;
const U_G = -(U_B + U_R);
const V_R = 28784;
const V_B = -2639;
const V_G = -(V_R + V_B);

/** `assembly/index.ts` */
interface YuvFunctions {
  toYuv(rgb: number, width: number, height: number, y: number, u: number, v: number): void;
}

/** Converts packed RGB as {@link toYuvPlanes} does, in a fifth of the time. */
export type YuvConverter = typeof toYuvPlanes;

const PAGE_BYTES = 65_536;
/** Of one strip, with its planes: they stay in the processor's cache. */
const STRIP_BYTES = 256 * 1024;
/** The module reads one vector before and after the rows. */
const SLACK_BYTES = 16;
const STEP_PX = 16;

/** @returns {@link toYuvPlanes} itself where the machine has no SIMD. */
export async function createYuvConverter(): Promise<YuvConverter> {
  const memory = new webAssembly.Memory({ initial: 1 });
  const functions = await loadAssembly<YuvFunctions>('media/assets/decode/yuv-planes.wasm', memory);
  if (functions === undefined) return toYuvPlanes;
  return (rgb, widthPx, heightPx) => {
    if (widthPx < STEP_PX) return toYuvPlanes(rgb, widthPx, heightPx);
    const yuv = new Uint8Array(yuvByteLength(widthPx, heightPx));
    const rows = Math.min(heightPx, Math.max(2, Math.floor(STRIP_BYTES / (widthPx * 4.5)) & ~1));
    const pixels = widthPx * rows;
    const [source, y] = [SLACK_BYTES, 2 * SLACK_BYTES + pixels * 3];
    const [u, v, end] = [y + pixels, y + pixels * 1.25, y + pixels * 1.5];
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES));
    const bytes = new Uint8Array(memory.buffer);
    const ySize = widthPx * heightPx;
    for (let row = 0; row < heightPx; row += rows) {
      const first = row * widthPx;
      const count = Math.min(rows, heightPx - row) * widthPx;
      bytes.set(rgb.subarray(first * 3, (first + count) * 3), source);
      functions.toYuv(source, widthPx, count / widthPx, y, u, v);
      yuv.set(bytes.subarray(y, y + count), first);
      yuv.set(bytes.subarray(u, u + count / 4), ySize + first / 4);
      yuv.set(bytes.subarray(v, v + count / 4), ySize * 1.25 + first / 4);
    }
    return yuv;
  };
}

/**
 * Converts packed RGB to planar YUV 4:2:0.
 *
 * H.264 sites chroma on the left: on even columns, between two rows. So each sample is the mean of two rows, filtered
 * [1 2 1] / 4 around the even column. A plain 2x2 mean would shift all colors by a quarter of a pixel.
 *
 * @param rgb - `widthPx * heightPx * 3` bytes, sRGB, no padding.
 * @returns A new buffer of {@link yuvByteLength} bytes, owned by the caller.
 */
export function toYuvPlanes(rgb: Uint8Array, widthPx: number, heightPx: number): Uint8Array {
  const ySize = widthPx * heightPx;
  const chromaWidth = widthPx >> 1;
  const yuv = new Uint8Array(yuvByteLength(widthPx, heightPx));
  const stride = widthPx * 3;
  let u = ySize;
  let v = ySize + (ySize >> 2);
  for (let row = 0; row < heightPx; row += 2) {
    let top = row * stride;
    let bottom = top + stride;
    let yTop = row * widthPx;
    let yBottom = yTop + widthPx;
    // The column left of the image repeats the first column.
    let leftR = rgb[top]! + rgb[bottom]!;
    let leftG = rgb[top + 1]! + rgb[bottom + 1]!;
    let leftB = rgb[top + 2]! + rgb[bottom + 2]!;
    for (let column = 0; column < chromaWidth; column += 1) {
      const r0 = rgb[top]!;
      const g0 = rgb[top + 1]!;
      const b0 = rgb[top + 2]!;
      const r1 = rgb[top + 3]!;
      const g1 = rgb[top + 4]!;
      const b1 = rgb[top + 5]!;
      const r2 = rgb[bottom]!;
      const g2 = rgb[bottom + 1]!;
      const b2 = rgb[bottom + 2]!;
      const r3 = rgb[bottom + 3]!;
      const g3 = rgb[bottom + 4]!;
      const b3 = rgb[bottom + 5]!;
      top += 6;
      bottom += 6;
      // 16 and a half, in 16-bit fixed point.
      yuv[yTop] = (Y_R * r0 + Y_G * g0 + Y_B * b0 + 1081344) >> 16;
      yuv[yTop + 1] = (Y_R * r1 + Y_G * g1 + Y_B * b1 + 1081344) >> 16;
      yuv[yBottom] = (Y_R * r2 + Y_G * g2 + Y_B * b2 + 1081344) >> 16;
      yuv[yBottom + 1] = (Y_R * r3 + Y_G * g3 + Y_B * b3 + 1081344) >> 16;
      yTop += 2;
      yBottom += 2;
      const rightR = r1 + r3;
      const rightG = g1 + g3;
      const rightB = b1 + b3;
      const sumR = leftR + 2 * (r0 + r2) + rightR;
      const sumG = leftG + 2 * (g0 + g2) + rightG;
      const sumB = leftB + 2 * (b0 + b2) + rightB;
      // Eight weights: 3 more bits. 128 and a half.
      yuv[u] = (U_R * sumR + U_G * sumG + U_B * sumB + 67371008) >> 19;
      yuv[v] = (V_R * sumR + V_G * sumG + V_B * sumB + 67371008) >> 19;
      u += 1;
      v += 1;
      leftR = rightR;
      leftG = rightG;
      leftB = rightB;
    }
  }
  return yuv;
}
