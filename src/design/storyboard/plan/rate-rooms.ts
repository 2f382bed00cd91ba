/** Which rooms can stand in one scene, beside which facts, and in the hook: only like goes with like. Pure. */
import type { FactKind } from '../../../listing/words/facts.ts';
import type { Room } from '../../../listing/words/room-of.ts';

/** Null where nothing says what a photo shows. */
export type KnownRoom = Room | null;

// Costs; a change of the rhythm costs 1 (`plan-body.ts`).
/** For each further room of a scene: a bed beside a bathtub. Three scenes off the rhythm cost less. */
const STRANGERS = 12;
/** A front beside a bathroom: more than a second that a video is too long by, so that these never meet where there is another way. */
const OUTSIDE_INSIDE = 400;
/** Rooms of one open floor, which often are one photo anyway. */
const NEIGHBORS = 0.8;
/** Rooms that cost less together are one room, two of one open floor, or could be. */
const AKIN = 1;
const OPEN_FLOOR: ReadonlySet<KnownRoom> = new Set<Room>(['living', 'kitchen', 'dining']);
/** A room beside a photo that could show the same one; the outside beside one without sky, which hardly shows it too. */
const UNKNOWN = 0.3;
const OUTSIDE_UNKNOWN = 40;
/** For a photo beside all facts that speaks of one of them only: more than the opening's photos again; or of none. */
const BESIDE_FACTS: Readonly<Partial<Record<Room, number>>> = { bath: 8, bedroom: 3, other: 5 };

/** In the hook, which shows what sells a house, and alone among many photos. */
const IN_HOOK: Readonly<Record<Room, number>> = {
  ...{ outside: 0, living: 0, kitchen: 0.2, dining: 0.4, bedroom: 1, bath: 3.2, other: 3.2 },
};

/** What it costs to show this room before the opening, or alone where few photos stand alone. */
export function hookRoomCost(room: KnownRoom): number {
  return room === null ? 1 : IN_HOOK[room];
}

/** What it costs to show these rooms together. */
export function roomCost(rooms: readonly KnownRoom[]): number {
  const known = [...new Set(rooms.filter((room) => room !== null))];
  const further = Math.max(0, known.length - 1);
  if (known.includes('outside') && further > 0) return OUTSIDE_INSIDE + STRANGERS * (further - 1);
  if (known.includes('outside') && rooms.includes(null)) return OUTSIDE_UNKNOWN;
  const step = known.every((room) => OPEN_FLOOR.has(room)) ? NEIGHBORS : STRANGERS;
  const unknown = known.length > 0 && rooms.includes(null) ? UNKNOWN : 0;
  return step * further + unknown;
}

/** Whether a scene of these rooms shows a bed beside a bathtub. */
export function areStrangers(rooms: readonly KnownRoom[]): boolean {
  return roomCost(rooms) >= STRANGERS;
}

/** Whether these are one room, or two that are open to each other; a room of which nothing is known could be. */
export function areAkin(rooms: readonly KnownRoom[]): boolean {
  return roomCost(rooms) < AKIN;
}

/** What it costs to show these rooms beside the facts of the whole house. */
export function factsRoomCost(rooms: readonly KnownRoom[]): number {
  const beside = rooms.map((room) => (room === null ? 0 : (BESIDE_FACTS[room] ?? 0)));
  return roomCost(rooms) + Math.max(0, ...beside);
}

/**
 * Photos of a facts scene: its own, then one by one those of `others` whose rooms and shapes suit it best, never a bed
 * beside a bathtub, nor an upright one and a wide one: half of a bench stands in its strip.
 */
export function fillFacts(
  own: readonly number[],
  others: readonly number[],
  facts: {
    readonly seats: number;
    readonly roomAt: (photo: number) => KnownRoom;
    readonly isUprightAt?: (photo: number) => boolean;
    /** What it costs that just this photo is shown. */
    readonly costAt?: (photo: number) => number;
  },
): number[] {
  const { seats, roomAt, isUprightAt = () => false, costAt = () => 0 } = facts;
  const filled = [...own];
  let left = others.filter((photo) => !own.includes(photo));
  while (filled.length < seats && left.length > 0) {
    const shown = filled.map(roomAt);
    // There are many photos, and few rooms.
    const costs = new Map<KnownRoom, number>();
    const roomsCost = (photo: number): number => {
      const room = roomAt(photo);
      const cost = costs.get(room) ?? factsRoomCost([...shown, room]);
      costs.set(room, cost);
      const isOtherShape = filled.some((other) => isUprightAt(other) !== isUprightAt(photo));
      return cost + (isOtherShape ? OUTSIDE_INSIDE : 0);
    };
    const costOf = (photo: number) => roomsCost(photo) + costAt(photo);
    const best = left.reduce((cheapest, photo) => (costOf(photo) < costOf(cheapest) ? photo : cheapest));
    if (filled.length > 0 && roomsCost(best) >= STRANGERS) break;
    filled.push(best);
    left = left.filter((photo) => photo !== best);
  }
  return filled;
}

/** A fact stands beside the rooms that it counts, the house and its living rooms; one that counts none also beside unknown rooms. */
export function suitsFact(rooms: readonly KnownRoom[], kind: FactKind): boolean {
  const counted = kind === 'beds' ? 'bedroom' : kind === 'baths' ? 'bath' : null;
  return rooms.every((room) => room === counted || room === 'outside' || room === 'living');
}
