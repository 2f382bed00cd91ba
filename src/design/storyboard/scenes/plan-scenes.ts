/** Plans which scenes a video has, which photos each shows and how long it lasts; no layout yet. Pure. */

import type { Asset } from '../../../listing/listing.ts';
import type { BodyLayout, ExtraScene, RatioDesign, SceneRole } from '../../template/template.ts';
import type { Box } from '../storyboard.ts';
import type { Texts } from '../texts.ts';
import { MAX_CUT, sum } from '../timing/limit-length.ts';
import {
  capOf,
  hookSeconds,
  layoutSec,
  paceBody,
  positionAfter,
  rhythmOf,
  roomOf,
  runSeconds,
  SEATS,
} from '../timing/pacing.ts';
import { readingSec } from '../timing/reading-time.ts';
import { canCover, type PhotoShape } from './fit-photo.ts';
import { type BodyPlan, type BodyRequest, planBody } from './plan-body.ts';
import { createLayoutRater } from './rate-layout.ts';
import { factsRoomCost, hookRoomCost, type KnownRoom, roomCost } from './rate-rooms.ts';

export interface PlannedScene {
  readonly role: SceneRole;
  /** Indexes into the usable photos, in the order of the scene's boxes. */
  readonly photos: readonly number[];
  /** Of a scene of the body, one per photo; empty where a photo has none or there is no time for it. */
  readonly captions: readonly string[];
  readonly sec: number;
  /** Of a run: a cut leads to it. */
  readonly isInRun?: boolean;
}

/** A usable photo, as far as the plan depends on it. */
export interface PlannedPhoto extends PhotoShape {
  /** A floor plan: alone and late in the video. */
  readonly isFloorPlan?: boolean;
  /** Default `normal`. A high one stands alone and longer, a low one shares a scene. */
  readonly emphasis?: NonNullable<Asset['emphasis']>;
  /** Not repeated where another photo serves as well. */
  readonly isAltered?: boolean;
  /** Its original follows in the same scene. */
  readonly hasOriginal?: boolean;
  /** What it shows; null or absent where the listing does not say it. */
  readonly room?: KnownRoom;
  /** Shares no scene of the body. */
  readonly standsAlone?: boolean;
  /** The same, where its caption is shown. */
  readonly captionStandsAlone?: boolean;
}

export interface PlanRequest {
  readonly photos: readonly PlannedPhoto[];
  readonly captions: readonly string[];
  readonly frame: { readonly w: number; readonly h: number };
  readonly texts: Texts;
  /** Photos of the opening; default as the template says. */
  readonly heroPhotos?: number;
  /** The last scene; default the card. */
  readonly ending?: 'card' | 'closing';
  readonly hasFacts: boolean;
  /** Whether the listing says where the original photos are. */
  readonly hasOriginalsAddress?: boolean;
  readonly extras?: readonly ExtraScene[];
  /** Of the music, seconds; null without one. */
  readonly beatSec?: number | null;
  /** Speed of the video; seconds are divided by it. */
  readonly pace: number;
}

