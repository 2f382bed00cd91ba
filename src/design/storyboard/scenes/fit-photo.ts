/** Fits a photo into a box: how much covering crops and enlarges it, and where it stands whole. Pure. */
import type { Photo, PhotoSubject } from '../../photo.ts';
import type { Box } from '../storyboard.ts';

/** Most output pixels per photo pixel; above it softness shows (README.md, "Crop and enlargement"). */
export const MAX_ENLARGEMENT = 2;
/** The same where a photo has a phone for itself, or a half of it. */
export const MAX_ALONE = 2.4;
/** And where a template shows a small one alone and large, or beside the words of an opening. */
export const MAX_LARGE = 2.7;
/** And where it fills a phone for a moment, and its camera travels. */
export const MAX_CLOSE_UP = 3;

/** Most of a house that a crop can cut off: of its width, and of its height with its tower. */
const MAX_SUBJECT_LOSS = { across: 0.34, down: 0.2 };
/** What rises so far over a roof belongs to it; a tower or a palm is higher. Share of the photo's height. */
export const GABLE = 0.12;
/** What stands at the foot of a house, share of the photo's height: its lower edge is a guess. */
const MAX_FOOT = 0.15;
/** Sky that is kept over a tower, share of the photo's height. */
export const AIR = 0.02;

/** Of a view, asphalt takes at most so much, and the house over it at least: so much nearer a view comes for both. */
const MAX_BARE = 0.2;
const MIN_HOUSE = 0.4;
const MAX_NEARER = 1.25;
/** Of a wide view, empty sky over a house takes at most so much: what is found as its roof can be the trees behind it. */
const MAX_SKY = 0.4;
/** Room for a camera that then comes nearer still; over an upright box it crosses the photo. */
const CAMERA_ROOM = 1.06;

export type PhotoShape = Pick<Photo, 'widthPx' | 'heightPx' | 'subject' | 'bareFrom'>;

export function aspectOf(size: PhotoShape): number {
  return size.widthPx / size.heightPx;
}

/** From this width to height on, a camera crosses a photo rather than shows it as a strip. */
const PANORAMA = 2.1;

export function isPanorama(size: PhotoShape): boolean {
  return aspectOf(size) >= PANORAMA;
}

/** Share of the photo (0 to 1) that lies outside a box of this aspect when the photo covers it. */
export function cropLoss(photoAspect: number, boxAspect: number): number {
  return 1 - Math.min(photoAspect / boxAspect, boxAspect / photoAspect);
}

/** Visible width, as a share of the photo's width, when the photo just covers a box of this aspect. */
export function coverSpan(photoAspect: number, boxAspect: number): number {
  return Math.min(1, boxAspect / photoAspect);
}

/** A photo about as wide as its box leaves a pan no way. */
export function hasPanRoom({ photo, box }: { readonly photo: PhotoShape; readonly box: Box }): boolean {
  return coverSpan(aspectOf(photo), box.w / box.h) <= 0.9;
}

