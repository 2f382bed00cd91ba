/**
 * Tells copies of a picture from pictures that were changed a little: words, an object or a power line less, another
 * sky. For the few pairs whose fingerprints are equal: it reads their masters, 20 to 50 ms each.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { CachedImage } from './photo-cache.ts';

/** Mean luma, mean square of luma, and mean chroma of the cells of a grid, on the scale of 0 to 255. */
type Detail = readonly [luma: Cells, square: Cells, u: Cells, v: Cells];
type Cells = Float32Array;

/** Cells per side. Of a photo of 1920 px a cell has 16 px; smaller photos have no more detail than the fingerprint. */
const GRID = 120;
/** Windows of 2 x 2 cells, each half over the next: no change falls between them. */
const WINDOWS = GRID - 1;

// A window differs by so much of its own detail in a copy: what is fine gets lost in compression, sharper or softer.
const DETAIL_SHARE = 0.15;
// Compression has noise everywhere, a change only where it is: the worst window is compared with the noise of this
// pair, so that a change shows in a good copy that would be lost in a bad one.
//
// Measured on 26 photos of 5 houses, each against 21 copies of itself (JPEG quality 10 to 80, WebP, AVIF, 480 to 3840
// px wide, sharpened, softened) and 90 changes, stored at JPEG quality 50 to 90: times the noise, the worst window of
// copies has at most 5.2 in luma and 4.7 in chroma (5.5 at 480 px and quality 10). White words of 2 % of the height
// have 5.7 on bright ground and 35 usually, strips 18, a line of 1 px 5.7 in a tree and 13 usually, cloned patches of
// 3 to 5 % of the width 30 usually, if they show at all; in chroma, a sky 12 levels bluer has 7.4 and a lawn 15 levels
// greener 6.7. A crop of 0.5 % per side differs by 9 to 32 levels in the worst window. Copies made without any filter
// (nearest pixel) lose thin lines, and some of them stay.
const MAX_LUMA_NOISES = 5.4;
const MAX_CHROMA_NOISES = 5.2;
/** The noise of a copy that has none. */
const MIN_NOISE = { luma: 0.3, chroma: 0.4 };
/** Pictures that differ everywhere, such as brighter ones: 3.7 in a copy of 480 px at JPEG quality 10. */
const MAX_NOISE = 3.9;
/** Crops have noise too: along all edges. */
const MAX_DIFFERENCE = 4.5;
const MAX_DIFFERENCE_NOISES = 8;
/** GIF and PNG with 256 colors lose the color of small things. Most of 26 photos each have up to 15 times the noise. */
const PALETTE_FACTOR = 3;

/** Each master is read once, and each pair compared once: the studio asks after every edit. */
const details = new WeakMap<CachedImage, Detail | null>();
const comparisons = new WeakMap<CachedImage, WeakMap<CachedImage, boolean>>();

/**
 * @param a - Its fingerprint is equal to that of `b`.
 * @returns False where a master cannot be read.
 */
export function isSamePicture(a: CachedImage, b: CachedImage): boolean {
  if (a.digest === b.digest) return true;
  const known = comparisons.get(a) ?? new WeakMap<CachedImage, boolean>();
  comparisons.set(a, known);
  const isSame = known.get(b) ?? compare(a, b);
  known.set(b, isSame);
  return isSame;
}

function compare(a: CachedImage, b: CachedImage): boolean {
  if (!hasDetail(a) || !hasDetail(b)) return true;
  const [ofA, ofB] = [detailOf(a), detailOf(b)];
  if (ofA === null || ofB === null) return false;
  return isSameDetail(ofA, ofB, a.image.hasPalette === true || b.image.hasPalette === true);
}

/** A plane of chroma has half as many pixels per side, and a cell at least one. */
function hasDetail({ image: { widthPx, heightPx } }: CachedImage): boolean {
  return Math.min(widthPx, heightPx) >= 2 * GRID;
}

function detailOf(cached: CachedImage): Detail | null {
  const known = details.get(cached);
  if (known !== undefined) return known;
  const detail = readDetail(cached);
  details.set(cached, detail);
  return detail;
}

