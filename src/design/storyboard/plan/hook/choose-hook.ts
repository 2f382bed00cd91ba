/** Chooses the photos that a video begins with, before its opening. Pure. */
import type { RatioDesign, SceneVariant } from '../../../template/template.ts';
import { clamp, isPanorama } from '../../scenes/fit-photo.ts';
import { isHigh, type PlanRequest } from '../planned-scene.ts';
import { hookRoomCost } from '../rate-rooms.ts';
import { areSideBySide } from '../rate-shapes.ts';
import { cheapest, SOFT_COST } from '../rate-views.ts';
import { createHookRater, HIGH_IN_HOOK, type HookRater, type PhotoRatings } from './rate-for-hook.ts';

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

const NO_HOOK: Hook = { photos: [], together: 1 };

/** `shown` are all photos but floor plans. */
interface HookContext extends PhotoRatings {
  readonly heroPhotos: readonly number[];
  /** How many photos the last scene shows. */
  readonly endingPhotos: number;
  /** That can stand beside the first one, the best first. */
  readonly seconds: readonly number[];
  /** Few photos are soon seen: the hook shows the first one alone. */
  readonly isFew: boolean;
}

/** The first view of the house, or two one above the other; empty where cuts alone begin. */
interface Beginning {
  readonly views: readonly number[];
  readonly isStacked: boolean;
}

interface CutChoice {
  readonly beginning: readonly number[];
  readonly candidates: readonly number[];
  /** Photos of the whole hook: as many as are good enough, and the least. */
  readonly wanted: number;
  readonly least: number;
  /** All side by side in one scene: of one room, where they can. */
  readonly isTogether: boolean;
}

/**
 * Photos of the hook: the first of the listing, which agents choose with care, and by which people judge who scroll past;
 * then others in the listing's order. The opening comes back to the first one, in another frame. Where that cannot begin
 * (it is altered, of low emphasis, or does not fill the frame or is much smaller than others, which do), the best view of
 * the house does. The others are unaltered ones that the video shows again, not those of the opening. Large ones go first,
 * of rooms that sell a house, with little bare wall or asphalt, each of another room, and from all over the listing. Where
 * no beginning fills a phone with its whole house, two views do, one above the other, and after them one or two rooms that
 * fill it alone; without another view of such a house the opening begins. Of few photos half a house can begin, beside
 * words. On a phone a template can keep the opening's first photo in all cuts, with rooms under it, of few photos with one.
 */
export function chooseHook(design: RatioDesign, request: PlanRequest, context: HookContext): Hook {
  const rater = createHookRater(design, request, context);
  const isPaired = isTall(request) && context.heroPhotos.length > 1;
  if (design.pacing.hook?.keepsFirst && isPaired) return chooseAroundFront(design, request, context, rater);
  // Of few photos an opening with two views needs no hook: the second one has its scene, and comes no third time.
  if (context.isFew) return isPaired ? NO_HOOK : chooseFirstAlone(design, context, rater);
  return chooseCuts(design, request, context, rater);
}

function chooseFirstAlone({ pacing, scenes }: RatioDesign, { shown }: HookContext, rater: HookRater): Hook {
  const { first } = rater;
  const begins =
    first !== undefined &&
    (pacing.hook?.cuts ?? 0) > 0 &&
    shown.length > 1 &&
    rater.hasPlace(first) &&
    (!rater.isHalf(first) || saysWordsAlone(scenes.hook));
  return begins ? { photos: [first], together: 1 } : NO_HOOK;
}

