/** What it costs that upright and small photos stand alone or share a scene, and the order in which they meet. Pure. */
import { CAMERA_HEADROOM, DEFAULT_CROP_LOSS } from '../elements/place-photo.ts';
import { limitsOf } from '../frame-limits.ts';
import { canFillAsCloseUp } from '../scenes/close-up.ts';
import { aspectOf, canCover, isPanorama, MAX_ALONE, type PhotoShape } from '../scenes/fit-photo.ts';
import { sum } from '../timing/limit-length.ts';
import type { PlannedPhoto } from './planned-scene.ts';
import { areAkin, type KnownRoom } from './rate-rooms.ts';

type Frame = { readonly w: number; readonly h: number };

// Costs; a change of the rhythm costs 1 (`plan-body.ts`).
/** For each photo of a group that would fill a phone alone, and where others of the group would be stamps without it. */
const FILLS_ALONE = 5;
const BESIDE_SMALLER = 1.5;
/** For an upright photo between the empty sides of a wide frame. */
const EMPTY_SIDES = 9;
/** For one beside a wide photo there: better than alone, worse than beside its like. */
const UNLIKE = 1;
/** For a photo between the empty bands of a phone: more than the rhythm, less than rooms that are strangers. */
const EMPTY_BANDS = 9;
/** For one that shares a phone with a room that is open to its own: better than alone, worse than with its like. */
const OPEN_ROOM = 1;
/** For a bedroom that fills a phone alone: a part of a bed is better than a window, two whole ones better still. */
const CUT_BED = 4;
/** Over or under its caption, a photo that reaches less of a phone's height is small. */
const LARGE_ALONE = 0.75;

/** Whether a photo fills a phone as it is, so that every smaller place cuts it. */
export function fillsPhone(photo: PhotoShape, frame: Frame): boolean {
  const box = { x: 0, y: 0, ...frame };
  return frame.h > frame.w && isUpright(photo) && canCover(photo, box, limitsOf(frame).fullBleedLoss);
}

/** Whether several upright photos stand side by side in a wide frame: they fill it like one picture. */
export function areSideBySide(photos: readonly PhotoShape[], frame: Frame): boolean {
  return frame.w > frame.h && photos.length > 1 && photos.every(isUpright);
}

export function shapeCost(photos: readonly PhotoShape[], frame: Frame): number {
  if (frame.h > frame.w) {
    if (photos.length === 1) return 0;
    const filling = photos.filter((photo) => fillsPhone(photo, frame));
    return (filling.length === photos.length ? FILLS_ALONE : BESIDE_SMALLER) * filling.length;
  }
  const uprights = photos.filter(isUpright);
  if (photos.length === 1) return EMPTY_SIDES * uprights.length;
  return uprights.length > 0 && uprights.length < photos.length ? UNLIKE : 0;
}

/**
 * What photos cost on a phone that stand alone in a window, or that lose much of a bed, and could share a scene with their
 * like, or with a room that is open to theirs: other rooms would only hide it.
 *
 * @param hasWords - Whether the photo of this place in the scene has a caption.
 */
export function emptyBandsCost(
  photos: readonly PlannedPhoto[],
  frame: Frame,
  hasWords: (place: number) => boolean,
): number {
  const isGroup = photos.length > 1;
  // Nothing may say of all what they show: their looks have a price of their own.
  if (isGroup && photos.every((photo) => roomAt(photo) === roomAt(photos[0]!))) return 0;
  const isOpen = isGroup && photos.every((photo) => isNextDoor(photo, photos[0]!));
  return sum(
    photos.map((photo, place) => {
      if (isSmallAlone(photo, frame, hasWords(place))) return isOpen ? OPEN_ROOM : EMPTY_BANDS;
      const isAlone = !isGroup && !hasWords(place);
      return isAlone && isCutBed(photo, frame) ? CUT_BED : 0;
    }),
  );
}

/** Whether a photo stands between empty bands of a phone where it is alone, and fills half of one. */
function isSmallAlone(photo: PlannedPhoto, frame: Frame, hasWords: boolean): boolean {
  const isSmall = hasWords
    ? MAX_ALONE * photo.heightPx < LARGE_ALONE * frame.h
    : standsInWindow(photo, frame);
  return isSmall && canBeMate(photo, frame);
}