/** As the variants `full-bleed` and `window` of a hook, whose other photos stand whole (`resolve-template.ts`). */
const HOOK_LOSS = { landscape: 0.16, portrait: 0.65 };
const WINDOW_LOSS = { landscape: 0.3, portrait: 0.8 };
const HOOK_WINDOW = 0.703;
/** With fewer photos the facts scene shows the opening's again and takes none from the body. */
const OWN_FACTS_PHOTO_FROM = 9;
/** From this count on the facts scene takes all its photos from the body. */
const ALL_FACTS_PHOTOS_FROM = 14;
/** Cost of a caption without a place: more than a scene of little photo (`rate-layout.ts`). */
const MISSING_CAPTION = 8;
/** For each altered photo that shares a scene: less than time is worth when there is too little of it. */
const ALTERED_IN_GROUP = 1.5;
/** A photo of high emphasis stands so many times as long. */
const HIGH_TIMES = 2;
/** For a photo of low emphasis that stands alone: more than any layout is worth. */
const LOW_ALONE = 30;
/** A hook takes a photo of high emphasis rather than a larger one of a better room. */
const HIGH_IN_HOOK = 6;
/** An altered photo stands so long, so that its label is read, and its original so long with its wipe. */
const MIN_ALTERED_SEC = 1.6;
const ORIGINAL_SEC = 2;
/** The law's three seconds, and the transitions around them. */
const ORIGINALS_ADDRESS_SEC = 4.5;
/** A floor plan is read, not seen; of many each gets less. */
const FLOOR_PLAN_SEC = 4.5;
const ONE_OF_MANY_PLANS_SEC = 3.5;
const MANY_PLANS = 4;
/** Photos after the first that the opening can take ahead of their turn; one of the same room from anywhere. */
const HERO_REACH = 2;
/** Seconds from the start of a scene to the middle of its caption's entrance. */
const CAPTION_ENTRANCE_SEC = 0.75;
/** Of a longer text a layout shows about so much, then an ellipsis. */
const SHOWN_CHARACTERS = 160;

/**
 * Opening, body with the facts scene in its middle, floor plans, the address of the originals, card or closing. Every
 * photo is shown, in the listing's order.
 *
 * A lone photo is shown in the opening and again in the body, so that the video is more than a card; so is a photo of
 * the opening that has a caption or an original, which then follows. Photos with a caption and altered ones are in the body wherever they can: neither
 * facts nor closing show captions.
 */
export function planScenes(design: RatioDesign, request: PlanRequest): readonly PlannedScene[] {
  const key = JSON.stringify({
    ...request,
    photos: request.photos.map((photo) => [
      ...[photo.widthPx, photo.heightPx, photo.isFloorPlan, photo.isAltered, photo.hasOriginal],
      ...[photo.room, photo.standsAlone, photo.captionStandsAlone, photo.subject, photo.emphasis],
    ]),
  });
  const known = plans.get(design);
  if (known?.key === key) return known.plan;
  const shown = shownPhotos(request.photos);
  const heroSec = design.pacing.heroSec * timesOf([request.photos[shown[0]!]!]);
  const pacing = { ...design.pacing, heroSec };
  const opened = { ...design, pacing, heroPhotos: request.heroPhotos ?? design.heroPhotos };
  const capSec = capOf(pacing, shown.length);
  const whole = makePlan(opened, request);
  const { hook, ...withoutHook } = pacing;
  const isInTime = !hook || sum(whole.map(({ sec }) => sec)) <= capSec + 1e-6;
  const plan = isInTime ? whole : makePlan({ ...opened, pacing: withoutHook }, request);
  plans.set(design, { key, plan });
  return plan;
}

/** The last plan of each design: the agents of a listing mostly have the same. */
const plans = new WeakMap<RatioDesign, { readonly key: string; readonly plan: readonly PlannedScene[] }>();

