/** Moves scene changes onto the beats of the music, as far as the pacing allows. Pure; it knows lengths and a tempo. */
import { sum } from './limit-length.ts';

/** A constant tempo. */
export interface BeatGrid {
  readonly bpm: number;
  readonly beatsPerBar: number;
  /** Where a bar begins, after the start of the video; default: 0. */
  readonly firstBeatSec?: number;
}

/** A scene's length in frames, the transition that leaves it included. */
export interface SceneTarget {
  /** By the pacing. */
  readonly frames: number;
  /** Shortest length, for reading. */
  readonly minFrames: number;
  /**
   * From the moment the change is felt (a cut; the middle of a transition) to the scene's end. That moment falls on a
   * beat. For the last scene it is the end itself, where the music closes.
   */
  readonly leadFrames: number;
  /** Its target is whole beats: it gives no time to the end. */
  readonly isInRun?: boolean;
  /** Of a scene of a shorter cut: its length in the whole video, which it keeps rather than another one. */
  readonly wholeFrames?: number;
}

/** A scene becomes shorter by at most this share of its target. */
export const SCENE_TOLERANCE = 0.15;
/** A scene becomes longer by at most this share: before a run, a beat in reach puts four cuts in their places. */
export const MAX_GROWTH = 0.25;
/** Viewers note down the last scene: it hardly shrinks. */
const LAST_SHRINK = 0.03;
/** A change is earlier or later than its target by at most this share of the video. */
const DRIFT = 0.08;

// Costs. A length at the edge of its tolerance costs 1.
/** A change off the beat: more than two lengths at their edges, so only where no beat is in reach. */
const OFF_BEAT = 3;
/** Scenes that are shorter than this and than two beats also change between two beats, every second one on a beat again. */
export const QUICK_SEC = 1;
const HALF_BEAT = 1;
/** A scene of a cut that loses its end needs another transition. */
const LOST_END = 0.4;
/** A change in the middle of a bar, and on the other beats: bar lines are felt most. */
const HALF_BAR = 0.15;
const WEAK_BEAT = 0.3;
/**
 * A video that ends just after a bar line cuts the music's last ring; one that ends on the line does not. In the square
 * of beats from the sum of the targets.
 */
const CUT_RING = 0.5;

interface Path {
  readonly cost: number;
  readonly lengths: readonly number[];
}

/**
 * The lengths of the scenes, in frames: each between {@link SCENE_TOLERANCE} shorter and {@link MAX_GROWTH} longer than
 * its target, not below its minimum, together within a beat of their targets, with as many changes on beats, above all
 * on bar lines, as that allows.
 *
 * A scene with no beat in reach keeps its target; later ones are on the beat again.
 *
 * @param limits.startFrame - Of the first scene; default 0.
 * @param limits.capFrames - The video is not made longer than this, or than its targets where their sum is greater.
 */
export function snapToBeats(
  scenes: readonly SceneTarget[],
  grid: BeatGrid,
  limits: { readonly fps: number; readonly capFrames: number; readonly startFrame?: number },
): number[] {
  const asked = scenes.map(({ frames, minFrames }) => Math.max(frames, minFrames));
  const ranges = scenes.map((scene, index) => lengthRange(scene, asked[index]!, index === scenes.length - 1));
  const { startFrame = 0, fps } = limits;
  const askedEnd = startFrame + sum(asked);
  const framesPerBeat = (60 * fps) / grid.bpm;
  const free = asked.map((frames, index) =>
    scenes[index]!.isInRun === true ? { min: frames, max: frames } : ranges[index]!,
  );
  const beats = { framesPerBeat, firstFrame: (grid.firstBeatSec ?? 0) * fps, grid };
  const latest = Math.max(limits.capFrames, askedEnd);
  // With these, all scenes together end there, wherever the changes between them are.
  const end = closingFrame(askedEnd, { asked, free, latest, ...beats });
  const targets = spread(end - askedEnd, asked, free);
  const drift = Math.floor(sum(targets) * DRIFT);
  // Of all paths whose scene ends at the same frame, only the cheapest can be part of the result.
  let paths = new Map<number, Path>([[startFrame, { cost: 0, lengths: [] }]]);
  let targetEnd = startFrame;
  scenes.forEach((scene, index) => {
    const isLast = index === scenes.length - 1;
    const target = targets[index]!;
    targetEnd += target;
    const next = new Map<number, Path>();
    const leadBefore = index === 0 ? 0 : scenes[index - 1]!.leadFrames;
    const around = { target, range: ranges[index]!, isLast, leadBefore, ...beats };
    for (const [start, path] of paths) {
      for (const { end, cost } of endsOf(start, scene, around)) {
        if (isLast ? end !== targetEnd : Math.abs(end - targetEnd) > drift) continue;
        const length = end - start;
        const total = path.cost + cost + square((length - target) / (SCENE_TOLERANCE * target));
        const known = next.get(end);
        if (known && known.cost <= total) continue;
        next.set(end, { cost: total, lengths: [...path.lengths, length] });
      }
    }
    paths = next;
  });
  let best: Path | undefined;
  for (const path of paths.values()) if (!best || path.cost < best.cost) best = path;
  return best ? [...best.lengths] : targets;
}

