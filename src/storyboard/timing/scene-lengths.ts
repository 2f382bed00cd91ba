/** How long each scene of a film lasts, in frames: by its pacing, by the beats of the music, and by what must be read. Pure. */
import { keepCap, sum } from './keep-cap.ts';
import { type BeatGrid, snapToBeats } from './snap-to-beats.ts';

export interface SceneTiming {
  /** By the pacing. */
  readonly sec: number;
  /** For what its captions say. */
  readonly readingSec: number;
  /** Whether it matches words that are there to be read, as openings, facts and cards do. */
  readonly isForReading: boolean;
  /** From the moment the change to the next scene is felt to the scene's end. */
  readonly leadFrames: number;
}

export interface SceneLengthsRequest {
  readonly scenes: readonly SceneTiming[];
  readonly fps: number;
  readonly capSec: number;
  /** No scene of photos is shorter. */
  readonly minSceneSec: number;
  /** Beats of the template's own music; null where it has none. */
  readonly beats: BeatGrid | null;
}

/** What a scene for reading may lose to a beat. */
const READING_SHRINK = 0.05;
/** What the shortest scene of photos may lose: 1.5 s is three beats at 124 BPM but for a frame. */
const SHORTEST_SHRINK = 0.05;

/**
 * The lengths, each with the way out of its scene; together within the cap where the pacing is.
 *
 * Beats are chosen by the pacing alone. A scene whose words need longer then lasts some beats more, and what follows keeps its
 * lengths: so films whose agents or captions differ still share every scene that looks the same. Only where that would
 * pass the cap are all lengths weighed again, words included.
 */
export function sceneLengths(request: SceneLengthsRequest): number[] {
  const { scenes, fps, beats, capSec } = request;
  if (beats) {
    const paced = snapped(request, beats, (scene) => scene.sec);
    const lengths = lengthenByBeats(paced, scenes, (60 * fps) / beats.bpm, fps);
    if (sum(lengths) <= Math.max(capSec * fps, sum(paced))) return lengths;
  }
  const kept = keepCap(
    scenes.map(({ sec, readingSec, isForReading }) => ({ sec, readingSec, canShrink: !isForReading })),
    request,
  );
  return beats ? snapped(request, beats, (_, index) => kept[index]!) : toFrames(kept, fps);
}

/** Lengths on the beats, near those that `secOf` tells. */
function snapped(
  { scenes, fps, capSec, minSceneSec }: SceneLengthsRequest,
  beats: BeatGrid,
  secOf: (scene: SceneTiming, index: number) => number,
): number[] {
  const frames = toFrames(scenes.map(secOf), fps);
  const wishes = frames.map((wished, index) => {
    const { sec, readingSec, isForReading, leadFrames } = scenes[index]!;
    const least = isForReading
      ? wished * (1 - READING_SHRINK)
      : Math.min(wished, minSceneSec * fps * (1 - SHORTEST_SHRINK));
    // A scene that was given time for its words keeps it.
    const forWords = wished > sec * fps ? Math.min(wished, readingSec * fps) : 0;
    return { frames: wished, minFrames: Math.ceil(Math.max(least, forWords)), leadFrames };
  });
  return snapToBeats(wishes, beats, { fps, capFrames: Math.floor(capSec * fps) });
}

/** Beats are no whole frames: what rounding one addition leaves is made good by the next, so that none drifts. */
function lengthenByBeats(
  lengths: readonly number[],
  scenes: readonly SceneTiming[],
  framesPerBeat: number,
  fps: number,
): number[] {
  let addedBeats = 0;
  let addedFrames = 0;
  return lengths.map((length, index) => {
    const missing = Math.ceil(scenes[index]!.readingSec * fps) - length;
    if (missing <= 0) return length;
    const added = (beats: number) => Math.round((addedBeats + beats) * framesPerBeat) - addedFrames;
    let beats = Math.max(1, Math.floor(missing / framesPerBeat));
    while (added(beats) < missing) beats++;
    const frames = added(beats);
    addedBeats += beats;
    addedFrames += frames;
    return length + frames;
  });
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
