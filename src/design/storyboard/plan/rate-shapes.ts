/** What it costs that upright photos stand alone or share a scene, and the order in which they meet. Pure. */
import { limitsOf } from '../frame-limits.ts';
import { aspectOf, canCover, type PhotoShape } from '../scenes/fit-photo.ts';
import { type KnownRoom, roomCost } from './rate-rooms.ts';

type Frame = { readonly w: number; readonly h: number };
type Shaped = PhotoShape & { readonly room?: KnownRoom };

// Costs; a change of the rhythm costs 1 (`plan-body.ts`).
/** For each photo of a group that would fill a phone alone, and where others of the group would be stamps without it. */
const FILLS_ALONE = 5;
const BESIDE_SMALLER = 1.5;
/** For an upright photo between the empty sides of a wide frame. */
const EMPTY_SIDES = 5;
/** For one beside a wide photo there: better than alone, worse than beside its like. */
const UNLIKE = 1;
/** Rooms that cost more together do not come together for their shape. */
const MAX_STRANGE = 1;

/** Whether a photo fills a phone as it is, so that every smaller place cuts it. */
export function fillsPhone(photo: PhotoShape, frame: Frame): boolean {
  const box = { x: 0, y: 0, ...frame };
  return frame.h > frame.w && isUpright(photo) && canCover(photo, box, limitsOf(frame).fullBleedLoss);
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
 * The photos of the body in the order of the listing, but in a wide frame an upright one that has no other beside it is
 * followed by the next one that suits its room.
 */
export function gatherUprights(
  body: readonly number[],
  photoAt: (index: number) => Shaped,
  frame: Frame,
): number[] {
  const gathered = [...body];
  if (frame.h > frame.w) return gathered;
  const isUprightAt = (place: number) => {
    const index = gathered[place];
    return index !== undefined && isUpright(photoAt(index));
  };
  for (let place = 0; place < gathered.length; place++) {
    if (!isUprightAt(place) || isUprightAt(place - 1) || isUprightAt(place + 1)) continue;
    const room = roomAt(photoAt(gathered[place]!));
    const next = gathered.findIndex(
      (index, later) =>
        later > place && isUpright(photoAt(index)) && roomCost([room, roomAt(photoAt(index))]) < MAX_STRANGE,
    );
    if (next >= 0) gathered.splice(place + 1, 0, ...gathered.splice(next, 1));
  }
  return gathered;
}

export function isUpright(photo: PhotoShape): boolean {
  return aspectOf(photo) < 1;
}

function roomAt({ room = null }: Shaped): KnownRoom {
  return room;
}
