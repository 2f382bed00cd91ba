/** Fits a photo into a box: how much covering crops and enlarges it, and where it stands whole. Pure. */
import type { Photo } from '../../photo.ts';
import type { Box } from '../storyboard.ts';

/** Most output pixels per photo pixel; above it softness shows (README.md, "Crop and enlargement"). */
export const MAX_ENLARGEMENT = 2;

export type PhotoShape = Pick<Photo, 'widthPx' | 'heightPx'>;

export function aspectOf(size: PhotoShape): number {
  return size.widthPx / size.heightPx;
}

/** Share of the photo (0 to 1) that lies outside a box of this aspect when the photo covers it. */
export function cropLoss(photoAspect: number, boxAspect: number): number {
  return 1 - Math.min(photoAspect / boxAspect, boxAspect / photoAspect);
}

/** Visible width, as a share of the photo's width, when the photo just covers a box of this aspect. */
export function coverSpan(photoAspect: number, boxAspect: number): number {
  return Math.min(1, boxAspect / photoAspect);
}

/** A part of a photo, in shares of its width and height. */
export interface PartOfPhoto {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of a photo that fills the box before its camera moves: as near to the focus as the photo's edges allow. */
export function restingPart(photo: Pick<Photo, 'widthPx' | 'heightPx' | 'focus'>, box: Box): PartOfPhoto {
  const width = coverSpan(aspectOf(photo), box.w / box.h);
  const height = visibleHeight(photo, box, width);
  return {
    left: clamp(photo.focus.x - width / 2, 0, 1 - width),
    top: clamp(photo.focus.y - height / 2, 0, 1 - height),
    width,
    height,
  };
}

/** Visible height, as a share of the photo's height, when `span` of its width fills the box. */
export function visibleHeight(photo: PhotoShape, box: Box, span: number): number {
  return Math.min(1, (span * aspectOf(photo)) / (box.w / box.h));
}

/** `low` where the range is inside out. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

/** Output pixels per photo pixel when the photo just covers the box. */
export function enlargement(photo: PhotoShape, box: Box): number {
  return Math.max(box.w / photo.widthPx, box.h / photo.heightPx);
}

/** True when the photo can fill the box: within the crop limit, and sharp enough. */
export function canCover(photo: PhotoShape, box: Box, maxCropLoss: number): boolean {
  const loss = cropLoss(aspectOf(photo), box.w / box.h);
  // Slack for rounding: a box in whole pixels is never exactly 3:2.
  return loss <= maxCropLoss + 0.005 && enlargement(photo, box) <= MAX_ENLARGEMENT + 0.002;
}

/**
 * The largest box inside `area`, centered, that the photo fills without being cropped or enlarged too much.
 *
 * @param headroom - Factor by which the camera enlarges it further.
 * @param maxCropLoss - Share that can be cropped to come closer to the area's shape.
 */
export function standWhole(photo: PhotoShape, area: Box, headroom = 1, maxCropLoss = 0): Box {
  const own = aspectOf(photo);
  const aspect = Math.min(own / (1 - maxCropLoss), Math.max(own * (1 - maxCropLoss), area.w / area.h));
  const wide = Math.min(area.w, area.h * aspect);
  const sharp = MAX_ENLARGEMENT / headroom / Math.max(wide / photo.widthPx, wide / aspect / photo.heightPx);
  const w = wide * Math.min(1, sharp);
  const h = w / aspect;
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - h) / 2, w, h };
}