interface Beats {
  readonly framesPerBeat: number;
  readonly firstFrame: number;
  readonly grid: BeatGrid;
}

interface Closing extends Beats {
  readonly asked: readonly number[];
  /** What the lengths can become. */
  readonly free: readonly Range[];
  readonly latest: number;
}

/**
 * The beat to end on: by its distance from `askedEnd` and its place in the bar alone, so that a video of more photos does
 * not end earlier because its changes suit other beats. `askedEnd` where the scenes cannot be so much shorter or longer.
 */
function closingFrame(askedEnd: number, { asked, free, latest, ...beats }: Closing): number {
  const { framesPerBeat, firstFrame, grid } = beats;
  const before = Math.floor((askedEnd - firstFrame) / framesPerBeat);
  let best = { end: askedEnd, cost: Number.POSITIVE_INFINITY };
  for (const beat of [before, before + 1]) {
    const end = Math.round(firstFrame + beat * framesPerBeat);
    const cost = square((end - askedEnd) / framesPerBeat) + closingCost(beat, grid);
    const isInReach = end <= latest && Math.abs(end - askedEnd) <= sum(roomOf(end - askedEnd, asked, free));
    if (isInReach && cost < best.cost) best = { end, cost };
  }
  return best.end;
}

/** How many frames each scene can be shorter, or longer where `frames` is positive. */
function roomOf(frames: number, asked: readonly number[], ranges: readonly Range[]): number[] {
  return asked.map((length, index) => {
    const { min, max } = ranges[index]!;
    return Math.max(0, frames < 0 ? length - min : max - length);
  });
}

/** The lengths, together longer or shorter by `frames`, each by its share of its room. */
function spread(frames: number, asked: readonly number[], ranges: readonly Range[]): number[] {
  const room = roomOf(frames, asked, ranges);
  const total = sum(room);
  let given = 0;
  let passed = 0;
  return asked.map((length, index) => {
    passed += room[index]!;
    const share = total === 0 ? 0 : Math.round((passed * frames) / total) - given;
    given += share;
    return length + share;
  });
}

function square(value: number): number {
  return value * value;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function lengthRange({ minFrames, wholeFrames }: SceneTarget, target: number, isLast: boolean): Range {
  const shrink = isLast ? LAST_SHRINK : SCENE_TOLERANCE;
  return {
    min: Math.max(minFrames, Math.ceil(target * (1 - shrink))),
    max: Math.min(wholeFrames ?? Number.POSITIVE_INFINITY, Math.floor(target * (1 + MAX_GROWTH))),
  };
}

/** The frames at which a scene that starts at `start` can end, each with its cost by its place in the music. */
function* endsOf(
  start: number,
  { leadFrames, wholeFrames }: SceneTarget,
  around: Beats & {
    readonly target: number;
    readonly range: Range;
    readonly isLast: boolean;
    /** Of the scene before. */
    readonly leadBefore: number;
  },
): Generator<{ end: number; cost: number }> {
  const { target, range, isLast, leadBefore, framesPerBeat, firstFrame, grid } = around;
  const lead = isLast ? 0 : leadFrames;
  yield { end: start + target, cost: isLast ? 0 : OFF_BEAT };
  const whole = start + (wholeFrames ?? Number.POSITIVE_INFINITY);
  // Beats are not whole frames: a scene that begins at another one can end a frame beside its beat.
  if (whole <= start + range.max && !isLast && isOnBeat(whole - lead, around))
    yield { end: whole, cost: beatCost(Math.round((whole - lead - firstFrame) / framesPerBeat), grid) };
  const first = Math.floor((start + range.min - lead - firstFrame) / framesPerBeat);
  const last = Math.ceil((start + range.max - lead - firstFrame) / framesPerBeat);
  const quickFrames = (QUICK_SEC * framesPerBeat * grid.bpm) / 60;
  const isQuick = !isLast && target < Math.min(quickFrames, 2 * framesPerBeat);
  // After a change between two beats, the next one is on a beat again.
  const step = isQuick && isOnBeat(start - leadBefore, around) ? 0.5 : 1;
  for (let beat = first; beat <= last; beat += step) {
    const end = Math.round(firstFrame + beat * framesPerBeat) + lead;
    const isInRange = end - start >= range.min && end - start <= range.max;
    const lostEnd = wholeFrames === undefined || end === whole ? 0 : LOST_END;
    if (isInRange) yield { end, cost: isLast ? 0 : beatCost(beat, grid) + lostEnd };
  }
}

function isOnBeat(frame: number, { framesPerBeat, firstFrame }: Beats): boolean {
  const beats = (frame - firstFrame) / framesPerBeat;
  return Math.abs(beats - Math.round(beats)) * framesPerBeat <= 1;
}

function beatCost(beat: number, { beatsPerBar }: BeatGrid): number {
  if (!Number.isInteger(beat)) return HALF_BEAT;
  const inBar = beat % beatsPerBar;
  if (inBar === 0) return 0;
  return inBar * 2 === beatsPerBar ? HALF_BAR : WEAK_BEAT;
}

function closingCost(beat: number, { beatsPerBar }: BeatGrid): number {
  const inBar = beat % beatsPerBar;
  return inBar === 0 ? 0 : CUT_RING * (1 - inBar / beatsPerBar);
}
