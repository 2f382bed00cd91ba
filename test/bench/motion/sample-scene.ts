/** Pictures to measure motion in: a plane of pixels, or a formula, seen through a view. Luma only. */

/** 8-bit samples, rows without padding. Pixel (i, j) has its centre at (i + 1/2, j + 1/2). */
export interface Plane {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** What a frame shows: frame px (x, y), origin top left, lie at plane px (`left` + x `stepX`, `top` + y `stepY`). */
export interface Mapping {
  readonly left: number;
  readonly top: number;
  readonly stepX: number;
  readonly stepY: number;
}

/** Half width of the kernel, in samples of the coarser of both grids. */
const LOBES = 4;

interface Taps {
  readonly first: number;
  readonly weights: Float64Array;
}

/**
 * A square of the ideal frame: the plane resampled by Lanczos-4, widened where it is reduced, so that nothing aliases;
 * not rounded. The kernel is symmetric about each position asked for: it may soften, but cannot displace.
 *
 * @param x - Left edge of the square in the frame, px; fractions allowed, as for `y`.
 */
export function sampleSquare(
  plane: Plane,
  mapping: Mapping,
  x: number,
  y: number,
  size: number,
): Float64Array {
  const columns = toTaps(mapping.left + x * mapping.stepX, mapping.stepX, size, plane.widthPx);
  const rows = toTaps(mapping.top + y * mapping.stepY, mapping.stepY, size, plane.heightPx);
  const firstRow = rows[0]!.first;
  const lastRow = rows[size - 1]!.first + rows[size - 1]!.weights.length;
  const between = new Float64Array((lastRow - firstRow) * size);
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let i = 0; i < size; i += 1) {
      const { first, weights } = columns[i]!;
      const at = row * plane.widthPx + first;
      let sum = 0;
      for (let k = 0; k < weights.length; k += 1) sum += weights[k]! * plane.data[at + k]!;
      between[(row - firstRow) * size + i] = sum;
    }
  }
  const square = new Float64Array(size * size);
  for (let j = 0; j < size; j += 1) {
    const { first, weights } = rows[j]!;
    for (let k = 0; k < weights.length; k += 1) {
      const from = (first - firstRow + k) * size;
      const weight = weights[k]!;
      for (let i = 0; i < size; i += 1) square[j * size + i]! += weight * between[from + i]!;
    }
  }
  return square;
}

/** @param start - Position of the first pixel's left edge on the plane, px. @throws RangeError outside of the plane. */
function toTaps(start: number, step: number, count: number, length: number): Taps[] {
  const scale = Math.max(1, step);
  return Array.from({ length: count }, (_, i) => {
    const centre = start + (i + 0.5) * step - 0.5;
    const first = Math.ceil(centre - LOBES * scale);
    const last = Math.floor(centre + LOBES * scale);
    if (first < 0 || last >= length) throw new RangeError(`sample ${centre} is too near to the edge`);
    const weights = Float64Array.from({ length: last - first + 1 }, (_, k) =>
      lanczos((first + k - centre) / scale),
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function lanczos(x: number): number {
  if (Math.abs(x) < 1e-9) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}
