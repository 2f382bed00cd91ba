/** What the pixels of a picture look like at a glance: a floor plan, or one flat color. A guess. Pure. */
import type { ListingPhoto } from '../../design/photo.ts';

/** Packed pixels of a picture made small, 256 px on the longer side. */
export interface SmallPicture {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Transparency is not looked at. */
  readonly channels: 3 | 4;
}

/** Noise of a lens cap, or of JPEG, in a small picture. A wall in fog differs by more. */
const FLAT_DIFFERENCE = 8;
/** The rest are hot pixels. */
const FLAT_SHARE = 0.999;

// Measured on 60 photos of 5 houses, as they are and up to 1.7 times overexposed, and on 18 drawn plans: paper covers
// at most 36 % of a photo as it is. Of what is no paper, 0 to 15 % of a plan and 30 to 57 % of overexposed photos is
// soft.
const PAPER_SHARE = 0.5;
/** The darkest paper, and how far from gray it is: old paper is cream. */
const PAPER_LUMA = 205;
const PAPER_CHROMA = 26;
/** Paper has one tone, also scanned; white walls, snow and clouds have many. */
const PAPER_TONES = 7;
/** Paper is also between the walls of a plan; an overexposed sky is only above. In how many cells of a grid. */
const GRID = 4;
const MIN_PAPER_CELLS = 12;
const PAPER_SHARE_OF_CELL = 0.15;
/** Lines are darker than paper, also thin ones in a small picture. */
const INK = 24;
const INK_SHARE = 0.01;
/** Lines and fills have hard edges. Shades of a photo differ by so much between neighbors. */
const SOFT = { over: 4, under: 30 };
const MAX_SOFT_SHARE = 0.2;

/** @returns Undefined for what looks like a photo. */
export function lookOf(picture: SmallPicture): ListingPhoto['looksLike'] {
  if (isFlat(picture)) return 'blank';
  return isPlan(picture) ? 'floor_plan' : undefined;
}

function isFlat({ data, channels }: SmallPicture): boolean {
  const count = data.length / channels;
  return [0, 1, 2].every((channel) => {
    const histogram = new Uint32Array(256);
    for (let at = channel; at < data.length; at += channels) histogram[data[at]!]! += 1;
    return mostWithin(histogram, FLAT_DIFFERENCE).count >= FLAT_SHARE * count;
  });
}

/** The window of `2 * reach + 1` values that has most, and the mean of what is in it. */
function mostWithin(
  histogram: Uint32Array,
  reach: number,
): { readonly mean: number; readonly count: number } {
  let best = { mean: 0, count: 0 };
  for (let middle = 0; middle < histogram.length; middle += 1) {
    let [sum, count] = [0, 0];
    for (let value = Math.max(0, middle - reach); value <= Math.min(255, middle + reach); value += 1) {
      count += histogram[value]!;
      sum += value * histogram[value]!;
    }
    if (count > best.count) best = { mean: Math.round(sum / count), count };
  }
  return best;
}

function isPlan({ data, widthPx, heightPx, channels }: SmallPicture): boolean {
  const luma = new Uint8Array(widthPx * heightPx);
  const isGray = new Uint8Array(luma.length);
  const tones = new Uint32Array(256);
  for (let at = 0; at < luma.length; at += 1) {
    const red = data[at * channels]!;
    const green = data[at * channels + 1]!;
    const blue = data[at * channels + 2]!;
    luma[at] = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    isGray[at] = Number(Math.max(red, green, blue) - Math.min(red, green, blue) <= PAPER_CHROMA);
    if (isGray[at] && luma[at]! >= PAPER_LUMA) tones[luma[at]!]! += 1;
  }
  const paper = mostWithin(tones, PAPER_TONES);
  if (paper.count < PAPER_SHARE * luma.length) return false;
  const cells = new Uint32Array(GRID * GRID);
  let [others, ink, soft] = [0, 0, 0];
  for (let y = 1; y < heightPx - 1; y += 1) {
    for (let x = 1; x < widthPx - 1; x += 1) {
      const at = y * widthPx + x;
      if (isGray[at] && Math.abs(luma[at]! - paper.mean) <= PAPER_TONES) {
        cells[Math.floor((y * GRID) / heightPx) * GRID + Math.floor((x * GRID) / widthPx)]! += 1;
        continue;
      }
      others += 1;
      if (luma[at]! < paper.mean - INK) ink += 1;
      const range = rangeAround(luma, at, widthPx);
      if (range > SOFT.over && (range < SOFT.under || !isGray[at])) soft += 1;
    }
  }
  const paperOfCell = (PAPER_SHARE_OF_CELL * luma.length) / cells.length;
  return (
    cells.filter((count) => count >= paperOfCell).length >= MIN_PAPER_CELLS &&
    ink >= INK_SHARE * luma.length &&
    soft <= MAX_SOFT_SHARE * others
  );
}

/** The largest difference within the 3 x 3 pixels around one that is not at the edge. */
function rangeAround(luma: Uint8Array, at: number, widthPx: number): number {
  let [low, high] = [255, 0];
  for (const row of [at - widthPx, at, at + widthPx]) {
    for (let index = row - 1; index <= row + 1; index += 1) {
      low = Math.min(low, luma[index]!);
      high = Math.max(high, luma[index]!);
    }
  }
  return high - low;
}
