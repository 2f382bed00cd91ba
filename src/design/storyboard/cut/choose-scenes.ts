/** Chooses the scenes of a shorter cut of a video, and how long each stays. Pure. */
import { BRIEF_SEC } from '../plan/brief-cut.ts';
import { FIXED } from '../plan/fit-length.ts';
import { bestFirst, FLOOR_PLAN_FROM_SEC } from '../plan/leaving-order.ts';
import { isHigh, type PlannedPhoto, type PlannedScene } from '../plan/planned-scene.ts';
import { shrinkTo, sum } from '../timing/limit-length.ts';
import { SEATS } from '../timing/pacing.ts';

/** A scene of the whole video. */
export interface WholeScene extends Pick<PlannedScene, 'role' | 'photos' | 'isInRun'> {
  /** Its length in the whole video. */
  readonly sec: number;
  /** The least time that its photos and words need. */
  readonly leastSec: number;
}

/** Seconds by the index of the scene, ascending. */
export type KeptScenes = ReadonlyMap<number, number>;

/** Opening, hook, facts and ending stay whole up to this share of a cut. */
const FIXED_SHARE = 0.55;
/** Of a brief cut they have this share, where their least time allows it: an ending can show the opening's photo again. */
const BRIEF_FIXED_SHARE = 0.42;
/** A brief cut begins with its scenes so short, and gives back the time that is left; groups take longer to be seen. */
const BRIEF_SHARE = 0.6;
const BRIEF_GROUP_SHARE = 0.8;
/** What scenes give so that another one has room, share of their length. */
const MOST_GIVEN = 0.25;
/** Together they give so much, share of the cut's body. */
const OVERFILL = 0.1;

// What a photo is worth: the best one 1.
const LEAST_WORTH = 0.15;
const HIGH_WORTH = 2;
const LOW_TIMES = 0.3;
/** Of a photo that the opening or the hook has shown. */
const AGAIN_WORTH = 0.2;
/** A photo of a run is seen for less than a second, one of a group smaller. */
const RUN_TIMES = 0.55;
const GROUP_TIMES = 0.75;
/** A place where scenes are left out needs a transition of its own. */
const GAP_COST = 0.05;
/** The last photo before the ending is remembered. */
const LAST_BATH_COST = 0.6;
/** Of a second that stays empty, and of one that scenes have to give. */
const EMPTY_COST = 4;
const GIVEN_COST = 0.3;

const ENDINGS: ReadonlySet<string> = new Set(['card', 'closing']);

/**
 * The scenes that show the most of the house in `sec`, in their order: the photos that {@link bestFirst} ranks highest. No
 * run comes to follow another one or the opening, nor the facts the opening. Opening, facts and ending shrink as far as those of a video
 * that is planned for this length.
 *
 * @param scenes - With one scene for the card.
 * @returns Null where the scenes do not fill the time, or their fixed ones leave none.
 */
export function chooseScenes(
  scenes: readonly WholeScene[],
  photos: readonly PlannedPhoto[],
  sec: number,
): KeptScenes | null {
  const wholeSec = sum(scenes.map((scene) => scene.sec));
  if (wholeSec < sec) return null;
  const fixed = fixedScenes(scenes, sec);
  const bodySec = sec - sum([...fixed.values()]);
  const isBrief = sec < BRIEF_SEC;
  const units = toUnits(scenes, fixed, photos, isBrief);
  const kept = fillTime(
    sec < FLOOR_PLAN_FROM_SEC ? units.filter(({ role }) => role !== 'floor_plan') : units,
    bodySec,
  );
  if (kept === null) return null;
  const indexes = kept.flatMap(({ indexes }) => indexes);
  const wholes = indexes.map((index) => scenes[index]!.sec);
  const briefs = kept.flatMap((unit) => unit.lengths);
  const lengths = isBrief
    ? shrinkTo(bodySec, wholes, briefs)
    : giveTime(
        wholes,
        indexes.map((index) => scenes[index]!.leastSec),
        sum(wholes) - bodySec,
      );
  const all = [...fixed, ...indexes.map((index, at) => [index, lengths[at]!] as const)];
  return new Map(all.sort(([a], [b]) => a - b));
}

/** Hook, opening, facts, the address of the originals and the ending, as long as the cut leaves them. */
function fixedScenes(scenes: readonly WholeScene[], sec: number): Map<number, number> {
  const indexesOf = (...roles: string[]) =>
    [...scenes.keys()].filter((index) => roles.includes(scenes[index]!.role));
  const hook = indexesOf('hook');
  const others = indexesOf('hero', 'facts', 'originals', ...ENDINGS);
  const isBrief = sec < BRIEF_SEC;
  const withoutFacts = others.filter((index) => scenes[index]!.role !== 'facts');
  const least = (index: number): number => {
    const { role, sec: whole, leastSec } = scenes[index]!;
    if (role === 'hero') return Math.min(whole, Math.max(FIXED.minOpeningSec, FIXED.least * whole, leastSec));
    if (role === 'card') return Math.min(whole, FIXED.minCardSec);
    return role === 'originals' ? whole : FIXED.least * whole;
  };
  const whole = (indexes: readonly number[]) => indexes.map((index) => scenes[index]!.sec);
  const fits = (indexes: readonly number[]) => sum(whole(indexes)) <= FIXED_SHARE * sec;
  const asWhole = (indexes: readonly number[]) =>
    new Map(indexes.map((index) => [index, scenes[index]!.sec]));
  if (!isBrief && fits([...hook, ...others])) return asWhole([...hook, ...others]);
  const shrunk = (indexes: readonly number[]) =>
    shrinkTo((isBrief ? BRIEF_FIXED_SHARE : FIXED.share) * sec, whole(indexes), indexes.map(least));
  const hasFacts = !isBrief && sum(shrunk(others)) <= FIXED.mostShare * sec;
  const left = hasFacts ? others : withoutFacts;
  if (!isBrief && fits(left)) return asWhole(left);
  const lengths = shrunk(left);
  return new Map(left.map((index, at) => [index, lengths[at]!]));
}

