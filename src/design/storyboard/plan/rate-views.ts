/** How well a photo serves as a large picture: the outside, light, without bare ground, as its place crops it. Pure. */
import type { RatioDesign, SceneRole, SceneVariant } from '../../template/template.ts';
import { toPx } from '../box.ts';
import { placePhoto } from '../elements/place-photo.ts';
import {
  enlargement,
  isPanorama,
  type PhotoShape,
  restSpan,
  subjectLoss,
  visibleHeight,
} from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';
import type { PhotoLook, PlannedPhoto, PlanRequest } from './planned-scene.ts';
import { areStrangers, hookRoomCost, type KnownRoom, roomCost } from './rate-rooms.ts';

// Costs; a better room in the hook is worth about 1 (`rate-rooms.ts`).
/** Darker than this share of the listing's median is dark, and per share below it. A listing of the evening has no dark photos. */
const DARK = { below: 0.85, cost: 12 };
/** Of two good photos the lighter one serves better. */
const LIGHTER = 1;
/** Bare walls and asphalt up to this share cost nothing: rooms have walls. Per share above it. */
const PLAIN = { above: 0.25, cost: 20 };
/** The greatest of both: a weak view of the house is still one. */
export const WORST = 3;
/** For an ending inside, and right after a scene of the same photo: one of the outside that is bare comes before that. */
const INSIDE = 5;
const JUST_SEEN = 3.5;
/** A video ends where it began: a clear sky is bare too. */
const FRONT = 2;
/** Beside a front: rooms that sell a house, where there is no other view of the outside. Others cost more in a hook. */
const LIVELY_ROOM = 0.5;

/** Sky and lawn around a house that fills less than this share of a view's height. Per share below it. */
const FAR_HOUSE = { below: 0.4, cost: 10 };

/** Enlarged more than sharp photos are, and so many times as much as the median one: softer than the photos around it. */
const SOFT = { from: 2, times: 1.5 };
/** What a soft photo costs where it would be shown large. */
export const SOFT_COST = 3;

/** How many times as long as others a photo that sells the house stands, and how much less for each point that it costs. */
const WORTH = { best: 1.2, perCost: 0.12 };

/** About 0 for a photo that is neither dark nor bare, nor cut. @param role - Of the scene; default the hook, where it fills the frame. */
export type FaultCost = (photo: number, role?: SceneRole) => number;

/** @param shown - All photos but floor plans. */
export function createFaultRater(
  { scenes }: Pick<RatioDesign, 'scenes'>,
  { photos, frame, lookOf }: PlanRequest,
  shown: readonly number[],
): FaultCost {
  const whole: Box = { x: 0, y: 0, ...frame };
  const known = new Map<string, number>();
  const costOf = (photo: number, box: Box): number => {
    const look = lookOf?.(photo, box);
    const light = look ? look.light / median : 1;
    const dark = DARK.cost * Math.max(0, DARK.below - light) + LIGHTER * (1 - light);
    const plain = look ? PLAIN.cost * Math.max(0, look.plain - PLAIN.above) : 0;
    return dark + plain + houseCost(photos[photo]!, box);
  };
  const lights = shown.flatMap((photo) => lookOf?.(photo, whole)?.light ?? []).sort((a, b) => a - b);
  const median = lights[lights.length >> 1] ?? 1;
  return (photo, role = 'hook') => {
    const box = role === 'hook' ? whole : placeIn(scenes[role], photos[photo]!, whole);
    const key = `${photo} ${box.w} ${box.h}`;
    const cost = known.get(key) ?? costOf(photo, box);
    known.set(key, cost);
    return cost;
  };
}

/** Where the first photo of a scene stands; the whole frame where none of its variants holds this one. */
function placeIn(variants: readonly SceneVariant[], photo: PhotoShape, frame: Box): Box {
  for (const { elements } of variants) {
    const first = elements.find((element) => element.type === 'photo' && element.photo === 0);
    if (first?.type !== 'photo') continue;
    const { box, fits } = placePhoto(first, photo, toPx(first.box, frame));
    if (fits) return box;
  }
  return frame;
}

/** Tells which photos are softer than those around them: enlarged more than sharp ones are where they fill the frame. */
export function createSoftness(
  { photos, frame }: Pick<PlanRequest, 'photos' | 'frame'>,
  shown: readonly number[],
): (photo: number) => boolean {
  const box = { x: 0, y: 0, ...frame };
  const growthOf = (photo: number) => enlargement(photos[photo]!, box);
  const growths = shown.map(growthOf).sort((a, b) => a - b);
  const softFrom = Math.max(SOFT.from, SOFT.times * growths[growths.length >> 1]!);
  return (photo) => growthOf(photo) > softFrom;
}

/**
 * How long photos stand beside others of the body, as times of the usual: a light kitchen longer than a dim bathroom, and
 * several as long as the best of them.
 */
