/** The scenes of a video in time: lengths on the beats, transitions, and the moves of their cameras. Pure. */
import type { Palette, RatioDesign } from '../../template/template.ts';
import type { ShownScene } from '../cut/cut-scenes.ts';
import { countedInTime } from '../elements/count-up.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { VideoDrafts } from '../scenes/draft-scenes.ts';
import { LAYOUT_FPS as FPS, type Scene, type SceneKind, type Transition } from '../storyboard.ts';
import { BODY_ROLES } from '../timing/pacing.ts';
import { pageLengths } from '../timing/page-lengths.ts';
import { MIN_LABEL_SEC, type ReadingPace, readingSceneSec, withoutLinger } from '../timing/reading-time.ts';
import { sceneLengths } from '../timing/scene-lengths.ts';
import type { BeatGrid } from '../timing/snap-to-beats.ts';
import { createMoveSequence } from './camera.ts';
import { createTransitionSequence, type TransitionEnd } from './choose-transition.ts';
import { finishLayers, isAltered, isNamed, moveOf } from './move-photos.ts';

/** A sixth of a second: half of it goes unnoticed in the middle of a transition. */
const LEAD_STEP_FRAMES = 5;
/** Scenes made for reading: music hardly shortens them. */
const FOR_READING: ReadonlySet<PlannedScene['role']> = new Set([
  ...['hero', 'facts', 'floor_plan', 'originals', 'card', 'closing'],
] as const);
/** Of scale, in half a second to a second: enough to be felt in each cut. Longer views are no cuts. */
const HOOK_TRAVEL = { cut: 0.06, long: 0.08 };
const LONG_HOOK_SEC = 0.85;

/** The scenes of a video in frames; lists have an entry for each. */
export interface Timing {
  readonly ends: readonly TransitionEnd[];
  readonly shown: readonly ShownScene[];
  readonly cardFrames: number;
  readonly leastSec: readonly number[];
  /** Of the music; null without one. */
  readonly beatFrames: number | null;
}

export function timeScenes(
  { made: { plan, drafts, maxSec }, photos }: VideoDrafts,
  design: RatioDesign,
  palette: Palette,
  beats: BeatGrid | null,
): Timing {
  const ends = plan.map(
    (planned, index): TransitionEnd => ({
      role: planned.role,
      ground: drafts[index]!.variant.ground,
      rooms: planned.photos.map((photo) => photos[photo]!.room ?? null),
      zoomPhoto: drafts[index]!.layers.find((layer) => layer.type === 'photo'),
      ...(planned.isInRun ? { isInRun: true } : {}),
      turns: drafts[index]!.layers.some(({ turn }) => turn?.of === 'next'),
      showsAltered: drafts[index]!.layers.some((layer) => layer.type === 'photo' && isAltered(layer)),
    }),
  );
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  const leave = createTransitionSequence(design.transitions, palette, FPS);
  const leads = leadsOf(plan, ends, design, palette);
  const cardAt = plan.findIndex(({ role }) => role === 'card');
  // All agents' videos have the same lengths up to the card: its further pages are timed after them.
  const timed = cardAt < 0 ? plan : plan.slice(0, cardAt + 1);
  // The card has its own length: it is the same for all agents. A run is not read.
  const wordsSec = (index: number, pace: ReadingPace) =>
    readingSceneSec(
      drafts[index]!.layers,
      pace === 'easy' ? transitionSec : (2 * leads[index]!) / FPS,
      FPS,
      pace,
    );
  const { minSceneSec } = design.pacing;
  const readingAt = (index: number, pace: ReadingPace) => {
    const { role, isInRun } = plan[index]!;
    if (role === 'card' || isInRun) return 0;
    const isOfBody = BODY_ROLES.has(role);
    // The words of the facts come again on the last scene.
    const sec =
      pace === 'easy' && (isOfBody || role === 'facts')
        ? withoutLinger(wordsSec(index, 'easy'), wordsSec(index, 'fast'), isOfBody)
        : wordsSec(index, pace);
    return Math.max(sec, ends[index]!.showsAltered ? MIN_LABEL_SEC : 0);
  };
  const compares = (index: number) =>
    plan[index]!.isComparison === true || drafts[index]!.layers.some(({ turn }) => turn?.of === 'original');
  const lengths = sceneLengths({
    scenes: timed.map(({ role, sec, isInRun }, index) => ({
      sec,
      readingSec: readingAt(index, 'easy'),
      leastReadingSec: readingAt(index, 'fast'),
      // A comparison needs the time of both photos.
      isForReading: FOR_READING.has(role) || compares(index),
      leadFrames: leads[index]!,
      isHook: role === 'hook',
      isInRun: isInRun === true,
    })),
    fps: FPS,
    capSec: maxSec,
    minSceneSec,
    beats,
  });
  const cardFrames = lengths[cardAt] ?? 0;
  if (cardAt >= 0) {
    lengths.pop();
    const startFrame = lengths.reduce((sum, frames) => sum + frames, 0);
    const at = { startFrame, capSec: maxSec, fps: FPS, beats };
    lengths.push(...pageLengths(plan.length - cardAt, cardFrames, at));
  }
  return {
    ends,
    shown: lengths.map((durationFrames, index) => ({
      durationFrames,
      transition: leave({ ...ends[index]!, durationFrames }, ends[index + 1]),
    })),
    cardFrames,
    beatFrames: beats && (60 * FPS) / beats.bpm,
    leastSec: lengths.map((frames, index) =>
      compares(index)
        ? frames / FPS
        : Math.min(frames / FPS, Math.max(minSceneSec, readingAt(index, 'fast'))),
    ),
  };
}

