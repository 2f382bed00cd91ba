/**
 * Separable Catmull-Rom resampling of one 8-bit plane: a source row is resampled horizontally once, kept as 16-bit rows
 * in a ring of four, and each destination row is the vertical sum of those four.
 *
 * Weights are Q14 with 1024 phases (`lut`: 4 i16 a phase). Horizontal results keep 6 fractional bits: 255 * 1.25 * 64
 * fits an i16. Positions are computed in f64, anew for each pixel, so that no error adds up along a row.
 *
 * Scratch: 16 bytes of row numbers, four ring rows, then one table entry of 112 bytes for each 8 destination pixels.
 */

const GROUP_BYTES: usize = 112;

@inline
function quantize(x: f64): i32 {
  return <i32>Math.floor(x * 1024.0 + 0.5);
}

@inline
function clampTap(tap: i32, last: i32): i32 {
  return max(0, min(tap, last));
}

/** Writes where and with which weights each group of 8 pixels reads. False when one needs more than 16 source bytes. */
function buildTable(table: usize, groups: i32, dstW: i32, srcW: i32, x0: f64, dx: f64, lut: usize): bool {
  const last = srcW - 1;
  let fits = true;
  for (let g: i32 = 0; g < groups; g++) {
    const entry = table + <usize>g * GROUP_BYTES;
    let base: i32 = 0;
    for (let k: i32 = 0; k < 8; k++) {
      const i = min((g << 3) + k, dstW - 1);
      const position = quantize(x0 + <f64>i * dx);
      const first = (position >> 10) - 1;
      const weights = lut + (<usize>(position & 1023) << 3);
      if (k == 0) {
        base = clampTap(first, last);
        store<i32>(entry, base);
      }
      if (clampTap(first + 3, last) - base > 15) fits = false;
      const byte = entry + (<usize>k << 1);
      store<u8>(byte, <u8>(clampTap(first, last) - base), 16);
      store<u8>(byte, <u8>(clampTap(first + 1, last) - base), 17);
      store<u8>(byte, <u8>(clampTap(first + 2, last) - base), 32);
      store<u8>(byte, <u8>(clampTap(first + 3, last) - base), 33);
      const word = entry + (<usize>k << 2);
      store<u32>(word, load<u32>(weights), 48);
      store<u32>(word, load<u32>(weights, 4), 80);
    }
  }
  return fits;
}

function resampleRow(out: usize, row: usize, table: usize, groups: i32): void {
  const end = table + <usize>groups * GROUP_BYTES;
  const half = i32x4.splat(128);
  while (table < end) {
    const pixels = v128.load(row + <usize>load<u32>(table));
    const p01 = i8x16.swizzle(pixels, v128.load(table, 16));
    const p23 = i8x16.swizzle(pixels, v128.load(table, 32));
    const low = i32x4.add(
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(p01), v128.load(table, 48)),
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(p23), v128.load(table, 80)),
    );
    const high = i32x4.add(
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(p01), v128.load(table, 64)),
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(p23), v128.load(table, 96)),
    );
    v128.store(
      out,
      i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(low, half), 8), i32x4.shr_s(i32x4.add(high, half), 8)),
    );
    out += 16;
    table += GROUP_BYTES;
  }
}

/** The same without the 16-byte window: for strong minification and for nothing else. */
function resampleRowWide(
  out: usize,
  row: usize,
  dstW: i32,
  srcW: i32,
  x0: f64,
  dx: f64,
  lut: usize,
): void {
  const last = srcW - 1;
  for (let i: i32 = 0; i < dstW; i++) {
    const position = quantize(x0 + <f64>i * dx);
    const first = (position >> 10) - 1;
    const weights = lut + (<usize>(position & 1023) << 3);
    let sum: i32 = 128;
    for (let k: i32 = 0; k < 4; k++) {
      sum += <i32>load<u8>(row + clampTap(first + k, last)) * <i32>load<i16>(weights + (<usize>k << 1));
    }
    store<i16>(out + (<usize>i << 1), <i16>(sum >> 8));
  }
}

