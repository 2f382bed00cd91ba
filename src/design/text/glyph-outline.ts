/** The shape of one glyph: closed contours in em, y downwards, with their exact bounds. Geometry only. */

/** Codes in {@link GlyphOutline.segments}. */
export const MOVE = 0;
export const LINE = 1;
export const QUADRATIC = 2;
export const CUBIC = 3;

/** Edges in em; y grows downwards. */
export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** In em, y downwards, relative to the glyph's origin on the baseline. Every contour is closed. */
export interface GlyphOutline {
  /** A code, then its points: `MOVE x y`, `LINE x y`, `QUADRATIC cx cy x y`, `CUBIC c1x c1y c2x c2y x y`. */
  readonly segments: Float64Array;
  readonly bounds: Bounds | undefined;
}

/** Bounds of the curves themselves, not of their control points, so that measured ink is drawn ink. */
export function outlineBounds(segments: ArrayLike<number>): Bounds | undefined {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  const add = (x: number, y: number): void => {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  };
  let x = 0;
  let y = 0;
  for (let i = 0; i < segments.length; ) {
    const code = segments[i];
    const p = (offset: number): number => segments[i + offset] ?? 0;
    if (code === QUADRATIC) {
      for (const t of quadraticExtremes(x, p(1), p(3))) add(quadraticAt(t, x, p(1), p(3)), y);
      for (const t of quadraticExtremes(y, p(2), p(4))) add(x, quadraticAt(t, y, p(2), p(4)));
      x = p(3);
      y = p(4);
      i += 5;
    } else if (code === CUBIC) {
      for (const t of cubicExtremes(x, p(1), p(3), p(5))) add(cubicAt(t, x, p(1), p(3), p(5)), y);
      for (const t of cubicExtremes(y, p(2), p(4), p(6))) add(x, cubicAt(t, y, p(2), p(4), p(6)));
      x = p(5);
      y = p(6);
      i += 7;
    } else {
      x = p(1);
      y = p(2);
      i += 3;
    }
    add(x, y);
  }
  return right > left && bottom > top ? { left, top, right, bottom } : undefined;
}

function quadraticAt(t: number, a: number, b: number, c: number): number {
  const s = 1 - t;
  return s * s * a + 2 * s * t * b + t * t * c;
}

function cubicAt(t: number, a: number, b: number, c: number, d: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

function quadraticExtremes(a: number, b: number, c: number): number[] {
  const divisor = a - 2 * b + c;
  return divisor === 0 ? [] : [(a - b) / divisor].filter(isInside);
}

function cubicExtremes(a: number, b: number, c: number, d: number): number[] {
  const p = -a + 3 * b - 3 * c + d;
  const q = 2 * (a - 2 * b + c);
  const r = b - a;
  if (Math.abs(p) < 1e-12) return q === 0 ? [] : [-r / q].filter(isInside);
  const root = q * q - 4 * p * r;
  if (root < 0) return [];
  return [(-q + Math.sqrt(root)) / (2 * p), (-q - Math.sqrt(root)) / (2 * p)].filter(isInside);
}

function isInside(t: number): boolean {
  return t > 0 && t < 1;
}
