/** Brings photos of one room together where they share scenes, near their places in the listing. Pure. */
import { hookRoomCost, type KnownRoom } from './rate-rooms.ts';

/** A photo comes so many pages earlier at most: a bathroom does not join the first one from the end of the house. */
const REACH = 4;
/** Of a room that sells a house one more than a page has stand together, so that it stands alone. */
const SELLS = 0.5;

/**
 * The photos, each followed by the next ones of its room that are in reach; all others keep their order.
 *
 * @param pageOf.roomAt - Null for a photo that keeps its place.
 * @param pageOf.isWindow - Whether a photo fills no frame alone.
 */
export function gatherRooms(
  photos: readonly number[],
  pageOf: {
    readonly size: number;
    readonly roomAt: (photo: number) => KnownRoom;
    readonly isWindow: (photo: number) => boolean;
  },
): number[] {
  const { size, roomAt, isWindow } = pageOf;
  const left = [...photos];
  const gathered: number[] = [];
  while (left.length > 0) {
    const first = left.shift()!;
    const room = roomAt(first);
    const near = room === null ? [] : left.slice(0, REACH * size).filter((photo) => roomAt(photo) === room);
    const more = near.slice(0, size);
    const isOneAlone = hookRoomCost(room) < SELLS && ![first, ...more].every(isWindow);
    const joined = isOneAlone ? more : near.slice(0, size - 1);
    gathered.push(first, ...joined);
    for (const photo of joined) left.splice(left.indexOf(photo), 1);
  }
  return gathered;
}

/**
 * All photos of a room where its first one stands, those with a caption first, so that a scene finds its like. Of the
 * outside, what comes after the rooms stands together where the last one does: a video ends outside.
 */
export function joinRooms(
  photos: readonly number[],
  { roomAt, hasCaption }: { roomAt: (photo: number) => KnownRoom; hasCaption: (photo: number) => boolean },
): number[] {
  const isInside = (photo: number) => roomAt(photo) !== null && roomAt(photo) !== 'outside';
  const firstInside = photos.findIndex(isInside);
  const isLateOutside = (photo: number, place: number) => roomAt(photo) === 'outside' && place > firstInside;
  const late = photos.filter(isLateOutside);
  const rooms = photos.flatMap((photo, place): number[][] => {
    const room = roomAt(photo);
    if (isLateOutside(photo, place)) return photo === late.at(-1) ? [late] : [];
    if (room === null || !isInside(photo)) return [[photo]];
    const all = photos.filter((other) => roomAt(other) === room);
    return all[0] === photo ? [all] : [];
  });
  return rooms.flatMap((room) => room.toSorted((a, b) => Number(hasCaption(b)) - Number(hasCaption(a))));
}
