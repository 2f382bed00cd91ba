/** Chooses the photos that a video begins with, before its opening. Pure. */
import type { RatioDesign, SceneVariant } from '../../template/template.ts';
import { toPx } from '../box.ts';
import { placePhoto } from '../elements/place-photo.ts';
import { clamp, isPanorama, subjectLosses } from '../scenes/fit-photo.ts';
import { isCrossed, isHigh, type PlannedPhoto, type PlanRequest } from './planned-scene.ts';
import { hookRoomCost } from './rate-rooms.ts';
import { areSideBySide, shapeCost } from './rate-shapes.ts';
import { cheapest, type FaultCost, SOFT_COST } from './rate-views.ts';

/** A hook takes a photo of high emphasis rather than a larger one of a better room. */
const HIGH_IN_HOOK = 6;
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
/** A view of the house that costs more is no beginning. */
const WORST_FRONT = 3;

/** For each cut before it to the same room, and what a cut costs that is left out where there are others. */
const AGAIN = 3;
const WORST_CUT = 3;
/** Beneath the front, two kitchens are more than one that stands still. */
const AGAIN_BENEATH = 1.5;
/** Where nothing says what photos show, they come from the first part of a listing: bathrooms come late. */
const UNKNOWN = { upTo: 0.4, cost: 6 };
/** So many cuts follow two views that stand one above the other. */
const MAX_AFTER_STACK = 2;
/** The only picture after the first view is a good one, rather than one from late in the listing. */
const EARLY = 0.68;
/** And not the one that the opening goes on with, which would come twice in a few seconds, where rooms are known. */
const SOON = 3;

export interface Hook {
  readonly photos: readonly number[];
  /** How many share its first scene: two views one above the other, or three upright ones side by side; the others are cuts. */
  readonly together: number;
  /** The first photo stays in all of its scenes, and the one beside it changes. */
  readonly keepsFirst?: boolean;
}

interface HookContext {
  /** All photos but floor plans. */
  readonly shown: readonly number[];
  readonly heroPhotos: readonly number[];
  /** How many photos the last scene shows. */
  readonly endingPhotos: number;
  readonly faultOf: FaultCost;
  readonly isSoft: (photo: number) => boolean;
  /** That can stand beside the first one, the best first. */
  readonly seconds: readonly number[];
  /** Few photos are soon seen: the hook shows the first one alone. */
  readonly isFew: boolean;
}

interface Beneath extends Pick<HookContext, 'shown' | 'faultOf' | 'isSoft'> {
  readonly kept: number;
  readonly rooms: readonly number[];
  readonly most: number;
}

/**
 * Photos of the hook: the first of the listing, which agents choose with care, and by which people judge who scroll past;
 * then others in the listing's order. The opening comes back to the first one, in another frame. Where that cannot begin
 * (it is altered, of low emphasis, or does not fill the frame or is much smaller than others, which do), the best view of
 * the house does. The others are unaltered ones that the video shows again, not those of the opening. Large ones go first,
 * of rooms that sell a house, with little bare wall or asphalt, each of another room, and from all over the listing. Where
 * no beginning fills a phone with its whole house, two views do, one above the other, and after them one or two rooms that
 * fill it alone; without another view of such a house the opening begins. Of few photos half a house can begin, beside
 * words. On a phone a template can keep the opening's first photo in all cuts, with rooms under it.
 */
