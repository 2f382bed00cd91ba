/** Applies a template's pacing table: which layouts the body asks for, and how long its scenes last. Pure. */
import type { BodyLayout, Pacing, PacingRow, SceneRole } from '../../template/template.ts';
import { sum } from './limit-length.ts';
import { QUICK_SEC } from './snap-to-beats.ts';

export const SEATS: Readonly<Record<BodyLayout, number>> = {
  single: 1,
  pair: 2,
  three: 3,
  four: 4,
  six: 6,
  run: 4,
};
/** Largest first. */
const BY_SIZE = ['six', 'four', 'three', 'pair', 'single'] as const satisfies readonly BodyLayout[];
/** Roles of the scenes that show the next photos of the listing, with their captions. */
export const BODY_ROLES: ReadonlySet<SceneRole> = new Set([...BY_SIZE, 'floor_plan'] as const);

interface PacingRequest {
  /** Usable photos of the listing; picks the row. */
  readonly photoCount: number;
  readonly hasFacts: boolean;
  /** Of the music, seconds; null without one. */
  readonly beatSec: number | null;
  /** Seconds are divided by it: 1.25 plays a quarter faster. */
  readonly pace: number;
  /** Of each layout, how many times as long as usual it lasts; a run as usual. Default once. */
  readonly times?: readonly number[];
  /** Of each layout, the least seconds, where these are more than the template's. Default 0. */
  readonly leastSec?: readonly number[];
  /** Of each layout, whether it stays as long as usual where others become longer for the aim. Default false. */
  readonly areLongEnough?: readonly boolean[];
  /** What the body aims at, before `times`; default the sum of its layouts. */
  readonly aim?: BodyAim;
  /** There is too little time for groups to be seen as long as they should. */
  readonly isHurried?: boolean;
}

/** The seconds of a body, and how much shorter and longer than usual it becomes for them, shares of its time. */
export interface BodyAim {
  readonly sec: number;
  readonly least: number;
  readonly most: number;
}

/** The layouts that the pacing asks for, in order, without the facts scene. */
interface Rhythm {
  readonly layouts: readonly BodyLayout[];
  readonly cycle: readonly BodyLayout[];
}

/**
 * The rhythm of the body: the cycle of the row for this photo count, whose end takes the next smaller layout.
 *
 * @param bodyPhotos - Photos left for the body once the opening has taken its own.
 * @param reservedPhotos - Those of them that only the facts scene shows; the last large scenes become smaller by as
 *   many.
 */
export function rhythmOf(
  pacing: Pacing,
  photoCount: number,
  bodyPhotos: number,
  reservedPhotos: number,
): Rhythm {
  const { cycle } = rowFor(pacing, photoCount);
  const layouts: BodyLayout[] = [];
  let left = bodyPhotos;
  for (let turn = 0; left > 0; turn++) {
    const planned = cycle[turn % cycle.length]!;
    const layout = SEATS[planned] <= left ? planned : BY_SIZE.find((smaller) => SEATS[smaller] <= left)!;
    layouts.push(layout);
    left -= SEATS[layout];
  }
  giveUpSeats(layouts, reservedPhotos);
  return { layouts, cycle };
}

/** How many photos the largest scene of the rhythm shows; a run shows one at a time. */
export function mostOf({ cycle }: Rhythm): number {
  return Math.max(...cycle.map((layout) => (layout === 'run' ? 1 : SEATS[layout])));
}

/**
 * Seconds of the scenes of a body: as near to its aim as the limits allow. Over the template's cap all scenes shrink
 * alike, none below `minSceneSec`. Without an aim and a facts scene the body takes over its seconds.
 */
export function paceBody(pacing: Pacing, layouts: readonly BodyLayout[], request: PacingRequest): number[] {
  const { hasFacts, pace, beatSec, aim } = request;
  const ofRun = sum(runSeconds(beatSec));
  const free = layouts.flatMap((layout, index) =>
    layout === 'run'
      ? []
      : [
          {
            layout,
            times: request.times?.[index] ?? 1,
            leastSec: request.leastSec?.[index] ?? 0,
            isLongEnough: request.areLongEnough?.[index] ?? false,
          },
        ],
  );
  const usual = free.map(({ layout }) => layoutSec(pacing, layout, request));
  const paced = free.map(({ times, leastSec }, index) => Math.max(leastSec, usual[index]! * times));
  const least = free.map(({ layout, times, leastSec }) =>
    Math.max(leastSec, leastLayoutSec(pacing, layout, request) * times),
  );
  const body = sum(paced);
  const ofRuns = ofRun * (layouts.length - free.length);
  const roomSec = roomOf(pacing, hasFacts, pace) - ofRuns;
  const wanted = aim
    ? (clamp(aim, sum(usual) + ofRuns) - ofRuns) / sum(usual)
    : stretchLimit((body + (hasFacts ? 0 : pacing.factsSec)) / body);
  const stretched = body === 0 ? 1 : Math.min(wanted, Math.max(0, roomSec) / body);
  const scale = scaleWithFloor(paced, stretched, least);
  const seconds = paced.map((sec, index) => {
    const own = free[index]!.isLongEnough ? Math.min(1, scale) : scale;
    return Math.max(least[index]!, sec * own);
  });
  return layouts.map((layout) => (layout === 'run' ? ofRun : seconds.shift()!));
}