function makePlan(design: RatioDesign, request: PlanRequest): PlannedScene[] {
  const { hasFacts, pace, ending = 'card', beatSec = null } = request;
  const { shown, hook, heroPhotos, repeatable, body, closing, floorPlans } = divide(design, request);
  const special = specialScenes(request, floorPlans);
  const hasOriginal = (photo: number) => request.photos[photo]?.hasOriginal === true;
  const photosAt = (indexes: readonly number[]) => indexes.map((photo) => request.photos[photo]!);
  const hookSec = hookSeconds(design.pacing, hook.length, beatSec);
  const taken = sum([...special.map(({ sec }) => sec), ...hookSec]);
  const room = {
    ...design.pacing,
    capSec: Math.max(design.pacing.minSceneSec, capOf(design.pacing, shown.length) - taken),
  };
  const { plan: scenes, shown: shownCaptions } = arrangeBody({ ...design, pacing: room }, request, {
    body,
    shown,
    repeatable,
  });
  const pairs = body.filter(hasOriginal).length;
  const ofBody = scenes.flatMap(({ layout, from, photoCount }) =>
    layout === 'facts' ? [] : [{ layout, photos: photosAt(body.slice(from, from + photoCount)) }],
  );
  const seconds = paceBody(
    { ...room, capSec: room.capSec - pairs * ORIGINAL_SEC },
    ofBody.map(({ layout }) => layout),
    { photoCount: shown.length, hasFacts, pace, beatSec, times: ofBody.map(({ photos }) => timesOf(photos)) },
  );
  const planned = scenes.flatMap(({ layout, from, photoCount: own }): PlannedScene[] => {
    const photos = body.slice(from, from + own);
    if (layout === 'run') {
      seconds.shift();
      return runSeconds(beatSec).map((sec, index) => ({
        role: 'single',
        photos: [photos[index]!],
        captions: [''],
        sec,
        isInRun: true,
      }));
    }
    if (layout !== 'facts') {
      const sec = seconds.shift()!;
      return [
        {
          role: layout,
          photos,
          captions: shownCaptions.slice(from, from + own),
          sec: alteredSec(photosAt(photos), sec),
        },
      ];
    }
    const roomsOf = (of: readonly number[]) => photosAt(of).map(({ room = null }) => room);
    const unseen = repeatable.filter((photo) => !heroPhotos.includes(photo)).reverse();
    const all = [...unseen, ...repeatable].filter((photo) => !photos.includes(photo));
    const again = sharing(request, all, all.length);
    // A photo of the hook comes in the body too, and one of the opening on the card or in the closing.
    const twice = [...hook, ...heroPhotos.slice(0, photosOfEnding(design, request))];
    let others = [...new Set([...again.filter((photo) => !twice.includes(photo)), ...again])];
    const withOthers = [...photos];
    while (withOthers.length < design.factsPhotos && others.length > 0) {
      const costOf = (photo: number) => factsRoomCost(roomsOf([...withOthers, photo]));
      const [best] = others.toSorted((a, b) => costOf(a) - costOf(b));
      withOthers.push(best!);
      others = others.filter((photo) => photo !== best);
    }
    return [{ role: 'facts', photos: withOthers, captions: [], sec: design.pacing.factsSec / pace }];
  });
  return [
    ...hook.map(
      (photo, cut): PlannedScene => ({ role: 'hook', photos: [photo], captions: [], sec: hookSec[cut]! }),
    ),
    { role: 'hero', photos: heroPhotos, captions: [], sec: design.pacing.heroSec },
    ...withExtras(planned, request.extras ?? [], repeatable),
    ...special,
    {
      role: ending,
      photos: ending === 'card' ? heroPhotos.slice(0, 1) : closing,
      captions: [],
      sec: design.pacing.endSec,
    },
  ];
}

/** Floor plans, each alone, and the address of the original photos. */
function specialScenes(
  { photos, captions, hasOriginalsAddress }: PlanRequest,
  floorPlans: readonly number[],
): PlannedScene[] {
  const planSec = floorPlans.length < MANY_PLANS ? FLOOR_PLAN_SEC : ONE_OF_MANY_PLANS_SEC;
  const scenes = floorPlans.map(
    (photo): PlannedScene => ({
      role: 'floor_plan',
      photos: [photo],
      captions: [captions[photo] ?? ''],
      sec: planSec * timesOf([photos[photo]!]) + (photos[photo]!.hasOriginal ? ORIGINAL_SEC : 0),
    }),
  );
  if (hasOriginalsAddress !== true) return scenes;
  return [...scenes, { role: 'originals', photos: [], captions: [], sec: ORIGINALS_ADDRESS_SEC }];
}

