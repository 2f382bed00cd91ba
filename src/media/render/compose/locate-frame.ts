/** Finds the scene that a frame of the video belongs to. Pure. */

import type { Storyboard } from '../../../design/storyboard/storyboard.ts';
import { ListingVideoError } from '../../../platform/errors.ts';

interface FrameLocation {
  readonly sceneIndex: number;
  /** Frame within the scene, 0 at its start. */
  readonly sceneFrame: number;
  /** Frames since the transition out of the scene began (0 is its first); null outside it. */
  readonly transitionFrame: number | null;
}

export function totalFrames(storyboard: Storyboard): number {
  return storyboard.scenes.reduce((sum, scene) => sum + scene.durationFrames, 0);
}

/**
 * The place of a frame.
 *
 * @param frameIndex - 0 to `totalFrames(storyboard)`, exclusive.
 * @throws {@link ListingVideoError} `render_failed` outside of the video.
 */
export function locateFrame(storyboard: Storyboard, frameIndex: number): FrameLocation {
  let sceneFrame = frameIndex;
  for (const [sceneIndex, scene] of storyboard.scenes.entries()) {
    if (sceneFrame >= 0 && sceneFrame < scene.durationFrames) {
      const isLast = sceneIndex === storyboard.scenes.length - 1;
      const into = sceneFrame - (scene.durationFrames - scene.transition.durationFrames);
      return { sceneIndex, sceneFrame, transitionFrame: into >= 0 && !isLast ? into : null };
    }
    sceneFrame -= scene.durationFrames;
  }
  throw new ListingVideoError(
    'render_failed',
    `Expected a frame within the video, got ${frameIndex} of ${totalFrames(storyboard)}.`,
    { context: { frameIndex } },
  );
}

/** Indexes of the scenes seen in a frame: one, or two during a transition. */
export function scenesOfFrame(storyboard: Storyboard, frameIndex: number): number[] {
  const { sceneIndex, transitionFrame } = locateFrame(storyboard, frameIndex);
  return transitionFrame === null ? [sceneIndex] : [sceneIndex, sceneIndex + 1];
}
