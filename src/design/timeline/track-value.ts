/** The value of an animated property at a frame. Pure. */
import type { CameraPath, Track } from '../storyboard/storyboard.ts';
import { ease } from './easing.ts';

/** Progress, 0 to 1 before easing, of something that runs from `startFrame` to `endFrame`. */
export function progressAt(startFrame: number, endFrame: number, frame: number): number {
  if (frame >= endFrame) return 1;
  if (frame <= startFrame) return 0;
  return (frame - startFrame) / (endFrame - startFrame);
}

/** How far a camera has come along its path at a scene frame, 0 to 1. */
export function cameraProgress(
  { easing = 'linear', startFrame, endFrame }: CameraPath,
  frame: number,
): number {
  return ease(easing, progressAt(startFrame, endFrame, frame));
}

/**
 * Value of `property` at a scene frame, which can be negative. Of several tracks for one property the last one that has
 * started applies; before any has started, the first.
 *
 * @returns `rest` when no track animates the property.
 */
export function trackValue(
  tracks: readonly Track[] | undefined,
  property: Track['property'],
  frame: number,
  rest: number,
): number {
  let inForce: Track | undefined;
  for (const track of tracks ?? []) {
    if (track.property !== property) continue;
    const started = track.startFrame <= frame;
    const better =
      inForce === undefined ||
      (started
        ? inForce.startFrame > frame || track.startFrame >= inForce.startFrame
        : inForce.startFrame > frame && track.startFrame < inForce.startFrame);
    if (better) inForce = track;
  }
  if (inForce === undefined) return rest;
  const { from, to, startFrame, endFrame, easing } = inForce;
  return from + (to - from) * ease(easing, progressAt(startFrame, endFrame, frame));
}
