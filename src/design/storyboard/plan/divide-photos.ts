/** Divides the photos of a listing among opening, hook, body, ending and floor plans. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { mostOf, rhythmOf } from '../timing/pacing.ts';
import { chooseHook } from './choose-hook.ts';
import { gatherRooms, joinRooms } from './gather-rooms.ts';
import { isHigh, type PlannedPhoto, type PlanRequest } from './planned-scene.ts';
import { areStrangers, factsRoomCost, hookRoomCost, type KnownRoom, roomCost } from './rate-rooms.ts';
import { fillsPhone, gatherUprights } from './rate-shapes.ts';

/** Photos after the first that the opening can take ahead of their turn; one of the same room from anywhere. */
const HERO_REACH = 2;

/** Indexes of the usable photos by where they are shown. */
export interface Parts {
  /** All but floor plans. */
  readonly shown: readonly number[];
  readonly hook: readonly number[];
  readonly heroPhotos: readonly number[];
  /** Of photos that are shown again beside facts and statements: unaltered ones where there are any. */
  readonly repeatable: readonly number[];
  readonly body: readonly number[];
  readonly closing: readonly number[];
  readonly floorPlans: readonly number[];
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
 * Of few photos, the one of the last scene: the first one has come in hook and opening. Undefined where there are many, or
 * no choice.
 */
export function lastOfFew(photos: readonly PlannedPhoto[]): number | undefined {
  const shown = shownPhotos(photos);
  if (shown.length < 3 || shown.length > FEW) return undefined;
  const others = shown.slice(1).filter((photo) => photos[photo]!.isAltered !== true);
  const cost = (photo: number) => hookRoomCost(photos[photo]!.room ?? null);
  return others.toSorted((a, b) => cost(a) - cost(b) || b - a)[0];
}

export function divide(design: RatioDesign, request: PlanRequest): Parts {
  const { photos, captions, frame, hasFacts } = request;
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
  const firstRoom = roomAt(shown[0]!);
  const distance = (photo: number) => roomCost([firstRoom, roomAt(photo)]);
  const likeFirst = (order: readonly number[]) =>
    order.filter((photo) => !areStrangers([roomAt(order[0]!), roomAt(photo)]));
  const ofSameRoom = firstRoom === null ? [] : shown.slice(1).filter((photo) => roomAt(photo) === firstRoom);
  const companions = [...new Set([...ofSameRoom, ...shown.slice(1, design.heroPhotos + HERO_REACH)])]
    .filter(isUnaltered)
    .sort((a, b) => distance(a) - distance(b));
  // Of few photos each has its scene, and on a phone a second one would be a strip.
  const isAlone = shown.length <= FEW && frame.h > frame.w;
  const heroPhotos = sharing(
    request,
    likeFirst([shown[0]!, ...companions]),
    isAlone ? 1 : Math.max(1, design.heroPhotos),
  );
  const unaltered = [...heroPhotos, ...shown].filter(isUnaltered);
  const repeatable = unaltered.length > 0 ? [...new Set(unaltered)] : heroPhotos;
  const isOutside = (photo: number) => roomAt(photo) === 'outside';
  const beginsInside = roomAt(repeatable[0]!) !== null && !isOutside(repeatable[0]!);
  const rest = shown.filter((photo) => !heroPhotos.includes(photo));
  // The opening shows neither captions nor originals, and of what fills a phone a strip.
  const hasMore = (photo: number) =>
    photos[photo]!.hasOriginal === true ||
    ((isPressed || (!isCrowded && !isBrief)) && Boolean(captions[photo]));
  const last = lastOfFew(photos);
  // Of few photos, one for the facts: it comes in no hook, or it would come three times.
  const forFacts =
    hasFacts && design.factsPhotos > 0 && shown.length <= FEW
      ? shown
          .slice(1)
          .filter((photo) => photo !== last && isUnaltered(photo))
          .toSorted((a, b) => factsRoomCost([roomAt(a)]) - factsRoomCost([roomAt(b)]))[0]
      : undefined;
  const hook = chooseHook(design, request, {
    shown,
    heroPhotos,
    reserved: [last, forFacts].filter((photo) => photo !== undefined),
    endingPhotos: photosOfEnding(design, request),
    canLead: shown.length > FEW || !hasMore(shown[0]!),
  });
  const isCut = (photo: number) => fillsPhone(photos[photo]!, frame) && !hook.includes(photo);
  const again = heroPhotos.filter((photo) => hasMore(photo) || (!isCrowded && !isBrief && isCut(photo)));
  const isSeen = (photo: number) => !captions[photo] && !isHigh(photos[photo]!);
  const seen = hookIsEnough || isCrowded ? hook.filter(isSeen) : [];
  // The first one begins the body where its original follows or a phone has shown a strip of it; only for its caption it
  // comes last, since hook and opening have just shown it. Others stand in their places: the opening showed them together.
  const isAhead = photos[shown[0]!]!.hasOriginal === true || isCut(shown[0]!) || shown.length <= FEW;
  const first = again.filter((photo) => photo === shown[0]);
  const unseen = shown.filter(
    (photo) =>
      (rest.includes(photo) || again.includes(photo)) && !first.includes(photo) && !seen.includes(photo),
  );
  const ofBody = isCrowded
    ? gatherRooms(unseen, {
        size: mostOf(rhythmOf(design.pacing, shown.length, 0, 0)),
        roomAt: (photo) => (captions[photo] ? null : roomAt(photo)),
      })
    : isGathered
      ? joinRooms(unseen, { roomAt, hasCaption: (photo) => Boolean(captions[photo]) })
      : unseen;
  const toEnd = outsideLast(ofBody, roomAt);
  const ordered = isAhead ? [...first, ...toEnd] : [...toEnd, ...first];
  const body = rest.length + again.length > 0 ? ordered : shown;
  // The first one has just been seen where it came for its caption.
  const seenLast = !isAhead && first.length > 0 ? shown[0] : undefined;
  const unseenLast = repeatable.filter((photo) => photo !== seenLast);
  const byPlace = [...unseenLast.filter(isOutside), ...unseenLast.filter((photo) => !isOutside(photo))];
  const isTurned = seenLast !== undefined || beginsInside;
  const ofClosing = last !== undefined ? [last] : isTurned && byPlace.length > 0 ? byPlace : repeatable;
  return {
    shown,
    hook,
    heroPhotos,
    repeatable,
    body: gatherUprights(body, (photo) => photos[photo]!, frame),
    // The video ends where it began, and outside if it can.
    closing: sharing(request, likeFirst(ofClosing), photosOfEnding(design, request)),
    floorPlans: [...photos.keys()].filter((photo) => !photos[photo]!.isLeftOut && !shown.includes(photo)),
  };
}

/** A video that would end in a room ends with the last view of the house before it. */
function outsideLast(photos: readonly number[], roomAt: (photo: number) => KnownRoom): readonly number[] {
  const isOutside = (photo: number) => roomAt(photo) === 'outside';
  const last = photos.at(-1);
  const at = photos.findLastIndex(isOutside);
  if (last === undefined || roomAt(last) === null || at < 0 || isOutside(last)) return photos;
  return [...photos.toSpliced(at, 1), photos[at]!];
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
