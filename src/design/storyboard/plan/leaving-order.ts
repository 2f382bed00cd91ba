/** Which photos a video leaves out first when its length has no time for all. Pure. */
import { shownPhotos } from './divide-photos.ts';
import type { PlannedPhoto } from './planned-scene.ts';
import type { KnownRoom } from './rate-rooms.ts';

const EMPHASIS = { low: 0, normal: 1, high: 2 } as const;

/** A floor plan stands for a sixth of a video of this length or more; in a shorter one photos show more. */
export const FLOOR_PLAN_FROM_SEC = 25;

/**
 * All photos but the first, which opens the video: those of least emphasis first, floor plans after photos, in a short
 * video before them. Of equal ones a room that is shown most often gives up a photo, then the photo whose neighbors in the listing are nearest.
 */
export function leavingOrder(photos: readonly PlannedPhoto[], sec: number): number[] {
  const [opening] = shownPhotos(photos);
  const kept = [...photos.keys()];
  const order: number[] = [];
  while (kept.length > 1) {
    const sameRoom = (index: number) => {
      const { room = null } = photos[index]!;
      return room === null ? 1 : kept.filter((other) => photos[other]!.room === room).length;
    };
    const gap = (place: number) => (kept[place + 1] ?? photos.length) - (kept[place - 1] ?? -1);
    const rank = (place: number): readonly number[] => {
      const { emphasis = 'normal', isFloorPlan } = photos[kept[place]!]!;
      const plan = isFloorPlan ? (sec < FLOOR_PLAN_FROM_SEC ? -1 : 1) : 0;
      return [EMPHASIS[emphasis], plan, -sameRoom(kept[place]!), gap(place), -place];
    };
    const [next] = [...kept.keys()]
      .filter((place) => kept[place] !== opening)
      .map((place) => ({ place, rank: rank(place) }))
      .sort((a, b) => compare(a.rank, b.rank));
    order.push(...kept.splice(next!.place, 1));
  }
  return order;
}

/** What a viewer wants to see of a house, the most important last. */
const ROOMS: readonly KnownRoom[] = [
  null,
  'other',
  'dining',
  'bath',
  'outside',
  'bedroom',
  'kitchen',
  'living',
];

/**
 * All photos but the first, which opens the video, those first that show the most of the house to someone who sees only
 * a few: of highest emphasis, then a photo of each room before a second one of any, the first of the listing before
 * later ones. Floor plans come last.
 */
export function bestFirst(photos: readonly PlannedPhoto[]): number[] {
  const [opening] = shownPhotos(photos);
  const roomAt = (index: number) => photos[index]!.room ?? null;
  const seen = new Map<KnownRoom, number>([[roomAt(opening!), 1]]);
  const ranked = [...photos.keys()]
    .filter((index) => index !== opening)
    .toSorted((a, b) => emphasisOf(photos[b]!) - emphasisOf(photos[a]!))
    .map((index) => {
      const { isFloorPlan = false } = photos[index]!;
      const times = seen.get(roomAt(index)) ?? 0;
      if (!isFloorPlan) seen.set(roomAt(index), times + 1);
      const rank = [
        Number(isFloorPlan),
        -emphasisOf(photos[index]!),
        times,
        -ROOMS.indexOf(roomAt(index)),
        index,
      ];
      return { index, rank };
    });
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ index }) => index);
}

function emphasisOf({ emphasis = 'normal' }: PlannedPhoto): number {
  return EMPHASIS[emphasis];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? 0 : a[place]! - b[place]!;
}
