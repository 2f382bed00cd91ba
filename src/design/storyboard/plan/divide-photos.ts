/** Divides the photos of a listing among opening, hook, body, ending and floor plans. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { isPanorama } from '../scenes/fit-photo.ts';
import { mostOf, rhythmOf } from '../timing/pacing.ts';
import { gatherRooms, joinRooms } from './gather-rooms.ts';
import { chooseHook } from './hook/choose-hook.ts';
import { isHigh, type PlannedPhoto, type PlanRequest } from './planned-scene.ts';
import { areStrangers, type KnownRoom } from './rate-rooms.ts';
import { fillsPhone, gatherMates, standsInWindow } from './rate-shapes.ts';
import {
  canStandTogether,
  cheapest,
  createFaultRater,
  createSoftness,
  type FaultCost,
  lastViews,
  secondViews,
  WORST,
} from './rate-views.ts';

/** Photos after the first and its neighbors that the opening can take ahead of their turn; one of the same room from anywhere. */
const HERO_REACH = 2;
/** A photo before this place in the listing comes within two scenes of the opening. */
const SOON_AGAIN = 3;

/** Indexes of the usable photos by where they are shown. */
export interface Parts {
  /** All but floor plans. */
  readonly shown: readonly number[];
  readonly hook: readonly number[];
  readonly hookTogether: number;
  readonly hookKeepsFirst: boolean;
  readonly heroPhotos: readonly number[];
  /** Other views that can stand in the opening, the best first. */
  readonly companions: readonly number[];
  /** Of photos that are shown again beside facts and statements: unaltered ones where there are any. */
  readonly repeatable: readonly number[];
  readonly body: readonly number[];
  /** Of the closing, or of the card. @param seen - Photos of the scene before it. */
  readonly lastAfter: (seen: readonly number[]) => readonly number[];
  readonly floorPlans: readonly number[];
  readonly faultOf: FaultCost;
  /** Whether a photo is softer than the others. */
  readonly isSoft: (photo: number) => boolean;
}

/** Of so few photos the ending shows one: a hook finds some, and none comes three times. */
export const FEW = 5;

/** All but floor plans; all, where there is nothing else. */
export function shownPhotos(photos: readonly PlannedPhoto[]): readonly number[] {
  const all = [...photos.keys()].filter((photo) => !photos[photo]!.isLeftOut);
  const others = all.filter((photo) => !photos[photo]!.isFloorPlan);
  return others.length === 0 ? all : others;
}

/**
 * The listing's first photo. Where it is altered, the best other view of the outside that is not: the opening then needs no
 * label, and the altered photo stands once, with its original.
 */
export function openingPhoto(
  design: RatioDesign,
  request: PlanRequest,
  shown: readonly number[],
  faultOf?: FaultCost,
): number {
  const { photos } = request;
  const first = shown[0]!;
  if (!photos[first]!.isAltered) return first;
  const views = shown.filter((photo) => {
    const { room, isAltered, emphasis } = photos[photo]!;
    return room === 'outside' && !isAltered && emphasis !== 'low' && !isPanorama(photos[photo]!);
  });
  const costOf = faultOf ?? createFaultRater(design, request, shown);
  return cheapest(views, (photo) => costOf(photo, 'hero'), WORST)[0] ?? first;
}

