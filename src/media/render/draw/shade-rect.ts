/**
 * Turns the coverage of a rectangle into a gradient: an opacity for each row or column costs nothing extra to paint.
 */
import type { OpGradient } from '../compose/draw-list.ts';
import type { CoverageBuffers, PlaneRect } from './coverage.ts';
import type { Plane } from './yuv-image.ts';

/** Multiplies the rectangle's coverages, in place, by the gradient's opacities. */
export function shadeRect(
  coverage: CoverageBuffers,
  plane: Plane,
  rect: PlaneRect,
  gradient: OpGradient,
): PlaneRect {
  const { direction, over } = gradient;
  const isDown = direction === 'down' || direction === 'up';
  const extent = isDown ? rect.y : rect.x;
  const values = coverage.values(isDown ? rect.rows : rect.columns, extent.count);
  const offset = isDown ? 0 : plane.offsetX;
  const [from, to] = isDown ? [over.y0, over.y1] : [over.x0, over.x1];
  const isBackwards = direction === 'up' || direction === 'left';
  for (let i = 0; i < extent.count; i++) {
    const center = (extent.from + i + 0.5) * plane.pitch + offset;
    const along = Math.min(1, Math.max(0, (center - from) / (to - from)));
    const alpha = opacityAt(gradient.stops, isBackwards ? 1 - along : along);
    values[i] = Math.round((values[i] as number) * alpha);
  }
  // No column counts as fully covered any more.
  return isDown ? rect : { ...rect, x: { ...rect.x, solidFrom: rect.x.count, solidTo: rect.x.count } };
}

/** Linear between the stops, 0 to 1. */
function opacityAt(stops: OpGradient['stops'], along: number): number {
  const after = stops.findIndex(({ at }) => at >= along);
  if (after < 0) return stops.at(-1)?.alpha ?? 0;
  const [a, b] = [stops[after - 1], stops[after]];
  if (b === undefined) return 0;
  if (a === undefined || b.at === a.at) return b.alpha;
  return a.alpha + ((b.alpha - a.alpha) * (along - a.at)) / (b.at - a.at);
}
