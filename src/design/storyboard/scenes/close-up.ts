/** Photos that fill a place with a part of themselves: a phone while the camera crosses them, an opening after a cut. Pure. */
import type { PhotoSubject } from '../../photo.ts';
import type { PhotoLight } from '../elements/scene-context.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Box } from '../storyboard.ts';
import {
  AIR,
  aspectOf,
  clamp,
  coverSpan,
  enlargement,
  type FramedPhoto,
  GABLE,
  lowestTop,
  MAX_CLOSE_UP,
  type PartOfPhoto,
  type PhotoShape,
  partAround,
  restingPart,
  subjectLoss,
} from './fit-photo.ts';
import { plainShareOf } from './plain-share.ts';

/** Of a house, what a close-up can cut off. */
const CLOSE_UP_LOSS = 0.1;

type RoomPhoto = PhotoShape & { readonly room?: KnownRoom };

/** Never with half a house, nor softer than a moment allows. */
export function canFillAsCloseUp(photo: RoomPhoto, frame: Box): boolean {
  if (photo.room === 'outside' && photo.subject === undefined) return false;
  return enlargement(photo, frame) <= MAX_CLOSE_UP && subjectLoss(photo, frame) <= CLOSE_UP_LOSS;
}

/** So many times nearer a second view of a photo is than the first one; less looks like a fault. */
const NEARER = { best: 1.5, least: 1.25, step: 0.05 };
/** Of its height, a house takes at least so much, and the sky over it at most, where that does not cut its roof. */
const NEAR_HOUSE = 0.45;
const NEAR_SKY = 0.3;
/** So much of it is bare at most, or so many times as much as of the first view. */
const NEAR_PLAIN = { most: 0.35, times: 0.9 };
/** So many places along a house are compared; all of the photo's width away from its middle costs as much as bare walls. */
const PLACES = 9;
const OFF_MIDDLE = 0.25;

interface FirstView {
  readonly photo: FramedPhoto;
  readonly box: Box;
  /** How much nearer its camera has come by the cut. */
  readonly approach: number;
  readonly maxEnlargement: number;
  readonly light: PhotoLight | undefined;
}

/**
 * The view that follows where a photo that fills its box is cut to itself: of a house, from its roof to its foot, where there
 * is most to see; else what is around the focus. Undefined where it would be soft, bare, or hardly nearer.
 *
 * @returns Its center, and how much nearer it is than one in which the photo just covers the box.
 */
export function nearView({
  photo,
  box,
  approach,
  maxEnlargement,
  light,
}: FirstView): { readonly focus: FramedPhoto['focus']; readonly closer: number } | undefined {
  const cover = coverSpan(aspectOf(photo), box.w / box.h);
  const first = restingPart(photo, box, approach);
  const sharpest = (first.width / cover) * (maxEnlargement / enlargement(photo, box));
  const plainOf = (part: PartOfPhoto) => (light ? plainShareOf(part, light) : 0);
  const mostPlain = Math.max(NEAR_PLAIN.most, NEAR_PLAIN.times * plainOf(first));
  for (let times = Math.min(NEARER.best, sharpest); times >= NEARER.least; times -= NEARER.step) {
    const around = partAround(photo, box, first.width / times);
    const part = photo.subject ? bestOfHouse(photo, photo.subject, around, plainOf) : around;
    if (part === undefined || plainOf(part) > mostPlain) continue;
    const { left, top, width, height } = part;
    const focus = photo.keepsFocus ? photo.focus : { x: left + width / 2, y: top + height / 2 };
    return { focus, closer: cover / width };
  }
  return undefined;
}

/** Its sides can be cut off, its roof and foot not; of what rises far over a roof nothing is kept. */
function bestOfHouse(
  photo: PhotoShape,
  { left, right, tip, top, bottom }: PhotoSubject,
  { width, height }: PartOfPhoto,
  plainOf: (part: PartOfPhoto) => number,
): PartOfPhoto | undefined {
  const roof = (top - tip > GABLE ? top : tip) - AIR;
  if (bottom - roof > height || bottom - top < NEAR_HOUSE * height) return undefined;
  // As little as can be of lawn and street.
  const lowest = Math.min(roof, lowestTop(photo, height), Math.max(bottom - height, top - NEAR_SKY * height));
  const middle = (left + right - width) / 2;
  const way = Math.max(0, right - left - width);
  const parts = Array.from({ length: PLACES }, (_, place): PartOfPhoto => {
    const along = middle + way * (place / (PLACES - 1) - 0.5);
    return { left: clamp(along, 0, 1 - width), top: clamp(lowest, 0, 1 - height), width, height };
  });
  const costOf = (part: PartOfPhoto) => plainOf(part) + OFF_MIDDLE * Math.abs(part.left - middle);
  return parts.toSorted((a, b) => costOf(a) - costOf(b))[0];
}
