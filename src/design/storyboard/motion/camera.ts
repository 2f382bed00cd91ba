/** The camera over one photo, as a path of views in scene frames (README.md, "Camera"). Pure. */
import type { CameraMove, CameraRules, Easing } from '../../template/template.ts';
import {
  aspectOf,
  type FramedPhoto,
  isPanorama,
  nearestSpan,
  partAround,
  restSpan,
} from '../scenes/fit-photo.ts';
import type { Box, CameraPath, View } from '../storyboard.ts';

/** A move of one scene; `pan-*` and `lateral-*` name the direction in which the view travels. */
export type SceneMove = 'in' | 'out' | 'lateral-left' | 'lateral-right' | 'pan-left' | 'pan-right' | 'still';

/** Zooming in or out, the center drifts at most this share of the photo's width toward the focus. */
const MAX_DRIFT = 0.05;
/** The most that a lateral move travels, share of the visible width. */
const LATERAL_TRAVEL = 0.06;
/** A focus nearer to the middle than this does not say where the subject is. */
const CENTRAL = 0.06;

/** In a scene of some seconds a panorama, of which three widths are to cross, runs by so many times as fast. */
const PANORAMA = { times: 6.2, fromSec: 1 };
/** Sky and lawn show no motion: over a house that is wider than its view a pan is so many times as fast to be felt alike. */
const HOUSE_TIMES = 1.6;
/**
 * A pan over a photo with a caption is so many times as fast as others, up to this share of the box's width in a second: it
 * shows more of what the caption names, and the caption can still be read.
 */
const NAMED = { times: 1.2, maxSpeed: 0.18 };
/** Over a house little wider than its view a pan goes on beyond its edges, share of the photo: less is not seen to move. */
const LEAST_CROSSING = 0.16;
/** Over a room a pan keeps its focus so far inside the view, share of its width: the subject is always seen. */
const FOCUS_INSIDE = 0.1;
/** And it goes so much farther before its focus than behind it, share of its way: it ends on the subject, not beside it. */
const AHEAD = 0.5;
/** How much faster than on average a pan is in its middle: the steepest part of `sweep`. */
const PEAK = 1.6;
/** A pan crosses much of its photo: a gentler curve keeps its middle slow enough to be seen. */
const PAN_EASING = 'sweep';

export interface CameraRequest {
  readonly photo: FramedPhoto;
  readonly box: Box;
  readonly move: SceneMove;
  /** So many times nearer than where the photo just covers the box. */
  readonly closer?: number;
  /** Default 2. */
  readonly maxEnlargement?: number;
  /** Position of the photo within its scene, from 0. */
  readonly order: number;
  /** Change of scale as a fraction; replaces speed times time. */
  readonly travel?: number;
  /** Of the opening: a pan with less way than the travel begins nearer, by what it lacks. */
  readonly opens?: boolean;
  /** A caption names what is in the photo: a pan crosses more of it. */
  readonly isNamed?: boolean;
  /** Replaces that of the rules, and of pans. */
  readonly easing?: Easing;
  /** First frame on which the photo is seen; negative during the transition into the scene. */
  readonly startFrame: number;
  /** Last frame, exclusive; the leaving transition included. */
  readonly endFrame: number;
  readonly fps: number;
}

/** The path over one photo, on all frames on which the scene is seen, so that it also moves in transitions. */
export function cameraPath(rules: CameraRules, request: CameraRequest): CameraPath {
  const { photo, box, move, startFrame, endFrame } = request;
  const cover = restSpan(photo, box) / (request.closer ?? 1);
  const rest = viewAround(photo.focus, cover, request);
  const seconds = (endFrame - startFrame) / request.fps;
  const path = (from: View, to: View, easing = request.easing ?? rules.easing): CameraPath => ({
    from,
    to,
    startFrame,
    endFrame,
    easing,
  });
  if (move === 'still') return path(rest, rest);
  // A zoom stops where a pixel would be enlarged beyond the limit.
  const nearest = Math.min(cover, nearestSpan(photo, box, request.maxEnlargement));
  if (move === 'pan-left' || move === 'pan-right') {
    const { from, to } = panViews(rest, move, seconds, rules.pan, request);
    const lack = request.opens === true ? (request.travel ?? 0) - Math.abs(to.cx - from.cx) / rest.span : 0;
    const start =
      lack > 0
        ? viewAround({ x: from.cx, y: from.cy }, Math.max(nearest, cover / (1 + lack)), request)
        : from;
    return path(start, to, request.easing ?? PAN_EASING);
  }
  let full =
    request.travel ?? Math.min(rules.maxTravel, Math.max(rules.minTravel, rules.speedPerSec * seconds));
  for (let order = 0; order < request.order; order++) full *= rules.parallax;
  if (move === 'in' || move === 'out') {
    const near = driftToward(rest, photo.focus, Math.max(nearest, cover / (1 + full)), request);
    return move === 'in' ? path(rest, near) : path(near, rest);
  }
  const share = Math.min(LATERAL_TRAVEL, full);
  // A photo wider than its box has room on its sides; any other comes nearer until it has.
  const middle = viewAround(photo.focus, Math.max(nearest, Math.min(cover, 1 / (1 + share))), request);
  const [first, last] = centersOf(middle, request);
  const length = Math.min(share * middle.span, last - first);
  const travel = move === 'lateral-left' ? -length : length;
  // When an end would leave the photo or lose its focus, the whole path moves back inside: its length stays.
  const half = Math.abs(travel) / 2;
  const cx = clamp(middle.cx, first + half, last - half);
  return path({ ...middle, cx: cx - travel / 2 }, { ...middle, cx: cx + travel / 2 });
}

