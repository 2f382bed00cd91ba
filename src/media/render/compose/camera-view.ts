/** The part of its photo that a layer shows at a frame. Pure. */
import type { PhotoLayer } from '../../../design/storyboard/storyboard.ts';
import { cameraProgress } from '../../../design/timeline/track-value.ts';
import type { PhotoView } from './draw-list.ts';
import { type PhotoSize, viewWidth } from './plane-use.ts';

/** In px; only the proportions count. */
interface Size {
  readonly w: number;
  readonly h: number;
}

/**
 * The view at a scene frame. The center moves evenly along its line, the span in its logarithm, so that the photo grows by
 * equal ratios in equal parts of the way. Where box and photo differ in shape, the view shrinks until its height fits, then moves
 * inside the photo, and to the point that the layer keeps.
 */
export function cameraView(
  { camera, keeps }: Pick<PhotoLayer, 'camera' | 'keeps'>,
  frame: number,
  photo: PhotoSize,
  box: Size,
): Omit<PhotoView, 'source'> {
  const t = cameraProgress(camera, frame);
  const { from, to } = camera;
  const width = viewWidth(camera, frame, photo, box);
  const height = Math.min(1, (width * photo.widthPx * box.h) / (box.w * photo.heightPx));
  const inside = (center: number, size: number, kept: number | undefined): number => {
    const start = Math.max(0, Math.min(1 - size, center - size / 2));
    return kept === undefined ? start : Math.max(kept - size, Math.min(kept, start));
  };
  return {
    left: inside(from.cx + (to.cx - from.cx) * t, width, keeps?.x),
    top: inside(from.cy + (to.cy - from.cy) * t, height, keeps?.y),
    width,
    height,
  };
}
