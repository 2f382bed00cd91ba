/** Boxes on the frame: placing, rounding, growing, overlapping. Pure. */
import type { Box } from './storyboard.ts';

/** The frame's box of a relative one (0 to 1), its edges on whole pixels. */
export function toPx(box: readonly [number, number, number, number], frame: { w: number; h: number }): Box {
  const x = Math.round(box[0] * frame.w);
  const y = Math.round(box[1] * frame.h);
  return {
    x,
    y,
    w: Math.round((box[0] + box[2]) * frame.w) - x,
    h: Math.round((box[1] + box[3]) * frame.h) - y,
  };
}

/** The box with every edge on a whole pixel, so that neighbors still meet and gaps stay even. */
export function roundEdges(box: Box): Box {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return { x, y, w: Math.round(box.x + box.w) - x, h: Math.round(box.y + box.h) - y };
}

/** The box, `by` px larger on every side; a negative `by` shrinks it. */
export function growBox(box: Box, by: number): Box {
  return { x: box.x - by, y: box.y - by, w: box.w + 2 * by, h: box.h + 2 * by };
}

/** The part of the free space before a thing: all where it stands at the end, half in the middle, else none. */
export function spaceBefore(
  free: number,
  place: 'left' | 'center' | 'right' | 'top' | 'cap-top' | 'middle' | 'bottom' | 'baseline',
): number {
  if (place === 'right' || place === 'bottom' || place === 'baseline') return free;
  return place === 'center' || place === 'middle' ? free / 2 : 0;
}

/** True when the boxes share an area; touching edges do not count. */
export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The area that both boxes share; its `w` or `h` is 0 or less when there is none. */
export function intersection(a: Box, b: Box): Box {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
}

/** The smallest box around all of them. @param boxes - At least one. */
export function unionOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.w));
  const bottom = Math.max(...boxes.map((box) => box.y + box.h));
  return { x, y, w: right - x, h: bottom - y };
}

/** True when `box` lies in `outer`, or leaves it by `slack` px at most. */
export function contains(outer: Box, box: Box, slack = 1): boolean {
  return (
    box.x >= outer.x - slack &&
    box.y >= outer.y - slack &&
    box.x + box.w <= outer.x + outer.w + slack &&
    box.y + box.h <= outer.y + outer.h + slack
  );
}

/** The shortest distance of two boxes, px; 0 where they touch or overlap. */
export function gapBetween(a: Box, b: Box): number {
  const x = Math.max(0, a.x - b.x - b.w, b.x - a.x - a.w);
  const y = Math.max(0, a.y - b.y - b.h, b.y - a.y - a.h);
  return Math.hypot(x, y);
}