export function chooseHook(
  design: RatioDesign,
  request: PlanRequest,
  { shown, heroPhotos, endingPhotos, faultOf, isSoft, seconds, isFew }: HookContext,
): Hook {
  const { photos, frame, hasFacts } = request;
  const { pacing, factsPhotos } = design;
  const usable = shown.filter((photo) => {
    const { isAltered, emphasis } = photos[photo]!;
    return !isAltered && emphasis !== 'low';
  });
  const free = usable.filter((photo) => !heroPhotos.includes(photo));
  // Nobody misses a bathroom or a dim bedroom in it.
  const sells = (photo: number) => {
    const { room = null } = photos[photo]!;
    return hookRoomCost(room) < LEAST_ROOM && !(room === 'bedroom' && faultOf(photo) >= DIM_BEDROOM);
  };
  const selling = free.some(sells) ? free.filter(sells) : free;
  const sizes = new Map(shown.map((photo) => [photo, sizeCost(design.scenes.hook, photos[photo]!, frame)]));
  const shapeOf = (photo: number) =>
    sizes.get(photo)! + shapeCost([photos[photo]!], frame) + (isSoft(photo) ? SOFT_COST : 0);
  const fills = (photo: number) => shapeOf(photo) < IN_WINDOW;
  const isHalf = (photo: number) =>
    frame.h > frame.w && subjectLosses(photos[photo]!, frame).across > HALF_A_HOUSE;
  const cuts = pacing.hook?.cuts ?? 0;
  const first = usable.find((photo) => photo === shown[0]);
  const isPaired = frame.h > frame.w && heroPhotos.length > 1;
  if (isFew) {
    // An opening that shows two views at once needs none: the second one has its scene, and comes no third time.
    const begins =
      first !== undefined &&
      cuts > 0 &&
      shown.length > 1 &&
      !isPaired &&
      sizes.get(first)! < WHOLE &&
      (!isHalf(first) || saysWordsAlone(design.scenes.hook));
    return { photos: begins ? [first] : [], together: 1 };
  }
  if (pacing.hook?.keepsFirst && isPaired) {
    const [kept, ...opened] = heroPhotos;
    const most = Math.min(cuts, shown.length - heroPhotos.length - (hasFacts ? factsPhotos : 0));
    const rooms = free.filter((photo) => sells(photo) && !isPanorama(photos[photo]!));
    const beneath = chooseBeneath(request, { shown, kept: kept!, rooms, most, faultOf, isSoft });
    return {
      photos: [kept!, ...(beneath.length > 0 ? beneath : opened)],
      together: 2,
      keepsFirst: true,
    };
  }
  const hasSeats = (count: number) => design.scenes.hook.some(({ when }) => when?.includes(`photo-${count}`));
  // One of several pictures is no hook.
  const least = Math.min(2, cuts);
  // A small photo is nothing to cut to on a phone that others fill.
  const filling = frame.h > frame.w ? selling.filter((photo) => fills(photo) && !isHalf(photo)) : [];
  const isEnough =
    filling.length + (first !== undefined && fills(first) && !isHalf(first) ? 1 : 0) >= Math.max(1, least);
  const others = isEnough ? filling : selling;
  // The facts find photos that have not come twice.
  const ofOpeningAndEnding = Math.min(heroPhotos.length, endingPhotos);
  const spare = shown.length - ofOpeningAndEnding - (hasFacts ? factsPhotos : 0);
  // Where one would stand between empty sides, three upright ones share a scene: there like goes with like.
  const most = Math.min(others.length + (first === undefined ? 0 : 1), spare);
  const areTogether = (some: readonly number[]) =>
    areSideBySide(
      some.map((photo) => photos[photo]!),
      frame,
    );
  const isTogether = cuts > 0 && most >= 3 && hasSeats(3) && areTogether(usable);
  const count = isTogether ? 3 : Math.min(cuts, most);
  if (count < Math.max(1, least)) return { photos: [], together: 1 };
  const costOf = (photo: number): number => {
    const { room = null } = photos[photo]!;
    const bed = room === 'bedroom' && frame.h > frame.w ? HALF_A_BED : 0;
    const high = isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0;
    const strip = isCrossed(photos[photo]!, request) ? STRIP : 0;
    return shapeOf(photo) + hookRoomCost(room) + bed + faultOf(photo) + strip - high;
  };
  const ownCosts = new Map(usable.map((photo) => [photo, costOf(photo)]));
  const ownCost = (photo: number) => ownCosts.get(photo)!;
  const placeOf = (photo: number) => shown.indexOf(photo) / shown.length;
  const frontCost = (photo: number) => ownCost(photo) + placeOf(photo) / 2;
  // Without the first photo the opening's other view of the house begins the video too.
  const views = first === undefined ? usable : selling;
  const [outside] = cheapest(
    views.filter((photo) => photos[photo]!.room === 'outside'),
    frontCost,
  );
  const best = outside !== undefined && frontCost(outside) <= WORST_FRONT ? outside : undefined;
  const isBetter = best !== undefined && fills(best) && !isHalf(best);
  const front = first !== undefined && (fills(first) || !isBetter) ? first : best;
  // Under half a house stands another house, no room.
  const isCut = front !== undefined && isHalf(front);
  const beside = seconds.filter((photo) => photo !== front && (!isCut || photos[photo]!.room === 'outside'));
  const ofSeconds = beside.filter((photo) => selling.includes(photo));
  const second = ofSeconds.find((photo) => !heroPhotos.includes(photo)) ?? ofSeconds[0] ?? beside[0];
  const isStacked =
    frame.h > frame.w &&
    front !== undefined &&
    (isCut || !fills(front)) &&
    second !== undefined &&
    hasSeats(2);
  if (isCut && !isStacked) return { photos: [], together: 1 };
  const begin = front === undefined ? [] : isStacked ? [front, second] : [front];
  const picked = [...begin];
  const wanted = isStacked ? Math.min(2 + clamp(cuts - 1, 1, MAX_AFTER_STACK), spare) : count;
  for (let cut = picked.length; cut < wanted; cut++) {
    const cutCost = (photo: number) => {
      const { room = null } = photos[photo]!;
      const again =
        room === null ? 0 : picked.filter((other) => (photos[other]!.room === room) !== isTogether).length;
      return ownCost(photo) + AGAIN * again;
    };
    const isOnly = wanted - begin.length === 1;
    const next = shown.find((photo) => !begin.includes(photo) && !heroPhotos.includes(photo));
    const soonCost = (photo: number) =>
      isOnly && photo === next && (photos[photo]!.room ?? null) !== null ? SOON : 0;
    // Several come from all over the listing; a single one is the best, and listings begin with these.
    const distance = (photo: number) => {
      if (wanted === 1) return placeOf(photo) / 2;
      const isUnknown = (photos[photo]!.room ?? null) === null;
      if (isUnknown) return UNKNOWN.cost * Math.abs(placeOf(photo) - (UNKNOWN.upTo * (cut + 0.5)) / wanted);
      return isOnly ? EARLY * placeOf(photo) : Math.abs(placeOf(photo) - (cut + 0.5) / wanted);
    };
    // A weak picture is worse than none.
    const isNeeded = picked.length < (isTogether ? wanted : least);
    const left = (isStacked ? filling : others).filter((photo) => !picked.includes(photo));
    const good = isNeeded ? left : left.filter((photo) => cutCost(photo) < WORST_CUT);
    picked.push(...cheapest(good, (photo) => cutCost(photo) + distance(photo) + soonCost(photo)).slice(0, 1));
  }
  const inOrder = picked.slice(begin.length).toSorted((a, b) => a - b);
  const hook = [...begin, ...inOrder];
  if (isStacked) return { photos: hook, together: 2 };
  const isOneScene = picked.length >= 3 && hasSeats(3) && areTogether(picked);
  return { photos: hook.slice(0, isOneScene ? 3 : cuts), together: isOneScene ? 3 : 1 };
}

