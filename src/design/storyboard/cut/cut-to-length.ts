/** The scenes of a video of a length: planned for it, or a cut of a longer video. Pure. */
import { parseVideoLength } from '../../../platform/video-length.ts';
import type { Palette, RatioDesign } from '../../template/template.ts';
import { finishScenes, leadOf, type Timing } from '../motion/animate-scenes.ts';
import { createTransitionSequence } from '../motion/choose-transition.ts';
import { shortOf } from '../plan/plan-scenes.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { VideoDrafts } from '../scenes/draft-scenes.ts';
import type { DraftedPlan } from '../scenes/draft-until-all-fit.ts';
import { warnOfLength } from '../scenes/omissions/control-warnings.ts';
import { LAYOUT_FPS as FPS, type Scene } from '../storyboard.ts';
import type { BeatGrid } from '../timing/snap-to-beats.ts';
import { cutScenes } from './cut-scenes.ts';

interface TimedScenes {
  readonly drafted: VideoDrafts;
  /** Those of `drafted`, or of them what a cut shows. */
  readonly made: DraftedPlan;
  /** Of all scenes of `drafted`. */
  readonly timed: Timing;
  readonly animated: readonly Scene[];
}

export interface FittedScenes extends TimedScenes {
  /** A sentence where the video misses its length. */
  readonly offLength: readonly string[];
}

const MAX_TRIES = 4;
/** A video without music ends so near to the length that the listing asks for, seconds; one with music within a beat. */
const LENGTH_TOLERANCE_SEC = 0.5;

/**
 * The scenes for the length that the listing asks for. Captions, labels and beats change the time of scenes that are
 * planned: the plan aims at more or less until the video ends where it should, or nothing comes nearer.
 */
export function fitToLength(
  beats: BeatGrid | null,
  make: (correctionSec: number) => TimedScenes,
): FittedScenes {
  const missOf = ({ made, animated }: TimedScenes) => secondsOf(animated) - made.maxSec;
  let best = make(0);
  if (!best.drafted.hasLength) return { ...best, offLength: [] };
  let correctionSec = 0;
  let miss = missOf(best);
  for (let turn = 1; turn < MAX_TRIES && Math.abs(missOf(best)) > toleranceOf(beats); turn++) {
    correctionSec -= miss;
    const next = make(correctionSec);
    if (Math.abs(missOf(next) - miss) < 1 / FPS) break;
    miss = missOf(next);
    if (Math.abs(miss) < Math.abs(missOf(best))) best = next;
  }
  const { made, animated } = best;
  return { ...best, offLength: warnOfLength(secondsOf(animated), made.maxSec, toleranceOf(beats)) };
}

function toleranceOf(beats: BeatGrid | null): number {
  return beats ? Math.max(LENGTH_TOLERANCE_SEC, 60 / beats.bpm) : LENGTH_TOLERANCE_SEC;
}

/**
 * A cut of `whole`, whose frames it shows; null where the length is not shorter, or the scenes do not suit it: then the
 * video is planned for it.
 */
export function cutToLength(
  whole: FittedScenes,
  asked: string,
  design: RatioDesign,
  palette: Palette,
  beats: BeatGrid | null,
): FittedScenes | null {
  const { drafted, timed, animated } = whole;
  const { plan, drafts } = drafted.made;
  const length = parseVideoLength(asked);
  const maxSec = typeof length === 'string' ? shortOf(length, secondsOf(animated)) : length;
  if (maxSec === null) return null;
  if (Math.abs(secondsOf(animated) - maxSec) <= toleranceOf(beats)) return whole;
  const shown = cutScenes(
    { ...timed, plan, photos: drafted.photos },
    {
      sec: maxSec,
      beats,
      fps: FPS,
      chooseTransitions: () => createTransitionSequence(design.transitions, palette, FPS),
      leadOf,
    },
  );
  if (shown === null) return null;
  const cut = finishScenes(drafted, timed, design, palette, shown);
  if (Math.abs(secondsOf(cut) - maxSec) > toleranceOf(beats)) return null;
  const indexes = [...shown.keys()];
  const scenes = indexes.map((index) => plan[index]!);
  const seen = new Set(scenes.flatMap(({ photos }) => photos));
  const made: DraftedPlan = {
    plan: scenes,
    drafts: indexes.map((index) => drafts[index]!),
    leftOut: [...drafted.photos.keys()].filter((photo) => !seen.has(photo)),
    hasLeftOutFacts: isOf(plan, 'facts') && !isOf(scenes, 'facts'),
    maxSec,
  };
  return { drafted, made, timed, animated: cut, offLength: [] };
}

function isOf(scenes: readonly PlannedScene[], role: PlannedScene['role']): boolean {
  return scenes.some((scene) => scene.role === role);
}

function secondsOf(scenes: readonly Scene[]): number {
  return scenes.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / FPS;
}
