/** What a segment shows while its camera alone moves. Pure. */
import type { FrameView } from '../../design/photo.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { FrameSpan } from '../../design/timeline/timeline.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { DrawOp, FrameComposition, PhotoSizes } from './compose/draw-list.ts';
import { useKey } from './compose/plane-use.ts';

/**
 * The views of the first frames of a span for as long as one photo fills the frame and nothing lies over it. It may end
 * at the first frame.
 *
 * @throws {@link ListingVideoError} `render_failed` as `composeFrame` does.
 */
export function leadingViews(storyboard: Storyboard, sizes: PhotoSizes, span: FrameSpan): FrameView[] {
  const views: FrameView[] = [];
  let shown: string | undefined;
  for (let index = span.startFrame; index < span.endFrame; index += 1) {
    const photo = coverOf(composeFrame(storyboard, sizes, index), storyboard);
    if (photo === null) break;
    const key = useKey(photo.view.source);
    shown ??= key;
    if (key !== shown) break;
    views.push(toFrameView(photo, storyboard));
  }
  return views;
}

type PhotoOp = Extract<DrawOp, { readonly op: 'photo' }>;

function coverOf({ base, over }: FrameComposition, { widthPx, heightPx }: Storyboard): PhotoOp | null {
  const top = base.at(-1);
  if (over !== undefined || top?.op !== 'photo' || top.alpha !== 1 || top.mask !== undefined) return null;
  const { x0, y0, x1, y1 } = top.rect;
  return x0 <= 0 && y0 <= 0 && x1 >= widthPx && y1 >= heightPx ? top : null;
}

/** The box that the view fills can be larger than the frame. */
function toFrameView({ view, box }: PhotoOp, { widthPx, heightPx }: Storyboard): FrameView {
  return {
    left: view.left - (view.width * box.x) / box.w,
    top: view.top - (view.height * box.y) / box.h,
    width: (view.width * widthPx) / box.w,
    height: (view.height * heightPx) / box.h,
  };
}
