/** Easing tokens (storyboard/README.md, "Easing") as functions of time. Pure; it does not know what is eased. */
import type { Easing } from '../storyboard/storyboard.ts';

/** Control points `x1, y1, x2, y2` of a cubic Bézier from (0, 0) to (1, 1), as in CSS `cubic-bezier()`. */
type ControlPoints = readonly [number, number, number, number];

const CURVES: Readonly<Record<Exclude<Easing, 'linear'>, ControlPoints>> = {
  settle: [0.16, 1, 0.3, 1],
  glide: [0.65, 0, 0.35, 1],
  leave: [0.7, 0, 0.84, 0],
  draw: [0.33, 0, 0.2, 1],
  sweep: [0.37, 0, 0.63, 1],
  land: [0.25, 0.43, 0.75, 0.8],
};

/** One coordinate of the curve at parameter `s`, its end points being 0 and 1. */
function bezierAt(p1: number, p2: number, s: number): number {
  const r = 1 - s;
  return 3 * r * r * s * p1 + 3 * r * s * s * p2 + s * s * s;
}

/**
 * Progress of an animation at time `t`.
 *
 * @param t - 0 (start) to 1 (end); values outside are clamped.
 * @returns 0 at the start, 1 at the end, exactly; never falls in between and, for these tokens, never leaves 0 to 1.
 */
export function ease(easing: Easing, t: number): number {
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  if (easing === 'linear') return t;
  const [x1, y1, x2, y2] = CURVES[easing];
  // x(s) rises monotonically for control points within 0 to 1, so bisection cannot miss; 48 steps reach 2^-48 with the
  // same sequence of roundings on every machine, which Newton's method with its early exit would not.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 48; i++) {
    const middle = (low + high) / 2;
    if (bezierAt(x1, x2, middle) < t) low = middle;
    else high = middle;
  }
  return bezierAt(y1, y2, (low + high) / 2);
}
