/** Coverage masks (0 to 255): laying color through them, moving them by parts of a pixel, chroma coverage, clipping. */
import { blendEight, blendPixel, scaleEight, scalePixel } from './blend';

/** 0 to 255 as 0 to 256, so that full coverage is exact. */
@inline
function widenPixel(coverage: i32): i32 {
  return coverage + (coverage >> 7);
}

@inline
function widenEight(coverage: v128): v128 {
  return i16x8.add(coverage, i16x8.shr_u(coverage, 7));
}

@inline
function alphaEight(mask: usize, opacity: i32): v128 {
  const wide = widenEight(v128.load8x8_u(mask));
  return opacity == 256 ? wide : scaleEight(wide, i16x8.splat(<i16>opacity));
}

@inline
function alphaPixel(mask: usize, opacity: i32): i32 {
  return scalePixel(widenPixel(load<u8>(mask)), opacity);
}

export function overlayMask(
  dst: usize,
  dstStride: i32,
  mask: usize,
  maskStride: i32,
  w: i32,
  h: i32,
  value: i32,
  opacity: i32,
): void {
  const values = i16x8.splat(<i16>value);
  for (let y: i32 = 0; y < h; y++) {
    const row = dst + <usize>y * <usize>dstStride;
    const coverage = mask + <usize>y * <usize>maskStride;
    let x: i32 = 0;
    for (; x <= w - 8; x += 8) {
      // Most of a text's box is empty.
      if (load<u64>(coverage + x) == 0) continue;
      const mixed = blendEight(v128.load8x8_u(row + x), values, alphaEight(coverage + x, opacity));
      v128.store64_lane(row + x, i8x16.narrow_i16x8_u(mixed, mixed), 0);
    }
    for (; x < w; x++) {
      store<u8>(row + x, blendPixel(load<u8>(row + x), value, alphaPixel(coverage + x, opacity)));
    }
  }
}

/** `dst * (1 - a) + src * opacity`: `src` is premultiplied by its mask, both have `srcStride`. */
export function overlayPremultiplied(
  dst: usize,
  dstStride: i32,
  src: usize,
  mask: usize,
  srcStride: i32,
  w: i32,
  h: i32,
  opacity: i32,
): void {
  for (let y: i32 = 0; y < h; y++) {
    const row = dst + <usize>y * <usize>dstStride;
    const at = <usize>y * <usize>srcStride;
    for (let x: i32 = 0; x < w; x++) {
      const alpha = alphaPixel(mask + at + x, opacity);
      const value =
        <i32>load<u8>(row + x) * (256 - alpha) + <i32>load<u8>(src + at + x) * opacity + 128;
      store<u8>(row + x, <u8>min(255, value >> 8));
    }
  }
}

/**
 * Moves a mask right and down by `fx`, `fy` (0 to 256) 256ths of a pixel, bilinearly. `src` points at the mask's
 * pixel (-1, -1): it must be framed by clear pixels. `w` and `h` are the destination's, one more than the mask's.
 */
export function shiftMask(
  dst: usize,
  dstStride: i32,
  src: usize,
  srcStride: i32,
  w: i32,
  h: i32,
  fx: i32,
  fy: i32,
): void {
  const both = (fx * fy + 128) >> 8;
  const w11 = 256 - fx - fy + both;
  const w01 = fx - both;
  const w10 = fy - both;
  const here = i16x8.splat(<i16>w11);
  const left = i16x8.splat(<i16>w01);
  const above = i16x8.splat(<i16>w10);
  const corner = i16x8.splat(<i16>both);
  for (let y: i32 = 0; y < h; y++) {
    const upper = src + <usize>y * <usize>srcStride;
    const lower = upper + srcStride;
    const out = dst + <usize>y * <usize>dstStride;
    let x: i32 = 0;
    for (; x <= w - 8; x += 8) {
      const sum = i16x8.add(
        i16x8.add(
          i16x8.mul(v128.load8x8_u(upper + x), corner),
          i16x8.mul(v128.load8x8_u(upper + x + 1), above),
        ),
        i16x8.add(
          i16x8.mul(v128.load8x8_u(lower + x), left),
          i16x8.mul(v128.load8x8_u(lower + x + 1), here),
        ),
      );
      const moved = i16x8.shr_u(i16x8.add(sum, i16x8.splat(128)), 8);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(moved, moved), 0);
    }
    for (; x < w; x++) {
      const sum =
        <i32>load<u8>(upper + x) * both +
        <i32>load<u8>(upper + x + 1) * w10 +
        <i32>load<u8>(lower + x) * w01 +
        <i32>load<u8>(lower + x + 1) * w11;
      store<u8>(out + x, <u8>((sum + 128) >> 8));
    }
  }
}

/**
 * Coverage at the chroma sites of H.264's left siting: 1-2-1 across, 1-1 down. `src` points at the mask's pixel under
 * chroma pixel (0, 0); one clear column to the left of it and enough below and to the right must be readable.
 */
export function chromaMask(dst: usize, dstStride: i32, w: i32, h: i32, src: usize, srcStride: i32): void {
  for (let y: i32 = 0; y < h; y++) {
    let upper = src + <usize>(y << 1) * <usize>srcStride;
    let lower = upper + srcStride;
    const out = dst + <usize>y * <usize>dstStride;
    for (let x: i32 = 0; x < w; x++) {
      const sum =
        <i32>load<u8>(upper - 1) + <i32>load<u8>(upper + 1) + <i32>load<u8>(lower - 1) + <i32>load<u8>(lower + 1) +
        ((<i32>load<u8>(upper) + <i32>load<u8>(lower)) << 1);
      store<u8>(out + x, <u8>((sum + 4) >> 3));
      upper += 2;
      lower += 2;
    }
  }
}

/** Multiplies a mask by the coverage (0 to 256, u16) of its columns and rows: clipping with soft edges. */
export function multiplyMask(mask: usize, stride: i32, w: i32, h: i32, columns: usize, rows: usize): void {
  for (let y: i32 = 0; y < h; y++) {
    const row = mask + <usize>y * <usize>stride;
    const factor = <i32>load<u16>(rows + (<usize>y << 1));
    if (factor == 0) {
      memory.fill(row, 0, w);
      continue;
    }
    for (let x: i32 = 0; x < w; x++) {
      const column = scalePixel(load<u16>(columns + (<usize>x << 1)), factor);
      store<u8>(row + x, <u8>scalePixel(load<u8>(row + x), column));
    }
  }
}
