/** Cuts a rectangle down to an ellipse or to rounded corners, in bands of rows with the same ends. */
import type { OpMask, Rect } from '../compose/draw-list.ts';
import type { CoverageBuffers, PlaneRect } from './coverage.ts';
import type { Plane } from './yuv-image.ts';

/** Lines in a row of pixels at which the shape is measured. */
const LINES = 4;

/** The rectangle on a plane, in bands when it has a shape. A band is valid until the next one is yielded. */
export function* maskedBands(
  coverage: CoverageBuffers,
  plane: Plane,
  rect: Rect,
  mask: OpMask | undefined,
): Generator<PlaneRect> {
  if (mask === undefined) {
    const whole = coverage.planeRect(plane, rect);
    if (whole !== null) yield whole;
    return;
  }
  const first = Math.max(0, Math.floor(Math.max(rect.y0, mask.over.y0) / plane.pitch));
  const last = Math.min(plane.h, Math.ceil(Math.min(rect.y1, mask.over.y1) / plane.pitch));
  for (let row = first; row < last; ) {
    const lines = linesOf(row, plane, mask);
    const isStraight = lines.every(({ x0, x1 }) => x0 === lines[0]?.x0 && x1 === lines[0]?.x1);
    let until = row + 1;
    if (isStraight) while (until < last && isSame(lines, linesOf(until, plane, mask))) until++;
    const band = coverage.rowsWithin(plane, rect, lines, row, until);
    if (band !== null) yield band;
    row = until;
  }
}

interface Line {
  readonly x0: number;
  readonly x1: number;
}

function isSame(a: readonly Line[], b: readonly Line[]): boolean {
  return a.every((line, index) => line.x0 === b[index]?.x0 && line.x1 === b[index]?.x1);
}

/** Where the shape begins and ends on each line through a row of pixels. */
function linesOf(row: number, plane: Plane, mask: OpMask): Line[] {
  return Array.from({ length: LINES }, (_, index) =>
    chordAt((row + (index + 0.5) / LINES) * plane.pitch, mask),
  );
}

function chordAt(y: number, mask: OpMask): Line {
  const { x0, y0, x1, y1 } = mask.over;
  if (y < y0 || y > y1) return { x0: x1, x1 };
  if (mask.shape === 'ellipse') {
    const [rx, ry] = [(x1 - x0) / 2, (y1 - y0) / 2];
    const half = rx * Math.sqrt(Math.max(0, 1 - ((y - (y0 + y1) / 2) / ry) ** 2));
    return { x0: (x0 + x1) / 2 - half, x1: (x0 + x1) / 2 + half };
  }
  const r = Math.min(mask.radiusPx, (x1 - x0) / 2, (y1 - y0) / 2);
  const into = Math.min(y - y0, y1 - y);
  const cut = into >= r ? 0 : r - Math.sqrt(Math.max(0, r * r - (r - into) ** 2));
  return { x0: x0 + cut, x1: x1 - cut };
}
