/** How far a square of a frame lies from where it should: least-squares registration (Lucas and Kanade, 1981). */
import { type Mapping, type Plane, sampleSquare } from './sample-scene.ts';

export interface Square {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Of the picture in the frame against the ideal, frame px; positive to the right and down. */
export interface Displacement {
  readonly dx: number;
  readonly dy: number;
  /**
   * What noise of one code value in every pixel, independent of each other, would do to the estimate: px RMS an axis.
   */
  readonly noisePx: number;
}

const ITERATIONS = 3;

/**
 * Fits `frame = gain * ideal(moved by d) + offset` over the square. The ideal is resampled anew where the last step
 * landed, so interpolation leaves no trace in the result, however coarse the gradient.
 *
 * @param mapping - Where the ideal frame lies on the plane.
 */
export function estimateDisplacement(
  frame: Plane,
  ideal: Plane,
  mapping: Mapping,
  square: Square,
): Displacement {
  const { x, y, size } = square;
  const wide = size + 2;
  let [dx, dy, noisePx] = [0, 0, 0];
  for (let n = 0; n < ITERATIONS; n += 1) {
    // What the frame shows at x stands in the ideal at x - d. One pixel more all around for the gradient.
    const expected = sampleSquare(ideal, mapping, x - 1 - dx, y - 1 - dy, wide);
    const equations = new Float64Array(4 * 5);
    for (let j = 0; j < size; j += 1) {
      for (let i = 0; i < size; i += 1) {
        const at = (j + 1) * wide + i + 1;
        const basis = [
          (expected[at - 1]! - expected[at + 1]!) / 2,
          (expected[at - wide]! - expected[at + wide]!) / 2,
          expected[at]! - 128,
          1,
          frame.data[(y + j) * frame.widthPx + x + i]! - 128,
        ];
        for (let p = 0; p < 4; p += 1) {
          for (let q = 0; q < 5; q += 1) equations[5 * p + q]! += basis[p]! * basis[q]!;
        }
      }
    }
    const [xx, xy, yy] = [equations[0]!, equations[1]!, equations[6]!];
    noisePx = Math.sqrt((xx + yy) / 2 / Math.max(1e-9, xx * yy - xy * xy));
    const [stepX, stepY] = solve(equations) as [number, number, number, number];
    dx += stepX;
    dy += stepY;
  }
  return { dx, dy, noisePx };
}

/** Gauss-Jordan on four rows of four unknowns and a right side; the first two unknowns are the step. */
function solve(equations: Float64Array): number[] {
  for (let p = 0; p < 4; p += 1) {
    const pivot = equations[5 * p + p]!;
    for (let row = 0; row < 4; row += 1) {
      if (row === p) continue;
      const factor = equations[5 * row + p]! / pivot;
      for (let q = p; q < 5; q += 1) equations[5 * row + q]! -= factor * equations[5 * p + q]!;
    }
  }
  // The gain multiplies the moved ideal: its share is taken out of the step.
  const gain = equations[5 * 2 + 4]! / equations[5 * 2 + 2]!;
  return [0, 1].map((p) => equations[5 * p + 4]! / equations[5 * p + p]! / gain);
}