/** @param kept - Of a cut, what it shows of these scenes; default all. Their layers move as in the whole video. */
export function finishScenes(
  { made: { plan, drafts } }: VideoDrafts,
  { shown, beatFrames }: Pick<Timing, 'shown' | 'beatFrames'>,
  { camera }: RatioDesign,
  palette: Palette,
  kept: ReadonlyMap<number, ShownScene> = new Map(shown.entries()),
): Scene[] {
  const nextMove = createMoveSequence(camera);
  let after: Transition = { kind: 'cut', durationFrames: 0 };
  let number = 0;
  return plan.flatMap((planned, index): Scene[] => {
    const draft = drafts[index]!;
    const { role } = planned;
    const before = after;
    after = shown[index]!.transition;
    // A card is faded over a photo that has come to rest: so the encoder need not see each frame of it.
    const isUnderCard = plan[index + 1]?.role === 'card' && after.kind === 'crossfade';
    const span = {
      startFrame: 0 - before.durationFrames,
      endFrame: shown[index]!.durationFrames - (isUnderCard ? after.durationFrames : 0),
    };
    const move = moveOf(planned, draft, camera, nextMove);
    // Nobody watches a first second in which nothing moves.
    const isLong = role === 'hook' && planned.sec >= LONG_HOOK_SEC;
    const { durationFrames, transition } = kept.get(index) ?? shown[index]!;
    const leavesAt = durationFrames - transition.durationFrames;
    const layers = finishLayers(draft.layers, camera, move, span, {
      leavesAt,
      beatFrames,
      travel:
        role === 'hook'
          ? HOOK_TRAVEL[isLong ? 'long' : 'cut']
          : role === 'hero'
            ? camera.heroTravel
            : undefined,
      // The opening takes over the speed of the cuts before it, a long hook begins at speed, a closing moves to its end.
      easing: role === 'hero' || role === 'closing' || isLong ? 'land' : undefined,
      opens: role === 'hero',
      isNamed: isNamed(planned),
      before,
    }).map((layer) => countedInTime(layer, leavesAt, FPS));
    if (!kept.has(index)) return [];
    number += 1;
    return [
      {
        id: `scene-${String(number).padStart(2, '0')}-${kindOf(planned)}`,
        kind: kindOf(planned),
        durationFrames,
        background: palette[draft.variant.background]!,
        layers,
        transition,
      },
    ];
  });
}

/**
 * Frames from the moment a change is felt (the middle of its transition) to the scene's end, in steps: a caption can
 * make a transition slightly longer, and that should not move the beats of all later scenes.
 */
export function leadOf({ durationFrames }: Transition): number {
  return Math.round(durationFrames / 2 / LEAD_STEP_FRAMES) * LEAD_STEP_FRAMES;
}

function leadsOf(
  plan: readonly PlannedScene[],
  ends: readonly TransitionEnd[],
  { transitions }: RatioDesign,
  palette: Palette,
): number[] {
  const trial = createTransitionSequence(transitions, palette, FPS);
  return plan.map(({ sec }, index) =>
    leadOf(trial({ ...ends[index]!, durationFrames: Math.round(sec * FPS) }, ends[index + 1])),
  );
}

function kindOf(planned: PlannedScene): SceneKind {
  return planned.role === 'single' ? 'photo' : planned.role;
}
