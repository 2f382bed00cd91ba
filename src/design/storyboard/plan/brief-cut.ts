/** Plans a video that is too short for a rhythm: opening, the best photos one by one, card or closing. Pure. */
import type { Pacing, RatioDesign } from '../../template/template.ts';
import { BODY_ROLES, layoutSec } from '../timing/pacing.ts';
import { bestFirst } from './leaving-order.ts';
import { makePlan } from './make-plan.ts';
import { type Plan, type PlanRequest, timesOf } from './planned-scene.ts';

/** In a shorter video each photo is seen once. */
export const BRIEF_SEC = 20;

/** A photo that stands alone, seconds, before the template's factor. */
const SINGLE_SEC = { least: 1.35, most: 1.6 };
const MIN_SEC = 1.2;
/** Photos become so many times as long: of few there is time for the facts. */
const MOST = 1.5;
/** The opening can show so many of the best photos beside its own. */
const MAX_COMPANIONS = 2;

/**
 * Null where the photos are too few or too small. What the opening says of the house has no scene of its own, and its photos do not
 * come again.
 *
 * @param fixed - With the seconds of opening and ending, and without a hook.
 */
export function briefCut(fixed: RatioDesign, request: PlanRequest, sec: number): Omit<Plan, 'maxSec'> | null {
  const { pacing } = fixed;
  const paced = { ...fixed, pacing: withSinglesAlone(pacing, request.photos.length) };
  const usualSec = layoutSec(paced.pacing, 'single', { ...request, photoCount: 1, beatSec: null });
  const order = bestFirst(request.photos);
  // A correction changes seconds alone: with another photo the length would jump past its goal.
  const askedSec = sec - (request.correctionSec ?? 0);
  const count = countFor(askedSec - pacing.heroSec - pacing.endSec, usualSec, order, request);
  for (let kept = count; kept <= Math.min(order.length, count + MAX_COMPANIONS); kept += 1) {
    const leftOut = order.slice(kept);
    const photos = request.photos.map((photo, index) =>
      leftOut.includes(index) ? { ...photo, isLeftOut: true } : photo,
    );
    const made = makePlan(paced, { ...request, photos, hasFacts: false, isBrief: true }, () => ({
      sec: Number.POSITIVE_INFINITY,
      least: 0,
      most: MOST,
    }));
    const body = made.scenes.filter(({ role }) => BODY_ROLES.has(role));
    // Photos too small to stand alone need the usual plan.
    if (body.some(({ role }) => role !== 'single')) return null;
    if (body.length >= count)
      return {
        scenes: made.scenes,
        leftOut: leftOut.toSorted((a, b) => a - b),
        hasLeftOutFacts: request.hasFacts,
      };
  }
  return null;
}

function withSinglesAlone(pacing: Pacing, photoCount: number): Pacing {
  const own = pacing.rows.find(({ maxPhotos }) => photoCount <= maxPhotos) ?? pacing.rows.at(-1)!;
  const { least, most } = SINGLE_SEC;
  const single = Math.min(most, Math.max(least, own.sec.single ?? least));
  return {
    ...pacing,
    minSceneSec: Math.min(pacing.minSceneSec, MIN_SEC),
    rows: [{ maxPhotos: Number.POSITIVE_INFINITY, cycle: ['single'], sec: { single } }],
  };
}

/** How many of the best photos have about `usualSec` each, those of high emphasis twice that. */
function countFor(
  bodySec: number,
  usualSec: number,
  order: readonly number[],
  { photos }: PlanRequest,
): number {
  let usedSec = 0;
  const inTime = order.findIndex((photo) => {
    usedSec += usualSec * timesOf([photos[photo]!]);
    return usedSec > bodySec + usualSec / 2;
  });
  return Math.max(1, inTime < 0 ? order.length : inTime);
}
