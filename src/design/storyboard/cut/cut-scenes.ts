/**
 * A shorter cut of a video that is laid out: some of its scenes, whole or without their ends, so that their frames are those
 * of the whole video. Pure.
 */

import type { TransitionEnd } from '../motion/choose-transition.ts';
import type { PlannedPhoto, PlannedScene } from '../plan/planned-scene.ts';
import type { Transition } from '../storyboard.ts';
import { sum } from '../timing/limit-length.ts';
import { pageLengths } from '../timing/page-lengths.ts';
import { toFrames } from '../timing/scene-lengths.ts';
import { type BeatGrid, snapToBeats } from '../timing/snap-to-beats.ts';
import { chooseScenes } from './choose-scenes.ts';

/** A scene as a video shows it. */
export interface ShownScene {
  readonly durationFrames: number;
  readonly transition: Transition;
}

/** The scenes of a whole video; lists have an entry for each. */
export interface WholeVideo {
  /** Each page of a card is a scene. */
  readonly plan: readonly PlannedScene[];
  readonly photos: readonly PlannedPhoto[];
  readonly ends: readonly TransitionEnd[];
  readonly shown: readonly ShownScene[];
  /** Of a card before it is divided into pages: the same for all agents. */
  readonly cardFrames: number;
  /** The least seconds for its photos and words. */
  readonly leastSec: readonly number[];
}

type ChooseTransition = (
  from: TransitionEnd & { readonly durationFrames: number },
  to: TransitionEnd | undefined,
) => Transition;

export interface CutRequest {
  readonly sec: number;
  readonly beats: BeatGrid | null;
  readonly fps: number;
  /** Begins to choose the transitions of a video. */
  readonly chooseTransitions: () => ChooseTransition;
  /** Frames from the moment at which a transition is felt to its end. */
  readonly leadOf: (transition: Transition) => number;
}

/** Scenes for reading hardly lose time to a beat. */
const READING_SHRINK = 0.05;
const SHORTEST_SHRINK = 0.05;
/** The most of a scene that the transition of the whole video can take. */
const MAX_SHARE = 0.5;
const CUT: Transition = { kind: 'cut', durationFrames: 0 };

/** The scenes of the cut by their index, ascending; null where the video has too few for it. */
export function cutScenes(whole: WholeVideo, request: CutRequest): ReadonlyMap<number, ShownScene> | null {
  const { plan, photos, shown, cardFrames, leastSec } = whole;
  const { sec, beats, fps } = request;
  const cardAt = plan.findIndex(({ role }) => role === 'card');
  const single = cardAt < 0 ? plan : plan.slice(0, cardAt + 1);
  const framesAt = (index: number): number => (index === cardAt ? cardFrames : shown[index]!.durationFrames);
  const kept = chooseScenes(
    single.map((planned, index) => ({
      ...planned,
      sec: framesAt(index) / fps,
      leastSec: leastSec[index]!,
    })),
    photos,
    sec,
  );
  if (kept === null) return null;
  const indexes = [...kept.keys()];
  const targets = toFrames([...kept.values()], fps);
  const trial = transitionsOf(whole, indexes, targets, request);
  const isHook = (index: number) => plan[index]!.role === 'hook';
  const hooks = indexes.filter(isHook);
  const startFrame = sum(hooks.map(framesAt));
  const scenes = indexes.slice(hooks.length).map((index, at) => {
    const { role, isInRun = false } = plan[index]!;
    const isBody = !['hero', 'facts', 'originals', 'card', 'closing'].includes(role);
    const wholeFrames = framesAt(index);
    const target = targets[hooks.length + at]!;
    const frames = wholeFrames - target <= 1 ? wholeFrames : target;
    const least = isBody
      ? Math.min(frames, leastSec[index]! * fps * (1 - SHORTEST_SHRINK))
      : frames * (1 - READING_SHRINK);
    return {
      frames,
      minFrames: Math.ceil(least),
      leadFrames: request.leadOf(trial[hooks.length + at]!),
      isInRun,
      wholeFrames,
    };
  });
  const later = beats
    ? snapToBeats(scenes, beats, { fps, startFrame, capFrames: Math.floor(sec * fps) })
    : scenes.map(({ frames }) => frames);
  const lengths = [...hooks.map(framesAt), ...later];
  if (cardAt >= 0) {
    const last = lengths.pop()!;
    const at = { startFrame: sum(lengths), capSec: sec, fps, beats };
    const pages = pageLengths(plan.length - cardAt, last, at);
    lengths.push(...pages);
    indexes.push(...pages.slice(1).map((_, page) => cardAt + 1 + page));
  }
  const transitions = transitionsOf(whole, indexes, lengths, request);
  return new Map(
    indexes.map((index, at) => [index, { durationFrames: lengths[at]!, transition: transitions[at]! }]),
  );
}

/**
 * Between neighbors of the whole video its own transition. A scene whose layers enter over the one before it keeps that
 * transition too.
 */
function transitionsOf(
  { ends, shown }: WholeVideo,
  indexes: readonly number[],
  lengths: readonly number[],
  { chooseTransitions }: CutRequest,
): Transition[] {
  const choose = chooseTransitions();
  return indexes.map((index, at) => {
    const next = indexes[at + 1];
    const durationFrames = lengths[at]!;
    const chosen = choose({ ...ends[index]!, durationFrames }, next === undefined ? undefined : ends[next]);
    if (next === undefined || chosen.kind === 'cut') return chosen;
    const usual = shown[next - 1]!.transition;
    const fits = usual.durationFrames <= MAX_SHARE * durationFrames;
    if (usual.kind === 'over')
      return fits ? usual : { ...usual, durationFrames: Math.floor(MAX_SHARE * durationFrames) };
    if (next === index + 1 && fits) return usual;
    return chosen.kind === 'over' ? CUT : chosen;
  });
}
