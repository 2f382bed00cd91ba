/** Plans which scenes a video has, which photos each shows and how long it lasts; no layout yet. Pure. */
import type { ExtraScene, Pacing, RatioDesign, SceneRole } from '../../template/template.ts';
import type { Texts } from '../texts.ts';
import { MAX_CUT, sum } from '../timing/limit-length.ts';
import { layoutSec, paceBody, positionAfter, rhythmOf, roomOf, SEATS } from '../timing/pacing.ts';
import { readingSec } from '../timing/reading-time.ts';
import type { PhotoShape } from './fit-photo.ts';
import { type BodyPlan, type BodyRequest, planBody } from './plan-body.ts';
import { createLayoutRater } from './rate-layout.ts';

export interface PlannedScene {
  readonly role: SceneRole;
  /** Indexes into the usable photos, in the order of the scene's boxes. */
  readonly photos: readonly number[];
  /** Of a scene of the body, one per photo; empty where a photo has none or there is no time for it. */
  readonly captions: readonly string[];
  readonly sec: number;
}

export interface PlanRequest {
  readonly photos: readonly PhotoShape[];
  readonly captions: readonly string[];
  readonly frame: { readonly w: number; readonly h: number };
  readonly texts: Texts;
  /** Photos of the opening; default as the template says. */
  readonly heroPhotos?: number;
  /** The last scene; default the card. */
  readonly ending?: 'card' | 'closing';
  readonly hasFacts: boolean;
  readonly extras?: readonly ExtraScene[];
  /** Speed of the video; seconds are divided by it. */
  readonly pace: number;
}

/** With fewer photos the facts scene shows the opening's again and takes none from the body. */
const OWN_FACTS_PHOTO_FROM = 9;
/** From this count on the facts scene takes all its photos from the body. */
const ALL_FACTS_PHOTOS_FROM = 14;
/** Where the body would have fewer, the closing repeats those of the opening. */
const MIN_BODY_PHOTOS = 2;
/** Cost of a caption without a place: more than a scene of little photo (`rate-layout.ts`). */
const MISSING_CAPTION = 8;
/** Seconds from the start of a scene to the middle of its caption's entrance. */
const CAPTION_ENTRANCE_SEC = 0.75;
/** Of a longer text a layout shows about so much, then an ellipsis. */
const SHOWN_CHARACTERS = 160;

/**
 * Opening, body with the facts scene in its middle, card or closing. Every photo is shown, in the listing's order.
 *
 * A lone photo is shown in the opening and again in the body, so that the video is more than a card. Photos with a
 * caption are in the body wherever they can: neither facts nor closing show captions.
 */
export function planScenes(design: RatioDesign, request: PlanRequest): readonly PlannedScene[] {
  const key = JSON.stringify({
    ...request,
    photos: request.photos.map((photo) => [photo.widthPx, photo.heightPx]),
  });
  const known = plans.get(design);
  if (known?.key === key) return known.plan;
  const hasCaptions = request.captions.some((caption) => caption !== '');
  const pacing = { ...design.pacing, capSec: capOf(design.pacing, hasCaptions) };
  const plan = makePlan({ ...design, pacing, heroPhotos: request.heroPhotos ?? design.heroPhotos }, request);
  plans.set(design, { key, plan });
  return plan;
}

/** The last plan of each design: the agents of a listing mostly have the same. */
const plans = new WeakMap<RatioDesign, { readonly key: string; readonly plan: readonly PlannedScene[] }>();

/** The greatest length of a video with or without captions, seconds. */
export function capOf({ capSec, captionCapSec }: Pacing, hasCaptions: boolean): number {
  return hasCaptions ? Math.max(capSec, captionCapSec ?? 0) : capSec;
}