export type NextMove = (kind: 'hook' | 'hero' | 'closing' | 'move' | 'pan', over?: MovedOver) => SceneMove;

/** The photo that a scene moves over. */
interface MovedOver {
  readonly focus?: { readonly x: number };
  /** In what a focus that the listing gives leaves no way to the side. */
  readonly boundIn?: 'hook' | 'scene';
  readonly isNamed?: boolean;
}

/**
 * The moves of consecutive scenes: the hero's, then the cycle. The same kind never comes twice running, but for pans,
 * which then turn around. Lateral moves and pans run toward the subject, unless the scene before went that way; over a
 * photo with a caption always. Where the photo does not say where its subject is, they change sides. Where a focus leaves
 * them no way, a zoom takes their place.
 */
export function createMoveSequence(rules: CameraRules): NextMove {
  let turn = 0;
  let sideways = 0;
  let last: SceneMove | undefined;
  return (kind, { focus = { x: 0.5 }, boundIn, isNamed = false } = {}) => {
    const side = () => {
      const toward = focus.x > 0.5 ? 'right' : 'left';
      const isAside = Math.abs(focus.x - 0.5) >= CENTRAL;
      if (isNamed && isAside) return toward;
      if (last?.endsWith('-right')) return 'left';
      if (last?.endsWith('-left')) return 'right';
      if (isAside) return toward;
      return sideways++ % 2 === 0 ? 'right' : 'left';
    };
    const zooms = (['in', 'out'] as const).filter(
      (move) => move !== last && !(boundIn === 'hook' && move === rules.hero),
    );
    const named = (move: CameraMove): SceneMove => {
      if (move !== 'lateral' && move !== 'pan') return move;
      return boundIn !== undefined && zooms.length > 0 ? zooms[0]! : `${move}-${side()}`;
    };
    const before = last?.split('-')[0];
    if (kind === 'hero') last = named(rules.hero);
    else if (kind === 'hook') {
      // None is that of the opening, which follows.
      const others = [...rules.cycle, 'lateral' as const].filter(
        (move) => move !== rules.hero && move !== before,
      );
      last = named(rules.hook ?? others[0] ?? 'lateral');
    } else if (kind === 'pan') last = named('pan');
    else if (kind === 'closing' && rules.closing !== undefined && rules.closing !== before)
      last = named(rules.closing);
    else {
      let next = rules.cycle[turn++ % rules.cycle.length]!;
      if (before === next) next = rules.cycle[turn++ % rules.cycle.length]!;
      last = named(next);
    }
    return last;
  };
}

/** The view of this width that is as near to the aim as the photo allows. */
function viewAround(
  aim: { x: number; y: number },
  span: number,
  { photo, box }: Pick<CameraRequest, 'photo' | 'box'>,
): View {
  const { left, top, width, height } = partAround(photo, box, span, aim);
  return { cx: left + width / 2, cy: top + height / 2, span };
}

/** Whether a focus that the listing gives leaves a pan or a lateral move less than half of its way, or a house a pan. */
export function isHeld(
  rules: CameraRules,
  at: Pick<CameraRequest, 'photo' | 'box'>,
  isPan: boolean,
): boolean {
  if (!at.photo.keepsFocus && !(isPan && at.photo.subject)) return false;
  const cover = restSpan(at.photo, at.box);
  const span = isPan ? cover : Math.min(cover, 1 / (1 + LATERAL_TRAVEL));
  const [first, last] = keptCenters({ cy: at.photo.focus.y, span }, at);
  return last - first < (isPan ? rules.pan.min : LATERAL_TRAVEL * span) / 2;
}