/** Indexes of the usable photos by where they are shown. */
interface Parts {
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

/** All but floor plans; all, where there is nothing else. */
function shownPhotos(photos: readonly PlannedPhoto[]): readonly number[] {
  const all = [...photos.keys()];
  const others = all.filter((photo) => !photos[photo]!.isFloorPlan);
  return others.length === 0 ? all : others;
}

function divide(design: RatioDesign, request: PlanRequest): Parts {
  const { photos, captions } = request;
  const all = [...photos.keys()];
  const shown = shownPhotos(photos);
  const isUnaltered = (photo: number) => photos[photo]!.isAltered !== true;
  const roomAt = (photo: number): KnownRoom => photos[photo]!.room ?? null;
  const first = roomAt(shown[0]!);
  const distance = (photo: number) => roomCost([first, roomAt(photo)]);
  const ofSameRoom = first === null ? [] : shown.slice(1).filter((photo) => roomAt(photo) === first);
  const companions = [...new Set([...ofSameRoom, ...shown.slice(1, design.heroPhotos + HERO_REACH)])]
    .filter(isUnaltered)
    .sort((a, b) => distance(a) - distance(b));
  const heroPhotos = sharing(request, [shown[0]!, ...companions], Math.max(1, design.heroPhotos));
  const unaltered = [...heroPhotos, ...shown].filter(isUnaltered);
  const repeatable = unaltered.length > 0 ? [...new Set(unaltered)] : heroPhotos;
  const isOutside = (photo: number) => roomAt(photo) === 'outside';
  const beginsInside = roomAt(repeatable[0]!) !== null && !isOutside(repeatable[0]!);
  const rest = shown.filter((photo) => !heroPhotos.includes(photo));
  // The opening shows neither captions nor originals.
  const again = heroPhotos.filter((photo) => captions[photo] || photos[photo]!.hasOriginal);
  return {
    shown,
    hook: hookPhotos(design, request, shown, heroPhotos),
    heroPhotos,
    repeatable,
    body: rest.length + again.length > 0 ? [...again, ...rest] : shown,
    // The video ends where it began, and outside if it can.
    closing: sharing(
      request,
      beginsInside
        ? [...repeatable.filter(isOutside), ...repeatable.filter((photo) => !isOutside(photo))]
        : repeatable,
      design.closingPhotos,
    ),
    floorPlans: all.filter((photo) => !shown.includes(photo)),
  };
}

/** Of photos in order of preference those that share a scene: the first one alone where its emphasis is high. */
function sharing({ photos }: PlanRequest, order: readonly number[], count: number): number[] {
  const [first, ...others] = order;
  if (first === undefined) return [];
  return [first, ...others.filter((photo) => !isHigh(photos[photo]!))].slice(
    0,
    isHigh(photos[first]!) ? 1 : count,
  );
}

function isHigh({ emphasis }: PlannedPhoto): boolean {
  return emphasis === 'high';
}

/** How many times as long as others a scene of these photos lasts. */
function timesOf(photos: readonly PlannedPhoto[]): number {
  return photos.some(isHigh) ? HIGH_TIMES : 1;
}

/**
 * Photos of the hook, in the listing's order: unaltered ones that the video shows again, not those of the opening, which
 * comes next. Large ones go first, of rooms that sell a house, each of another room, and from all over the listing.
 */
function hookPhotos(
  design: RatioDesign,
  request: PlanRequest,
  shown: readonly number[],
  heroPhotos: readonly number[],
): number[] {
  const { photos, frame, hasFacts } = request;
  const { pacing, factsPhotos } = design;
  const others = shown.filter((photo) => {
    const { isAltered, emphasis } = photos[photo]!;
    return !isAltered && emphasis !== 'low' && !heroPhotos.includes(photo);
  });
  const cuts = pacing.hook?.cuts ?? 0;
  // One of several pictures is no hook.
  const least = Math.min(2, cuts);
  // The facts find photos that have not come twice.
  const ofOpeningAndEnding = Math.min(heroPhotos.length, photosOfEnding(design, request));
  const spare = shown.length - ofOpeningAndEnding - (hasFacts ? factsPhotos : 0);
  const count = Math.min(cuts, others.length, spare);
  if (count < least) return [];
  const shape = frame.w > frame.h ? 'landscape' : 'portrait';
  const window = { x: 0, y: 0, w: frame.w, h: frame.h * HOOK_WINDOW };
  const picked: number[] = [];
  for (let cut = 0; cut < count; cut++) {
    const costOf = (photo: number) => {
      const { room = null } = photos[photo]!;
      const covers = (box: Box, maxLoss: number) => canCover(photos[photo]!, box, maxLoss);
      const isLarge = covers({ x: 0, y: 0, ...frame }, HOOK_LOSS[shape]);
      const size = isLarge ? 0 : covers(window, WINDOW_LOSS[shape]) ? 1 : 3;
      const again = room === null ? 0 : picked.filter((other) => photos[other]!.room === room).length;
      const distance = Math.abs(others.indexOf(photo) / others.length - (cut + 0.5) / count);
      return size + hookRoomCost(room) + 2 * again + distance - (isHigh(photos[photo]!) ? HIGH_IN_HOOK : 0);
    };
    const left = others.filter((photo) => !picked.includes(photo));
    picked.push(left.toSorted((a, b) => costOf(a) - costOf(b))[0]!);
  }
  return picked.sort((a, b) => a - b);
}

function photosOfEnding({ closingPhotos }: RatioDesign, { ending }: PlanRequest): number {
  return ending === 'closing' ? closingPhotos : 1;
}

interface ArrangedBody {
  readonly plan: BodyPlan;
  /** The captions that there is time for, one per photo of the body. */
  readonly shown: readonly string[];
}

/**
 * The scenes of the body's photos. Where the captions take more time to read than the video has, the longest ones are
 * left out.
 */
function arrangeBody(
  design: RatioDesign,
  request: PlanRequest,
  { body, shown: shownPhotos, repeatable }: Pick<Parts, 'body' | 'shown' | 'repeatable'>,
): ArrangedBody {
  const captions = body.map((photo) => request.captions[photo] ?? '');
  const photos = body.map((photo) => request.photos[photo]!);
  const again = repeatable.map((photo) => request.photos[photo]!);
  const longestFirst = captions
    .map((caption, photo) => ({ photo, sec: captionSec(caption) }))
    .filter(({ sec }) => sec > 0)
    .sort((a, b) => b.sec - a.sec || b.photo - a.photo);
  const without = (count: number): ArrangedBody & { readonly isInTime: boolean } => {
    const leftOut = new Set(longestFirst.slice(0, count).map(({ photo }) => photo));
    const shown = captions.map((caption, photo) => (leftOut.has(photo) ? '' : caption));
    return { shown, ...planBody(toBodyRequest(design, request, photos, again, shown, shownPhotos.length)) };
  };
  const whole = without(0);
  if (whole.isInTime || longestFirst.length === 0) return whole;
  let [tooFew, enough] = [0, longestFirst.length];
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (without(middle).isInTime) enough = middle;
    else tooFew = middle;
  }
  return without(enough);
}

