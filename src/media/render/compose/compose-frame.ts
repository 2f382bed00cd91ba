/** Frame n as a list of draw operations: a pure function of the storyboard, the photos' sizes and n. */
import type { Scene, Storyboard } from '../../../design/storyboard/storyboard.ts';
import { ease } from '../../../design/timeline/easing.ts';
import { composeAperture, composeDip, composeOver, composeWipe } from './compose-covers.ts';
import { composeScene, wholePage } from './compose-layers.ts';
import { composeMatchZoom } from './compose-match-zoom.ts';
import { composePush } from './compose-push.ts';
import type { FrameComposition, PhotoSizes } from './draw-list.ts';
import { locateFrame } from './locate-frame.ts';

/**
 * The composition of one frame.
 *
 * @param frameIndex - Of the video. In the first frame of a transition nothing has moved yet; in the frame after its
 *   last (frame 0 of the coming scene) all has arrived.
 * @throws {@link ListingVideoError} `render_failed` outside of the video, or when the storyboard names what is not
 *   there.
 */
export function composeFrame(
  storyboard: Storyboard,
  sizes: PhotoSizes,
  frameIndex: number,
): FrameComposition {
  const { scenes, widthPx, heightPx } = storyboard;
  const { sceneIndex, sceneFrame, transitionFrame } = locateFrame(storyboard, frameIndex);
  const leaving = { scene: scenes[sceneIndex] as Scene, sceneIndex, sceneFrame };
  const page = wholePage(widthPx, heightPx);
  const { transition } = leaving.scene;
  if (transitionFrame === null || transition.kind === 'cut') {
    return { base: composeScene(leaving, page, sizes) };
  }
  const coming = {
    scene: scenes[sceneIndex + 1] as Scene,
    sceneIndex: sceneIndex + 1,
    sceneFrame: transitionFrame - transition.durationFrames,
  };
  const change = { leaving, coming, page, sizes };
  const progress =
    transition.kind === 'over' ? 0 : ease(transition.easing, transitionFrame / transition.durationFrames);
  switch (transition.kind) {
    case 'crossfade': {
      const base = composeScene(leaving, page, sizes);
      return progress === 0
        ? { base }
        : { base, over: { ops: composeScene(coming, page, sizes), mix: progress } };
    }
    case 'push':
      return { base: composePush(transition, progress, change) };
    case 'wipe':
      return { base: composeWipe(transition, progress, change) };
    case 'dip':
      return { base: composeDip(transition, transitionFrame, change) };
    case 'aperture':
      return { base: composeAperture(transition, transitionFrame, change) };
    case 'over':
      return { base: composeOver(change) };
    case 'match-zoom':
      return { base: composeMatchZoom(transition, transitionFrame, progress, change) };
  }
}