/** A part of a photo, in shares of its width and height. */
export interface PartOfPhoto {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of a photo that fills the box before its camera moves. @param closer - So many times nearer. */
export function restingPart(photo: FramedPhoto, box: Box, closer = 1): PartOfPhoto {
  return partAround(photo, box, restSpan(photo, box) / closer);
}

/** The visible width of a photo that fills the box: nearer than it must be where its foot is bare, or its house lies low. */
export function restSpan(photo: PhotoShape, box: Box): number {
  const cover = coverSpan(aspectOf(photo), box.w / box.h);
  const { bareFrom, subject } = photo;
  const height = visibleHeight(photo, box, cover);
  // A house that is cut already is crossed, or a column.
  const across = subject ? cover / ((1 - MAX_SUBJECT_LOSS.across) * (subject.right - subject.left)) : 1;
  const liesLow = subject !== undefined && subject.top > MAX_SKY * height && box.w > box.h && across > 1;
  if (bareFrom === undefined && !liesLow) return cover;
  const house = subject ? Math.min(subject.bottom, bareFrom ?? 1) - subject.top : 1;
  const wanted = Math.min(bareFrom === undefined ? 1 : bareFrom / (1 - MAX_BARE), house / MIN_HOUSE);
  const sharp = bareFrom === undefined ? MAX_ENLARGEMENT : maxOver(box);
  const most = Math.min(
    MAX_NEARER,
    across < 1 || isPanorama(photo) ? MAX_NEARER : across,
    sharp / (box.h > box.w ? 1 : CAMERA_ROOM) / enlargement(photo, box),
  );
  return cover / clamp(height / wanted, 1, most);
}

/** Visible width at the greatest enlargement: a little softer is better than asphalt. */
export function nearestSpan(photo: PhotoShape, box: Box, maxEnlargement = MAX_ENLARGEMENT): number {
  const most = photo.bareFrom === undefined ? 0 : maxOver(box);
  return box.w / (Math.max(most, maxEnlargement) * photo.widthPx);
}

/** Where a view comes nearer. */
function maxOver(box: Box): number {
  return box.h > box.w ? MAX_CLOSE_UP : MAX_ALONE;
}

export type FramedPhoto = PhotoShape & Pick<Photo, 'focus' | 'keepsFocus'>;

/** What is kept around a focus that the listing gives, on each side; share of the photo. */
const FOCUS_ROOM = 0.04;

/**
 * The part of a photo that fills the box when it is `width` of the photo's width: as near to `aim` as the photo's edges
 * and its subject allow. Asphalt and much sky go first, then lawn; only what is left of the house can be cut off, and last its
 * roof.
 */
export function partAround(
  photo: FramedPhoto,
  box: Box,
  width: number,
  aim: { readonly x: number; readonly y: number } = photo.focus,
): PartOfPhoto {
  const height = visibleHeight(photo, box, width);
  const subject = photo.keepsFocus ? roomAround(photo.focus) : photo.subject;
  const across = subject ? rangeAcross(subject, width) : WHOLE;
  const down = subject ? rangeDown(subject, height) : WHOLE;
  const lowest = lowestTop(photo, height);
  const highest =
    photo.keepsFocus || !photo.subject || box.w < box.h ? 0 : photo.subject.top - MAX_SKY * height;
  return {
    left: clamp(clamp(aim.x - width / 2, ...across), 0, 1 - width),
    top: clamp(Math.min(lowest, Math.max(highest, clamp(aim.y - height / 2, ...down))), 0, 1 - height),
    width,
    height,
  };
}

/** Where a view of this height begins at most, so that little of it is bare. */
export function lowestTop({ bareFrom }: PhotoShape, height: number): number {
  return bareFrom === undefined ? 1 : bareFrom - (1 - MAX_BARE) * height;
}

/** The focus as a subject. */
function roomAround({ x, y }: Photo['focus']): PhotoSubject {
  const [left, top] = [Math.max(0, x - FOCUS_ROOM), Math.max(0, y - FOCUS_ROOM)];
  return {
    left,
    right: Math.min(1, x + FOCUS_ROOM),
    tip: top,
    top,
    bottom: Math.min(1, y + FOCUS_ROOM),
  };
}

/** Where a window into a photo can begin. */
type Range = readonly [low: number, high: number];
const WHOLE: Range = [0, 1];

/** Of a house that is too wide, the window shows nothing else. */
function rangeAcross({ left, right }: PhotoSubject, width: number): Range {
  return [Math.min(left, right - width), Math.max(left, right - width)];
}

function rangeDown({ tip, top, bottom }: PhotoSubject, height: number): Range {
  const lowest = bottom - height;
  // Bushes and steps go before a gable does.
  if (lowest > tip && top - tip <= GABLE && lowest - tip <= MAX_FOOT) return [tip - AIR, tip - AIR];
  // A house that is too high keeps its roof; one without room for its tower as much of that as there is.
  if (lowest > top) return [top, top];
  if (lowest > tip) return [lowest, lowest];
  return [lowest, Math.max(lowest, tip - AIR)];
}

/** How much nearer a view comes so that its subject stands higher, and the most of a house's width that this can cost. */
const MAX_CLOSER = 1.2;
const MAX_SIDES = 0.2;
const STEP = 0.02;
/** What matters under a focus where no house is known: in a room, what is over it goes first. */
const AROUND_FOCUS = 0.12;
/** Over a roof, share of the view: a camera that comes nearer takes no more. */
const ABOVE_ROOF = 0.045;

/**
 * The center of a view whose subject stands above a share of its box, and how much nearer it is than one that just covers
 * the box. Where it cannot, the subject stands as high as it can, with its roof.
 */
export function viewAbove(
  photo: FramedPhoto,
  box: Box,
  share: number,
): { readonly focus: Photo['focus']; readonly closer: number } {
  const { focus, subject } = photo;
  const { x, y } = focus;
  const { tip, bottom } = subject ?? { tip: y - FOCUS_ROOM, bottom: y + AROUND_FOCUS };
  const width = coverSpan(aspectOf(photo), box.w / box.h);
  const across = subject ? width / ((1 - MAX_SIDES) * (subject.right - subject.left)) : MAX_CLOSER;
  const most = Math.max(1, Math.min(MAX_CLOSER, across, MAX_ENLARGEMENT / enlargement(photo, box)));
  for (let closer = width / restSpan(photo, box); ; closer += STEP) {
    const height = visibleHeight(photo, box, width / closer);
    // What is under the share may be bare: words hide it.
    const lowest = lowestTop(photo, share * height);
    const highest = subject ? tip - ABOVE_ROOF * height : tip - AIR;
    const top = Math.max(0, Math.min(1 - height, lowest, highest, bottom - share * height));
    const isAbove = bottom - top <= share * height + 1e-6;
    if (isAbove || closer + STEP > most) return { focus: { x, y: top + height / 2 }, closer };
  }
}

/** Visible height, as a share of the photo's height, when `span` of its width fills the box. */
export function visibleHeight(photo: PhotoShape, box: Pick<Box, 'w' | 'h'>, span: number): number {
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

/** Share of the house (0 to 1) that a photo which covers the box loses: the greater one of both directions. */
export function subjectLoss(photo: PhotoShape, box: Box): number {
  const { across, down } = subjectLosses(photo, box);
  return Math.max(across, down);
}

/** The same across the width and down the height. */
export function subjectLosses(
  photo: PhotoShape,
  box: Pick<Box, 'w' | 'h'>,
): { readonly across: number; readonly down: number } {
  const { subject } = photo;
  if (subject === undefined) return { across: 0, down: 0 };
  const width = coverSpan(aspectOf(photo), box.w / box.h);
  const height = visibleHeight(photo, box, width);
  return {
    across: Math.max(0, 1 - width / (subject.right - subject.left)),
    down: Math.max(0, 1 - height / (subject.bottom - subject.tip)),
  };
}

/** True when the photo can fill the box: within the limits of crop for photo and house, and sharp enough. */
export function canCover(
  photo: PhotoShape,
  box: Box,
  maxCropLoss: number,
  maxEnlargement = MAX_ENLARGEMENT,
): boolean {
  const loss = cropLoss(aspectOf(photo), box.w / box.h);
  const { across, down } = subjectLosses(photo, box);
  // Slack for rounding: a box in whole pixels is never exactly 3:2, and the sides of a decoded photo are even.
  return (
    loss <= maxCropLoss + 0.005 &&
    // Where most of a photo can be cut off, its camera crosses it or it is a ground for words.
    (maxCropLoss > 0.5 || (across <= MAX_SUBJECT_LOSS.across && down <= MAX_SUBJECT_LOSS.down)) &&
    enlargement(photo, box) <= maxEnlargement + 0.01
  );
}

/**
 * The largest box inside `area`, centered, that the photo fills without being cropped or enlarged too much.
 *
 * @param headroom - Factor by which the camera enlarges it further.
 * @param maxCropLoss - Share that can be cropped, so that it fills more of the area.
 */
export function standWhole(photo: PhotoShape, area: Box, headroom = 1, maxCropLoss = 0): Box {
  const own = aspectOf(photo);
  const most = MAX_ENLARGEMENT / headroom;
  const wide = Math.min(area.w, photo.widthPx * most);
  const high = Math.min(area.h, photo.heightPx * most);
  const aspect = clamp(wide / high, own * (1 - maxCropLoss), own / (1 - maxCropLoss));
  const w = Math.min(wide, high * aspect);
  const h = w / aspect;
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - h) / 2, w, h };
}

/** Relative difference of the shapes of two photos that show the same picture: a side that was rounded. */
const SAME_SHAPE = 0.02;

/** The original of an altered photo, with the view of the altered one; null where it has another shape. */
export function inViewOf(altered: Photo, original: Photo): Photo | null {
  if (Math.abs(aspectOf(original) / aspectOf(altered) - 1) >= SAME_SHAPE) return null;
  const { focus: _, keepsFocus: __, subject: ___, bareFrom: ____, ...bare } = original;
  const { focus, keepsFocus, subject, bareFrom } = altered;
  return {
    ...{ ...bare, focus, ...(keepsFocus && { keepsFocus }), ...(subject && { subject }) },
    ...(bareFrom === undefined ? {} : { bareFrom }),
  };
}
