/** The scenes of a video in time: lengths on the beats, transitions, and the moves of their cameras. Pure. */
import type { Palette, RatioDesign } from '../../template/template.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { draftScenes } from '../scenes/draft-scenes.ts';
import { LAYOUT_FPS as FPS, type Layer, type Scene, type SceneKind, type Transition } from '../storyboard.ts';
import { pageLengths } from '../timing/page-lengths.ts';
import { MIN_LABEL_SEC, type ReadingPace, readingSceneSec } from '../timing/reading-time.ts';
import { sceneLengths } from '../timing/scene-lengths.ts';
import type { BeatGrid } from '../timing/snap-to-beats.ts';
import { createMoveSequence, type Side } from './camera.ts';
import { createTransitionSequence, type TransitionEnd } from './choose-transition.ts';
import { finishLayers, isAltered, moveOf } from './move-photos.ts';

/** A sixth of a second: half of it goes unnoticed in the middle of a transition. */
const LEAD_STEP_FRAMES = 5;
/** Scenes made for reading: music hardly shortens them. */
const FOR_READING: ReadonlySet<PlannedScene['role']> = new Set([
  ...['hero', 'facts', 'floor_plan', 'originals', 'card', 'closing'],
] as const);
/** Of scale, in half a second to a second: enough to be felt in each cut. */
const HOOK_TRAVEL = 0.06;

export function animateScenes(
  { plan, drafts, capSec }: ReturnType<typeof draftScenes>,
  design: RatioDesign,
  palette: Palette,
  beats: BeatGrid | null,
): Scene[] {
  const ends = plan.map(
    (planned, index): TransitionEnd => ({
      role: planned.role,
      ground: drafts[index]!.variant.ground,
      zoomPhoto: drafts[index]!.layers.find((layer) => layer.type === 'photo'),
      ...(planned.isInRun ? { isInRun: true } : {}),
      showsAltered: drafts[index]!.layers.some((layer) => layer.type === 'photo' && isAltered(layer)),
    }),
  );
  const transitionSec = Math.max(
    0,
    ...design.transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec)),
  );
  const nextMove = createMoveSequence(design.camera);
  const leave = createTransitionSequence(design.transitions, palette, FPS);
  const leads = leadsOf(plan, ends, design, palette);
  const cardAt = plan.findIndex(({ role }) => role === 'card');
  // All agents' videos have the same lengths up to the card: its further pages are timed after them.
  const timed = cardAt < 0 ? plan : plan.slice(0, cardAt + 1);
  // The card has its own length: it is the same for all agents. A run is not read.
  const readingAt = (index: number, pace: ReadingPace) =>
    plan[index]!.role === 'card' || plan[index]!.isInRun
      ? 0
      : Math.max(
          readingSceneSec(
            drafts[index]!.layers,
            pace === 'easy' ? transitionSec : (2 * leads[index]!) / FPS,
            FPS,
            pace,
          ),
          ends[index]!.showsAltered ? MIN_LABEL_SEC : 0,
        );
  const lengths = sceneLengths({
    scenes: timed.map(({ role, sec, isInRun }, index) => ({
      sec,
      readingSec: readingAt(index, 'easy'),
      leastReadingSec: readingAt(index, 'fast'),
      // A comparison needs the time of both photos.
      isForReading: FOR_READING.has(role) || drafts[index]!.layers.some(({ turn }) => turn !== undefined),
      leadFrames: leads[index]!,
      isHook: role === 'hook',
      isInRun: isInRun === true,
    })),
    fps: FPS,
    capSec,
    minSceneSec: design.pacing.minSceneSec,
    beats,
  });
  if (cardAt >= 0) {
    const cardFrames = lengths.pop()!;
    const startFrame = lengths.reduce((sum, frames) => sum + frames, 0);
    const at = { startFrame, capSec, fps: FPS, beats };
    lengths.push(...pageLengths(plan.length - cardAt, cardFrames, at));
  }
  const { heroTravel } = design.camera;
  let before: Transition = { kind: 'cut', durationFrames: 0 };
  let ran: Side | undefined;
  return plan.map((planned, index) => {
    const draft = drafts[index]!;
    const durationFrames = lengths[index]!;
    const transition = leave({ ...ends[index]!, durationFrames }, ends[index + 1]);
    const span = { startFrame: 0 - before.durationFrames, endFrame: durationFrames };
    const move = moveOf(planned, draft, design.camera, (kind, focus, boundIn) =>
      nextMove(kind, focus, boundIn, ran),
    );
    const scene: Scene = {
      id: `scene-${String(index + 1).padStart(2, '0')}-${kindOf(planned)}`,
      kind: kindOf(planned),
      durationFrames,
      background: palette[draft.variant.background]!,
      layers: finishLayers(draft.layers, design.camera, move, span, {
        leavesAt: durationFrames - transition.durationFrames,
        travel: planned.role === 'hook' ? HOOK_TRAVEL : planned.role === 'hero' ? heroTravel : undefined,
        // The opening takes over the speed of the cuts before it.
        easing: planned.role === 'hero' ? 'land' : undefined,
        before,
      }),
      transition,
    };
    before = transition;
    ran = sideOf(scene.layers);
    return scene;
  });
}

/** Where the camera over the first photo goes, which its photo and its box can turn around. */
function sideOf(layers: readonly Layer[]): Side | undefined {
  const lead = layers.find((layer) => layer.type === 'photo');
  if (lead === undefined || lead.camera.from.span !== lead.camera.to.span) return undefined;
  const travel = lead.camera.to.cx - lead.camera.from.cx;
  return travel === 0 ? undefined : travel > 0 ? 'right' : 'left';
}

/**
 * Frames from the moment a change is felt (the middle of its transition) to the scene's end, in steps: a caption can
 * make a transition slightly longer, and that should not move the beats of all later scenes.
 */
function leadsOf(
  plan: readonly PlannedScene[],
  ends: readonly TransitionEnd[],
  { transitions }: RatioDesign,
  palette: Palette,
): number[] {
  const trial = createTransitionSequence(transitions, palette, FPS);
  return plan.map(({ sec }, index) => {
    const { durationFrames } = trial(
      { ...ends[index]!, durationFrames: Math.round(sec * FPS) },
      ends[index + 1],
    );
    return Math.round(durationFrames / 2 / LEAD_STEP_FRAMES) * LEAD_STEP_FRAMES;
  });
}

function kindOf(planned: PlannedScene): SceneKind {
  return planned.role === 'single' ? 'photo' : planned.role;
}