/** A photo without words has been seen after so long, however good it is. */
const LONGEST_SEC = 3;

/**
 * The seconds of scenes when photos that sell the house stand longer than others, and none becomes shorter than its least
 * seconds. All together they last about as long as before.
 *
 * @param worths - What each scene is worth beside the others; null for one that keeps its seconds.
 */
export function timeByWorth(
  seconds: readonly number[],
  least: readonly number[],
  worths: readonly (number | null)[],
): number[] {
  const free = [...worths.keys()].filter(
    (index) => worths[index] !== null && seconds[index]! > least[index]!,
  );
  const wanted = free.map((index) => seconds[index]! * worths[index]!);
  const floors = free.map((index) => least[index]!);
  const scale = scaleWithFloor(wanted, sum(free.map((index) => seconds[index]!)) / sum(wanted), floors);
  const timed = [...seconds];
  for (const [at, index] of free.entries()) {
    const longest = Math.max(seconds[index]!, LONGEST_SEC);
    timed[index] = Math.max(floors[at]!, Math.min(longest, wanted[at]! * scale));
  }
  return timed;
}

/** @param usualSec - Of the whole body. */
function clamp({ sec, least, most }: BodyAim, usualSec: number): number {
  return Math.min(most * usualSec, Math.max(least * usualSec, sec));
}

/** Numbers that the opening has just shown are known at a glance. Slow changes need more: the design says how much. */
export const FACTS_AGAIN_SEC = 2.6;

/** Whether the scenes of a design are quick cuts. */
export function isQuick({ minSceneSec }: Pick<Pacing, 'minSceneSec'>): boolean {
  return minSceneSec < QUICK_SEC;
}

/** Among quick cuts: of four photos in a second nobody sees one. */
const SEEN_SEC: Partial<Record<BodyLayout, number>> = { pair: 0.85, three: 1.2, four: 1.6 };

/** The least seconds of a scene; half beats, where its group has more than the template's. */
export function leastLayoutSec(
  pacing: Pick<Pacing, 'minSceneSec'>,
  layout: BodyLayout,
  { beatSec, isHurried = false }: Pick<PacingRequest, 'beatSec' | 'isHurried'>,
): number {
  const sec = SEEN_SEC[layout];
  if (sec === undefined || isHurried || !isQuick(pacing)) return pacing.minSceneSec;
  return Math.max(pacing.minSceneSec, inBeats(sec, beatSec && beatSec / 2));
}

/** The fewest beats that last about so long. */
function inBeats(sec: number, beatSec: number | null): number {
  return beatSec === null ? sec : Math.ceil(sec / beatSec - 0.02) * beatSec;
}

/** A photo that is shown for less time is not seen. */
const MIN_RUN_SEC = 0.7;
/** One photo of a run stands until the eye has settled. */
const RUN_REST_SEC = 1.05;

/**
 * Seconds of each photo of a run: whole beats, where there is music.
 *
 * @param restAt - Which one stands longer, 0 to 3; default: the last.
 */
export function runSeconds(beatSec: number | null, restAt = SEATS.run - 1): number[] {
  return Array.from({ length: SEATS.run }, (_, index) =>
    inBeats(index === restAt ? RUN_REST_SEC : MIN_RUN_SEC, beatSec),
  );
}

const BEATS_OF_HOOK = [0.5, 1, 2, 3, 4];

/**
 * Seconds of each photo of a hook: half a beat or one to four beats, where there is music. Few are no slower among quick
 * cuts. Else two of three photos are as quick as all would be, and the first stands for the one that lacks.
 */
