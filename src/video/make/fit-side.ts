/** The size of a small picture of a video. Pure. */
import type { Timeline } from '../../timeline/timeline.ts';

/** The frame scaled so that its longer side is `sidePx`, both sides even. */
export function fitSide(timeline: Timeline, sidePx: number): { widthPx: number; heightPx: number } {
  const { widthPx, heightPx } = timeline.storyboard;
  const scale = sidePx / Math.max(widthPx, heightPx);
  const toEven = (px: number) => 2 * Math.round((px * scale) / 2);
  return { widthPx: toEven(widthPx), heightPx: toEven(heightPx) };
}
