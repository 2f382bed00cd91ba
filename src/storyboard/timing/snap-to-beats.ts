/**
 * Moves scene changes onto the beats of the music, as far as their pacing allows. Pure; it knows lengths and a tempo, and
 * nothing of what is shown or played.
 */

/** A tempo that never changes; its first bar begins with frame 0. */
export interface BeatGrid {
  readonly bpm: number;
  readonly beatsPerBar: number;
}

/** A scene's length in frames, the transition that leaves it included. */
export interface SceneWish {
  /** By the pacing. */
  readonly frames: number;
  /** For what must be read; the scene is never shorter. */
  readonly minFrames: number;
  /**
   * From the moment the change is felt (a cut; the middle of a transition) to the scene's end. That moment is what falls on a
   * beat. Of the last scene it is the end itself, where the music closes.
   */
  readonly leadFrames: number;
}

/** A scene becomes shorter or longer by this share of its wish at most. */
export const SCENE_TOLERANCE = 0.15;
/** The last scene carries what a viewer writes down: it hardly shrinks, and may last longer. */
const LAST_SHRINK = 0.03;
const LAST_GROWTH = 0.2;
/** The whole film becomes shorter or longer by this share at most. */
export const VIDEO_TOLERANCE = 0.08;

// Costs. A length at the edge of its tolerance costs 1.
/** A change beside the beat: dearer than two lengths at their edges, so that it happens only where no beat is in reach. */
const OFF_BEAT = 3;
/** A change in the middle of a bar, and on the beats between: bar lines are felt most. */
const HALF_BAR = 0.15;
const WEAK_BEAT = 0.3;
/** A film that ends just after a bar line cuts its music's ring; on the line the ring is whole. */
const CUT_RING = 0.5;
const VIDEO_LENGTH = 1.5;

interface Path {
  readonly cost: number;
  readonly lengths: readonly number[];
}

/**
 * The lengths of the scenes, in frames: each within {@link SCENE_TOLERANCE} of its wish or no shorter than its least, together
 * within {@link VIDEO_TOLERANCE}, and with as many changes on beats, above all on bar lines, as that allows.
 *
 * A scene that no beat is in reach of keeps its wish; later ones are on the beat again.
 *
 * @param limits.capFrames - The film is not made longer than this, nor than its wishes where they are longer already.
 */
export function snapToBeats(
  scenes: readonly SceneWish[],
  grid: BeatGrid,
  limits: { readonly fps: number; readonly capFrames: number },
): number[] {
  const wishes = scenes.map(({ frames, minFrames }) => Math.max(frames, minFrames));
  const wanted = wishes.reduce((total, frames) => total + frames, 0);
  const drift = Math.floor(wanted * VIDEO_TOLERANCE);
  const lastEnd = Math.max(limits.capFrames, wanted);
  const framesPerBeat = (60 * limits.fps) / grid.bpm;
  // Of all paths that reach a frame by a scene's end, only the cheapest can be part of the answer.
  let paths = new Map<number, Path>([[0, { cost: 0, lengths: [] }]]);
  let wantedEnd = 0;
  scenes.forEach((scene, index) => {
    const isLast = index === scenes.length - 1;
    const wish = wishes[index]!;
    wantedEnd += wish;
    const range = lengthRange(scene, wish, isLast);
    const next = new Map<number, Path>();
    for (const [start, path] of paths) {
      for (const { end, cost } of endsOf(start, scene, { wish, range, isLast, framesPerBeat, grid })) {
        if (Math.abs(end - wantedEnd) > drift || (isLast && end > lastEnd)) continue;
        const length = end - start;
        const total = path.cost + cost + ((length - wish) / (SCENE_TOLERANCE * wish)) ** 2;
        const known = next.get(end);
        if (known && known.cost <= total) continue;
        next.set(end, { cost: total, lengths: [...path.lengths, length] });
      }
    }
    paths = next;
  });
  let best: Path | undefined;
  for (const [end, path] of paths) {
    const cost = path.cost + VIDEO_LENGTH * ((end - wanted) / Math.max(1, drift)) ** 2;
    if (!best || cost < best.cost) best = { cost, lengths: path.lengths };
  }
  return best ? [...best.lengths] : wishes;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function lengthRange({ minFrames }: SceneWish, wish: number, isLast: boolean): Range {
  const shrink = isLast ? LAST_SHRINK : SCENE_TOLERANCE;
  const growth = isLast ? LAST_GROWTH : SCENE_TOLERANCE;
  return {
    least: Math.max(minFrames, Math.ceil(wish * (1 - shrink))),
    most: Math.floor(wish * (1 + growth)),
  };
}

/** Where a scene that starts at `start` may end, and what is lost by the place of that end in the music. */
function* endsOf(
  start: number,
  { leadFrames }: SceneWish,
  around: {
    readonly wish: number;
    readonly range: Range;
    readonly isLast: boolean;
    readonly framesPerBeat: number;
    readonly grid: BeatGrid;
  },
): Generator<{ end: number; cost: number }> {
  const { wish, range, isLast, framesPerBeat, grid } = around;
  const lead = isLast ? 0 : leadFrames;
  yield { end: start + wish, cost: OFF_BEAT };
  const first = Math.floor((start + range.least - lead) / framesPerBeat);
  const last = Math.ceil((start + range.most - lead) / framesPerBeat);
  for (let beat = first; beat <= last; beat++) {
    const end = Math.round(beat * framesPerBeat) + lead;
    const isInRange = end - start >= range.least && end - start <= range.most;
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
  return inBar === 0 ? 0 : CUT_RING * (1 - inBar / beatsPerBar);
}