export function hookSeconds(pacing: Pacing, cuts: number, beatSec: number | null): number[] {
  const { hook } = pacing;
  if (!hook || cuts === 0) return [];
  const lacking = isQuick(pacing) || cuts === 1 ? 0 : Math.max(0, hook.cuts - cuts);
  const sec = hook.sec / (isQuick(pacing) ? Math.max(cuts, hook.cuts) : cuts + lacking);
  const distance = (length: number) => Math.abs(Math.log(length / sec));
  const lengths = beatSec === null ? [sec] : BEATS_OF_HOOK.map((share) => share * beatSec);
  const length = lengths.toSorted((a, b) => distance(a) - distance(b))[0]!;
  return Array.from({ length: cuts }, (_, index) => length * (index === 0 ? 1 + lacking : 1));
}

/** The greatest length of a video of so many photos, seconds. */
export function capOf(pacing: Pacing, photoCount: number): number {
  return pacing.capSec * (rowFor(pacing, photoCount).capFactor ?? 1);
}

/** Seconds that the cap leaves for the scenes of the body. */
export function roomOf(pacing: Pacing, hasFacts: boolean, pace: number): number {
  return pacing.capSec - pacing.heroSec - pacing.endSec - (hasFacts ? pacing.factsSec / pace : 0);
}

/** Of the row for this photo count. A layout that the row lacks lasts longer than a single by its photos. */
export function layoutSec(
  pacing: Pacing,
  layout: BodyLayout,
  { photoCount, pace, beatSec }: Omit<PacingRequest, 'hasFacts'>,
): number {
  if (layout === 'run') return sum(runSeconds(beatSec));
  const { sec } = rowFor(pacing, photoCount);
  const single = sec.single ?? Math.min(...Object.values(sec));
  return ((sec[layout] ?? single * (1 + EXTRA_PHOTO * (SEATS[layout] - 1))) * pacing.factor) / pace;
}

/** Each photo after the first makes a scene longer by this share of a single's seconds. */
const EXTRA_PHOTO = 0.12;

/** The scale at which the sum reaches `scale` times the total although no scene falls below its floor. */
function scaleWithFloor(seconds: readonly number[], scale: number, floors: readonly number[]): number {
  const goal = sum(seconds) * scale;
  let fitting = scale;
  for (let turn = 0; turn < seconds.length; turn++) {
    const isHeld = (sec: number, index: number) => sec * fitting < floors[index]!;
    const free = sum(seconds) - sum(seconds.filter(isHeld));
    const held = sum(floors.filter((_, index) => isHeld(seconds[index]!, index)));
    const next = free > 0 ? (goal - held) / free : fitting;
    if (Math.abs(next - fitting) < 1e-9 || next <= 0) break;
    fitting = next;
  }
  return fitting;
}

/** Index of the scene boundary nearest to this share of the body's time. */
export function positionAfter(seconds: readonly number[], share: number): number {
  const goal = sum(seconds) * share;
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  let elapsed = 0;
  for (let index = 1; index <= seconds.length; index++) {
    elapsed += seconds[index - 1]!;
    const distance = Math.abs(elapsed - goal);
    if (distance < best.distance) best = { index, distance };
  }
  return best.index;
}

function rowFor(pacing: Pacing, photoCount: number): PacingRow {
  return pacing.rows.find((row) => photoCount <= row.maxPhotos) ?? pacing.rows.at(-1)!;
}

/**
 * Removes as many photos from the layouts. Of several large scenes the last becomes one size smaller, so rhythm and
 * time stay; a lone large scene is kept, and the end of the body gives up the photo.
 */
function giveUpSeats(layouts: BodyLayout[], seats: number): void {
  for (let given = 0; given < seats && layouts.length > 0; ) {
    const large = layouts.flatMap((layout, index) => (SEATS[layout] > 2 ? [index] : []));
    const target = large.length > 1 ? large.at(-1)! : layouts.length - 1;
    const layout = layouts[target]!;
    if (layout === 'single') {
      layouts.pop();
      given++;
      continue;
    }
    const smaller = BY_SIZE.find((other) => SEATS[other] < SEATS[layout])!;
    given += SEATS[layout] - SEATS[smaller];
    layouts[target] = smaller;
    // A six gives up two; where one is enough, a single takes the other.
    const single = layouts.lastIndexOf('single');
    if (given > seats && single >= 0) {
      layouts[single] = 'pair';
      given--;
    }
  }
}

/** A very short body with the facts scene's time would crawl. */
function stretchLimit(scale: number): number {
  return Math.min(scale, 1.4);
}
