/**
 * A guess at "outside, in daylight" from a thumbnail. Pure. It is a guess only: a person confirms it.
 *
 * The score is linear in six measures of a 24 x 24 reduction: sky above, green below, detail, and a bright top. The
 * weights are those of a logistic regression on 2,140 photos of 535 houses (emanhamed/Houses-dataset: a front view, a
 * kitchen, a bedroom and a bathroom each), moved so that 0 is the score from which a guess is worth a question.
 */
import type { Thumbnail } from '../../media/assets/read-thumbnails.ts';

const SIDE = 24;
/** Rows of the upper third. */
const THIRD = SIDE / 3;

/** Shares and means, 0 to 1; differences -1 to 1. */
export interface OutsideMeasures {
  /** Mean of blue less red in the upper third. */
  readonly blueAbove: number;
  /** Share of the upper third that is clearly blue and not dark. */
  readonly sky: number;
  /** Share of the image in which green leads. */
  readonly green: number;
  /** The same share of the lower third. */
  readonly greenBelow: number;
  /** Mean difference of brightness to the right and lower neighbor, added. */
  readonly detail: number;
  /** Brightness of the upper third less that of the image. */
  readonly rise: number;
}

const WEIGHTS: Readonly<Record<keyof OutsideMeasures, number>> = {
  blueAbove: 13.8,
  sky: 4.3,
  green: 5.6,
  greenBelow: 4.8,
  detail: 21.6,
  rise: 5.9,
};
const BIAS = -6.93;

/**
 * How much a photo looks like a view of the outside: above 0 it rather does.
 *
 * Measured on houses that the weights had not seen (five folds by house), in 5,000 random listings of 1 to 3 front
 * views and 9 rooms: the highest score above 0 belongs to a front view in 92 % of the listings and to a room in 3 %; in
 * 5 % no photo is above 0. In listings of 10 rooms without a front view, a room is above 0 in 18 %. With four other
 * listings of 12 photos: 10 of 12 front views and none of 36 rooms are above 0, and each listing's highest score is a
 * front view.
 */
export function outsideScore(thumbnail: Thumbnail): number {
  const measures = measureOutside(thumbnail);
  return Object.entries(WEIGHTS).reduce(
    (score, [name, weight]) => score + weight * measures[name as keyof OutsideMeasures],
    BIAS,
  );
}

export function measureOutside(thumbnail: Thumbnail): OutsideMeasures {
  const pixels = reduce(thumbnail);
  const lights = pixels.map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
  const above = pixels.slice(0, THIRD * SIDE);
  const below = pixels.slice(-THIRD * SIDE);
  const isGreen = ([r, g, b]: Pixel): boolean => g - Math.max(r, b) > 0.01 && g > 0.08;
  return {
    blueAbove: mean(above.map(([r, , b]) => b - r)),
    sky: share(above, ([r, , b]) => b - r > 0.03 && b > 0.35),
    green: share(pixels, isGreen),
    greenBelow: share(below, isGreen),
    detail: mean(lights.map((light, at) => differences(lights, light, at))),
    rise: mean(lights.slice(0, THIRD * SIDE)) - mean(lights),
  };
}

type Pixel = readonly [r: number, g: number, b: number];

/** Means of 24 x 24 boxes, 0 to 1. A side of fewer pixels repeats some. */
function reduce({ rgb, widthPx, heightPx }: Thumbnail): Pixel[] {
  const span = (box: number, sidePx: number): readonly [number, number] => {
    const from = Math.floor((box * sidePx) / SIDE);
    return [from, Math.max(from + 1, Math.floor(((box + 1) * sidePx) / SIDE))];
  };
  return Array.from({ length: SIDE * SIDE }, (_, box): Pixel => {
    const [left, right] = span(box % SIDE, widthPx);
    const [top, bottom] = span(Math.floor(box / SIDE), heightPx);
    const sums: [number, number, number] = [0, 0, 0];
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = (y * widthPx + x) * 3;
        for (const channel of [0, 1, 2] as const) sums[channel] += rgb[at + channel]!;
      }
    }
    const scale = 1 / 255 / ((right - left) * (bottom - top));
    return [sums[0] * scale, sums[1] * scale, sums[2] * scale];
  });
}

function differences(lights: readonly number[], light: number, at: number): number {
  const right = at % SIDE === SIDE - 1 ? light : lights[at + 1]!;
  const lower = lights[at + SIDE] ?? light;
  return Math.abs(light - right) + Math.abs(light - lower);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function share(pixels: readonly Pixel[], test: (pixel: Pixel) => boolean): number {
  return pixels.filter(test).length / pixels.length;
}

/** A first photo above it can be the outside, and stays: 90 % of front views are, and 5 % of rooms. */
const ROOM_AT_MOST = -2;
/** A photo that takes the place of another is clearly the outside. */
const CLEARLY_OUTSIDE = 1;

/**
 * The photo to propose as the opening; null when none is clearly a view of the outside, or when the first could be one.
 *
 * Measured as above, in 20,000 listings of 10 rooms and one or two front views: a front view that is first loses its
 * place in 4 % (with 0 as both limits in 14 %), to a room in 0.2 %; where a room is first, the front view is found in
 * 69 %, and another room in 2 %.
 *
 * @param scores - In the order of the video; null for a photo that cannot be used.
 */
export function guessOpening(scores: readonly (number | null)[]): number | null {
  const known = scores.flatMap((score, index) => (score === null ? [] : { score, index }));
  const [first] = known;
  if (first === undefined || first.score > ROOM_AT_MOST) return null;
  const best = known.reduce((leader, each) => (each.score > leader.score ? each : leader));
  return best.score > CLEARLY_OUTSIDE ? best.index : null;
}