export function divide(design: RatioDesign, request: PlanRequest): Parts {
  const { photos, captions, frame } = request;
  const {
    hookIsEnough = false,
    isCrowded = false,
    isGathered = false,
    isBrief = false,
    isPressed = false,
  } = request;
  const shown = shownPhotos(photos);
  const isUnaltered = (photo: number) => photos[photo]!.isAltered !== true;
  const roomAt = (photo: number): KnownRoom => photos[photo]!.room ?? null;
  const faultOf = createFaultRater(design, request, shown);
  const isSoft = createSoftness(request, shown);
  const first = openingPhoto(design, request, shown, faultOf);
  const fromFirst = [first, ...shown.filter((photo) => photo !== first)];
  const companions = secondViews(request, fromFirst, { faultOf, reach: design.heroPhotos + HERO_REACH - 1 });
  const isFew = shown.length <= FEW;
  // On a phone the second one comes again in the body: not at once, and of few photos no room does.
  const isTall = frame.h > frame.w;
  const isLate = (photo: number) => !isTall || shown.indexOf(photo) >= SOON_AGAIN;
  const beside = companions
    .filter((photo) => !(isTall && isFew) || (roomAt(photo) === 'outside' && isLate(photo)))
    .toSorted((a, b) => Number(isLate(b)) - Number(isLate(a)));
  const heroPhotos = sharing(request, [first, ...beside], Math.max(1, design.heroPhotos));
  const unaltered = [...heroPhotos, ...shown].filter(isUnaltered);
  const repeatable = unaltered.length > 0 ? [...new Set(unaltered)] : heroPhotos;
  const rest = shown.filter((photo) => !heroPhotos.includes(photo));
  // The opening shows neither captions nor originals, and of what fills a phone a strip.
  const hasMore = (photo: number) =>
    photos[photo]!.hasOriginal === true ||
    ((isPressed || (!isCrowded && !isBrief)) && Boolean(captions[photo]));
  const {
    photos: hook,
    together: hookTogether,
    keepsFirst: hookKeepsFirst = false,
  } = chooseHook(design, request, {
    shown,
    heroPhotos,
    endingPhotos: photosOfEnding(design, request),
    faultOf,
    isSoft,
    seconds: companions,
    isFew,
  });
  const isCut = (photo: number) => fillsPhone(photos[photo]!, frame) && !hook.includes(photo);
  // A room beside the front is seen in the opening for a moment, and small; so is all that stands under its words on a phone.
  const isBeside = (photo: number) => roomAt(photo) !== roomAt(first) || (photo !== first && isTall);
  const again = heroPhotos.filter(
    (photo) => hasMore(photo) || (!isCrowded && !isBrief && (isCut(photo) || isBeside(photo))),
  );
  const isSeen = (photo: number) => !captions[photo] && !isHigh(photos[photo]!);
  const seen = hookIsEnough || isCrowded ? hook.filter(isSeen) : [];
  // The first one begins the body where its original follows or a phone has shown a strip of it; only for its caption it
  // comes last, since hook and opening have just shown it. Others stand in their places: the opening showed them together.
  const isAhead = photos[first]!.hasOriginal === true || (isCut(first) && !isFew);
  const firstAgain = again.filter((photo) => photo === first);
  const unseen = shown.filter(
    (photo) => (rest.includes(photo) || again.includes(photo)) && photo !== first && !seen.includes(photo),
  );
  const isWindow = (photo: number) => standsInWindow(photos[photo]!, frame);
  const ofBody = isCrowded
    ? gatherRooms(unseen, {
        size: mostOf(rhythmOf(design.pacing, shown.length, 0, 0)),
        roomAt: (photo) => (captions[photo] ? null : roomAt(photo)),
        isWindow,
      })
    : isGathered
      ? joinRooms(unseen, { roomAt, hasCaption: (photo) => Boolean(captions[photo]) })
      : unseen;
  const isOutside = (photo: number) => isUnaltered(photo) && roomAt(photo) === 'outside';
  const toEnd = outsideLast(ofBody, { isOutside, isWindow });
  const ordered = pairedLast(isAhead ? [...firstAgain, ...toEnd] : [...toEnd, ...firstAgain], {
    isSmallHouse: (photo) => isOutside(photo) && isWindow(photo) && !isHigh(photos[photo]!),
    seen: isFew ? [] : [...seen.filter((photo) => photo !== first), ...heroPhotos],
  });
  const body = rest.length + again.length > 0 ? ordered : shown;
  const lastAfter = (seen: readonly number[]) => {
    // Of few photos, the front that has come back for its caption goes on in the ending, and is not seen a third time.
    const isSpent = (photo: number) =>
      isFew &&
      photo === first &&
      (roomAt(photo) !== 'outside' || (body.includes(photo) && seen.at(-1) !== photo));
    const views = lastViews(request, fromFirst, { faultOf, seen });
    const [best, ...next] = [...views.filter((photo) => !isSpent(photo)), ...views.filter(isSpent)];
    const together = next.filter((photo) => {
      const both = [best!, photo];
      return !areStrangers(both.map(roomAt)) && canStandTogether(both.map((each) => photos[each]!));
    });
    return sharing(request, [best!, ...together], photosOfEnding(design, request));
  };
  return {
    shown,
    hook,
    hookTogether,
    hookKeepsFirst,
    heroPhotos,
    companions,
    repeatable,
    // On a phone, few photos have a scene each, and pages of many stand together already.
    body:
      frame.h > frame.w && (isFew || isCrowded)
        ? body
        : gatherMates(
            body,
            (photo) => photos[photo]!,
            frame,
            (photo) => Boolean(captions[photo]),
          ),
    // The video ends outside if it can, and where it began.
    lastAfter,
    floorPlans: [...photos.keys()].filter((photo) => !photos[photo]!.isLeftOut && !shown.includes(photo)),
    faultOf,
    isSoft,
  };
}

