/** What photos are worth as the first ones of a video. Pure. */
import type { RatioDesign, SceneVariant } from '../../../template/template.ts';
import { toPx } from '../../box.ts';
import { placePhoto } from '../../elements/place-photo.ts';
import { subjectLosses } from '../../scenes/fit-photo.ts';
import { isCrossed, isHigh, type PlannedPhoto, type PlanRequest } from '../planned-scene.ts';
import { hookRoomCost, type KnownRoom } from '../rate-rooms.ts';
import { shapeCost } from '../rate-shapes.ts';
import { type FaultCost, SOFT_COST } from '../rate-views.ts';

/** A hook takes a photo of high emphasis rather than a larger one of a better room. */
export const HIGH_IN_HOOK = 6;
/** Of a bed, an upright frame shows a part. */
const HALF_A_BED = 0.5;
/** A photo that does not fill the frame but a part of it, and one that stands whole. */
const IN_WINDOW = 1;
const WHOLE = 3;
/** Of a panorama, a phone shows a strip for a moment; the body crosses it. */
const STRIP = 6;
/** A house that loses more of its width on a phone, between sky and lawn, does not begin the video alone. */
const HALF_A_HOUSE = 0.4;
/** Rooms of this cost are in no hook that has others, nor bedrooms whose darkness and bare walls cost so much. */
const LEAST_ROOM = 3;
const DIM_BEDROOM = 1;

export interface PhotoRatings {
  readonly shown: readonly number[];
  readonly faultOf: FaultCost;
  readonly isSoft: (photo: number) => boolean;
}

export interface HookRater {
  /** Not altered, nor of low emphasis. */
  readonly usable: readonly number[];
  /** The first of the listing, if that is usable. */
  readonly first: number | undefined;
  readonly roomOf: (photo: number) => KnownRoom;
  /** Whether it sells the house: nobody misses a bathroom or a dim bedroom. */
  readonly sells: (photo: number) => boolean;
  /** Whether it fills the frame and is sharp enough for it. */
  readonly fills: (photo: number) => boolean;
  /** Whether a layout of the hook fills at least a part of the frame with it. */
  readonly hasPlace: (photo: number) => boolean;
  /** Whether the frame of a phone would show half of its house. */
  readonly isHalf: (photo: number) => boolean;
  readonly costOf: (photo: number) => number;
}

export function createHookRater(
  { scenes }: RatioDesign,
  request: PlanRequest,
  { shown, faultOf, isSoft }: PhotoRatings,
): HookRater {
  const { photos, frame } = request;
  const isTall = frame.h > frame.w;
  const roomOf = (photo: number) => photos[photo]!.room ?? null;
  const usable = shown.filter((photo) => {
    const { isAltered, emphasis } = photos[photo]!;
    return !isAltered && emphasis !== 'low';
  });
  const sizes = new Map(shown.map((photo) => [photo, sizeCost(scenes.hook, photos[photo]!, frame)]));
  const shapeOf = (photo: number) =>
    sizes.get(photo)! + shapeCost([photos[photo]!], frame) + (isSoft(photo) ? SOFT_COST : 0);
  const rate = (photo: number): number => {
    const room = roomOf(photo);
    const bed = room === 'bedroom' && isTall ? HALF_A_BED : 0;
    const high = isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0;
    const strip = isCrossed(photos[photo]!, request) ? STRIP : 0;
    return shapeOf(photo) + hookRoomCost(room) + bed + faultOf(photo) + strip - high;
  };
  const costs = new Map<number, number>();
  return {
    usable,
    first: usable.find((photo) => photo === shown[0]),
    roomOf,
    sells: (photo) => {
      const room = roomOf(photo);
      return hookRoomCost(room) < LEAST_ROOM && !(room === 'bedroom' && faultOf(photo) >= DIM_BEDROOM);
    },
    fills: (photo) => shapeOf(photo) < IN_WINDOW,
    hasPlace: (photo) => sizes.get(photo)! < WHOLE,
    isHalf: (photo) => isTall && subjectLosses(photos[photo]!, frame).across > HALF_A_HOUSE,
    costOf: (photo) => {
      const cost = costs.get(photo) ?? rate(photo);
      costs.set(photo, cost);
      return cost;
    },
  };
}

/** By the variants of the hook that the photo fills: one that fills the frame, another one, none. */
function sizeCost(
  variants: readonly SceneVariant[],
  photo: PlannedPhoto,
  frame: { readonly w: number; readonly h: number },
): number {
  const isFree = ({ when }: SceneVariant) => photo.room !== 'outside' || !when?.includes('!outside');
  const filled = variants
    .filter(isFree)
    .filter(({ elements }) =>
      elements.some(
        (element) =>
          element.type === 'photo' &&
          element.fit !== 'plate' &&
          placePhoto(element, photo, toPx(element.box, frame)).fits,
      ),
    );
  if (filled.some(({ ground }) => ground === 'full-bleed')) return 0;
  return filled.length > 0 ? IN_WINDOW : WHOLE;
}
