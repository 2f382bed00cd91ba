/** Scenes that are no part of the rhythm: hook, opening, facts, floor plans and those that a template adds. Pure. */
import type { ExtraScene, Pacing } from '../../template/template.ts';
import { isPanorama } from '../scenes/fit-photo.ts';
import { sum } from '../timing/limit-length.ts';
import { isQuick } from '../timing/pacing.ts';
import { FEW, type Parts, sharing } from './divide-photos.ts';
import {
  originalSec,
  type PlannedPhoto,
  type PlannedScene,
  type PlanRequest,
  timesOf,
} from './planned-scene.ts';
import { fillFacts, type KnownRoom } from './rate-rooms.ts';
import { isUpright } from './rate-shapes.ts';
import { SOFT_COST } from './rate-views.ts';

/** The law's three seconds, and the transitions around them. */
const ORIGINALS_ADDRESS_SEC = { usual: 4.5, quick: 3.3 };
/** A floor plan is read, not seen; of many each gets less. */
const FLOOR_PLAN_SEC = { usual: 4.5, quick: 3.5 };
const ONE_OF_MANY_PLANS_SEC = { usual: 3.5, quick: 1.85 };
const MANY_PLANS = 4;

/** So many photos begin the body; a view that costs more is shown once. */
const SOON = 3;
const WEAK_VIEW = 1.5;
/** So many views are tried for the second half of an opening. */
const MOST_NEXT = 4;
/** Facts show no second view that costs more than this to come again. */
const MOST_AGAIN = 3;
/** So many photos before the facts have just gone; the last of them and the next ones are near. */
const JUST_GONE = 4;
const NEAR = 2;
/** What it costs that the facts show one of these again, the opening's, one that comes twice already, or one whose words follow. */
const AGAIN = { near: 6, justGone: 1.5, opening: 4, twice: 3, beforeItsWords: 2 };

/** What opening and facts, which show photos beside words, are planned from. */
interface WithWords {
  readonly request: PlanRequest;
  readonly parts: Parts;
  /** As the body leaves time for opening and facts. */
  readonly pacing: Pacing;
  /** Photos of the ending. */
  readonly last: readonly number[];
}

export function hookScenes({
  hook,
  hookTogether,
  hookKeepsFirst,
  hookSec,
}: Pick<Parts, 'hook' | 'hookTogether' | 'hookKeepsFirst'> & {
  readonly hookSec: readonly number[];
}): PlannedScene[] {
  const scene = (photos: readonly number[], sec: number): PlannedScene => ({
    role: 'hook',
    photos,
    captions: [],
    sec,
  });
  if (hook.length <= hookTogether) return hook.length === 0 ? [] : [scene(hook, sum(hookSec))];
  const first = scene(hook.slice(0, hookTogether), hookSec[0]!);
  const kept = hookKeepsFirst ? hook.slice(0, 1) : [];
  return [first, ...hook.slice(hookTogether).map((photo, cut) => scene([...kept, photo], hookSec[cut + 1]!))];
}

/**
 * The opening. While its words are read, it shows another good view: none that the body is about to show, and where it can
 * none of hook, facts and ending; else, or of few photos, its own photo again, nearer.
 */
export function openingScene(
  { request, parts, pacing, last }: WithWords,
  inFacts: readonly number[],
): PlannedScene {
  const { shown, hook, heroPhotos, companions, body, faultOf, isSoft } = parts;
  const opening: PlannedScene = { role: 'hero', photos: heroPhotos, captions: [], sec: pacing.heroSec };
  if (pacing.nextViewSec === undefined || heroPhotos.length > 1) return opening;
  const [hero] = heroPhotos;
  const isNearer = canComeNearer(request.photos[hero!]!) && !isSoft(hero!);
  const good = (shown.length <= FEW ? [] : companions).filter(
    (photo) =>
      ![...heroPhotos, ...body.slice(0, SOON)].includes(photo) &&
      !isSoft(photo) &&
      faultOf(photo, 'hero') < WEAK_VIEW,
  );
  const next = new Set([
    ...good.filter((photo) => ![...hook, ...inFacts, ...last].includes(photo)),
    ...good.filter((photo) => !hook.includes(photo)),
    ...good.filter((photo) => request.photos[photo]!.room === 'outside'),
  ]);
  const views = [...[...next].slice(0, MOST_NEXT), ...(isNearer ? [hero!] : [])];
  return views.length === 0 ? opening : { ...opening, next: views };
}

/** A label is read beside the whole photo. */
function canComeNearer(photo: PlannedPhoto): boolean {
  return !photo.isAltered && !photo.hasOriginal && !photo.isFloorPlan && !isPanorama(photo);
}