@inline
function columns(r0: usize, r1: usize, r2: usize, r3: usize, w01: v128, w23: v128): v128 {
  const a = v128.load(r0);
  const b = v128.load(r1);
  const c = v128.load(r2);
  const d = v128.load(r3);
  const half = i32x4.splat(1 << 19);
  const low = i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), w01),
    i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11), w23),
  );
  const high = i32x4.add(
    i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), w01),
    i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15), w23),
  );
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(low, half), 20),
    i32x4.shr_s(i32x4.add(high, half), 20),
  );
}

@inline
function sixteenPixels(out: usize, r0: usize, r1: usize, r2: usize, r3: usize, w01: v128, w23: v128): void {
  v128.store(
    out,
    i8x16.narrow_i16x8_u(
      columns(r0, r1, r2, r3, w01, w23),
      columns(r0 + 16, r1 + 16, r2 + 16, r3 + 16, w01, w23),
    ),
  );
}

function combineRows(
  out: usize,
  dstW: i32,
  r0: usize,
  r1: usize,
  r2: usize,
  r3: usize,
  weights: usize,
): void {
  const w01 = i32x4.splat(load<i32>(weights));
  const w23 = i32x4.splat(load<i32>(weights, 4));
  if (dstW >= 16) {
    let i: i32 = 0;
    for (; i <= dstW - 16; i += 16) {
      const at = <usize>i << 1;
      sixteenPixels(out + i, r0 + at, r1 + at, r2 + at, r3 + at, w01, w23);
    }
    // The last block overlaps the one before: cheaper than a scalar tail, and the rows it reads do not change.
    if (i < dstW) {
      const at = <usize>(dstW - 16) << 1;
      sixteenPixels(out + (dstW - 16), r0 + at, r1 + at, r2 + at, r3 + at, w01, w23);
    }
    return;
  }
  for (let i: i32 = 0; i < dstW; i++) {
    const at = <usize>i << 1;
    const sum =
      <i32>load<i16>(r0 + at) * <i32>load<i16>(weights) +
      <i32>load<i16>(r1 + at) * <i32>load<i16>(weights, 2) +
      <i32>load<i16>(r2 + at) * <i32>load<i16>(weights, 4) +
      <i32>load<i16>(r3 + at) * <i32>load<i16>(weights, 6) +
      (1 << 19);
    store<u8>(out + i, <u8>max(0, min(255, sum >> 20)));
  }
}

export function resample(
  dst: usize,
  dstStride: i32,
  dstW: i32,
  dstH: i32,
  src: usize,
  srcStride: i32,
  srcW: i32,
  srcH: i32,
  x0: f64,
  dx: f64,
  y0: f64,
  dy: f64,
  lut: usize,
  scratch: usize,
): void {
  const groups = (dstW + 7) >> 3;
  const rowBytes = (<usize>groups << 4) + 32;
  const ring = scratch + 16;
  const table = ring + rowBytes * 4;
  const narrow = buildTable(table, groups, dstW, srcW, x0, dx, lut);
  v128.store(scratch, i32x4.splat(-1));
  const last = srcH - 1;
  for (let j: i32 = 0; j < dstH; j++) {
    const position = quantize(y0 + <f64>j * dy);
    const first = (position >> 10) - 1;
    for (let k: i32 = 0; k < 4; k++) {
      const tap = clampTap(first + k, last);
      const slot = scratch + (<usize>(tap & 3) << 2);
      if (load<i32>(slot) == tap) continue;
      store<i32>(slot, tap);
      const out = ring + rowBytes * <usize>(tap & 3);
      const row = src + <usize>tap * <usize>srcStride;
      if (narrow) resampleRow(out, row, table, groups);
      else resampleRowWide(out, row, dstW, srcW, x0, dx, lut);
    }
    combineRows(
      dst + <usize>j * <usize>dstStride,
      dstW,
      ring + rowBytes * <usize>(clampTap(first, last) & 3),
      ring + rowBytes * <usize>(clampTap(first + 1, last) & 3),
      ring + rowBytes * <usize>(clampTap(first + 2, last) & 3),
      ring + rowBytes * <usize>(clampTap(first + 3, last) & 3),
      lut + (<usize>(position & 1023) << 3),
    );
  }
}