/** Whether a photo without words fills no phone, not even with a part of itself. */
export function standsInWindow(photo: PlannedPhoto, frame: Frame): boolean {
  const box = { x: 0, y: 0, ...frame };
  const { fullBleedLoss } = limitsOf(frame);
  return frame.h > frame.w && !canCover(photo, box, fullBleedLoss) && !canFillAsCloseUp(photo, box);
}

/** A pan has no time to show all of a bed. */
function isCutBed(photo: PlannedPhoto, frame: Frame): boolean {
  return photo.room === 'bedroom' && canBeMate(photo, frame);
}

/** Whether a photo of the body fills half of a phone, and can share it. */
function canBeMate(photo: PlannedPhoto, frame: Frame): boolean {
  const { emphasis, hasOriginal, isAltered } = photo;
  if (frame.h < frame.w || emphasis === 'high' || hasOriginal || isAltered || isPanorama(photo)) return false;
  const half = { x: 0, y: 0, w: frame.w, h: frame.h / 2 };
  return !fillsPhone(photo, frame) && canCover(photo, half, DEFAULT_CROP_LOSS, MAX_ALONE / CAMERA_HEADROOM);
}

/** Whether they show one room, or two that are open to each other. */
function isNextDoor(photo: PlannedPhoto, other: PlannedPhoto): boolean {
  const rooms = [roomAt(photo), roomAt(other)];
  return !rooms.includes(null) && areAkin(rooms);
}

/**
 * The photos of the body in their order, but for those that have no mate beside them: in a wide frame an
 * upright one is followed by the next one that suits its room, on a phone a small one by the next one of its room, or of
 * one open to it.
 */
export function gatherMates(
  body: readonly number[],
  photoAt: (index: number) => PlannedPhoto,
  frame: Frame,
  hasWords: (index: number) => boolean,
): number[] {
  return frame.h > frame.w ? gatherSmall(body, photoAt, frame, hasWords) : gatherUprights(body, photoAt);
}

function gatherSmall(
  body: readonly number[],
  photoAt: (index: number) => PlannedPhoto,
  frame: Frame,
  hasWords: (index: number) => boolean,
): number[] {
  const gathered = [...body];
  const mated = new Set<number>();
  for (const small of body) {
    if (mated.has(small) || !isSmallAlone(photoAt(small), frame, hasWords(small))) continue;
    const place = gathered.indexOf(small);
    const mates = gathered.filter(
      (other) =>
        other !== small &&
        !mated.has(other) &&
        isNextDoor(photoAt(small), photoAt(other)) &&
        canBeMate(photoAt(other), frame),
    );
    // Of its own room, then the nearest one, of equals the later one.
    const isOther = (other: number) => Number(roomAt(photoAt(other)) !== roomAt(photoAt(small)));
    const distance = (other: number) => Math.abs(gathered.indexOf(other) - place - 0.5);
    const [mate] = mates.toSorted((a, b) => isOther(a) - isOther(b) || distance(a) - distance(b));
    if (mate === undefined) continue;
    mated.add(small).add(mate);
    const at = gathered.indexOf(mate);
    if (Math.abs(at - place) === 1) continue;
    // A body that begins or ends with it still does.
    const isAtEnd = place === 0 || place === gathered.length - 1;
    const [moved, stays] = isAtEnd ? [mate, small] : [small, mate];
    const isAfter = (stays === mate) === at < place;
    gathered.splice(gathered.indexOf(moved), 1);
    gathered.splice(gathered.indexOf(stays) + Number(isAfter), 0, moved);
  }
  return gathered;
}

function gatherUprights(body: readonly number[], photoAt: (index: number) => PlannedPhoto): number[] {
  const gathered = [...body];
  const isUprightAt = (place: number) => {
    const index = gathered[place];
    return index !== undefined && isUpright(photoAt(index));
  };
  for (let place = 0; place < gathered.length; place++) {
    if (!isUprightAt(place) || isUprightAt(place - 1) || isUprightAt(place + 1)) continue;
    const room = roomAt(photoAt(gathered[place]!));
    const next = gathered.findIndex(
      (index, later) => later > place && isUpright(photoAt(index)) && areAkin([room, roomAt(photoAt(index))]),
    );
    if (next >= 0) gathered.splice(place + 1, 0, ...gathered.splice(next, 1));
  }
  return gathered;
}

export function isUpright(photo: PhotoShape): boolean {
  return aspectOf(photo) < 1;
}

function roomAt({ room = null }: PlannedPhoto): KnownRoom {
  return room;
}
