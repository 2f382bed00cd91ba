/** The push: both pages travel, a band of colour between them. Pure. */
import type { Storyboard, Transition } from '../../storyboard/storyboard.ts';
import { toYuv } from '../color.ts';
import { composeScene, type SceneMoment } from './compose-layers.ts';
import type { DrawOp, PhotoSizes, Rect } from './draw-list.ts';
import { FAR } from './rect.ts';

/**
 * Pages are painted at fractional offsets (photos are resampled only once) and overlap by a few pixels under the gutter,
 * which is painted last and cuts them off with soft edges.
 */
export function composePush(
  transition: Transition & { kind: 'push' },
  progress: number,
  leaving: SceneMoment,
  coming: SceneMoment,
  frame: Pick<Storyboard, 'widthPx' | 'heightPx'>,
  sizes: PhotoSizes,
): DrawOp[] {
  const { widthPx: w, heightPx: h } = frame;
  const { direction, gutterPx } = transition;
  const isSideways = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const pageLength = isSideways ? w : h;
  const travelled = sign * progress * (pageLength + gutterPx);
  const follow = travelled - sign * (pageLength + gutterPx);
  // The first page's trailing edge and the second's leading edge, along the movement.
  const [low, high] = sign < 0 ? [travelled + pageLength, follow] : [follow + pageLength, travelled];
  const underlap = Math.min(4, gutterPx / 2);
  const band = (from: number, to: number): Rect =>
    isSideways ? { x0: from, y0: -FAR, x1: to, y1: FAR } : { x0: -FAR, y0: from, x1: FAR, y1: to };
  const page = (offset: number, clip: Rect) => ({
    w,
    h,
    dx: isSideways ? offset : 0,
    dy: isSideways ? 0 : offset,
    clip,
  });
  const before = band(-FAR, low + underlap);
  const after = band(high - underlap, FAR);
  const gutter: DrawOp[] =
    gutterPx > 0
      ? [{ op: 'fill', rect: band(low, high), color: toYuv(transition.gutterColor), alpha: 1 }]
      : [];
  return [
    // Without a gutter the pages share the pixels of the seam: a ground must lie under both.
    { op: 'fill', rect: band(-FAR, FAR), color: toYuv(leaving.scene.background), alpha: 1 },
    ...composeScene(leaving, page(travelled, sign < 0 ? before : after), sizes),
    ...composeScene(coming, page(follow, sign < 0 ? after : before), sizes),
    ...gutter,
  ];
}
