/**
 * Tells copies of a picture from pictures that were changed a little: words, an object or a power line less, another
 * sky. For the few pairs whose fingerprints are equal: it reads their masters, 20 to 50 ms each.
 */
import type { CachedImage } from '../photo-cache.ts';
import { type Cells, type Detail, GRID, hasDetail, readDetail } from './picture-cells.ts';

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

/** Of the whole picture; null where its master cannot be read. */
export function detailOf(cached: CachedImage): Detail | null {
  const known = details.get(cached);
  if (known !== undefined) return known;
  const detail = readDetail(cached);
  details.set(cached, detail);
  return detail;
}

/**
 * @param hasPalette - Whether one of the two had a palette.
 * @param share - How much of the usual difference is allowed.
 */
export function isSameDetail(a: Detail, b: Detail, hasPalette: boolean, share = 1): boolean {
  const { noise, usual, chromaNoise, worst, worstChroma } = noisesOf(a, b);
  const factor = share * (hasPalette ? PALETTE_FACTOR : 1);
  return (
    noise <= MAX_NOISE &&
    worst <= factor * MAX_DIFFERENCE + share * MAX_DIFFERENCE_NOISES * usual &&
    worst <= factor * MAX_LUMA_NOISES * (MIN_NOISE.luma + noise) &&
    worstChroma <= factor * MAX_CHROMA_NOISES * (MIN_NOISE.chroma + chromaNoise)
  );
}

/** How far two pictures differ: in the worst window, and usually. */
function noisesOf(a: Detail, b: Detail) {
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
  const usual = shareOf(luma, 0.5);
  return {
    usual,
    noise: shareOf(luma, 0.9),
    chromaNoise: shareOf(chroma, 0.5) + 2 * usual,
    worst: luma.at(-1)!,
    worstChroma: chroma.at(-1)!,
  };
}

function windowOf(cells: Cells, at: number): number {
  return (cells[at]! + cells[at + 1]! + cells[at + GRID]! + cells[at + GRID + 1]!) / 4;
}

/** @param sorted - Ascending. */
function shareOf(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}
