/** How long each scene of a film lasts, in frames: by its pacing, by what must be read, and by the beats of the music. Pure. */
import type { BeatGrid } from './snap-to-beats.ts';
import { snapToBeats } from './snap-to-beats.ts';

export interface PacedSceneWords {
  /** By the pacing. */
  readonly sec: number;
  /** For what its captions say. */
  readonly readingSec: number;
  /** Whether it holds words that are there to be read, as openings, facts and cards do. */
  readonly isForReading: boolean;
}

export interface SceneLengthsRequest {
  readonly scenes: readonly PacedSceneWords[];
  readonly fps: number;
  readonly capSec: number;
  /** No scene of photos is shorter. */
  readonly minSceneSec: number;
  /** Beats of the template's own music; null where it has none. */
  readonly beats: BeatGrid | null;
  /** Frames of the way out of each scene, when the scenes have these lengths. */
  readonly transitionFrames: (lengths: readonly number[]) => readonly number[];
}

/** What a scene for reading may lose to a beat. */
const READING_SHRINK = 0.05;
/** What the shortest scene of photos may lose: 1.5 s is three beats at 124 BPM but for a frame. */
const SHORTEST_SHRINK = 0.05;

/**
 * The lengths, each with the way out of its scene.
 *
 * What the last scene says of an agent moves nothing before it: its own words count only once all else stands, so that films
 * of several agents share their scenes.
 */
export function sceneLengths(request: SceneLengthsRequest): number[] {
  const { scenes, fps, beats } = request;
  const last = scenes.length - 1;
  const seconds = scenes.map(({ sec, readingSec }, index) =>
    index === last ? sec : Math.max(sec, readingSec),
  );
  const paced = toFrames(seconds, fps);
  const lengths = beats ? snapped(request, paced, beats) : paced;
  const lastLeast = Math.ceil((scenes[last]?.readingSec ?? 0) * fps);
  return lengths.map((length, index) => (index === last ? Math.max(length, lastLeast) : length));
}

function snapped(request: SceneLengthsRequest, paced: readonly number[], beats: BeatGrid): number[] {
  const { scenes, fps, capSec, minSceneSec } = request;
  const transitions = request.transitionFrames(paced);
  const wishes = paced.map((frames, index) => {
    const { readingSec, isForReading } = scenes[index]!;
    const isLast = index === scenes.length - 1;
    const floor = isForReading
      ? frames * (1 - READING_SHRINK)
      : Math.min(frames, minSceneSec * fps * (1 - SHORTEST_SHRINK));
    return {
      frames,
      leastFrames: Math.ceil(Math.max(floor, isLast ? 0 : readingSec * fps)),
      leadFrames: Math.round((transitions[index] ?? 0) / 2),
    };
  });
  return snapToBeats(wishes, beats, { fps, capFrames: Math.floor(capSec * fps) });
}

/** Rounded on the sum, so that rounding never adds up to a drift. */
function toFrames(seconds: readonly number[], fps: number): number[] {
  let elapsedSec = 0;
  let startFrame = 0;
  return seconds.map((sec) => {
    elapsedSec += sec;
    const endFrame = Math.round(elapsedSec * fps);
    const frames = endFrame - startFrame;
    startFrame = endFrame;
    return frames;
  });
}
