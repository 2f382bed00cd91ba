/** Chooses the photos that a video begins with, before its opening. Pure. */
import type { RatioDesign, SceneVariant } from '../../template/template.ts';
import { toPx } from '../box.ts';
import { placePhoto } from '../elements/place-photo.ts';
import { subjectLoss } from '../scenes/fit-photo.ts';
import { isCrossed, isHigh, type PlannedPhoto, type PlanRequest } from './planned-scene.ts';
import { hookRoomCost } from './rate-rooms.ts';
import { shapeCost } from './rate-shapes.ts';

/** A hook takes a photo of high emphasis rather than a larger one of a better room. */
const HIGH_IN_HOOK = 6;
/** Of a bed, an upright frame shows a part. */
const HALF_A_BED = 0.5;
/** A photo that does not fill the frame but a part of it, and one that stands whole. */
const IN_WINDOW = 1;
const WHOLE = 3;
/** Of a panorama, a phone shows a strip for a moment; the body crosses it. */
const STRIP = 6;
/** Bare walls and asphalt up to this share of the frame cost nothing: rooms have walls. */
const ENOUGH_PLAIN = 0.25;
/** Per share above it: half a frame of wall costs more than a better room is worth. */
const PLAIN = 20;
/** Rooms of this cost are in no hook of few photos that has others. */
const LEAST_ROOM = 3;
/** A view of the house that costs more is no beginning. */
const WORST_FRONT = 3;

interface HookContext {
  /** All photos but floor plans. */
  readonly shown: readonly number[];
  readonly heroPhotos: readonly number[];
  /** How many photos the last scene shows. */
  readonly endingPhotos: number;
  /** Of few photos, those of the facts and of the last scene: they come in no hook. */
  readonly reserved: readonly number[];
  /** Whether the first photo comes in the opening only, or in scenes of which it can be one of three. */
  readonly canLead: boolean;
}

/**
 * Photos of the hook: the first of the listing, which agents choose with care, and by which people judge who scroll past;
 * then others in the listing's order. The opening comes back to the first one, in another frame. Where that cannot begin
 * (it is altered, of low emphasis, or stands between bars where others fill the frame), the best view of the house does.
 * The others are unaltered ones that the video shows again, not those of the opening. Large ones go first, of rooms that
 * sell a house, with little bare wall or asphalt, each of another room, and from all over the listing.
 */
export function chooseHook(
  design: RatioDesign,
  request: PlanRequest,
  { shown, heroPhotos, endingPhotos, reserved, canLead }: HookContext,
): number[] {
  const { photos, frame, hasFacts } = request;
  const { pacing, factsPhotos } = design;
  const usable = shown.filter((photo) => {
    const { isAltered, emphasis } = photos[photo]!;
    return !isAltered && emphasis !== 'low';
  });
  const free = usable.filter((photo) => !heroPhotos.includes(photo) && !reserved.includes(photo));
  // Nobody misses a bathroom in it.
  const sells = (photo: number) => hookRoomCost(photos[photo]!.room ?? null) < LEAST_ROOM;
  const others = free.some(sells) && reserved.length > 0 ? free.filter(sells) : free;
  const shapeOf = (photo: number) =>
    sizeCost(design.scenes.hook, photos[photo]!, frame) + shapeCost([photos[photo]!], frame);
  const fills = (photo: number) => shapeOf(photo) < WHOLE;
  const lead = canLead && (fills(shown[0]!) || !usable.some(fills)) ? usable.find(isFirst) : undefined;
  const cuts = pacing.hook?.cuts ?? 0;
  // One of several pictures is no hook.
  const least = Math.min(2, cuts);
  // The facts find photos that have not come twice.
  const ofOpeningAndEnding = Math.min(heroPhotos.length, endingPhotos);
  const spare = shown.length - ofOpeningAndEnding - (hasFacts ? factsPhotos : 0);
  const count = Math.min(cuts, others.length + (lead === undefined ? 0 : 1), spare);
  if (count < Math.max(1, least)) return [];
  const costOf = (photo: number): number => {
    const { room, subject } = photos[photo]!;
    const bed = room === 'bedroom' && frame.h > frame.w ? HALF_A_BED : 0;
    const plain = PLAIN * Math.max(0, (request.plainShareOf?.(photo) ?? 0) - ENOUGH_PLAIN);
    const ofRoom = hookRoomCost(room ?? (subject === undefined ? null : 'outside'));
    const high = isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0;
    const strip = isCrossed(photos[photo]!, request) ? STRIP : 0;
    return shapeOf(photo) + ofRoom + bed + plain + strip - high;
  };
  const ownCosts = new Map(usable.map((photo) => [photo, costOf(photo)]));
  const ownCost = (photo: number) => ownCosts.get(photo)!;
  const placeOf = (photo: number) => shown.indexOf(photo) / shown.length;
  const frontCost = (photo: number) => ownCost(photo) + placeOf(photo) / 2;
  const [outside] = count < 2 ? [] : cheapest(others.filter(isOutside), frontCost);
  const front = lead ?? (outside !== undefined && frontCost(outside) <= WORST_FRONT ? outside : undefined);
  const picked = front === undefined ? [] : [front];
  for (let cut = picked.length; cut < count; cut++) {
    const nextCost = (photo: number) => {
      const { room = null } = photos[photo]!;
      const again = room === null ? 0 : picked.filter((other) => photos[other]!.room === room).length;
      // Several come from all over the listing; a single one is the best, and listings begin with these.
      const distance = count === 1 ? placeOf(photo) / 2 : Math.abs(placeOf(photo) - (cut + 0.5) / count);
      return ownCost(photo) + 2 * again + distance;
    };
    const left = others.filter((photo) => !picked.includes(photo));
    picked.push(...cheapest(left, nextCost).slice(0, 1));
  }
  return picked.sort((a, b) => Number(b === front) - Number(a === front) || a - b);

  function isFirst(photo: number): boolean {
    return photo === shown[0];
  }

  function isOutside(photo: number): boolean {
    const { room = null, subject } = photos[photo]!;
    return room === 'outside' || (room === null && subject !== undefined);
  }
}

/** The photos, the one of least cost first. */
function cheapest(photos: readonly number[], costOf: (photo: number) => number): number[] {
  const costs = new Map(photos.map((photo) => [photo, costOf(photo)]));
  return photos.toSorted((a, b) => costs.get(a)! - costs.get(b)!);
}

/** By the variants of the hook that the photo fills: one that fills the frame, as far as it shows the house, another one, none. */
function sizeCost(
  variants: readonly SceneVariant[],
  photo: PlannedPhoto,
  frame: { readonly w: number; readonly h: number },
): number {
  const filled = variants.filter(({ elements }) =>
    elements.some(
      (element) =>
        element.type === 'photo' &&
        element.fit !== 'plate' &&
        placePhoto(element, photo, toPx(element.box, frame)).fits,
    ),
  );
  const box = { x: 0, y: 0, ...frame };
  if (filled.some(({ ground }) => ground === 'full-bleed')) return subjectLoss(photo, box);
  return filled.length > 0 ? IN_WINDOW : WHOLE;
}
