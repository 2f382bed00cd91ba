/** Plans a video of a length that the listing asks for. Pure. */
import type { PacingRow, RatioDesign } from '../../template/template.ts';
import { shrinkTo, sum } from '../timing/limit-length.ts';
import { BRIEF_SEC, briefCut } from './brief-cut.ts';
import { openingPhoto, shownPhotos } from './divide-photos.ts';
import { leavingOrder } from './leaving-order.ts';
import { makePlan } from './make-plan.ts';
import { type Plan, type PlanRequest, timesOf, withoutFacts } from './planned-scene.ts';
import { factsSecOf, rhythmSec } from './usual-length.ts';

/** Scenes of photos become so many times as long: in one that is slower, nothing seems to come. */
const MOST = 1.5;
/** What holds for opening, facts and ending of a short video. */
export const FIXED = {
  /** They take this share of it, where their least time allows that. */
  share: 0.5,
  /** With more of it the facts have no scene: the photos need their time. */
  mostShare: 0.75,
  /** The least of opening, facts and closing, share of their time. */
  least: 0.7,
  /** An opening is read: its last words come after a second. */
  minOpeningSec: 2.6,
  /** A card is read, and two pages of it stand two seconds each. */
  minCardSec: 4,
} as const;
/** By this much another row must come nearer to the length than the row of so many photos, logarithm of a factor. */
const OTHER_ROW = 0.1;

/**
 * The plan that comes nearest to `sec`. A brief one shows the best photos one by one, where there are enough of them.
 * Otherwise it goes on as a usual video. Its rhythm is that of the row of the pacing whose videos of so many photos come
 * nearest. A short one has a shorter opening and ending, then no hook, then no facts scene; photos that find no time in
 * the layouts of the densest row are left out.
 */
export function fitLength(design: RatioDesign, request: PlanRequest, sec: number): Omit<Plan, 'maxSec'> {
  const { hook: _, ...withoutHook } = design.pacing;
  if (sec - (request.correctionSec ?? 0) < BRIEF_SEC) {
    const fixed = fitFixed(
      withoutFacts({ ...design, pacing: withoutHook }, request),
      { ...request, hasFacts: false },
      sec,
    );
    const brief = briefCut(fixed.design, request, sec);
    if (brief !== null) return brief;
  }
  const order = leavingOrder(request.photos, sec);
  const planWithout = (count: number) => {
    const leftOut = order.slice(0, count);
    const photos = request.photos.map((photo, index) =>
      leftOut.includes(index) ? { ...photo, isLeftOut: true } : photo,
    );
    const fixed = fitFixed(design, { ...request, photos }, sec);
    const paced = withNearestRow(fixed.design, fixed.request, sec);
    const { scenes, isInTime } = makePlan(paced, fixed.request, () => ({
      sec: Number.POSITIVE_INFINITY,
      least: 0,
      most: MOST,
    }));
    const hasLeftOutFacts = request.hasFacts && !fixed.request.hasFacts;
    return { isInTime, plan: { scenes, leftOut: leftOut.toSorted((a, b) => a - b), hasLeftOutFacts } };
  };
  const whole = planWithout(0);
  if (whole.isInTime || order.length === 0) return whole.plan;
  let [tooFew, enough] = [0, order.length];
  while (enough - tooFew > 1) {
    const middle = (tooFew + enough) >> 1;
    if (planWithout(middle).isInTime) enough = middle;
    else tooFew = middle;
  }
  return planWithout(enough).plan;
}

/** The design with an opening, a facts scene and an ending that leave the photos their share of `sec`. */
function fitFixed(
  design: RatioDesign,
  request: PlanRequest,
  sec: number,
): { readonly design: RatioDesign; readonly request: PlanRequest } {
  const { hook, ...pacing } = design.pacing;
  const { ending = 'card', photos } = request;
  const first = photos[openingPhoto(design, request, shownPhotos(photos))]!;
  const heroSec = pacing.heroSec * timesOf([first]);
  const full = [heroSec, request.hasFacts ? factsSecOf(design) : 0, pacing.endSec];
  const least = [
    Math.min(pacing.heroSec, Math.max(FIXED.minOpeningSec, FIXED.least * pacing.heroSec)),
    FIXED.least * full[1]!,
    ending === 'card' ? Math.min(FIXED.minCardSec, pacing.endSec) : FIXED.least * pacing.endSec,
  ];
  const shrunk = shrinkTo(FIXED.share * sec, full, least);
  if (request.hasFacts && sum(shrunk) > FIXED.mostShare * sec)
    return fitFixed(withoutFacts(design, request), { ...request, hasFacts: false }, sec);
  const hasHook = hook !== undefined && sum(full) + hook.sec <= FIXED.share * sec;
  return {
    request,
    design: {
      ...design,
      heroPhotos: request.heroPhotos ?? design.heroPhotos,
      pacing: {
        ...pacing,
        ...(hasHook ? { hook } : {}),
        heroSec: shrunk[0]!,
        factsSec: shrunk[1]!,
        endSec: shrunk[2]!,
        capSec: sec,
      },
    },
  };
}

/** The design with the row alone whose rhythm comes nearest to the time of the body. */
function withNearestRow(design: RatioDesign, request: PlanRequest, sec: number): RatioDesign {
  const { hasFacts, pace, beatSec = null } = request;
  const { pacing } = design;
  const { heroSec, factsSec, endSec, hook, rows } = pacing;
  const photoCount = shownPhotos(request.photos).length;
  const bodySec = Math.max(
    pacing.minSceneSec,
    sec - heroSec - endSec - (hasFacts ? factsSec / pace : 0) - (hook?.sec ?? 0),
  );
  const alone = ({ capFactor: _, ...row }: PacingRow, capSec: number): RatioDesign => ({
    ...design,
    pacing: { ...pacing, rows: [row], capSec },
  });
  const own = rows.find(({ maxPhotos }) => photoCount <= maxPhotos) ?? rows.at(-1)!;
  const distanceOf = (row: PacingRow) => {
    const rhythm = rhythmSec(alone(row, Number.POSITIVE_INFINITY), photoCount, { hasFacts, pace, beatSec });
    return Math.abs(Math.log(rhythm / bodySec)) + (row === own ? 0 : OTHER_ROW);
  };
  const nearest = rows
    .map((row) => ({ row, distance: distanceOf(row) }))
    .reduce((best, each) => (each.distance < best.distance ? each : best));
  return alone(nearest.row, sec);
}