/**
 * Facts with their own photos of the body, and others that suit these best, up to `seats`. One alone gives way to its like.
 *
 * @param own - Of the body, from one on.
 */
export function factsScene(
  { request, parts, pacing, last }: WithWords,
  own: readonly number[],
  { from, seats: most }: { readonly from: number; readonly seats: number },
): PlannedScene {
  const { hook, heroPhotos, repeatable, body, faultOf, isSoft } = parts;
  const roomAt = (photo: number): KnownRoom => request.photos[photo]!.room ?? null;
  const seen = repeatable.filter((photo) => !own.includes(photo));
  // A photo of the hook comes in the body too, and one of the opening on the card or in the closing.
  const twice = [...hook, ...last];
  const until = from + own.length;
  const justGone = body.slice(Math.max(0, from - JUST_GONE), from);
  const near = [...justGone.slice(-NEAR), ...body.slice(until, until + NEAR)];
  const againCost = (photo: number): number =>
    sum([
      faultOf(photo, 'facts'),
      near.includes(photo) ? AGAIN.near : justGone.includes(photo) ? AGAIN.justGone : 0,
      heroPhotos.includes(photo) ? AGAIN.opening : 0,
      twice.includes(photo) ? AGAIN.twice : 0,
      isSoft(photo) ? SOFT_COST : 0,
      request.captions[photo] && body.indexOf(photo) >= until ? AGAIN.beforeItsWords : 0,
    ]);
  // Where pixels tell the outside, a photo of which nothing says what it shows has no like.
  const isUnknown = (photo: number) => request.lookOf !== undefined && roomAt(photo) === null;
  const suitable = sharing(request, seen, seen.length).filter(
    (photo) => !isPanorama(request.photos[photo]!) && !(own.length > 0 && isUnknown(photo)),
  );
  const filled = fillFacts(own, suitable.length > 0 || own.length > 0 ? suitable : seen, {
    seats: most,
    roomAt,
    isUprightAt: (photo) => isUpright(request.photos[photo]!),
    costAt: againCost,
  });
  const photos = own.length === 0 && isUnknown(filled[0]!) ? filled.slice(0, 1) : filled;
  const facts: PlannedScene = { role: 'facts', photos, captions: [], sec: pacing.factsSec / request.pace };
  if (pacing.nextViewSec === undefined || photos.length > 1 || isUnknown(photos[0]!)) return facts;
  const likes = suitable.filter((photo) => againCost(photo) < MOST_AGAIN && !photos.includes(photo));
  const [, next] = fillFacts(photos, likes, { seats: 2, roomAt, costAt: againCost });
  return next === undefined ? facts : { ...facts, next: [next] };
}

/** Floor plans, each alone, and the address of the original photos. */
export function specialScenes(
  { photos, captions, hasOriginalsAddress, isPressed = false }: PlanRequest,
  floorPlans: readonly number[],
  pacing: Pacing,
): PlannedScene[] {
  const speed = isQuick(pacing) ? 'quick' : 'usual';
  const isLong = floorPlans.length < MANY_PLANS && !isPressed;
  const planSec = (isLong ? FLOOR_PLAN_SEC : ONE_OF_MANY_PLANS_SEC)[speed];
  const scenes = floorPlans.map(
    (photo): PlannedScene => ({
      role: 'floor_plan',
      photos: [photo],
      captions: [captions[photo] ?? ''],
      sec: planSec * timesOf([photos[photo]!]) + (photos[photo]!.hasOriginal ? originalSec(pacing) : 0),
    }),
  );
  if (hasOriginalsAddress !== true) return scenes;
  return [...scenes, { role: 'originals', photos: [], captions: [], sec: ORIGINALS_ADDRESS_SEC[speed] }];
}

export function withExtras(
  body: readonly PlannedScene[],
  extras: readonly ExtraScene[],
  photos: readonly number[],
): PlannedScene[] {
  const total = body.reduce((sum, { sec }) => sum + sec, 0);
  const scenes = [...body];
  for (const { role, at, sec, photo } of [...extras].sort((a, b) => a.at - b.at)) {
    let elapsed = 0;
    let place = 0;
    while (place < scenes.length && elapsed + scenes[place]!.sec / 2 <= at * total) {
      elapsed += scenes[place]!.sec;
      place += 1;
    }
    const shown = photo === 'last' ? Math.max(...photos) : photos[0]!;
    scenes.splice(place, 0, { role, photos: [shown], captions: [], sec });
  }
  return scenes;
}