function makePlan(design: RatioDesign, request: PlanRequest): PlannedScene[] {
  const { captions, hasFacts, pace, ending = 'card' } = request;
  const photoCount = request.photos.length;
  const heroPhotos = indexes(0, Math.min(design.heroPhotos, photoCount));
  const last = ending === 'closing' ? lastPhotos(design, photoCount) : [];
  const ownsClosing =
    photoCount - heroPhotos.length - last.length >= MIN_BODY_PHOTOS && !last.some((photo) => captions[photo]);
  const closingPhotos = ownsClosing ? last : heroPhotos.slice(0, design.closingPhotos);
  const bodyEnd = photoCount - (ownsClosing ? last.length : 0);
  const bodyFrom = bodyEnd > heroPhotos.length ? heroPhotos.length : 0;
  const { plan: scenes, shown } = arrangeBody(design, request, bodyFrom, bodyEnd);
  const seconds = paceBody(
    design.pacing,
    scenes.flatMap(({ layout }) => (layout === 'facts' ? [] : [layout])),
    { photoCount, hasFacts, pace },
  );
  const body = scenes.map(({ layout, from, photoCount: own }): PlannedScene => {
    const photos = indexes(bodyFrom + from, bodyFrom + from + own);
    if (layout !== 'facts') {
      return { role: layout, photos, captions: shown.slice(from, from + own), sec: seconds.shift()! };
    }
    const withOpening = [...photos, ...heroPhotos].slice(0, Math.min(design.factsPhotos, photoCount));
    return { role: 'facts', photos: withOpening, captions: [], sec: design.pacing.factsSec / pace };
  });
  return [
    { role: 'hero', photos: heroPhotos, captions: [], sec: design.pacing.heroSec },
    ...withExtras(body, request.extras ?? [], photoCount),
    {
      role: ending,
      photos: ending === 'card' ? heroPhotos.slice(0, 1) : closingPhotos,
      captions: [],
      sec: design.pacing.endSec,
    },
  ];
}

interface ArrangedBody {
  readonly plan: BodyPlan;
  /** The captions that there is time for, one per photo of the body. */
  readonly shown: readonly string[];
}

/**
 * The scenes of the photos from `bodyFrom` to `bodyEnd`, which is not one of them. Where the captions take more time
 * to read than the video has, the longest ones are left out.
 */
function arrangeBody(
  design: RatioDesign,
  request: PlanRequest,
  bodyFrom: number,
  bodyEnd: number,
): ArrangedBody {
  const captions = request.captions.slice(bodyFrom, bodyEnd);
  const longestFirst = captions
    .map((caption, photo) => ({ photo, sec: captionSec(caption) }))
    .filter(({ sec }) => sec > 0)
    .sort((a, b) => b.sec - a.sec || b.photo - a.photo);
  const without = (count: number): ArrangedBody & { readonly isInTime: boolean } => {
    const leftOut = new Set(longestFirst.slice(0, count).map(({ photo }) => photo));
    const shown = captions.map((caption, photo) => (leftOut.has(photo) ? '' : caption));
    return { shown, ...planWith(shown) };
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

  function planWith(shown: readonly string[]) {
    return planBody(toBodyRequest(design, request, request.photos.slice(bodyFrom, bodyEnd), shown));
  }
}

function toBodyRequest(
  design: RatioDesign,
  request: PlanRequest,
  photos: readonly PhotoShape[],
  captions: readonly string[],
): BodyRequest {
  const { hasFacts, pace, frame, texts } = request;
  const { pacing } = design;
  const photoCount = request.photos.length;
  const reserved = hasFacts ? factsPhotosOf(design, photoCount, photos.length) : 0;
  const { layouts, cycle } = rhythmOf(pacing, photoCount, photos.length, reserved);
  const paced = paceBody(pacing, layouts, { photoCount, hasFacts, pace });
  const factsAt = positionAfter(paced, pacing.factsAt);
  const rate = createLayoutRater({ design, frame, photos, captions, texts });
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  return {
    photoCount: photos.length,
    rhythm: layouts,
    cycle,
    hasCaptions: captions.some((caption) => caption !== ''),
    costOf: (layout, from) => {
      const { cost, missingCaptions } = rate(layout, from);
      return cost + MISSING_CAPTION * missingCaptions;
    },
    minSecOf: (layout, from) => {
      const sec = layoutSec(pacing, photoCount, layout) / pace;
      const toRead = sum(captions.slice(from, from + SEATS[layout]).map(captionSec));
      if (toRead === 0) return Math.max(pacing.minSceneSec, sec * (1 - MAX_CUT));
      return Math.max(pacing.minSceneSec, toRead + CAPTION_ENTRANCE_SEC + transitionSec);
    },
    roomSec: Math.max(roomOf(pacing, hasFacts, pace), sum(paced) * (1 - MAX_CUT)),
    facts: hasFacts
      ? {
          photos: reserved,
          before: sum(layouts.slice(0, factsAt).map((layout) => SEATS[layout])),
          hasCaption: (photo) => captions[photo] !== '',
        }
      : null,
  };
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

/** The last photos in reverse order: the video ends on the listing's last. */
function lastPhotos({ closingPhotos }: RatioDesign, photoCount: number): number[] {
  return indexes(Math.max(0, photoCount - closingPhotos), photoCount).reverse();
}

function withExtras(
  body: readonly PlannedScene[],
  extras: readonly ExtraScene[],
  photoCount: number,
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
    scenes.splice(place, 0, { role, photos: [photo === 'last' ? photoCount - 1 : 0], captions: [], sec });
  }
  return scenes;
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
