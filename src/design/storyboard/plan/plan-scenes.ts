/** Plans which scenes a video has, which photos each shows and how long it lasts; no layout yet. Pure. */
import { LENGTH_LIMITS_SEC } from '../../../platform/video-length.ts';
import type { Pacing, RatioDesign } from '../../template/template.ts';
import { sum } from '../timing/limit-length.ts';
import { type BodyAim, capOf, isQuick } from '../timing/pacing.ts';
import { MIN_PAGE_SEC } from '../timing/page-lengths.ts';
import { FEW, openingPhoto, shownPhotos } from './divide-photos.ts';
import { fitLength } from './fit-length.ts';
import { isCrowded, type MadePlan, makePlan } from './make-plan.ts';
import { isHigh, type Plan, type PlanRequest, timesOf, withoutFacts } from './planned-scene.ts';
import { factsSecOf, OF_OPENING, usualBodySec } from './usual-length.ts';

/** How much shorter and longer a body becomes so that it has its usual length, shares of the time of its layouts. */
const LEAST = 0.75;
const MOST = 1.4;
/**
 * What captions make of a wide video: at most 24 seconds, and two for each photo or plan, as shares of the cap. Where they need more
 * even when they are read fast, it is 30 seconds, then the whole cap. Phones have a cap that is short enough.
 */
const WORDED_SHARES = [0.4, 0.5];
const SHARE_OF_PHOTO = 1 / 30;
/** Few photos without labels and floor plans: a longer video would only show them again. */
const FEW_SEC = 28;
/** Their hook is one look at the front, which the opening goes on with. */
const FEW_HOOK_SEC = 0.9;
/** What `short` is of the usual length. */
const SHORT = 0.6;

/**
 * Opening, body with the facts scene in its middle, floor plans, the address of the originals, card or closing, in the
 * listing's order. Every photo is shown, but for those for which a length has no time.
 *
 * A lone photo is shown in the opening and again in the body, so that the video is more than a card; so is a photo of
 * the opening that has an original, which then follows, or a caption, which comes last. Photos with a caption and
 * altered ones are in the body wherever they can: neither facts nor closing show captions.
 */
export function planScenes(design: RatioDesign, request: PlanRequest): Plan {
  const key = JSON.stringify({
    ...request,
    photos: request.photos.map((photo) => [
      ...[photo.digest, photo.widthPx, photo.heightPx, photo.isFloorPlan, photo.isAltered, photo.hasOriginal],
      ...[photo.isOverOriginal, photo.room, photo.standsAlone, photo.captionStandsAlone],
      ...[photo.subject, photo.bareFrom, photo.emphasis],
    ]),
  });
  const known = plans.get(design);
  if (known?.key === key) return known.plan;
  const usual = () => planUsual(design, request);
  const plan = request.length === undefined ? usual() : planOfLength(design, request, usual);
  plans.set(design, { key, plan });
  return plan;
}

/** The last plan of each design: the agents of a listing mostly have the same. */
const plans = new WeakMap<RatioDesign, { readonly key: string; readonly plan: Plan }>();

