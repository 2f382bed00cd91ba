/** Packed RGB to planar YUV 4:2:0 in AssemblyScript. `../yuv-planes.ts` has the same arithmetic, its source and the weights. */

const ROUND_Y: i32 = 1081344;
const ROUND_C: i32 = 67371008;

/** Bytes of four pixels as pairs of i16: red with green, green with blue. */
const RG = i8x16(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1);
const GB = i8x16(1, -1, 2, -1, 4, -1, 5, -1, 7, -1, 8, -1, 10, -1, 11, -1);
/** The weight of green does not fit an i16: one half with red, one with blue. */
const Y_RG = i16x8(11966, 20127, 11966, 20127, 11966, 20127, 11966, 20127);
const Y_GB = i16x8(20127, 4064, 20127, 4064, 20127, 4064, 20127, 4064);

/** Two pixels with one between them, as R G of both, then B 0 of both: from the first, the second, the third byte triple on. */
const LEFT = i8x16(0, -1, 1, -1, 6, -1, 7, -1, 2, -1, -1, -1, 8, -1, -1, -1);
const MIDDLE = i8x16(3, -1, 4, -1, 9, -1, 10, -1, 5, -1, -1, -1, 11, -1, -1, -1);
const RIGHT = i8x16(6, -1, 7, -1, 12, -1, 13, -1, 8, -1, -1, -1, 14, -1, -1, -1);
const U = i16x8(-6596, -22188, -6596, -22188, 28784, 0, 28784, 0);
const V = i16x8(28784, -26145, 28784, -26145, -2639, 0, -2639, 0);

@inline
function luma4(at: usize): v128 {
  const bytes = v128.load(at);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(i8x16.swizzle(bytes, RG), Y_RG),
    i32x4.dot_i16x8_s(i8x16.swizzle(bytes, GB), Y_GB),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(ROUND_Y)), 16);
}

@inline
function luma16(dst: usize, at: usize): void {
  const low = i16x8.narrow_i32x4_s(luma4(at), luma4(at + 12));
  const high = i16x8.narrow_i32x4_s(luma4(at + 24), luma4(at + 36));
  v128.store(dst, i8x16.narrow_i16x8_u(low, high));
}

/** The weighted sums of two chroma samples of two rows; `at` is the pixel before the first. */
@inline
function sums2(top: usize, bottom: usize): v128 {
  const a = v128.load(top);
  const b = v128.load(bottom);
  const middle = i16x8.add(i8x16.swizzle(a, MIDDLE), i8x16.swizzle(b, MIDDLE));
  const left = i16x8.add(i8x16.swizzle(a, LEFT), i8x16.swizzle(b, LEFT));
  const right = i16x8.add(i8x16.swizzle(a, RIGHT), i8x16.swizzle(b, RIGHT));
  return i16x8.add(i16x8.add(left, right), i16x8.shl(middle, 1));
}

/** Four samples of one plane from the sums of two and two. */
@inline
function chroma4(first: v128, second: v128, weights: v128): v128 {
  const a = i32x4.dot_i16x8_s(first, weights);
  const b = i32x4.dot_i16x8_s(second, weights);
  const colors = v128.shuffle<i32>(a, b, 0, 1, 4, 5);
  const blues = v128.shuffle<i32>(a, b, 2, 3, 6, 7);
  return i32x4.shr_s(i32x4.add(i32x4.add(colors, blues), i32x4.splat(ROUND_C)), 19);
}

@inline
function chroma1(sumR: i32, sumG: i32, sumB: i32, r: i32, g: i32, b: i32): u8 {
  return <u8>((r * sumR + g * sumG + b * sumB + ROUND_C) >> 19);
}

/**
 * Converts rows. Reads 16 bytes before and after the source rows, whatever they are.
 *
 * @param width - Even, 16 or more. @param height - Even.
 */
export function toYuv(rgb: usize, width: i32, height: i32, y: usize, u: usize, v: usize): void {
  const stride = <usize>width * 3;
  const last = width - 16;
  for (let row: i32 = 0; row < height; row += 2) {
    const top = rgb + <usize>row * stride;
    const bottom = top + stride;
    const luma = y + <usize>(row * width);
    const chroma = <usize>((row >> 1) * (width >> 1));
    let x: i32 = 0;
    while (true) {
      const from = <usize>x * 3;
      luma16(luma + <usize>x, top + from);
      luma16(luma + <usize>width + <usize>x, bottom + from);
      // From the pixel before.
      const a = top + from - 3;
      const b = bottom + from - 3;
      const s0 = sums2(a, b);
      const s1 = sums2(a + 12, b + 12);
      const s2 = sums2(a + 24, b + 24);
      const s3 = sums2(a + 36, b + 36);
      const us = i16x8.narrow_i32x4_s(chroma4(s0, s1, U), chroma4(s2, s3, U));
      const vs = i16x8.narrow_i32x4_s(chroma4(s0, s1, V), chroma4(s2, s3, V));
      const both = i8x16.narrow_i16x8_u(us, vs);
      const at = chroma + <usize>(x >> 1);
      v128.store64_lane(u + at, both, 0);
      v128.store64_lane(v + at, both, 1);
      if (x === last) break;
      // The last step overlaps the one before it.
      x = min(x + 16, last);
    }
    // The column left of the image repeats the first column, so the first pixel counts three times.
    const r = 3 * (<i32>load<u8>(top) + <i32>load<u8>(bottom)) + <i32>load<u8>(top, 3) + <i32>load<u8>(bottom, 3);
    const g = 3 * (<i32>load<u8>(top, 1) + <i32>load<u8>(bottom, 1)) + <i32>load<u8>(top, 4) + <i32>load<u8>(bottom, 4);
    const bl = 3 * (<i32>load<u8>(top, 2) + <i32>load<u8>(bottom, 2)) + <i32>load<u8>(top, 5) + <i32>load<u8>(bottom, 5);
    store<u8>(u + chroma, chroma1(r, g, bl, -6596, -22188, 28784));
    store<u8>(v + chroma, chroma1(r, g, bl, 28784, -26145, -2639));
  }
}
