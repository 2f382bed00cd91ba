/** The part of its photo that a layer shows at a frame. Pure. */
import type { CameraPath } from '../../../design/storyboard/storyboard.ts';
import { progressAt } from '../../../design/timeline/track-value.ts';
import type { PhotoView } from './draw-list.ts';

/** In px; of a photo only the proportions count. */
interface Size {
  readonly w: number;
  readonly h: number;
}

/**
 * The view at a scene frame. The centre moves linearly, the span linearly in its logarithm, so that the photo grows by
 * equal ratios in equal times. Where box and photo differ in shape, the view shrinks until its height fits, then moves
 * inside the photo.
 */
export function cameraView(
  camera: CameraPath,
  frame: number,
  digest: string,
  photo: Size,
  box: Size,
): PhotoView {
  const t = progressAt(camera.startFrame, camera.endFrame, frame);
  const { from, to } = camera;
  const widest = Math.min(1, (photo.h * box.w) / (box.h * photo.w));
  const span = Math.min(widest, from.span * (to.span / from.span) ** t);
  const width = span;
  const height = Math.min(1, (span * photo.w * box.h) / (box.w * photo.h));
  const inside = (centre: number, size: number): number => Math.max(0, Math.min(1 - size, centre - size / 2));
  return {
    digest,
    left: inside(from.cx + (to.cx - from.cx) * t, width),
    top: inside(from.cy + (to.cy - from.cy) * t, height),
    width,
    height,
  };
}