/** As long as videos of so many photos usually are, and at most as long as the template allows. */
function planUsual(usual: RatioDesign, asked: PlanRequest): Plan {
  const shown = shownPhotos(asked.photos);
  const isFew = shown.length <= FEW;
  // Where photos have no time to stand alone, quick cuts leave the facts to the opening; few photos would come again for them.
  const isSaidAtOnce = isFew || (isQuick(usual.pacing) && isCrowded(usual, asked));
  const hasLeftOutFacts = asked.hasFacts && isSaidAtOnce;
  const request = hasLeftOutFacts ? { ...asked, hasFacts: false } : asked;
  const design = request.hasFacts ? usual : withoutFacts(usual, asked);
  const { hasFacts, pace, beatSec = null } = request;
  const first = request.photos[openingPhoto(design, request, shown)]!;
  // The words of an opening of quick cuts keep it as long as a panorama needs.
  const heroSec = design.pacing.heroSec * (isQuick(design.pacing) && !isHigh(first) ? 1 : timesOf([first]));
  const isPlain = asked.hasOriginalsAddress !== true && asked.photos.every(({ isAltered }) => !isAltered);
  const isShort = isFew && isPlain && shown.length === asked.photos.length;
  const capSec = isShort ? Math.min(FEW_SEC, design.pacing.capSec) : design.pacing.capSec;
  const { hook: usualHook } = design.pacing;
  const hook =
    usualHook && isFew ? { ...usualHook, cuts: 1, sec: Math.min(FEW_HOOK_SEC, usualHook.sec) } : usualHook;
  const factsSec = factsSecOf(design);
  const pacing: Pacing = { ...design.pacing, heroSec, factsSec, capSec, ...(hook && { hook }) };
  const opened = { ...design, pacing, heroPhotos: request.heroPhotos ?? design.heroPhotos };
  const maxSec = capOf(pacing, shown.length);
  // What brief facts save is the photos'.
  const savedSec = hasFacts ? (design.pacing.factsSec - factsSec) / pace : 0;
  const aimAt = (sec: number | null): BodyAim | undefined =>
    sec === null ? undefined : { sec: sec + savedSec, least: LEAST, most: MOST * (1 + savedSec / sec) };
  // The body can have photos of the opening again.
  const aimOf = (bodyPhotos: number) =>
    aimAt(usualBodySec(design, bodyPhotos + OF_OPENING, { hasFacts, pace, beatSec }));
  const { hook: _, ...withoutHook } = pacing;
  const minSceneSec = onHalfBeats(pacing.minSceneSec, beatSec);
  // What a video with too many photos gives up, one after the other; the first that is in time stands.
  const ways = [
    ...(minSceneSec > pacing.minSceneSec ? [{ pacing: { ...pacing, minSceneSec } }] : []),
    { pacing },
    { pacing, hookIsEnough: true },
    ...(isQuick(pacing) ? [{ pacing, hookIsEnough: true, isHurried: true }] : []),
    ...(hook ? [{ pacing: withoutHook, hookIsEnough: true, isHurried: true }] : []),
  ];
  const given = request.captions.filter((caption) => caption !== '').length;
  const aimAtCap = () => aimAt(maxSec);
  const ofPhotos = SHARE_OF_PHOTO * request.photos.filter(({ isLeftOut = false }) => !isLeftOut).length;
  for (const share of WORDED_SHARES.map((each) => each + ofPhotos)) {
    const sec = share * design.pacing.capSec;
    if (given === 0 || request.frame.h > request.frame.w || sec >= capSec) break;
    const shorter = { ...opened, pacing: { ...pacing, capSec: sec } };
    const { scenes, isInTime } = makePlan(shorter, { ...request, keepsCaptions: true }, aimOf);
    if (isInTime && secondsOf(scenes) <= sec + 1e-6)
      return { scenes, maxSec: sec, leftOut: [], hasLeftOutFacts };
  }
  let fitting: MadePlan | undefined;
  let tooLong: Plan['scenes'] = [];
  for (const [turn, { pacing, ...way }] of ways.entries()) {
    // A video that is short enough keeps its hook, also where captions have too little time.
    if (fitting && pacing === withoutHook) break;
    const made = makePlan({ ...opened, pacing }, { ...request, ...way }, turn === 0 ? aimOf : aimAtCap);
    // What is too long in any way, as with many originals, keeps its hook.
    if (pacing !== withoutHook) tooLong = made.scenes;
    if (secondsOf(made.scenes) > maxSec + 1e-6) continue;
    fitting ??= made;
    if (!made.isInTime && given > 0) continue;
    fitting = made;
    break;
  }
  const known = { maxSec, leftOut: [], hasLeftOutFacts };
  if (fitting === undefined) return { scenes: tooLong, ...known };
  let best = { scenes: fitting.scenes, ...known };
  const missingOf = ({ lostCaptions, cutCaptions }: MadePlan) => lostCaptions + cutCaptions / (given + 1);
  const worth = WORTH_OF_CARD / (given + 1);
  // Words that race are as good as lost.
  let fewest = fitting.isInTime ? missingOf(fitting) : given;
  const saysAll = withoutFacts({ ...design, pacing }, asked).pacing;
  for (const { pacing: pressed, ...way } of pressedWays(pacing, hasFacts, saysAll)) {
    // For captions that are only cut, a video gives up no scene, and nothing for a word or two.
    if (fewest === 0 || (fewest < 1 && !(way.hasFacts && pressed.hook))) break;
    const made = makePlan(
      { ...opened, pacing: pressed },
      { ...request, ...way, hookIsEnough: true, isPressed: true },
      aimAtCap,
    );
    const missing = missingOf(made);
    if (secondsOf(made.scenes) > maxSec + 1e-6 || !made.isInTime || missing >= fewest - worth) continue;
    // Without a hook nobody looks: for all captions, not for some.
    if (pressed.hook === undefined && hook !== undefined && made.lostCaptions > 0) continue;
    best = { scenes: made.scenes, ...known, hasLeftOutFacts: hasLeftOutFacts || hasFacts !== way.hasFacts };
    fewest = missing;
  }
  return best;
}

