/** Moves scene changes onto the beats of the music, as far as the pacing allows. Pure; it knows lengths and a tempo. */

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
}

/** A scene becomes shorter by at most this share of its target. */
export const SCENE_TOLERANCE = 0.15;
/** A scene becomes longer by at most this share: before a run, a beat in reach puts four cuts in their places. */
export const MAX_GROWTH = 0.2;
/** Viewers note down the last scene: it hardly shrinks. */
const LAST_SHRINK = 0.03;
/** A change is earlier or later than its target by at most this share of the video. */
const DRIFT = 0.08;

// Costs. A length at the edge of its tolerance costs 1.
/** A change off the beat: more than two lengths at their edges, so only where no beat is in reach. */
const OFF_BEAT = 3;
/** A change in the middle of a bar, and on the other beats: bar lines are felt most. */
const HALF_BAR = 0.15;
const WEAK_BEAT = 0.3;
/** A video that ends just after a bar line cuts the music's last ring; one that ends on the line does not. */
const CUT_RING = 0.5;
/**
 * The end weighs as much as two changes, by its distance from the sum of the targets in beats: so a video of more
 * photos hardly ends earlier because its changes suit other beats.
 */
const END = 6;
const END_OFF_BEAT = 3 * END;

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
  const targets = scenes.map(({ frames, minFrames }) => Math.max(frames, minFrames));
  const targetSum = targets.reduce((total, frames) => total + frames, 0);
  const drift = Math.floor(targetSum * DRIFT);
  const { startFrame = 0 } = limits;
  const lastEnd = Math.max(limits.capFrames, startFrame + targetSum);
  const framesPerBeat = (60 * limits.fps) / grid.bpm;
  const firstFrame = (grid.firstBeatSec ?? 0) * limits.fps;
  // Of all paths whose scene ends at the same frame, only the cheapest can be part of the result.
  let paths = new Map<number, Path>([[startFrame, { cost: 0, lengths: [] }]]);
  let targetEnd = startFrame;
  scenes.forEach((scene, index) => {
    const isLast = index === scenes.length - 1;
    const target = targets[index]!;
    targetEnd += target;
    const range = lengthRange(scene, target, isLast);
    const next = new Map<number, Path>();
    for (const [start, path] of paths) {
      for (const { end, cost } of endsOf(start, scene, {
        target,
        range,
        isLast,
        framesPerBeat,
        firstFrame,
        grid,
      })) {
        const isAway = Math.abs(end - targetEnd) > (isLast ? framesPerBeat : drift);
        if (isAway || (isLast && end > lastEnd)) continue;
        const length = end - start;
        const atEnd = isLast ? END * square((end - targetEnd) / framesPerBeat) : 0;
        const total = path.cost + cost + atEnd + square((length - target) / (SCENE_TOLERANCE * target));
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

function square(value: number): number {
  return value * value;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function lengthRange({ minFrames }: SceneTarget, target: number, isLast: boolean): Range {
  const shrink = isLast ? LAST_SHRINK : SCENE_TOLERANCE;
  return {
    min: Math.max(minFrames, Math.ceil(target * (1 - shrink))),
    max: Math.floor(target * (1 + MAX_GROWTH)),
  };
}

/** The frames at which a scene that starts at `start` can end, each with its cost by its place in the music. */
function* endsOf(
  start: number,
  { leadFrames }: SceneTarget,
  around: {
    readonly target: number;
    readonly range: Range;
    readonly isLast: boolean;
    readonly framesPerBeat: number;
    readonly firstFrame: number;
    readonly grid: BeatGrid;
  },
): Generator<{ end: number; cost: number }> {
  const { target, range, isLast, framesPerBeat, firstFrame, grid } = around;
  const lead = isLast ? 0 : leadFrames;
  yield { end: start + target, cost: isLast ? END_OFF_BEAT : OFF_BEAT };
  const first = Math.floor((start + range.min - lead - firstFrame) / framesPerBeat);
  const last = Math.ceil((start + range.max - lead - firstFrame) / framesPerBeat);
  for (let beat = first; beat <= last; beat++) {
    const end = Math.round(firstFrame + beat * framesPerBeat) + lead;
    const isInRange = end - start >= range.min && end - start <= range.max;
    if (isInRange) yield { end, cost: isLast ? closingCost(beat, grid) : beatCost(beat, grid) };
  }
}

function beatCost(beat: number, { beatsPerBar }: BeatGrid): number {
  const inBar = beat % beatsPerBar;
  if (inBar === 0) return 0;
  return inBar * 2 === beatsPerBar ? HALF_BAR : WEAK_BEAT;
}

function closingCost(beat: number, { beatsPerBar }: BeatGrid): number {
  const inBar = beat % beatsPerBar;
  return inBar === 0 ? 0 : END * CUT_RING * (1 - inBar / beatsPerBar);
}
