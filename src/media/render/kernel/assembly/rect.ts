/**
 * Filling and blending of rectangles with anti-aliased edges. The caller gives the coverage (0 to 256, u16) of each
 * column and row; columns `[solidFrom, solidTo)` are wholly covered, which lets opaque rows be filled or copied.
 */
import { blendEight, blendPixel, scaleEight, scalePixel } from './blend';

@inline
function fillPixels(row: usize, columns: usize, from: i32, to: i32, value: i32, rowAlpha: i32): void {
  for (let x = from; x < to; x++) {
    const alpha = scalePixel(<i32>load<u16>(columns + (<usize>x << 1)), rowAlpha);
    store<u8>(row + x, blendPixel(load<u8>(row + x), value, alpha));
  }
}

export function fillRect(
  dst: usize,
  dstStride: i32,
  w: i32,
  h: i32,
  columns: usize,
  rows: usize,
  solidFrom: i32,
  solidTo: i32,
  value: i32,
  alpha: i32,
): void {
  for (let y: i32 = 0; y < h; y++) {
    const row = dst + <usize>y * <usize>dstStride;
    const rowAlpha = scalePixel(load<u16>(rows + (<usize>y << 1)), alpha);
    if (rowAlpha == 0) continue;
    if (rowAlpha == 256) {
      fillPixels(row, columns, 0, solidFrom, value, 256);
      memory.fill(row + solidFrom, <u8>value, solidTo - solidFrom);
      fillPixels(row, columns, solidTo, w, value, 256);
      continue;
    }
    const values = i16x8.splat(<i16>value);
    const factor = i16x8.splat(<i16>rowAlpha);
    let x: i32 = 0;
    for (; x <= w - 8; x += 8) {
      const alphas = scaleEight(v128.load(columns + (<usize>x << 1)), factor);
      const mixed = blendEight(v128.load8x8_u(row + x), values, alphas);
      v128.store64_lane(row + x, i8x16.narrow_i16x8_u(mixed, mixed), 0);
    }
    fillPixels(row, columns, x, w, value, rowAlpha);
  }
}

@inline
function blendPixels(row: usize, source: usize, columns: usize, from: i32, to: i32, rowAlpha: i32): void {
  for (let x = from; x < to; x++) {
    const alpha = scalePixel(<i32>load<u16>(columns + (<usize>x << 1)), rowAlpha);
    store<u8>(row + x, blendPixel(load<u8>(row + x), load<u8>(source + x), alpha));
  }
}

export function blendRect(
  dst: usize,
  dstStride: i32,
  src: usize,
  srcStride: i32,
  w: i32,
  h: i32,
  columns: usize,
  rows: usize,
  solidFrom: i32,
  solidTo: i32,
  alpha: i32,
): void {
  for (let y: i32 = 0; y < h; y++) {
    const row = dst + <usize>y * <usize>dstStride;
    const source = src + <usize>y * <usize>srcStride;
    const rowAlpha = scalePixel(load<u16>(rows + (<usize>y << 1)), alpha);
    if (rowAlpha == 0) continue;
    if (rowAlpha == 256) {
      blendPixels(row, source, columns, 0, solidFrom, 256);
      memory.copy(row + solidFrom, source + solidFrom, solidTo - solidFrom);
      blendPixels(row, source, columns, solidTo, w, 256);
      continue;
    }
    const factor = i16x8.splat(<i16>rowAlpha);
    let x: i32 = 0;
    for (; x <= w - 8; x += 8) {
      const alphas = scaleEight(v128.load(columns + (<usize>x << 1)), factor);
      const mixed = blendEight(v128.load8x8_u(row + x), v128.load8x8_u(source + x), alphas);
      v128.store64_lane(row + x, i8x16.narrow_i16x8_u(mixed, mixed), 0);
    }
    blendPixels(row, source, columns, x, w, rowAlpha);
  }
}