/**
 * @param again - Photos that the facts scene shows beside its own.
 * @param photoCount - Of all photos that share the rhythm: picks the row of the pacing.
 */
function toBodyRequest(
  design: RatioDesign,
  request: PlanRequest,
  photos: readonly PlannedPhoto[],
  again: readonly PlannedPhoto[],
  captions: readonly string[],
  photoCount: number,
): BodyRequest {
  const { hasFacts, pace, frame, texts, beatSec = null } = request;
  const { pacing } = design;
  const reserved = hasFacts ? factsPhotosOf(design, photoCount, photos.length) : 0;
  const { layouts, cycle } = rhythmOf(pacing, photoCount, photos.length, reserved);
  const paced = paceBody(pacing, layouts, { photoCount, hasFacts, pace, beatSec });
  const factsAt = positionAfter(paced, pacing.factsAt);
  const rate = createLayoutRater({ design, frame, photos, captions, texts });
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  const groupOf = (layout: BodyLayout, from: number) => photos.slice(from, from + SEATS[layout]);
  return {
    photoCount: photos.length,
    rhythm: layouts,
    cycle,
    hasCaptions: captions.some((caption) => caption !== ''),
    costOf: (layout, from) => {
      const group = groupOf(layout, from);
      const isAlone = (photo: PlannedPhoto, index: number) =>
        photo.hasOriginal ||
        isHigh(photo) ||
        photo.standsAlone ||
        (photo.captionStandsAlone && captions[from + index]);
      if (group.length > 1 && group.some(isAlone)) return Number.POSITIVE_INFINITY;
      const lowCost =
        layout === 'run' || layout === 'single'
          ? LOW_ALONE * group.filter(({ emphasis }) => emphasis === 'low').length
          : 0;
      const altered = group.length > 1 ? group.filter(({ isAltered }) => isAltered).length : 0;
      if (layout === 'run') {
        // A label needs more time to be read.
        if (altered > 0) return Number.POSITIVE_INFINITY;
        const worst = Math.max(...group.map((_, index) => rate('single', from + index).cost));
        const words = captions.slice(from, from + SEATS.run).filter((caption) => caption !== '');
        return worst + MISSING_CAPTION * words.length + lowCost;
      }
      const { cost, missingCaptions } = rate(layout, from);
      const rooms = roomCost(group.map(({ room = null }) => room));
      return cost + MISSING_CAPTION * missingCaptions + ALTERED_IN_GROUP * altered + rooms + lowCost;
    },
    minSecOf: (layout, from) => {
      const sec = layoutSec(pacing, layout, { photoCount, pace, beatSec });
      if (layout === 'run') return sec;
      const toRead = sum(captions.slice(from, from + SEATS[layout]).map(captionSec));
      const own =
        toRead === 0
          ? Math.max(pacing.minSceneSec, sec * (1 - MAX_CUT)) * timesOf(groupOf(layout, from))
          : Math.max(pacing.minSceneSec, toRead + CAPTION_ENTRANCE_SEC + transitionSec);
      return alteredSec(groupOf(layout, from), own);
    },
    roomSec: Math.max(roomOf(pacing, hasFacts, pace), sum(paced) * (1 - MAX_CUT)),
    facts: hasFacts
      ? {
          photos: reserved,
          before: sum(layouts.slice(0, factsAt).map((layout) => SEATS[layout])),
          roomCostOf: (from, own) =>
            factsRoomCost(
              [...photos.slice(from, from + own), ...again]
                .slice(0, design.factsPhotos)
                .map(({ room = null }) => room),
            ),
          isOfBody: (photo) =>
            captions[photo] !== '' || photos[photo]!.isAltered === true || isHigh(photos[photo]!),
        }
      : null,
  };
}

/** Seconds of a scene that would have `sec` without labels and originals. */
function alteredSec(photos: readonly PlannedPhoto[], sec: number): number {
  const own = photos.some(({ isAltered }) => isAltered) ? Math.max(sec, MIN_ALTERED_SEC) : sec;
  return photos.some(({ hasOriginal }) => hasOriginal) ? own + ORIGINAL_SEC : own;
}

/** Seconds to read a caption, at least as long as a layout shows of it; 0 without one. */
function captionSec(caption: string): number {
  return caption === '' ? 0 : readingSec(caption.slice(0, SHOWN_CHARACTERS));
}

/** How many photos only the facts scene shows; the body keeps at least one. */
function factsPhotosOf({ factsPhotos }: RatioDesign, photoCount: number, bodyPhotos: number): number {
  if (photoCount < OWN_FACTS_PHOTO_FROM) return 0;
  const own = photoCount < ALL_FACTS_PHOTOS_FROM ? Math.min(1, factsPhotos) : factsPhotos;
  return Math.min(own, bodyPhotos - 1);
}

function withExtras(
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
