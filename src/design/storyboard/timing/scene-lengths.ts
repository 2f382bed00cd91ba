/** How long each scene lasts, in frames: by pacing, by the beats of the music, and by reading time. Pure. */
import { limitLength, sum } from './limit-length.ts';
import { type BeatGrid, snapToBeats } from './snap-to-beats.ts';

interface SceneTiming {
  /** By the pacing. */
  readonly sec: number;
  /** Time to read its captions; 0 without any. */
  readonly readingSec: number;
  /** The same for people who read fast. */
  readonly leastReadingSec: number;
  /** Whether it is made for reading, as openings, facts and cards are. */
  readonly isForReading: boolean;
  /** A photo of the hook: it keeps its seconds. */
  readonly isHook?: boolean;
  /** A photo of a run: its seconds are whole beats. */
  readonly isInRun?: boolean;
  /** From the moment the change to the next scene is felt to the scene's end. */
  readonly leadFrames: number;
}

export interface SceneLengthsRequest {
  readonly scenes: readonly SceneTiming[];
  readonly fps: number;
  readonly capSec: number;
  readonly minSceneSec: number;
  readonly beats: BeatGrid | null;
}

/** Largest share that a scene for reading loses to a beat. */
const READING_SHRINK = 0.05;
/** Largest share that the shortest scene of photos loses: three beats at 124 BPM are a frame less than 1.5 s. */
const SHORTEST_SHRINK = 0.05;

/**
 * The lengths, each with its scene's transition; together within the cap where the pacing is.
 *
 * Beats are chosen by the pacing alone. A scene whose captions need longer then lasts some beats more, and later
 * scenes keep their lengths: videos that differ in agent or captions still share every scene that looks the same.
 * Only where that would pass the cap are all lengths chosen again, with the captions.
 */
export function sceneLengths(request: SceneLengthsRequest): number[] {
  const { scenes, fps, capSec } = request;
  // The photos of a hook are on the beats as they are planned.
  const hook = toFrames(
    scenes.filter(({ isHook }) => isHook === true).map(({ sec }) => sec),
    fps,
  );
  const startFrame = sum(hook);
  const later = { ...request, scenes: scenes.slice(hook.length), capSec: capSec - startFrame / fps };
  return [...hook, ...laterLengths(later, startFrame)];
}

/** @param startFrame - Of the first of them. */
function laterLengths(request: SceneLengthsRequest, startFrame: number): number[] {
  const { scenes, fps, beats, capSec } = request;
  if (beats) {
    const paced = snapped(request, beats, startFrame, (scene) => scene.sec, false);
    const lengths = lengthenByBeats(paced, scenes, (60 * fps) / beats.bpm, fps);
    if (sum(lengths) <= Math.max(capSec * fps, sum(paced))) return lengths;
  }
  const kept = limitLength(
    scenes.map(({ isForReading, ...scene }) => ({ ...scene, canShrink: !isForReading })),
    request,
  );
  return beats ? snapped(request, beats, startFrame, (_, index) => kept[index]!, true) : toFrames(kept, fps);
}

/** Lengths on the beats, near those of `secOf`. @param isRead - They have the time for reading, and keep it. */
function snapped(
  { scenes, fps, capSec, minSceneSec }: SceneLengthsRequest,
  beats: BeatGrid,
  startFrame: number,
  secOf: (scene: SceneTiming, index: number) => number,
  isRead: boolean,
): number[] {
  const frames = toFrames(scenes.map(secOf), fps);
  const targets = frames.map((target, index) => {
    const { leastReadingSec, isForReading, leadFrames, isInRun = false } = scenes[index]!;
    const minimum = isForReading
      ? target * (1 - READING_SHRINK)
      : Math.min(target, minSceneSec * fps * (1 - SHORTEST_SHRINK));
    const forReading = isRead ? Math.min(target, leastReadingSec * fps) : 0;
    return { frames: target, minFrames: Math.ceil(Math.max(minimum, forReading)), leadFrames, isInRun };
  });
  return snapToBeats(targets, beats, {
    fps,
    startFrame,
    capFrames: startFrame + Math.floor(capSec * fps),
  });
}

/** Beats are not whole frames: each addition makes up for earlier roundings, so that scenes do not drift off. */
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

/** Rounds the running sum, so that rounding errors do not add up. */
export function toFrames(seconds: readonly number[], fps: number): number[] {
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