/** A caption must become so much longer, share of it. */
const WORTH_OF_CARD = 0.1;
/** What a card has in a video that has no time for its captions; two pages of it then stand two and a half seconds each. */
const PRESSED_CARD = { share: 0.8, leastSec: 4 };
/** What it has at last: two seconds for each page, also where a beat shortens it by 3 %. */
const SHORTEST_CARD_SEC = (2 * MIN_PAGE_SEC) / 0.97;

/**
 * What a video gives up before a caption is lost, one after the other: a long card and long floor plans, the scene of the
 * facts, which the opening says, one picture of the hook, more of the card, among quick cuts all of the hook but one
 * picture, all of the hook.
 */
function pressedWays(
  pacing: Pacing,
  hasFacts: boolean,
  saysAll: Pacing,
): { readonly pacing: Pacing; readonly hasFacts: boolean }[] {
  const { hook, ...withoutHook } = saysAll;
  const { share, leastSec } = PRESSED_CARD;
  const endSec = Math.min(pacing.endSec, Math.max(leastSec, share * pacing.endSec));
  const without = (own: Pick<Pacing, 'hook'>, sec = endSec) => ({
    pacing: { ...withoutHook, ...own, endSec: sec },
    hasFacts: false,
  });
  const hooks = hook === undefined ? [] : [hook, ...fewerCuts(hook)];
  const shorter = endSec > SHORTEST_CARD_SEC ? [SHORTEST_CARD_SEC] : [];
  return [
    ...(hasFacts ? hooks.map((own) => ({ pacing: { ...pacing, hook: own, endSec }, hasFacts })) : []),
    ...hooks.map((own) => without({ hook: own })),
    ...shorter.flatMap((sec) => hooks.map((own) => without({ hook: own }, sec))),
    ...(hook && isQuick(pacing) ? [without({ hook: { cuts: 1, sec: hook.sec / hook.cuts } })] : []),
    without({}),
    ...shorter.map((sec) => without({}, sec)),
  ];
}

/** A hook of two cuts, each as long as those of the usual one. */
function fewerCuts({ cuts, sec }: NonNullable<Pacing['hook']>) {
  return cuts > 2 ? [{ cuts: 2, sec: (2 * sec) / cuts }] : [];
}

/** The shortest scene, where it is quick so long that every second change is on a beat. */
function onHalfBeats(minSceneSec: number, beatSec: number | null): number {
  if (beatSec === null || !isQuick({ minSceneSec })) return minSceneSec;
  return (Math.ceil((2 * minSceneSec) / beatSec - 0.02) * beatSec) / 2;
}

function planOfLength(design: RatioDesign, request: PlanRequest, usual: () => Plan): Plan {
  const { length = 'normal', correctionSec = 0 } = request;
  const secOf = (): number => {
    if (typeof length === 'number') return length;
    const { scenes } = usual();
    const sec = secondsOf(scenes);
    const capSec = capOf(design.pacing, shownPhotos(request.photos).length);
    return shortOf(length, sec) ?? (length === 'long' ? Math.max(sec, capSec) : sec);
  };
  const sec = secOf();
  return { ...fitLength(design, request, sec + correctionSec), maxSec: sec };
}

/** The seconds of `short`; null for another word. @param usualSec - Of the usual video. */
export function shortOf(length: string, usualSec: number): number | null {
  return length === 'short' ? Math.max(LENGTH_LIMITS_SEC.min, SHORT * usualSec) : null;
}

function secondsOf(scenes: Plan['scenes']): number {
  return sum(scenes.map(({ sec }) => sec));
}
