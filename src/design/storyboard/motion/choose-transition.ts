/** Chooses the transition between two scenes: the first rule of the template that suits both. Pure. */
import type {
  Direction,
  Palette,
  SceneRole,
  SceneSelector,
  SceneVariant,
  TransitionRule,
} from '../../template/template.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Box, Transition } from '../storyboard.ts';

export interface TransitionEnd {
  readonly role: SceneRole;
  readonly ground: SceneVariant['ground'];
  /** Of its photos, in the order of the scene's boxes. */
  readonly rooms: readonly KnownRoom[];
  /** The photo layer that a match-zoom can grow from or to. */
  readonly zoomPhoto: { readonly id: string; readonly digest: string; readonly box: Box } | undefined;
  /** Another photo takes its place before the scene ends. */
  readonly turns?: boolean;
  /** Altered photos are never seen in part, nor without their label: their scenes come and go with a cut. */
  readonly showsAltered?: boolean;
  /** A run is cut. */
  readonly isInRun?: boolean;
}

/** Largest share of a scene that its transition can take. */
const MAX_SHARE = 0.4;
const CUT: Transition = { kind: 'cut', durationFrames: 0 };
const MULTI: ReadonlySet<SceneRole> = new Set(['pair', 'three', 'four', 'six']);
const ENDINGS: ReadonlySet<SceneRole> = new Set(['card', 'closing']);

/**
 * The transitions of a video, to be called scene by scene in order. A rule for every nth change counts the changes that
 * reach it, one for so many changes those that take it, and directions alternate. Short scenes get shorter transitions.
 */
export function createTransitionSequence(
  rules: readonly TransitionRule[],
  palette: Palette,
  fps: number,
): (from: TransitionEnd & { readonly durationFrames: number }, to: TransitionEnd | undefined) => Transition {
  const reached = new Map<TransitionRule, number>();
  const taken = new Map<TransitionRule, number>();
  const count = (counts: Map<TransitionRule, number>, rule: TransitionRule): number => {
    const next = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, next);
    return next;
  };
  return (from, to) => {
    // The pages of a card say themselves what leaves and comes.
    if (!to || from.role === 'card' || from.showsAltered || to.showsAltered || to.isInRun) return CUT;
    // A hook is cut, inside too, whatever the design does later, unless it says otherwise.
    const isNamed = (each: TransitionRule) =>
      each.from?.includes('hook') && (to.role !== 'hook' || each.to?.includes('hook'));
    const open = from.role === 'hook' ? rules.filter(isNamed) : rules;
    const rule = open.find((candidate) => {
      if (!suits(candidate.from, from) || !suits(candidate.to, to, from)) return false;
      if (candidate.kind === 'match-zoom' && !isOnePhoto(from, to)) return false;
      if ((taken.get(candidate) ?? 0) >= (candidate.max ?? Number.POSITIVE_INFINITY)) return false;
      return candidate.every === undefined || count(reached, candidate) % candidate.every === 0;
    });
    if (!rule || rule.kind === 'cut') return CUT;
    return toTransition(rule, count(taken, rule) - 1, from, to, palette, fps);
  };
}

function framesOf(
  rule: Exclude<TransitionRule, { kind: 'cut' }>,
  from: { readonly durationFrames: number },
  fps: number,
): number {
  return Math.min(Math.round(rule.sec * fps), Math.floor(from.durationFrames * MAX_SHARE));
}

function toTransition(
  rule: Exclude<TransitionRule, { kind: 'cut' }>,
  turn: number,
  from: TransitionEnd & { readonly durationFrames: number },
  to: TransitionEnd,
  palette: Palette,
  fps: number,
): Transition {
  const durationFrames = framesOf(rule, from, fps);
  // Parts of a transition shrink with it.
  const part = (sec: number) => Math.min(Math.round((sec / rule.sec) * durationFrames), durationFrames);
  const turned = (directions: readonly Direction[]) => directions[turn % directions.length] ?? 'left';
  if (rule.kind === 'over') return { kind: 'over', durationFrames };
  const timing = { durationFrames, easing: rule.easing };
  switch (rule.kind) {
    case 'crossfade':
      return { kind: 'crossfade', ...timing };
    case 'push':
      return {
        kind: 'push',
        ...timing,
        direction: turned(rule.direction),
        gutterPx: rule.gutter,
        gutterColor: palette[rule.color]!,
      };
    case 'wipe':
      return {
        kind: 'wipe',
        ...timing,
        direction: turned(rule.direction),
        barPx: rule.bar,
        barColor: palette[rule.color]!,
      };
    case 'match-zoom':
      return {
        kind: 'match-zoom',
        ...timing,
        fromLayerId: from.zoomPhoto!.id,
        toLayerId: to.zoomPhoto!.id,
        fadeFrames: Math.min(Math.round(rule.fadeSec * fps), durationFrames),
      };
    case 'dip':
      return { kind: 'dip', ...timing, outFrames: part(rule.outSec), color: palette[rule.color]! };
    case 'aperture':
      return {
        kind: 'aperture',
        ...timing,
        fadeFrames: part(rule.fadeSec),
        axis: rule.axis,
        color: palette[rule.color]!,
      };
  }
}

/** Two photos of one house that dissolve while they grow have two roofs. */
function isOnePhoto(from: TransitionEnd, to: TransitionEnd): boolean {
  return (
    from.turns !== true && from.zoomPhoto !== undefined && from.zoomPhoto.digest === to.zoomPhoto?.digest
  );
}

/**
 * True when any of the terms matches and none with a leading `!` does.
 *
 * @param before - The scene that a change leads from, where `scene` is the one that it leads to.
 */
function suits(selector: SceneSelector | undefined, scene: TransitionEnd, before?: TransitionEnd): boolean {
  if (selector === undefined || selector.length === 0) return true;
  const included = selector.filter((term) => !term.startsWith('!'));
  const excluded = selector.filter((term) => term.startsWith('!')).map((term) => term.slice(1));
  if (excluded.some((term) => isA(term, scene, before))) return false;
  return included.length === 0 || included.some((term) => isA(term, scene, before));
}

function isA(term: string, { role, ground, rooms }: TransitionEnd, before?: TransitionEnd): boolean {
  switch (term) {
    case 'same-room':
      return before !== undefined && before.rooms.at(-1) === rooms[0];
    case 'multi':
      return MULTI.has(role);
    case 'photos':
      return role === 'single' || MULTI.has(role);
    case 'ending':
      return ENDINGS.has(role);
    default:
      return term === role || term === ground;
  }
}
