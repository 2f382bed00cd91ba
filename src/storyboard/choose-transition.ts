/** Which way leads from one scene to the next: photos dissolve, pages turn, the plate grows. Pure. */
import type {
  Palette,
  RatioDesign,
  SceneRole,
  SceneVariant,
  TransitionDesign,
} from '../template/template.ts';
import type { Transition } from './storyboard.ts';

export interface TransitionEnd {
  readonly role: SceneRole;
  readonly ground: SceneVariant['ground'];
  /** Id of the photo layer a match-zoom may grow from or to. */
  readonly zoomLayerId: string | undefined;
}

/** Most of a scene's time that its way out may take. */
const MAX_SHARE = 0.4;

/** The transition out of `from`, in frames; short scenes get a shorter one. */
export function chooseTransition(
  transitions: RatioDesign['transitions'],
  palette: Palette,
  from: TransitionEnd & { readonly durationFrames: number },
  to: TransitionEnd | undefined,
  fps: number,
): Transition {
  if (!to) return { kind: 'cut', durationFrames: 0 };
  const design = pickDesign(transitions, from, to);
  const frames = (sec: number) => Math.round(sec * fps);
  const durationFrames = Math.min(frames(design.sec), Math.floor(from.durationFrames * MAX_SHARE));
  switch (design.kind) {
    case 'crossfade':
      return { kind: 'crossfade', durationFrames, easing: design.easing };
    case 'push':
      return {
        kind: 'push',
        durationFrames,
        easing: design.easing,
        direction: design.direction,
        gutterPx: design.gutter,
        gutterColor: palette[design.color],
      };
    case 'match-zoom':
      return {
        kind: 'match-zoom',
        durationFrames,
        easing: design.easing,
        fromLayerId: from.zoomLayerId!,
        toLayerId: to.zoomLayerId!,
        fadeFrames: Math.min(frames(design.fadeSec), durationFrames),
      };
  }
}

function pickDesign(
  transitions: RatioDesign['transitions'],
  from: TransitionEnd,
  to: TransitionEnd,
): TransitionDesign {
  if (to.role === 'card') return transitions.toCard;
  if (to.ground === 'full-bleed') {
    if (from.ground === 'full-bleed') return transitions.betweenFullBleed;
    const mayGrow = from.zoomLayerId !== undefined && to.zoomLayerId !== undefined;
    if (from.role === 'hero' && mayGrow) return transitions.heroToFullBleed;
  }
  return transitions.page;
}
