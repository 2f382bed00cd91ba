/** Where photos stand in the boxes of a template: covering them, whole on a mat, whole on the page, in rows. Pure. */
import type { MosaicElement, PhotoElement } from '../../template/elements.ts';
import { growBox, roundEdges, toPx } from '../box.ts';
import { arrangeRows } from '../scenes/arrange-photos.ts';
import { aspectOf, canCover, isPanorama, type PhotoShape, standWhole } from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';

/** Room for the camera, so that a moving photo also stays within the limit of enlargement. */
const CAMERA_HEADROOM = 1.04;
/** Width of the mat around a photo that stands whole, as a share of the box's shorter side. */
const MAT = 0.05;
export const DEFAULT_CROP_LOSS = 0.45;
/** The most of a panorama that lies beside its box at a time. */
const PANORAMA_LOSS = 0.78;

export interface PhotoPlace {
  readonly box: Box;
  readonly mat?: Box;
  /** The camera crosses it, whatever the element says. */
  readonly isPanned?: true;
  /** False where the element cannot show the photo as the template wants it. */
  readonly fits: boolean;
}

/** The widest place for uprights alone: 4:5 is usual for them. */
const UPRIGHT = 0.8;

/** The place of a photo in the box of its element. A `cover` that would crop or enlarge too much does not fit. */
export function placePhoto(
  element: Pick<PhotoElement, 'fit' | 'camera' | 'maxCropLoss'> &
    Partial<Pick<PhotoElement, 'maxEnlargement'>>,
  photo: PhotoShape,
  box: Box,
): PhotoPlace {
  const headroom = (element.camera ?? 'move') === 'move' ? CAMERA_HEADROOM : 1;
  if (element.fit === 'plate') {
    return { box: roundEdges(standWhole(photo, box, headroom, element.maxCropLoss ?? 0)), fits: true };
  }
  const maxCropLoss = element.maxCropLoss ?? DEFAULT_CROP_LOSS;
  const sized = withHeadroom(photo, headroom);
  if (canCover(sized, box, maxCropLoss, element.maxEnlargement)) return { box, fits: true };
  // An upright place of which a template lets little be cut is for upright photos.
  const isForUprights = box.w < UPRIGHT * box.h && maxCropLoss <= 0.5;
  const isCrossed = isPanorama(photo) && aspectOf(photo) > box.w / box.h && !isForUprights;
  if (
    isCrossed &&
    element.camera !== 'still' &&
    canCover(photo, box, PANORAMA_LOSS, element.maxEnlargement)
  ) {
    return { box, isPanned: true, fits: true };
  }
  return { ...onMat(photo, box, headroom), fits: element.fit === 'mat' };
}

export function placeMosaic(
  element: MosaicElement,
  photos: readonly PhotoShape[],
  frame: { readonly w: number; readonly h: number },
): PhotoPlace[] {
  const boxes = arrangeRows(photos, {
    area: toPx(element.box, frame),
    gapPx: element.gap,
    fit: element.fit,
    maxCropLoss: element.maxCropLoss ?? 0,
  });
  return photos.map((photo, index): PhotoPlace => {
    const box = boxes[index]!;
    if (canCover(withHeadroom(photo, CAMERA_HEADROOM), box, DEFAULT_CROP_LOSS)) return { box, fits: true };
    return { ...onMat(photo, box, CAMERA_HEADROOM), fits: true };
  });
}

function onMat(photo: PhotoShape, box: Box, headroom: number): { readonly box: Box; readonly mat: Box } {
  const inset = Math.round(Math.min(box.w, box.h) * MAT);
  return { box: roundEdges(standWhole(photo, growBox(box, -inset), headroom)), mat: box };
}

function withHeadroom(photo: PhotoShape, headroom: number): PhotoShape {
  return { ...photo, widthPx: photo.widthPx / headroom, heightPx: photo.heightPx / headroom };
}