export function worthOf(
  photos: readonly number[],
  faultOf: FaultCost,
  roomAt: (photo: number) => KnownRoom,
): number {
  const costs = photos.map((photo) => viewCost(roomAt(photo), faultOf(photo)));
  return WORTH.best - WORTH.perCost * Math.min(...costs);
}

/** What a photo's room and faults cost, 0 for a light living room. */
export function viewCost(room: KnownRoom, faults: number): number {
  return hookRoomCost(room) + Math.min(WORST, Math.max(0, faults));
}

/** For what a view cuts off a house, and for one that is small in it. */
function houseCost(photo: PhotoShape, box: Box): number {
  const { subject } = photo;
  if (subject === undefined) return 0;
  const share = (subject.bottom - subject.top) / visibleHeight(photo, box, restSpan(photo, box));
  return subjectLoss(photo, box) + FAR_HOUSE.cost * Math.max(0, FAR_HOUSE.below - share);
}

/**
 * Photos that can stand in the opening beside the first one, the best first. Beside a view of the house another one, else a
 * light kitchen or living room; beside a room its like. Never altered ones; a panorama only beside the outside.
 */
export function secondViews(
  { photos }: PlanRequest,
  shown: readonly number[],
  { faultOf, reach }: { readonly faultOf: FaultCost; readonly reach: number },
): number[] {
  const first = photos[shown[0]!]!;
  const firstRoom = first.room ?? null;
  const costOf = (photo: number): number => {
    const { room = null, isAltered } = photos[photo]!;
    if (isAltered || !canStandTogether([first, photos[photo]!])) return Number.POSITIVE_INFINITY;
    const isNear = shown.indexOf(photo) <= reach;
    if (firstRoom === 'outside' && room !== 'outside') {
      const isLively = room !== null && hookRoomCost(room) < LIVELY_ROOM && faultOf(photo, 'hero') < WORST;
      return isLively ? INSIDE + hookRoomCost(room) + faultOf(photo, 'hero') : Number.POSITIVE_INFINITY;
    }
    if (areStrangers([firstRoom, room]) || !(isNear || (room !== null && room === firstRoom)))
      return Number.POSITIVE_INFINITY;
    return roomCost([firstRoom, room]) + Math.min(WORST, faultOf(photo, 'hero'));
  };
  return cheapest(shown.slice(1), costOf, Number.POSITIVE_INFINITY);
}

/** Two photos that differ by so much in light and color are no more and no less alike than others of a listing. */
const USUAL_DIFFERENCE = 0.04;
const DIFFERENCE = { least: 0.5, most: 2.5 };
/** BT.709: how much a channel differs from luma, for chroma of 1. */
const BLUE = 1.8556;
const RED = 1.5748;

/** How much two photos differ in light and color, as times of what is usual; 1 where nothing is known. */
export function differenceOf(a: PhotoLook | undefined, b: PhotoLook | undefined): number {
  if (!a?.tint || !b?.tint) return 1;
  const blue = BLUE * (a.tint.blue - b.tint.blue);
  const red = RED * (a.tint.red - b.tint.red);
  const difference = Math.sqrt(((a.light - b.light) / 2) ** 2 + blue * blue + red * red) / USUAL_DIFFERENCE;
  return Math.min(DIFFERENCE.most, Math.max(DIFFERENCE.least, difference));
}

/** A panorama is a strip beside others: it shares a scene with the outside that it belongs to, or with none. */
export function canStandTogether(photos: readonly PlannedPhoto[]): boolean {
  return !photos.some(isPanorama) || photos.every(({ room }) => room === 'outside');
}

/**
 * Photos for the last scene, the best first: unaltered ones where there are any, the outside before rooms, light ones before
 * asphalt and dark ones, the first photo before its equals, and others before the one that has just been seen.
 *
 * @param seen - Photos of the scene before it.
 */
export function lastViews(
  { photos, ending = 'card' }: PlanRequest,
  shown: readonly number[],
  { faultOf, seen }: { readonly faultOf: FaultCost; readonly seen: readonly number[] },
): number[] {
  const unaltered = shown.filter((photo) => photos[photo]!.isAltered !== true);
  const costOf = (photo: number): number => {
    const room: KnownRoom = photos[photo]!.room ?? null;
    return (
      (room === 'outside' ? 0 : INSIDE + hookRoomCost(room)) +
      Math.min(WORST, faultOf(photo, ending)) +
      (seen.includes(photo) ? JUST_SEEN : 0) -
      (photo === shown[0] ? FRONT : 0)
    );
  };
  return cheapest(unaltered.length > 0 ? unaltered : shown, costOf);
}

/** The photos that cost less than a limit, the one of least cost first. */
export function cheapest(
  photos: readonly number[],
  costOf: (photo: number) => number,
  limit = Number.NaN,
): number[] {
  const costs = new Map(photos.map((photo) => [photo, costOf(photo)]));
  return photos
    .filter((photo) => !(costs.get(photo)! >= limit))
    .sort((a, b) => costs.get(a)! - costs.get(b)!);
}
