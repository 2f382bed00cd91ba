/** The push: both pages travel, a band of color between them. Pure. */
import type { Transition } from '../../../design/storyboard/storyboard.ts';
import { toYuv } from '../color.ts';
import { composeScene, type SceneChange } from './compose-layers.ts';
import type { DrawOp, Rect } from './draw-list.ts';
import { band, FAR } from './rect.ts';

/**
 * Pages are painted at fractional offsets (photos are resampled only once) and overlap by a few pixels under the
 * gutter, which is painted last and cuts them off with soft edges.
 */
export function composePush(
  transition: Transition & { kind: 'push' },
  progress: number,
  { leaving, coming, page: { w, h }, sizes }: SceneChange,
): DrawOp[] {
  const { direction, gutterPx } = transition;
  const isSideways = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const pageLength = isSideways ? w : h;
  const traveled = sign * progress * (pageLength + gutterPx);
  const follow = traveled - sign * (pageLength + gutterPx);
  // The first page's trailing edge and the second's leading edge, along the movement.
  const [low, high] = sign < 0 ? [traveled + pageLength, follow] : [follow + pageLength, traveled];
  const underlap = Math.min(4, gutterPx / 2);
  const page = (offset: number, clip: Rect) => ({
    w,
    h,
    dx: isSideways ? offset : 0,
    dy: isSideways ? 0 : offset,
    clip,
  });
  const before = band(isSideways, -FAR, low + underlap);
  const after = band(isSideways, high - underlap, FAR);
  const gutter: DrawOp[] =
    gutterPx > 0
      ? [{ op: 'fill', rect: band(isSideways, low, high), color: toYuv(transition.gutterColor), alpha: 1 }]
      : [];
  return [
    // Without a gutter the pages share the pixels of the seam: a ground must lie under both.
    { op: 'fill', rect: band(isSideways, -FAR, FAR), color: toYuv(leaving.scene.background), alpha: 1 },
    ...composeScene(leaving, page(traveled, sign < 0 ? before : after), sizes),
    ...composeScene(coming, page(follow, sign < 0 ? after : before), sizes),
    ...gutter,
  ];
}