/** A video that would end inside ends with the last view of the house before it, of two small ones with both. */
function outsideLast(
  photos: readonly number[],
  { isOutside, isWindow }: Readonly<Record<'isOutside' | 'isWindow', (photo: number) => boolean>>,
): readonly number[] {
  const at = photos.findLastIndex(isOutside);
  if (at < 0 || at === photos.length - 1) return photos;
  const before = photos.slice(0, at).findLastIndex((photo) => !isOutside(photo) || !isWindow(photo));
  const count = isWindow(photos[at]!) && (at - before) % 2 === 0 ? 2 : 1;
  const from = at + 1 - count;
  return [...photos.toSpliced(from, count), ...photos.slice(from, at + 1)];
}

/**
 * On a phone a last house that stands between bands gets another one beside it: an earlier one that stands so too, else
 * one that hook or opening has shown.
 */
function pairedLast(
  photos: readonly number[],
  { isSmallHouse, seen }: { isSmallHouse: (photo: number) => boolean; seen: readonly number[] },
): readonly number[] {
  const isEndOfRun = (at: number) =>
    isSmallHouse(photos[at]!) && (at + 1 === photos.length || !isSmallHouse(photos[at + 1]!));
  const lengthTo = (end: number) => end - photos.slice(0, end).findLastIndex((photo) => !isSmallHouse(photo));
  // Houses that follow each other stand in pairs: one of an odd number is left.
  const alone = [...photos.keys()].filter((at) => isEndOfRun(at) && lengthTo(at) % 2 === 1);
  if (photos.length === 0 || alone.at(-1) !== photos.length - 1) return photos;
  const earlier = alone.at(-2);
  if (earlier !== undefined) return photos.toSpliced(earlier, 1).toSpliced(-1, 0, photos[earlier]!);
  const mate = seen.find((photo) => isSmallHouse(photo) && !photos.includes(photo));
  return mate === undefined ? photos : photos.toSpliced(-1, 0, mate);
}

/** Of photos in order of preference those that share a scene: the first one alone where its emphasis is high. */
export function sharing({ photos }: PlanRequest, order: readonly number[], count: number): number[] {
  const [first, ...others] = order;
  if (first === undefined) return [];
  return [first, ...others.filter((photo) => !isHigh(photos[photo]!))].slice(
    0,
    isHigh(photos[first]!) ? 1 : count,
  );
}

export function photosOfEnding({ closingPhotos }: RatioDesign, { ending, photos }: PlanRequest): number {
  return ending === 'closing' && shownPhotos(photos).length > FEW ? closingPhotos : 1;
}