/** The front of the house stays, and rooms cut beneath it: those that sell it best, in the listing's order. */
function chooseAroundFront(
  { pacing, factsPhotos }: RatioDesign,
  { photos, hasFacts }: PlanRequest,
  { shown, heroPhotos, isFew, faultOf, isSoft }: HookContext,
  { usable, sells, roomOf }: HookRater,
): Hook {
  const kept = heroPhotos[0]!;
  const ofOpeningAndFacts = heroPhotos.length + (hasFacts ? factsPhotos : 0);
  const most = Math.min(pacing.hook?.cuts ?? 0, shown.length - ofOpeningAndFacts);
  // Of few photos none comes twice within two scenes.
  const next = isFew ? shown.find((photo) => !heroPhotos.includes(photo)) : undefined;
  const taken = [...heroPhotos, next];
  const rooms = usable.filter(
    (photo) => !taken.includes(photo) && sells(photo) && !isPanorama(photos[photo]!),
  );
  const picked: number[] = [];
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
    const [best] = cheapest(left, costOf, WORST_CUT);
    if (best === undefined) break;
    picked.push(best);
  }
  // Their opening shows its other view at once.
  if (isFew && picked.length === 0) return NO_HOOK;
  const beneath = picked.length > 0 ? picked.toSorted((a, b) => a - b) : heroPhotos.slice(1);
  return { photos: [kept, ...beneath], together: 2, keepsFirst: true };
}

/** A front, and cuts to rooms that fill the frame too; or three upright ones at once. */
function chooseCuts(design: RatioDesign, request: PlanRequest, context: HookContext, rater: HookRater): Hook {
  const { photos, frame, hasFacts } = request;
  const { shown, heroPhotos, endingPhotos } = context;
  const { usable, first, sells, fills, isHalf } = rater;
  const cuts = design.pacing.hook?.cuts ?? 0;
  // One of several pictures is no hook.
  const least = Math.min(2, cuts);
  const free = usable.filter((photo) => !heroPhotos.includes(photo));
  const selling = free.some(sells) ? free.filter(sells) : free;
  const isWhole = (photo: number) => fills(photo) && !isHalf(photo);
  // A small photo is nothing to cut to on a phone that others fill.
  const filling = isTall(request) ? selling.filter(isWhole) : [];
  const begins = first !== undefined && isWhole(first) ? 1 : 0;
  const others = filling.length + begins >= Math.max(1, least) ? filling : selling;
  // The facts find photos that have not come twice.
  const ofOpeningAndEnding = Math.min(heroPhotos.length, endingPhotos);
  const spare = shown.length - ofOpeningAndEnding - (hasFacts ? design.factsPhotos : 0);
  const most = Math.min(others.length + (first === undefined ? 0 : 1), spare);
  // Where one would stand between empty sides, three upright ones share a scene: there like goes with like.
  const canStandTogether = (some: readonly number[]) =>
    hasSeats(design, 3) &&
    areSideBySide(
      some.map((photo) => photos[photo]!),
      frame,
    );
  const isTogether = cuts > 0 && most >= 3 && canStandTogether(usable);
  const count = isTogether ? 3 : Math.min(cuts, most);
  if (count < Math.max(1, least)) return NO_HOOK;
  const beginning = chooseBeginning(design, request, context, rater, selling);
  if (!beginning) return NO_HOOK;
  const { views, isStacked } = beginning;
  const picked = pickCuts(context, rater, {
    beginning: views,
    candidates: isStacked ? filling : others,
    wanted: isStacked ? Math.min(2 + clamp(cuts - 1, 1, MAX_AFTER_STACK), spare) : count,
    least,
    isTogether,
  });
  const hook = [...views, ...picked.toSorted((a, b) => a - b)];
  if (isStacked) return { photos: hook, together: 2 };
  const isOneScene = hook.length >= 3 && canStandTogether(hook);
  return { photos: hook.slice(0, isOneScene ? 3 : cuts), together: isOneScene ? 3 : 1 };
}

