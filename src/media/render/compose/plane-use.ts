/**
 * Which size of its photo a layer is drawn from: slightly more pixels than its box shows, against aliasing. A photo
 * with far too few is enlarged beforehand, because a better filter than the frame kernel's then costs next to nothing.
 * Depends on the layer alone, so that no other layer changes its pixels. Pure.
 */

import { fractionalPower } from '../../../design/fractional-power.ts';
import type { CameraPath, PhotoGrade, PhotoLayer } from '../../../design/storyboard/storyboard.ts';
import { cameraProgress } from '../../../design/timeline/track-value.ts';

/** Of a photo's master, px. */
export interface PhotoSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A photo scaled to `widthPx` (its master's own width when scaling would gain nothing), larger or smaller. */
export interface PlaneUse {
  readonly digest: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly grade?: PhotoGrade;
}

/** Range of source pixels per output pixel at the widest view. */
const MIN_RATIO = 1.15;
const MAX_RATIO = 1.3;
/** Scaling by less than this is not worth the CPU time. */
const WORTHWHILE = 1.08;
/** Below this enlargement at the tightest view, Catmull-Rom alone looks the same. */
const ENLARGED_FROM = 1.25;
/**
 * Maximum longer side of an enlarged photo: it takes no more memory than the largest master. The frame kernel does the
 * rest.
 */
const ENLARGED_LONG_SIDE_PX = 2560;

/** The key of a use: equal for equal photos at equal sizes with equal grades. */
export function useKey({ digest, widthPx, grade }: PlaneUse): string {
  const graded = grade === undefined ? '' : `@${grade.stops}`;
  return `${digest}@${widthPx}${graded}`;
}

/** The visible width at a scene frame, as a fraction of the photo's; `camera-view.ts` says how it moves. */
export function viewWidth(
  camera: CameraPath,
  frame: number,
  photo: PhotoSize,
  box: { readonly w: number; readonly h: number },
): number {
  const widest = Math.min(1, (photo.heightPx * box.w) / (box.h * photo.widthPx));
  const t = cameraProgress(camera, frame);
  const { from, to } = camera;
  return Math.min(widest, from.span * fractionalPower(to.span / from.span, t));
}

export function planUse(
  layer: PhotoLayer,
  box: { readonly w: number; readonly h: number },
  size: PhotoSize,
): PlaneUse {
  const { camera, digest } = layer;
  const grade = layer.grade ? { grade: layer.grade } : {};
  const spans = [camera.startFrame, camera.endFrame].map((frame) => viewWidth(camera, frame, size, box));
  const widest = Math.max(...spans);
  const tightest = Math.min(...spans);
  const ratio = Math.min(MAX_RATIO, Math.max(MIN_RATIO, (1.1 * widest) / tightest));
  const target = (ratio * box.w) / widest;
  const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));
  const at = (widthPx: number): PlaneUse => ({
    digest,
    widthPx: even(widthPx),
    heightPx: even((widthPx * size.heightPx) / size.widthPx),
    ...grade,
  });
  const tightWidthPx = box.w / tightest;
  if (tightWidthPx >= ENLARGED_FROM * size.widthPx) {
    const longest = (ENLARGED_LONG_SIDE_PX * size.widthPx) / Math.max(size.widthPx, size.heightPx);
    const enlarged = Math.min(tightWidthPx, longest);
    if (enlarged >= WORTHWHILE * size.widthPx) return at(enlarged);
  }
  if (target * WORTHWHILE >= size.widthPx) {
    return { digest, widthPx: size.widthPx, heightPx: size.heightPx, ...grade };
  }
  return at(target);
}

/** The smaller of two sizes of one photo if it has the pixels for a whole photo shown `widthPx` wide, else the larger. */
export function smallestFor(a: PlaneUse, b: PlaneUse, widthPx: number): PlaneUse {
  const [small, large] = a.widthPx <= b.widthPx ? [a, b] : [b, a];
  return small.widthPx >= widthPx ? small : large;
}
