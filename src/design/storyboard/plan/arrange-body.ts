/** Asks for the body that suits photos, captions, rooms and emphasis of a listing, and leaves out captions without time. Pure. */
import type { BodyLayout, RatioDesign } from '../../template/template.ts';
import { limitsOf } from '../frame-limits.ts';
import { canFillAsCloseUp } from '../scenes/close-up.ts';
import { canCover, isPanorama } from '../scenes/fit-photo.ts';
import { captionEntranceSec } from '../scenes/scene-captions.ts';
import { MAX_CUT, sum } from '../timing/limit-length.ts';
import { layoutSec, paceBody, positionAfter, rhythmOf, roomOf, SEATS } from '../timing/pacing.ts';
import { readingSec } from '../timing/reading-time.ts';
import type { Parts } from './divide-photos.ts';
import { type BodyPlan, type BodyRequest, planBody } from './plan-body.ts';
import { alteredSec, isHigh, type PlannedPhoto, type PlanRequest, timesOf } from './planned-scene.ts';
import { createLayoutRater } from './rate-layout.ts';
import { factsRoomCost, fillFacts, roomCost } from './rate-rooms.ts';
import { factsPhotosOf } from './usual-length.ts';

/** Cost of a caption without a place: more than a scene of little photo (`rate-layout.ts`). */
const MISSING_CAPTION = 8;
/** For each altered photo that shares a scene: less than time is worth when there is too little of it. */
const ALTERED_IN_GROUP = 1.5;
/** For a photo of low emphasis that stands alone: more than any layout is worth. */
const LOW_ALONE = 30;
/** Seconds until a caption is read: of a slow entrance the first words are read while the others come. */
const USUAL_ENTRANCE_SEC = 0.75;
/** A design of hard cuts and plates that snap in gains half a second for each caption. */
const QUICK_ENTRANCE_SEC = 0.5;
/** Of a longer text a layout shows about so much, then an ellipsis. */
const SHOWN_CHARACTERS = 160;

function entranceOf(sec: number): number {
  return sec < QUICK_ENTRANCE_SEC ? sec : USUAL_ENTRANCE_SEC;
}

interface ArrangedBody {
  readonly plan: BodyPlan;
  /** The captions that there is time for, one per photo of the body. */
  readonly shown: readonly string[];
  /** Whether the scenes have the time that they need. */
  readonly isInTime: boolean;
}

/**
 * The scenes of the body's photos. Where the captions take more time to read than the video has, the longest ones are
 * left out.
 */
export function arrangeBody(
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
  const without = (count: number): ArrangedBody => {
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
  const box = { x: 0, y: 0, ...frame };
  const entranceSec = entranceOf(captionEntranceSec(design.scenes.single));
  const groupOf = (layout: BodyLayout, from: number) => photos.slice(from, from + SEATS[layout]);
  const rooms = [...photos, ...again].map(({ room = null }) => room);
  const roomAt = (photo: number) => rooms[photo]!;
  const beside = [...again.keys()].map((photo) => photos.length + photo);
  const factsCosts = new Map<number, number>();
  const factsCost = (from: number, own: number) => {
    const key = from * (design.factsPhotos + 1) + own;
    const known = factsCosts.get(key);
    if (known !== undefined) return known;
    const shown = Array.from({ length: own }, (_, index) => from + index);
    const filled = fillFacts(shown, beside, { seats: design.factsPhotos, roomAt });
    const cost = factsRoomCost(filled.map(roomAt));
    factsCosts.set(key, cost);
    return cost;
  };
  return {
    photoCount: photos.length,
    rhythm: layouts,
    cycle,
    isWindow: (photo) =>
      frame.h > frame.w &&
      !canCover(photos[photo]!, box, limitsOf(frame).fullBleedLoss) &&
      (captions[photo] !== '' || !canFillAsCloseUp(photos[photo]!, box)),
    hasCaptions: captions.some((caption) => caption !== ''),
    costOf: (layout, from) => {
      const group = groupOf(layout, from);
      const isAlone = (photo: PlannedPhoto, index: number) =>
        photo.hasOriginal ||
        (frame.h > frame.w && isPanorama(photo)) ||
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
          : Math.max(pacing.minSceneSec, toRead + entranceSec + transitionSec);
      return alteredSec(groupOf(layout, from), own);
    },
    isLastResort: request.hookIsEnough === true,
    roomSec:
      request.length === undefined
        ? Math.max(roomOf(pacing, hasFacts, pace), sum(paced) * (1 - MAX_CUT))
        : roomOf(pacing, hasFacts, pace),
    facts: hasFacts
      ? {
          photos: reserved,
          before: sum(layouts.slice(0, factsAt).map((layout) => SEATS[layout])),
          roomCostOf: factsCost,
          isOfBody: (photo) =>
            captions[photo] !== '' || photos[photo]!.isAltered === true || isHigh(photos[photo]!),
        }
      : null,
  };
}

/** Seconds to read a caption, at least as long as a layout shows of it; 0 without one. */
function captionSec(caption: string): number {
  return caption === '' ? 0 : readingSec(caption.slice(0, SHOWN_CHARACTERS));
}
