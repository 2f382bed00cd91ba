/** Finds frames of a shorter cut that segments of the whole video have. Pure. */
import type { Layer, Scene } from '../storyboard/storyboard.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Segment, Timeline } from './timeline.ts';

/** The whole video of a cut. */
export interface WholeVideo {
  readonly timeline: Timeline;
  /** A segment can be cut after its first frame and any number of such groups. */
  readonly groupFrames: number;
}

/** The beginning of a segment: `frames` of it, or all. */
export interface Beginning {
  readonly segment: Segment;
  readonly frames: number;
}

/** To encode fewer frames costs less than the IDR after them. */
const MIN_FRAMES = 12;
/** x264 begins a new group of pictures there. */
const MAX_FRAMES = 300;

/** Of a video: its scenes, and what its transitions draw. */
export interface DrawnVideo {
  readonly scenes: readonly Scene[];
  /** Digest of what the transition out of a scene shows. */
  readonly drawn: (sceneIndex: number) => string;
}

/**
 * The longest beginning of a segment that shows what the cut shows from the start of each of its scenes on.
 *
 * @returns For each scene of the cut; null where there is none.
 */
export function findBeginnings(
  cut: DrawnVideo,
  { timeline, groupFrames }: WholeVideo,
  drawn: DrawnVideo['drawn'],
): (Beginning | null)[] {
  const whole = { scenes: timeline.storyboard.scenes, drawn };
  const starts = timeline.segments.flatMap((segment) => {
    const scene = timeline.sceneSpans.findIndex(({ startFrame }) => startFrame === segment.startFrame);
    return scene < 0 || segment.of ? [] : [{ segment, scene }];
  });
  return cut.scenes.map(({ kind }, index) => {
    let best: Beginning | null = null;
    for (const { segment, scene } of starts) {
      const length = segment.endFrame - segment.startFrame;
      const equal = Math.min(length, equalFrames(cut, index, whole, scene));
      const frames = equal === length ? length : inGroups(Math.min(equal, MAX_FRAMES), groupFrames);
      // In words that rest, the last frames would be seen to change.
      const suits = frames === length || (frames >= MIN_FRAMES && kind !== 'card' && kind !== 'closing');
      if (suits && frames > (best?.frames ?? 0)) best = { segment, frames };
    }
    return best;
  });
}

/** The most frames, at most so many, after which a segment can be cut. */
function inGroups(frames: number, groupFrames: number): number {
  return frames - ((frames - 1) % groupFrames);
}

/** How many frames are equal in two videos from the start of a scene on. */
function equalFrames(one: DrawnVideo, oneScene: number, other: DrawnVideo, otherScene: number): number {
  let frames = 0;
  for (let step = 0; ; step += 1) {
    const [a, b] = [one.scenes[oneScene + step], other.scenes[otherScene + step]];
    if (a === undefined || b === undefined) return frames;
    const alone = [aloneFrames(one, oneScene + step), aloneFrames(other, otherScene + step)] as const;
    const shared = Math.min(...alone);
    if (lookUntil(a, shared) !== lookUntil(b, shared)) return frames;
    frames += shared;
    const isLast = oneScene + step === one.scenes.length - 1 || otherScene + step === other.scenes.length - 1;
    if (alone[0] !== alone[1] || isLast) return frames;
    if (one.drawn(oneScene + step) !== other.drawn(otherScene + step)) return frames;
    frames += a.transition.durationFrames;
  }
}

/** Frames of a scene before its transition. */
function aloneFrames({ scenes }: DrawnVideo, index: number): number {
  const { durationFrames, transition } = scenes[index]!;
  return durationFrames - (index === scenes.length - 1 ? 0 : transition.durationFrames);
}

/** Equal texts for scenes that show the same in their first frames: what begins later has not moved yet. */
function lookUntil({ background, layers }: Scene, frames: number): string {
  const untilThen = (layer: Layer): object => {
    const { tracks, ...look } = layer.type === 'text' ? { ...layer, reads: '' } : layer;
    const moved = tracks?.map((track) => {
      const { property, from, startFrame } = track;
      return startFrame < frames ? track : { property, from };
    });
    return { ...look, tracks: moved };
  };
  return canonicalJson({ background, layers: layers.map(untilThen) });
}