/** Where the center of a view of this width can be: in the photo, and with a focus that the listing gives in view. */
function centersOf(
  { cy, span }: View,
  request: Pick<CameraRequest, 'photo' | 'box'>,
): readonly [first: number, last: number] {
  return request.photo.keepsFocus ? keptCenters({ cy, span }, request) : [span / 2, 1 - span / 2];
}

/** Where it can be with house and focus in view. */
function keptCenters(
  { cy, span }: Pick<View, 'cy' | 'span'>,
  request: Pick<CameraRequest, 'photo' | 'box'>,
): readonly [first: number, last: number] {
  const [first, last] = [0, 1].map((x) => viewAround({ x, y: cy }, span, request).cx);
  return [first!, last!];
}

function driftToward(
  from: View,
  focus: { x: number; y: number },
  span: number,
  request: CameraRequest,
): View {
  const goal = viewAround(focus, span, request);
  const drift = { x: goal.cx - from.cx, y: (goal.cy - from.cy) / aspectOf(request.photo) };
  const length = Math.sqrt(drift.x * drift.x + drift.y * drift.y);
  const share = length > MAX_DRIFT ? MAX_DRIFT / length : 1;
  const aim = { x: from.cx + (goal.cx - from.cx) * share, y: from.cy + (goal.cy - from.cy) * share };
  return viewAround(aim, span, request);
}

/** A pan comes from the side that is asked for where that has so much of the way that the other one has. */
const ENOUGH_WAY = 0.6;

/**
 * Crosses the photo at its scale, to both sides of its focus, which stays in view, and ends near it; one near an edge of the
 * photo, which leaves less than the shortest way for that, is what the pan ends on. A panorama is crossed from end to end, and a house
 * that is wider than the view as far as time goes, to both sides of its middle. In a short scene the pan goes a part of
 * the way: what crosses the frame in less than three seconds is not seen.
 */
function panViews(
  rest: View,
  move: SceneMove,
  seconds: number,
  pan: CameraRules['pan'],
  request: CameraRequest,
): { from: View; to: View } {
  const { subject } = request.photo;
  const isWide = isPanorama(request.photo);
  const isCutHouse = subject !== undefined && subject.right - subject.left > rest.span;
  const times = isWide && seconds >= PANORAMA.fromSec ? PANORAMA.times : isCutHouse ? HOUSE_TIMES : 1;
  const named = request.isNamed ? Math.min(NAMED.times * pan.maxSpeed, NAMED.maxSpeed) : 0;
  const speed = Math.max(times * pan.maxSpeed, named);
  const inTime = ((speed * seconds) / PEAK) * rest.span;
  const wanted = isWide || isCutHouse ? 1 : clamp(pan.perSec * seconds, pan.min, pan.max);
  const travel = Math.min(1 - rest.span, wanted, inTime);
  const sign = move === 'pan-left' ? -1 : 1;
  const inside = (cx: number): View => ({
    ...viewAround({ x: cx, y: rest.cy }, rest.span, request),
    cy: rest.cy,
  });
  if (isWide) {
    const from = inside(rest.cx - sign * travel);
    return { from, to: inside(from.cx + sign * travel) };
  }
  if (isCutHouse && !request.photo.keepsFocus) {
    const half = Math.min(travel, Math.max(LEAST_CROSSING, subject.right - subject.left - rest.span)) / 2;
    const middle = (subject.left + subject.right) / 2;
    return { from: inside(middle - sign * half), to: inside(middle + sign * half) };
  }
  const reach = (0.5 - FOCUS_INSIDE) * rest.span;
  const { x } = request.photo.focus;
  const [first, last] = [inside(x - reach).cx, inside(x + reach).cx];
  const shown = Math.min(travel, last - first);
  if (shown >= Math.min(travel, pan.min)) {
    const middle = clamp(rest.cx - (sign * AHEAD * shown) / 2, first + shown / 2, last - shown / 2);
    return { from: inside(middle - (sign * shown) / 2), to: inside(middle + (sign * shown) / 2) };
  }
  const [asked, other] = [inside(rest.cx - sign * travel), inside(rest.cx + sign * travel)];
  const wayFrom = (from: View) => Math.abs(rest.cx - from.cx);
  return { from: wayFrom(asked) >= ENOUGH_WAY * wayFrom(other) ? asked : other, to: rest };
}

function clamp(value: number, low: number, high: number): number {
  // Rounding can turn a range inside out; it then has one value.
  return low > high ? (low + high) / 2 : Math.min(high, Math.max(low, value));
}