/** Scenes that stay together: a run, or one scene. */
interface Unit {
  readonly role: string;
  readonly indexes: readonly number[];
  /** Of each as it comes to be chosen. */
  readonly lengths: readonly number[];
  readonly sec: number;
  readonly wholeSec: number;
  readonly isRun: boolean;
  readonly worth: number;
  readonly endsInBath: boolean;
  /** The facts come before it. */
  readonly isAfterFacts: boolean;
}

function toUnits(
  scenes: readonly WholeScene[],
  fixed: ReadonlyMap<number, number>,
  photos: readonly PlannedPhoto[],
  isBrief: boolean,
): Unit[] {
  const order = bestFirst(photos);
  const worthOf = (photo: number): number => {
    const place = order.indexOf(photo);
    if (place < 0) return AGAIN_WORTH;
    const worth = LEAST_WORTH + (1 - LEAST_WORTH) * (1 - place / order.length) ** 2;
    if (isHigh(photos[photo]!)) return worth + HIGH_WORTH;
    return photos[photo]!.emphasis === 'low' ? LOW_TIMES * worth : worth;
  };
  const units: Unit[] = [];
  let isAfterFacts = false;
  for (let index = 0; index < scenes.length; index += 1) {
    const { role, isInRun = false } = scenes[index]!;
    if (fixed.has(index) || ['hook', 'facts'].includes(role)) {
      isAfterFacts ||= fixed.has(index) && role === 'facts';
      continue;
    }
    const indexes = isInRun ? Array.from({ length: SEATS.run }, (_, at) => index + at) : [index];
    const own = indexes.map((each) => scenes[each]!);
    const isGroup = own[0]!.photos.length > 1;
    const share = isBrief && !isInRun ? (isGroup ? BRIEF_GROUP_SHARE : BRIEF_SHARE) : 1;
    const lengths = own.map(({ sec, leastSec }) => Math.min(sec, Math.max(leastSec, share * sec)));
    units.push({
      role,
      indexes,
      lengths,
      sec: sum(lengths),
      wholeSec: sum(own.map(({ sec }) => sec)),
      isRun: isInRun,
      worth:
        sum(own.flatMap((scene) => scene.photos.map(worthOf))) *
        (isInRun ? RUN_TIMES : isGroup ? GROUP_TIMES : 1),
      endsInBath: photos[own.at(-1)!.photos.at(-1) ?? -1]?.room === 'bath',
      isAfterFacts,
    });
    index += indexes.length - 1;
  }
  return units;
}

interface Choice {
  readonly before: Choice | null;
  readonly last: Unit | null;
  readonly sec: number;
  readonly wholeSec: number;
  readonly score: number;
}

/** Tenths of a second. */
const STEPS_PER_SEC = 10;

/** The units of most worth that fill the time. */
function fillTime(units: readonly Unit[], bodySec: number): readonly Unit[] | null {
  const none: Choice = { before: null, last: null, sec: 0, wholeSec: 0, score: 0 };
  // Of all choices of equal time whose last unit is the same, only the best can be part of the result.
  const choices = new Map<string, Choice>([['', none]]);
  for (const [at, unit] of units.entries()) {
    for (const before of [...choices.values()]) {
      const { last } = before;
      const sec = before.sec + unit.sec;
      // The facts have been said in the opening.
      if (sec > bodySec * (1 + OVERFILL) || (last === null && unit.isAfterFacts)) continue;
      const isGap = at > 0 && last !== units[at - 1];
      const isAfterFacts = last !== null && last.isAfterFacts !== unit.isAfterFacts;
      if (unit.isRun && isGap && !isAfterFacts && (last === null || last.isRun)) continue;
      const score = before.score + unit.worth - (isGap ? GAP_COST : 0);
      const key = `${Math.round(sec * STEPS_PER_SEC)} ${at}`;
      if (score <= (choices.get(key)?.score ?? Number.NEGATIVE_INFINITY)) continue;
      choices.set(key, { before, last: unit, sec, wholeSec: before.wholeSec + unit.wholeSec, score });
    }
  }
  const total = ({ last, score, sec, wholeSec }: Choice): number =>
    score -
    (last?.endsInBath ? LAST_BATH_COST : 0) -
    EMPTY_COST * Math.max(0, bodySec - wholeSec) -
    GIVEN_COST * Math.max(0, sec - bodySec);
  let best: Choice | null = [...choices.values()].reduce((one, other) =>
    total(other) > total(one) ? other : one,
  );
  const kept: Unit[] = [];
  for (; best !== null && best.last !== null; best = best.before) kept.unshift(best.last);
  return kept.length === 0 ? null : kept;
}

/** The longest scenes give the time, so that the others stay whole. */
function giveTime(wholes: readonly number[], least: readonly number[], overSec: number): number[] {
  const lengths = [...wholes];
  let left = overSec;
  for (const at of [...wholes.keys()].sort((a, b) => wholes[b]! - wholes[a]!)) {
    const given = Math.min(left, wholes[at]! - Math.max(least[at]!, (1 - MOST_GIVEN) * wholes[at]!));
    if (given <= 0) continue;
    lengths[at]! -= given;
    left -= given;
  }
  return lengths;
}