/** Rooms that cut beneath the front of the house: those that sell it best, in the listing's order. */
function chooseBeneath(
  { photos }: PlanRequest,
  { shown, kept, rooms, most, faultOf, isSoft }: Beneath,
): number[] {
  const picked: number[] = [];
  const roomOf = (photo: number) => photos[photo]!.room ?? null;
  while (picked.length < most) {
    const costOf = (photo: number) => {
      const room = roomOf(photo);
      const again = room === null ? 0 : [kept, ...picked].filter((other) => roomOf(other) === room).length;
      const place = (UNKNOWN.upTo * (picked.length + 0.5)) / most;
      const late = (room === null ? UNKNOWN.cost : 1) * Math.abs(shown.indexOf(photo) / shown.length - place);
      const soft = isSoft(photo) ? SOFT_COST : 0;
      const high = isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0;
      return hookRoomCost(room) + faultOf(photo, 'hero') + soft + AGAIN_BENEATH * again + late - high;
    };
    const left = rooms.filter((photo) => !picked.includes(photo));
    const [next] = cheapest(left, costOf, WORST_CUT);
    if (next === undefined) break;
    picked.push(next);
  }
  return picked.toSorted((a, b) => a - b);
}

/** Whether words say what the only picture is of: it can be half a house then, which the opening shows whole. */
function saysWordsAlone(variants: readonly SceneVariant[]): boolean {
  return variants.some(
    ({ when, elements }) =>
      when?.includes('lone') &&
      elements.some(({ type }) => type === 'plates' || type === 'plate' || type === 'stack'),
  );
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
