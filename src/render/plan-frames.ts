/** Which of the frames asked for must be painted, and which repeat the one before. Pure. */
import type { Storyboard } from '../storyboard/storyboard.ts';
import type { FrameSpan } from '../timeline/timeline.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { PhotoSizes } from './compose/draw-list.ts';

export interface PlannedFrame {
  readonly index: number;
  /** The frame that was asked for just before has the same pixels. */
  readonly sameAsPrevious: boolean;
}

/**
 * The frames of `spans` in order. Two frames with the same composition are the same bytes, so nothing is painted while a
 * card rests.
 *
 * @throws {@link ListingVideoError} `render_failed` as `composeFrame` does.
 */
export function planFrames(
  storyboard: Storyboard,
  sizes: PhotoSizes,
  spans: readonly FrameSpan[],
): PlannedFrame[] {
  const planned: PlannedFrame[] = [];
  let previous: string | undefined;
  for (const { startFrame, endFrame } of spans) {
    for (let index = startFrame; index < endFrame; index++) {
      const composition = JSON.stringify(composeFrame(storyboard, sizes, index));
      planned.push({ index, sameAsPrevious: composition === previous });
      previous = composition;
    }
  }
  return planned;
}

/**
 * How many frames at the end of `span` show the same picture as the one before them: a card that has come to rest.
 *
 * @throws {@link ListingVideoError} `render_failed` as `composeFrame` does.
 */
export function countRepeats(storyboard: Storyboard, sizes: PhotoSizes, span: FrameSpan): number {
  const compose = (index: number): string => JSON.stringify(composeFrame(storyboard, sizes, index));
  const last = compose(span.endFrame - 1);
  let first = span.endFrame - 1;
  while (first > span.startFrame && compose(first - 1) === last) first -= 1;
  return span.endFrame - 1 - first;
}
