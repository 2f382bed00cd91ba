/** Draws rectangles of one colour. */
import type { DrawOp } from '../compose/draw-list.ts';
import type { Kernel } from '../kernel/load-kernel.ts';
import type { CoverageBuffers } from './coverage.ts';
import type { Picture } from './picture.ts';

export function drawFill(
  kernel: Kernel,
  coverage: CoverageBuffers,
  target: Picture,
  op: DrawOp & { op: 'fill' },
): void {
  const values = [op.color.y, op.color.u, op.color.v];
  const alpha = Math.round(256 * op.alpha);
  for (const [index, plane] of target.planes.entries()) {
    const rect = coverage.planeRect(plane, op.rect);
    if (rect === null) continue;
    const { x, y, columns, rows } = rect;
    kernel.functions.fillRect(
      plane.address + y.from * plane.stride + x.from,
      plane.stride,
      x.count,
      y.count,
      columns,
      rows,
      x.solidFrom,
      x.solidTo,
      values[index] as number,
      alpha,
    );
  }
}
