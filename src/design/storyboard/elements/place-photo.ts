/** Where photos stand in the boxes of a template: covering them, whole on a mat, whole on the page, in rows. Pure. */
import type { MosaicElement, PhotoElement } from '../../template/elements.ts';
import { growBox, roundEdges, toPx } from '../box.ts';
import { arrangeRows } from '../scenes/arrange-photos.ts';
import {
  aspectOf,
  canCover,
  enlargement,
  isPanorama,
  MAX_ENLARGEMENT,
  type PhotoShape,
  standWhole,
  subjectLoss,
} from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';

/** Room for the camera, so that a moving photo also stays within the limit of enlargement. */
export const CAMERA_HEADROOM = 1.04;
/** Width of the mat around a photo that stands whole, as a share of the box's shorter side. */
const MAT = 0.05;
export const DEFAULT_CROP_LOSS = 0.45;
/** The most of a house that lies beside a view that crosses it: a scene's time does not reach further. A hook shows a part. */
const CROSSED = { houseLoss: 0.5, upTo: 0.7 };
/** The most of a panorama that lies beside its box at a time. */
const PANORAMA_LOSS = 0.78;

export interface PhotoPlace {
  readonly box: Box;
  readonly mat?: Box;
  /** The line of its element belongs beside it. */
  readonly isPrint?: true;
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
    Partial<Pick<PhotoElement, 'maxEnlargement' | 'print'>>,
  photo: PhotoShape,
  box: Box,
): PhotoPlace {
  const headroom = (element.camera ?? 'move') === 'move' ? CAMERA_HEADROOM : 1;
  // The line of a print stands in the box too; a `mat` is a print only where the photo cannot fill the box.
  const area = element.print ? growBox(box, 0 - element.print.gap - element.print.rule) : box;
  if (element.fit === 'plate') {
    const whole = standWhole(photo, area, headroom, element.maxCropLoss ?? 0);
    return { box: roundEdges(whole), isPrint: true, fits: true };
  }
  const filled = element.fit === 'mat' ? box : area;
  const maxCropLoss = element.maxCropLoss ?? DEFAULT_CROP_LOSS;
  const sized = withHeadroom(photo, headroom);
  const isPrint = element.fit === 'mat' ? {} : ({ isPrint: true } as const);
  const isTooWide =
    element.camera === 'pan' &&
    maxCropLoss <= CROSSED.upTo &&
    !isPanorama(photo) &&
    subjectLoss(photo, filled) > CROSSED.houseLoss;
  if (!isTooWide && canCover(sized, filled, maxCropLoss, element.maxEnlargement))
    return { box: filled, ...isPrint, fits: true };
  // An upright place of which a template lets little be cut is for upright photos.
  const isForUprights = box.w < UPRIGHT * box.h && maxCropLoss <= 0.5;
  const isCrossed = isPanorama(photo) && aspectOf(photo) > box.w / box.h && !isForUprights;
  if (
    isCrossed &&
    element.camera !== 'still' &&
    canCover(photo, filled, PANORAMA_LOSS, element.maxEnlargement)
  ) {
    return { box: filled, isPanned: true, ...isPrint, fits: true };
  }
  const fits = element.fit === 'mat';
  return element.print
    ? { box: roundEdges(standWhole(photo, inset(area), headroom)), isPrint: true, fits }
    : { ...onMat(photo, box, headroom), fits };
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
  const scale = sharpScale(photos, boxes);
  return photos.map((photo, index): PhotoPlace => {
    const box = scale < 1 ? roundEdges(scaleBox(boxes[index]!, scale, frame)) : boxes[index]!;
    if (canCover(withHeadroom(photo, CAMERA_HEADROOM), box, DEFAULT_CROP_LOSS)) return { box, fits: true };
    return { ...onMat(photo, box, CAMERA_HEADROOM), fits: true };
  });
}

/** The least that rows become smaller, so that their smallest photo is sharp in its place. */
const LEAST_SCALE = 0.8;

/** Rows that are a little too large for one of their photos are smaller together, with margins: better than one on a mat. */
function sharpScale(photos: readonly PhotoShape[], boxes: readonly Box[]): number {
  const most = photos.map(
    (photo, index) => MAX_ENLARGEMENT / CAMERA_HEADROOM / enlargement(photo, boxes[index]!),
  );
  const scale = Math.min(1, ...most);
  return scale < LEAST_SCALE ? 1 : scale;
}

/** Toward the middle of the frame. */
function scaleBox(
  { x, y, w, h }: Box,
  scale: number,
  frame: { readonly w: number; readonly h: number },
): Box {
  const to = (value: number, middle: number) => middle + (value - middle) * scale;
  return { x: to(x, frame.w / 2), y: to(y, frame.h / 2), w: w * scale, h: h * scale };
}

function onMat(photo: PhotoShape, box: Box, headroom: number): { readonly box: Box; readonly mat: Box } {
  return { box: roundEdges(standWhole(photo, inset(box), headroom)), mat: box };
}

function inset(box: Box): Box {
  return growBox(box, 0 - Math.round(Math.min(box.w, box.h) * MAT));
}

function withHeadroom(photo: PhotoShape, headroom: number): PhotoShape {
  return { ...photo, widthPx: photo.widthPx / headroom, heightPx: photo.heightPx / headroom };
}