function readDetail({ masterPath, image: { widthPx, heightPx } }: CachedImage): Detail | null {
  let file: number;
  try {
    file = openSync(masterPath, 'r');
  } catch {
    return null;
  }
  try {
    const ySize = widthPx * heightPx;
    const [width, height] = [widthPx / 2, heightPx / 2];
    const chroma = { zero: 128, scale: 255 / 224 };
    const luma = readCells(file, 0, widthPx, heightPx, { zero: 16, scale: 255 / 219 });
    const u = readCells(file, ySize, width, height, chroma);
    const v = readCells(file, ySize * 1.25, width, height, chroma);
    return [luma.mean, luma.square, u.mean, v.mean];
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** A plane in cells: a pixel on a border counts in both cells by its shares. At least as many pixels as cells. */
function readCells(
  file: number,
  offset: number,
  width: number,
  height: number,
  { zero, scale }: { zero: number; scale: number },
): { readonly mean: Cells; readonly square: Cells } {
  const plane = Buffer.allocUnsafe(width * height);
  if (readSync(file, plane, 0, plane.length, offset) < plane.length)
    throw new Error('the master is too short');
  const [mean, square] = [new Float64Array(GRID * GRID), new Float64Array(GRID * GRID)];
  const columns = sharesOf(width);
  const rows = sharesOf(height);
  const [sums, squares] = [new Float64Array(GRID + 1), new Float64Array(GRID + 1)];
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    squares.fill(0);
    for (let x = 0; x < width; x += 1) {
      const value = (plane[y * width + x]! - zero) * scale;
      const cell = columns.cell[x]!;
      const here = columns.here[x]! * value;
      const next = columns.next[x]! * value;
      sums[cell]! += here;
      squares[cell]! += here * value;
      sums[cell + 1]! += next;
      squares[cell + 1]! += next * value;
    }
    for (const [row, share] of [
      [rows.cell[y]!, rows.here[y]!],
      [rows.cell[y]! + 1, rows.next[y]!],
    ] as const) {
      if (share === 0) continue;
      for (let cell = 0; cell < GRID; cell += 1) {
        mean[row * GRID + cell]! += share * sums[cell]!;
        square[row * GRID + cell]! += share * squares[cell]!;
      }
    }
  }
  return { mean: Float32Array.from(mean), square: Float32Array.from(square) };
}

/** For each of `count` pixels its cell, and which share of that cell and of the next it is. */
function sharesOf(count: number) {
  const cell = new Uint8Array(count);
  const [here, next] = [new Float64Array(count), new Float64Array(count)];
  for (let pixel = 0; pixel < count; pixel += 1) {
    const [from, to] = [(pixel * GRID) / count, ((pixel + 1) * GRID) / count];
    cell[pixel] = Math.floor(from);
    // The last border is at the end, but for rounding.
    const border = Math.min(to, Math.floor(from) + 1);
    here[pixel] = border - from;
    next[pixel] = cell[pixel] === GRID - 1 ? 0 : to - border;
  }
  return { cell, here, next };
}

/** @param hasPalette - Whether one of the two had a palette. */
function isSameDetail(a: Detail, b: Detail, hasPalette: boolean): boolean {
  const luma = new Float64Array(WINDOWS * WINDOWS);
  const chroma = new Float64Array(WINDOWS * WINDOWS);
  for (let row = 0; row < WINDOWS; row += 1) {
    for (let column = 0; column < WINDOWS; column += 1) {
      const at = row * GRID + column;
      const [lumaA, lumaB] = [windowOf(a[0], at), windowOf(b[0], at)];
      const ownDetail = Math.sqrt(
        Math.max(0, Math.min(windowOf(a[1], at) - lumaA ** 2, windowOf(b[1], at) - lumaB ** 2)),
      );
      const allowed = 1 + DETAIL_SHARE * ownDetail;
      const index = row * WINDOWS + column;
      luma[index] = Math.abs(lumaA - lumaB) / allowed;
      chroma[index] =
        Math.hypot(windowOf(a[2], at) - windowOf(b[2], at), windowOf(a[3], at) - windowOf(b[3], at)) /
        allowed;
    }
  }
  luma.sort();
  chroma.sort();
  const factor = hasPalette ? PALETTE_FACTOR : 1;
  const noise = shareOf(luma, 0.9);
  const usual = shareOf(luma, 0.5);
  const chromaNoise = shareOf(chroma, 0.5) + 2 * usual;
  const [worst, worstChroma] = [luma.at(-1)!, chroma.at(-1)!];
  return (
    noise <= MAX_NOISE &&
    worst <= factor * MAX_DIFFERENCE + MAX_DIFFERENCE_NOISES * usual &&
    worst <= factor * MAX_LUMA_NOISES * (MIN_NOISE.luma + noise) &&
    worstChroma <= factor * MAX_CHROMA_NOISES * (MIN_NOISE.chroma + chromaNoise)
  );
}

function windowOf(cells: Cells, at: number): number {
  return (cells[at]! + cells[at + 1]! + cells[at + GRID]! + cells[at + GRID + 1]!) / 4;
}

/** @param sorted - Ascending. */
function shareOf(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}
