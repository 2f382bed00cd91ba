/** Rectangles on the frame. Pure. */
import type { Box } from '../../../design/storyboard/storyboard.ts';
import type { Rect } from './draw-list.ts';

/** Far outside every frame; finite, so that a composition stays JSON. */
export const FAR = 1e6;
/** Covers every frame. */
export const EVERYWHERE: Rect = { x0: -FAR, y0: -FAR, x1: FAR, y1: FAR };

/** A strip across the frame: between two columns when `isSideways`, else between two rows. */
export function band(isSideways: boolean, from: number, to: number): Rect {
  return isSideways ? { x0: from, y0: -FAR, x1: to, y1: FAR } : { x0: -FAR, y0: from, x1: FAR, y1: to };
}

/** The area that both rectangles share; see {@link isEmpty}. */
export function intersect(a: Rect, b: Rect): Rect {
  return {
    x0: Math.max(a.x0, b.x0),
    y0: Math.max(a.y0, b.y0),
    x1: Math.min(a.x1, b.x1),
    y1: Math.min(a.y1, b.y1),
  };
}

/** Far too little to change a pixel: what rounding leaves of a window whose two sides have met. */
const NOTHING_PX = 1e-6;

/** True for a rectangle without area. */
export function isEmpty(rect: Rect): boolean {
  return rect.x1 - rect.x0 < NOTHING_PX || rect.y1 - rect.y0 < NOTHING_PX;
}

export function toRect(box: Box): Rect {
  return { x0: box.x, y0: box.y, x1: box.x + box.w, y1: box.y + box.h };
}

/**
 * A layer's box at rest: every edge rounded to a pixel boundary, so that neighbors still meet, at least 1 px wide and
 * high. Hairlines then have the same weight, and a resting photo has no half-covered rim.
 */
export function restBox(box: Box): Box {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return {
    x,
    y,
    w: Math.max(1, Math.round(box.x + box.w) - x),
    h: Math.max(1, Math.round(box.y + box.h) - y),
  };
}

export function moveBox(box: Box, dx: number, dy: number): Box {
  return { x: box.x + dx, y: box.y + dy, w: box.w, h: box.h };
}