/** @returns Null where a phone would cut the house, and no other one can stand under it. */
function chooseBeginning(
  design: RatioDesign,
  request: PlanRequest,
  { shown, heroPhotos, seconds }: HookContext,
  { usable, first, fills, isHalf, costOf, roomOf }: HookRater,
  selling: readonly number[],
): Beginning | null {
  const isOutside = (photo: number) => roomOf(photo) === 'outside';
  const frontCost = (photo: number) => costOf(photo) + shown.indexOf(photo) / shown.length / 2;
  // Without the first photo the opening's other view of the house begins the video too.
  const views = first === undefined ? usable : selling;
  const [outside] = cheapest(views.filter(isOutside), frontCost);
  const best = outside !== undefined && frontCost(outside) <= WORST_FRONT ? outside : undefined;
  const isBetter = best !== undefined && fills(best) && !isHalf(best);
  const front = first !== undefined && (fills(first) || !isBetter) ? first : best;
  if (front === undefined) return { views: [], isStacked: false };
  // Under half a house stands another house, no room.
  const isCut = isHalf(front);
  const beside = seconds.filter((photo) => photo !== front && (!isCut || isOutside(photo)));
  const ofSeconds = beside.filter((photo) => selling.includes(photo));
  const second = ofSeconds.find((photo) => !heroPhotos.includes(photo)) ?? ofSeconds[0] ?? beside[0];
  const isStacked =
    isTall(request) && (isCut || !fills(front)) && second !== undefined && hasSeats(design, 2);
  if (isStacked) return { views: [front, second], isStacked };
  return isCut ? null : { views: [front], isStacked };
}

/** Each of another room, from all over the listing; an only one is the best, rather early. In the order of choice. */
function pickCuts(
  { shown, heroPhotos }: HookContext,
  { costOf, roomOf }: HookRater,
  { beginning, candidates, wanted, least, isTogether }: CutChoice,
): number[] {
  const placeOf = (photo: number) => shown.indexOf(photo) / shown.length;
  const isOnly = wanted - beginning.length === 1;
  const next = shown.find((photo) => !beginning.includes(photo) && !heroPhotos.includes(photo));
  const soonCost = (photo: number) => (isOnly && photo === next && roomOf(photo) !== null ? SOON : 0);
  const picked: number[] = [];
  for (let cut = beginning.length; cut < wanted; cut++) {
    const before = [...beginning, ...picked];
    const cutCost = (photo: number) => {
      const room = roomOf(photo);
      const again = before.filter((other) => (roomOf(other) === room) !== isTogether).length;
      return costOf(photo) + (room === null ? 0 : AGAIN * again);
    };
    // Several come from all over the listing; a single one is the best, and listings begin with these.
    const distance = (photo: number) => {
      if (wanted === 1) return placeOf(photo) / 2;
      if (roomOf(photo) === null)
        return UNKNOWN.cost * Math.abs(placeOf(photo) - (UNKNOWN.upTo * (cut + 0.5)) / wanted);
      return isOnly ? EARLY * placeOf(photo) : Math.abs(placeOf(photo) - (cut + 0.5) / wanted);
    };
    // A weak picture is worse than none.
    const isNeeded = before.length < (isTogether ? wanted : least);
    const left = candidates.filter((photo) => !before.includes(photo));
    const good = isNeeded ? left : left.filter((photo) => cutCost(photo) < WORST_CUT);
    picked.push(...cheapest(good, (photo) => cutCost(photo) + distance(photo) + soonCost(photo)).slice(0, 1));
  }
  return picked;
}

function isTall({ frame }: PlanRequest): boolean {
  return frame.h > frame.w;
}

/** Whether a layout of the hook shows so many photos at once. */
function hasSeats({ scenes }: RatioDesign, count: number): boolean {
  return scenes.hook.some(({ when }) => when?.includes(`photo-${count}`));
}

/** Whether words say what the only picture is of: it can be half a house then, which the opening shows whole. */
function saysWordsAlone(variants: readonly SceneVariant[]): boolean {
  return variants.some(
    ({ when, elements }) =>
      when?.includes('lone') &&
      elements.some(({ type }) => type === 'plates' || type === 'plate' || type === 'stack'),
  );
}
