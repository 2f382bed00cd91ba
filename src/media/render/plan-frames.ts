/** Plans which of the requested frames must be painted, and which repeat the one before. Pure. */
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { FrameSpan } from '../../design/timeline/timeline.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { PhotoSizes } from './compose/draw-list.ts';
import { locateFrame } from './compose/locate-frame.ts';
import { stillFrom } from './compose/still-from.ts';

export interface PlannedFrame {
  readonly index: number;
  /** The frame requested just before has the same pixels. */
  readonly sameAsPrevious: boolean;
}

/**
 * The frames of `spans` in order. Two frames with the same composition are the same bytes, so nothing is painted while
 * a card rests. Frames between which something obviously moves are not compared: composing would cost more than it
 * saves.
 *
 * @throws {@link ListingVideoError} `render_failed` as `composeFrame` does.
 */
export function planFrames(
  storyboard: Storyboard,
  sizes: PhotoSizes,
  spans: readonly FrameSpan[],
): PlannedFrame[] {
  const compose = toComposer(storyboard, sizes);
  const planned: PlannedFrame[] = [];
  let previous: number | undefined;
  for (const { startFrame, endFrame } of spans) {
    for (let index = startFrame; index < endFrame; index++) {
      const isMoved = previous === undefined || (previous === index - 1 && moves(storyboard, index));
      const sameAsPrevious = !isMoved && compose(previous as number) === compose(index);
      planned.push({ index, sameAsPrevious });
      previous = index;
    }
  }
  return planned;
}

/** True when the frame obviously differs from the one before it: in a transition, or while a camera moves. */
function moves(storyboard: Storyboard, index: number): boolean {
  const { sceneIndex, sceneFrame, transitionFrame } = locateFrame(storyboard, index);
  if (transitionFrame !== null) return true;
  return (storyboard.scenes[sceneIndex]?.layers ?? []).some((layer) => {
    if (layer.type !== 'photo') return false;
    const { from, to, startFrame, endFrame } = layer.camera;
    const isStill = from.cx === to.cx && from.cy === to.cy && from.span === to.span;
    return !isStill && startFrame < sceneFrame && sceneFrame <= endFrame;
  });
}

/** A frame's composition as text; remembers the last two, since neighbors are compared. */
function toComposer(storyboard: Storyboard, sizes: PhotoSizes): (index: number) => string {
  const known = new Map<number, string>();
  return (index) => {
    const composition = known.get(index) ?? JSON.stringify(composeFrame(storyboard, sizes, index));
    known.delete(index);
    known.set(index, composition);
    for (const oldest of [...known.keys()].slice(0, -2)) known.delete(oldest);
    return composition;
  };
}

/**
 * How many frames at the end of `span` are equal to the one before them: those of a card at rest.
 *
 * @throws {@link ListingVideoError} `render_failed` as `composeFrame` does.
 */
export function countRepeats(storyboard: Storyboard, sizes: PhotoSizes, span: FrameSpan): number {
  const compose = toComposer(storyboard, sizes);
  const last = compose(span.endFrame - 1);
  let first = Math.max(span.startFrame, restsFrom(storyboard, span.endFrame - 1));
  while (first > span.startFrame && compose(first - 1) === last) first -= 1;
  return span.endFrame - 1 - first;
}

/** A frame from which nothing changes until `index`; composing all of them would cost more than painting one. */
function restsFrom(storyboard: Storyboard, index: number): number {
  const { sceneIndex, sceneFrame, transitionFrame } = locateFrame(storyboard, index);
  if (transitionFrame !== null) return index;
  return index - sceneFrame + Math.min(sceneFrame, Math.ceil(stillFrom(storyboard.scenes[sceneIndex]!)));
}
