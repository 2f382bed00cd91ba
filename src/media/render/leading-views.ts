/** What a segment shows while its camera alone moves, or while things only come and go. Pure. */
import type { FrameView } from '../../design/photo.ts';
import type { Layer, SceneKind, Storyboard } from '../../design/storyboard/storyboard.ts';
import type { FrameSpan } from '../../design/timeline/timeline.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { DrawOp, FrameComposition, PhotoSizes } from './compose/draw-list.ts';
import { locateFrame } from './compose/locate-frame.ts';
import { useKey } from './compose/plane-use.ts';
import { cameraMoves, stillFrom } from './compose/still-from.ts';

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

/** Kinds of scenes of which a shorter video shows all frames or none (`design/timeline/shared-beginnings.ts`). */
const NEVER_CUT: ReadonlySet<SceneKind> = new Set<SceneKind>(['card', 'closing']);
const WHOLE_FRAME: FrameView = { left: 0, top: 0, width: 1, height: 1 };

/**
 * The views of a span in which nothing moves: a card or closing that is faded over a scene at rest, or just there, and
 * whose parts fade evenly. Each frame is a mix of a frame before it and one after it. Other scenes can be cut.
 *
 * @returns For each frame the same; empty where something moves.
 */
export function fadingViews(storyboard: Storyboard, { startFrame, endFrame }: FrameSpan): FrameView[] {
  const { sceneIndex, sceneFrame, transitionFrame } = locateFrame(storyboard, startFrame);
  const { sceneIndex: lastIndex } = locateFrame(storyboard, endFrame - 1);
  const leaving = transitionFrame === null ? undefined : storyboard.scenes[sceneIndex]!;
  const isFadedOver = leaving?.transition.kind === 'crossfade' && stillFrom(leaving) <= sceneFrame;
  const coming = storyboard.scenes[leaving === undefined ? sceneIndex : sceneIndex + 1];
  const isAlone = lastIndex === (leaving === undefined ? sceneIndex : sceneIndex + 1);
  if (!isAlone || (leaving !== undefined && !isFadedOver)) return [];
  const isFading = NEVER_CUT.has(coming!.kind) && coming!.layers.every(fadesOnly);
  return isFading ? Array.from({ length: endFrame - startFrame }, () => WHOLE_FRAME) : [];
}

function fadesOnly(layer: Layer): boolean {
  const isSteady =
    layer.type === 'photo' ? !cameraMoves(layer) : layer.type !== 'text' || layer.steps === undefined;
  const fades = (layer.tracks ?? []).every(
    (track) => track.property === 'opacity' && track.easing === 'linear',
  );
  return isSteady && fades;
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
