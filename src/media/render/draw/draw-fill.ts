/** Draws rectangles of one color: evenly, along a gradient, or within a shape. */
import type { DrawOp } from '../compose/draw-list.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { CoverageBuffers, PlaneRect } from './coverage.ts';
import { shadeRect } from './shade-rect.ts';
import { maskedBands } from './shape-bands.ts';
import type { Plane, YuvImage } from './yuv-image.ts';

/** Draws a rectangle of one color onto `target`. */
export function drawFill(
  kernel: Kernel,
  coverage: CoverageBuffers,
  target: YuvImage,
  op: DrawOp & { op: 'fill' },
): void {
  const values = [op.color.y, op.color.u, op.color.v];
  const alpha = Math.round(256 * op.alpha);
  const fill = (plane: Plane, value: number, { x, y, columns, rows }: PlaneRect): void =>
    kernel.functions.fillRect(
      plane.address + y.from * plane.stride + x.from,
      plane.stride,
      x.count,
      y.count,
      columns,
      rows,
      x.solidFrom,
      x.solidTo,
      value,
      alpha,
    );
  for (const [index, plane] of target.planes.entries()) {
    const value = values[index] as number;
    for (const rect of maskedBands(coverage, plane, op.rect, op.mask)) {
      fill(plane, value, op.gradient ? shadeRect(coverage, plane, rect, op.gradient) : rect);
    }
  }
}
