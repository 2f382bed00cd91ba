/**
 * Separable enlargement of one 8-bit plane with eight taps: a source row is enlarged across once, kept as 16-bit rows in a
 * ring of eight, and each destination row is the sum of those eight.
 *
 * A tap table has 24 bytes for each destination pixel: the first source pixel (i32, can lie outside), 4 unused bytes, eight
 * weights (i16, Q14). Results across keep 6 fractional bits: 255 * 1.5 * 64 fits an i16.
 *
 * Scratch: 32 bytes of row numbers, the source row between two margins of 8 pixels, then the ring.
 */

const ENTRY_BYTES: usize = 24;
const MARGIN: i32 = 8;

@inline
function clampRow(row: i32, last: i32): i32 {
  return max(0, min(row, last));
}

function enlargeRow(out: usize, dstW: i32, row: usize, srcW: i32, columns: usize, padded: usize): void {
  memory.fill(padded, load<u8>(row), MARGIN);
  memory.copy(padded + MARGIN, row, srcW);
  memory.fill(padded + MARGIN + srcW, load<u8>(row + srcW - 1), MARGIN);
  for (let x: i32 = 0; x < dstW; x++) {
    const entry = columns + <usize>x * ENTRY_BYTES;
    const pixels = v128.load8x8_u(padded + MARGIN + load<i32>(entry));
    const sums = i32x4.dot_i16x8_s(pixels, v128.load(entry, 8));
    const sum =
      i32x4.extract_lane(sums, 0) +
      i32x4.extract_lane(sums, 1) +
      i32x4.extract_lane(sums, 2) +
      i32x4.extract_lane(sums, 3);
    store<i16>(out + (<usize>x << 1), <i16>((sum + 128) >> 8));
  }
}

@inline
function lowPair(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), weights);
}

@inline
function highPair(a: v128, b: v128, weights: v128): v128 {
  return i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), weights);
}

export function enlarge(
  dst: usize,
  dstW: i32,
  dstH: i32,
  src: usize,
  srcW: i32,
  srcH: i32,
  columns: usize,
  rows: usize,
  scratch: usize,
): void {
  const padded = scratch + 32;
  const ring = padded + <usize>((srcW + 2 * MARGIN + 15) & ~15);
  const rowBytes = <usize>((2 * dstW + 15) & ~15);
  const last = srcH - 1;
  memory.fill(scratch, 255, 32);
  const half = i32x4.splat(1 << 19);
  for (let y: i32 = 0; y < dstH; y++) {
    const entry = rows + <usize>y * ENTRY_BYTES;
    const first = load<i32>(entry);
    for (let k: i32 = 0; k < 8; k++) {
      const row = clampRow(first + k, last);
      const held = scratch + (<usize>(row & 7) << 2);
      if (load<i32>(held) == row) continue;
      store<i32>(held, row);
      const out = ring + rowBytes * <usize>(row & 7);
      enlargeRow(out, dstW, src + <usize>row * <usize>srcW, srcW, columns, padded);
    }
    const r0 = ring + rowBytes * <usize>(clampRow(first, last) & 7);
    const r1 = ring + rowBytes * <usize>(clampRow(first + 1, last) & 7);
    const r2 = ring + rowBytes * <usize>(clampRow(first + 2, last) & 7);
    const r3 = ring + rowBytes * <usize>(clampRow(first + 3, last) & 7);
    const r4 = ring + rowBytes * <usize>(clampRow(first + 4, last) & 7);
    const r5 = ring + rowBytes * <usize>(clampRow(first + 5, last) & 7);
    const r6 = ring + rowBytes * <usize>(clampRow(first + 6, last) & 7);
    const r7 = ring + rowBytes * <usize>(clampRow(first + 7, last) & 7);
    const w01 = i32x4.splat(load<i32>(entry, 8));
    const w23 = i32x4.splat(load<i32>(entry, 12));
    const w45 = i32x4.splat(load<i32>(entry, 16));
    const w67 = i32x4.splat(load<i32>(entry, 20));
    const out = dst + <usize>y * <usize>dstW;
    let x: i32 = 0;
    for (; x <= dstW - 8; x += 8) {
      const at = <usize>x << 1;
      const a = v128.load(r0 + at);
      const b = v128.load(r1 + at);
      const c = v128.load(r2 + at);
      const d = v128.load(r3 + at);
      const e = v128.load(r4 + at);
      const f = v128.load(r5 + at);
      const g = v128.load(r6 + at);
      const h = v128.load(r7 + at);
      const low = i32x4.add(
        i32x4.add(lowPair(a, b, w01), lowPair(c, d, w23)),
        i32x4.add(lowPair(e, f, w45), lowPair(g, h, w67)),
      );
      const high = i32x4.add(
        i32x4.add(highPair(a, b, w01), highPair(c, d, w23)),
        i32x4.add(highPair(e, f, w45), highPair(g, h, w67)),
      );
      const words = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(low, half), 20),
        i32x4.shr_s(i32x4.add(high, half), 20),
      );
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(words, words), 0);
    }
    for (; x < dstW; x++) {
      const at = <usize>x << 1;
      const sum =
        <i32>load<i16>(r0 + at) * <i32>load<i16>(entry, 8) +
        <i32>load<i16>(r1 + at) * <i32>load<i16>(entry, 10) +
        <i32>load<i16>(r2 + at) * <i32>load<i16>(entry, 12) +
        <i32>load<i16>(r3 + at) * <i32>load<i16>(entry, 14) +
        <i32>load<i16>(r4 + at) * <i32>load<i16>(entry, 16) +
        <i32>load<i16>(r5 + at) * <i32>load<i16>(entry, 18) +
        <i32>load<i16>(r6 + at) * <i32>load<i16>(entry, 20) +
        <i32>load<i16>(r7 + at) * <i32>load<i16>(entry, 22) +
        (1 << 19);
      store<u8>(out + x, <u8>max(0, min(255, sum >> 20)));
    }
  }
}
