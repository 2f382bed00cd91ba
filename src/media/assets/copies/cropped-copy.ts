/**
 * Tells copies that were cropped or made a little brighter: of the few pairs whose fingerprints are near, the part that both
 * show is read from their masters, given the same light and compared like any copy.
 */

import type { CachedImage } from '../photo-cache.ts';
import { alignPictures } from './align-pictures.ts';
import { type Cells, type Detail, hasDetail, type Part, readDetail } from './picture-cells.ts';
import { detailOf, isSameDetail } from './picture-detail.ts';

/** The least of each side that a crop keeps: from 4:3 to 3:2 it is 0.89. */
const MIN_KEPT = 0.85;
/** Rounding of a crop to whole pixels, of small pictures. */
const UNCUT = 0.004;
/** Mean levels by which a copy is brighter: exposures of a bracket are further apart, dusk is not even. */
const MAX_BRIGHTER = 14;
/** Mean levels of chroma: a cast over the whole picture is no noise, and can be what was altered. */
const MAX_CAST = 2;
/**
 * Of the difference that a plain copy may have. Measured on 16 photos of 5 houses: crops of 1 to 2 %, down to 640 px and JPEG
 * quality 30, have at most 0.67 of it. With one change (furniture, a faint rug, a lamp, power lines, a bluer sky, what is near moved
 * by 1 %) it is at least 0.9. Brighter copies whose lights are clipped have 0.8 to 3.9: most of them stay.
 */
const ALLOWED = 0.8;
/** Levels of luma that share a step of the curve of light. */
const TONE = 16;

/** Each pair is compared once. */
const known = new WeakMap<CachedImage, WeakMap<CachedImage, boolean>>();

/**
 * Whether one picture is the other without a strip along its edges, a little brighter or darker, or both. All that is left must
 * be equal as in {@link isSamePicture}.
 */
export function isCroppedCopy(a: CachedImage, b: CachedImage): boolean {
  const ofA = known.get(a) ?? new WeakMap<CachedImage, boolean>();
  known.set(a, ofA);
  const isCopy = ofA.get(b) ?? (compareParts(a, b) || compareParts(b, a));
  ofA.set(b, isCopy);
  return isCopy;
}

function compareParts(a: CachedImage, b: CachedImage): boolean {
  if (!hasDetail(a) || !hasDetail(b)) return false;
  const [wholeA, wholeB] = [detailOf(a), detailOf(b)];
  const parts = wholeA && wholeB && alignPictures(wholeA[0], wholeB[0]);
  if (!parts) return false;
  // One has all of the other. Two that each have more on another side are two views.
  const outer = isWhole(parts.b) ? parts.a : isWhole(parts.a) ? parts.b : null;
  if (outer === null || !isMost(outer)) return false;
  if (!hasDetail(a, parts.a) || !hasDetail(b, parts.b)) return false;
  const [ofA, ofB] = [readDetail(a, parts.a), readDetail(b, parts.b)];
  if (ofA === null || ofB === null) return false;
  // What is clipped in the brighter one is still there in the other.
  const [dark, bright] = meanOf(ofA[0]) < meanOf(ofB[0]) ? [ofA, ofB] : [ofB, ofA];
  const lit = inLightOf(dark, bright);
  const hasPalette = a.image.hasPalette === true || b.image.hasPalette === true;
  return lit !== null && isSameDetail(lit, bright, hasPalette, ALLOWED);
}

function isWhole({ x, y }: Part): boolean {
  return [x, y].every(({ from, to }) => from <= UNCUT && to >= 1 - UNCUT);
}

function isMost({ x, y }: Part): boolean {
  return [x, y].every(({ from, to }) => to - from >= MIN_KEPT);
}

function meanOf(cells: Cells): number {
  return cells.reduce((total, value) => total + value, 0) / cells.length;
}

/** The picture as bright as another one, with its own colors; null where light or colors differ by too much as a whole. */
function inLightOf(picture: Detail, other: Detail): Detail | null {
  const [luma, square, u, v] = picture;
  const curve = curveOf(luma, other[0]);
  const lit = luma.map(curve);
  const brighter = meanOf(lit.map((value, at) => Math.abs(value - luma[at]!)));
  if (brighter > MAX_BRIGHTER) return null;
  const casts = [meanOf(u) - meanOf(other[2]), meanOf(v) - meanOf(other[3])];
  if (casts.some((cast) => Math.abs(cast) > MAX_CAST)) return null;
  const squares = square.map((value, at) => value - luma[at]! ** 2 + lit[at]! ** 2);
  return [lit, squares, u, v];
}

/** Which luma of the other picture stands where this one has a given luma, on the mean. */
function curveOf(luma: Cells, other: Cells): (value: number) => number {
  const steps = Array.from({ length: 256 / TONE }, () => ({ count: 0, from: 0, to: 0 }));
  for (let at = 0; at < luma.length; at += 1) {
    const step = steps[Math.min(steps.length - 1, Math.max(0, Math.floor(luma[at]! / TONE)))]!;
    step.count += 1;
    step.from += luma[at]!;
    step.to += other[at]!;
  }
  const points = steps
    .filter(({ count }) => count > 0)
    .map(({ count, from, to }) => ({ from: from / count, to: to / count }));
  return (value) => {
    const next = points.findIndex(({ from }) => from >= value);
    const [a, b] = next > 0 ? [points[next - 1]!, points[next]!] : [points.at(next)!, points.at(next)!];
    if (a === b) return value + a.to - a.from;
    return a.to + ((value - a.from) / (b.from - a.from)) * (b.to - a.to);
  };
}
