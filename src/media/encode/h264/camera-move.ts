/** The frames at a segment's beginning in which the camera alone moves, and which of them are encoded. Pure. */
import type { FrameView } from '../../../design/photo.ts';
import { GROUP_FRAMES } from '../encode-settings.ts';
import type { MoveDistances } from './moved-picture.ts';

export interface CameraMove {
  /** Of each frame, from the segment's first. Nothing lies over the photo. */
  readonly views: readonly FrameView[];
  /** From one encoded frame to the next. */
  readonly groupFrames: number;
}

/**
 * From one encoded frame of a fade to the next. Nothing moves, so the frames between are as clear; what begins or ends
 * to fade between two of them does so up to 0.2 s earlier or later.
 */
export const FADE_FRAMES = 2 * GROUP_FRAMES;

/** A shorter one costs the usual encoder another first picture for nothing. */
const MIN_GROUPS = 2;
/**
 * Greatest growth from one encoded frame to the next. Within a macroblock all pixels move alike: at 1.02 the outermost
 * are 0.16 px beside their place, halved where two pictures are mixed.
 */
const MAX_GROWTH = 1.02;
/** Before the encoder begins a new group of pictures of itself: `keyint` of `encode-settings.ts`. */
const MAX_GROUPS = 299;

/**
 * The part of a camera move whose frames need not be encoded: whole groups, or up to the segment's end.
 *
 * @param views - Of the segment's first frames.
 * @param frames - Number of the segment's frames that are not held.
 * @param groupFrames - {@link FADE_FRAMES} where nothing moves and the segment is never cut.
 * @returns Undefined where it is too short or too fast.
 */
export function toCameraMove(
  views: readonly FrameView[],
  frames: number,
  groupFrames: number = GROUP_FRAMES,
): CameraMove | undefined {
  const known = views.slice(0, Math.min(frames, MAX_GROUPS * GROUP_FRAMES + 1));
  let last = known.length - 1;
  for (let n = GROUP_FRAMES; n < known.length + GROUP_FRAMES - 1; n += GROUP_FRAMES) {
    const [before, after] = [known[n - GROUP_FRAMES]!, known[Math.min(n, known.length - 1)]!];
    const growth = Math.max(after.width / before.width, before.width / after.width);
    if (growth <= MAX_GROWTH) continue;
    last = n - GROUP_FRAMES;
    break;
  }
  if (last + 1 < frames) last -= last % groupFrames;
  if (last < MIN_GROUPS * GROUP_FRAMES) return undefined;
  return { views: known.slice(0, last + 1), groupFrames };
}

/** A segment's frames by who encodes them, counted from its first frame. */
export interface EncodedFrames {
  /** Of the camera move: the first of each group, and its last. Those between are written without an encoder. */
  readonly ofMove: readonly number[];
  /** Of the rest. The move's last frame comes first here too, since the next ones are predicted from it. */
  readonly ofRest: readonly number[];
}

/** @param frames - Number of the segment's frames that are not held. */
export function planEncodedFrames(frames: number, move: CameraMove | undefined): EncodedFrames {
  if (move === undefined) return { ofMove: [], ofRest: Array.from({ length: frames }, (_, n) => n) };
  const last = move.views.length - 1;
  const ofMove: number[] = [];
  for (let n = 0; n < last; n += move.groupFrames) ofMove.push(n);
  ofMove.push(last);
  const ofRest = Array.from({ length: frames - last }, (_, n) => last + n);
  return { ofMove, ofRest: ofRest.length > 1 ? ofRest : [] };
}

/** Side of a macroblock, px. */
const BLOCK = 16;

/** A frame between two encoded ones. */
export interface MovedFrame {
  readonly now: FrameView;
  readonly after: FrameView;
  readonly before: FrameView;
  /** Of the encoded frame after it in the mix, 0 to 1. */
  readonly shareOfAfter: number;
}

/**
 * How far each macroblock of a frame is from its place in the encoded frames after and before it.
 *
 * @param columns - Macroblocks in a row of the frame.
 * @param rows - Rows of macroblocks.
 */
export function moveDistances(
  { now, after, before, shareOfAfter }: MovedFrame,
  frame: { readonly widthPx: number; readonly heightPx: number },
  { columns, rows }: { readonly columns: number; readonly rows: number },
): MoveDistances {
  const across = ({ left, width }: FrameView): Axis => [left, width];
  const down = ({ top, height }: FrameView): Axis => [top, height];
  const along = (count: number, sidePx: number, axis: (view: FrameView) => Axis) => {
    const to = (view: FrameView) => exactDistances(count, sidePx, axis(now), axis(view));
    return roundPairs(to(after), to(before), shareOfAfter);
  };
  return { columns: along(columns, frame.widthPx, across), rows: along(rows, frame.heightPx, down) };
}

type Axis = readonly [start: number, length: number];

/** In quarters of a pixel. */
function exactDistances(count: number, sidePx: number, now: Axis, to: Axis): number[] {
  return Array.from({ length: count }, (_, n) => {
    const at = BLOCK * n + BLOCK / 2;
    const onPhoto = now[0] + (now[1] * at) / sidePx;
    const there = ((onPhoto - to[0]) / to[1]) * sidePx;
    return 4 * (there - at);
  });
}

/** Whole quarters that are tried around each exact distance. */
const NEAR = [-1, 0, 1, 2];
/** Of the square of the spread (quarters of a pixel) beside that of the displacement. 0.01 to 0.1 do as well. */
const SPREAD_COST = 0.03;

/**
 * Rounds both distances of each macroblock to quarters of a pixel, so that the mix of both places is right: its steps
 * are eighths in the middle of a group and finer beside encoded frames. Each rounded to its nearest, both can be off to
 * the same side: at 1080p the picture as a whole was 0.026 px from its path instead of 0.014, and the changes from one
 * macroblock to the next took 980 bytes a picture instead of 560. Places that are further apart blur.
 */
function roundPairs(
  after: readonly number[],
  before: readonly number[],
  shareOfAfter: number,
): readonly [Int16Array, Int16Array] {
  const pairs = after.map((toAfter, n) => roundPair(toAfter, before[n]!, shareOfAfter));
  return [Int16Array.from(pairs, ([first]) => first), Int16Array.from(pairs, ([, second]) => second)];
}

function roundPair(after: number, before: number, shareOfAfter: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (const a of NEAR) {
    for (const b of NEAR) {
      const pair = [Math.floor(after) + a, Math.floor(before) + b] as const;
      const [offAfter, offBefore] = [pair[0] - after, pair[1] - before];
      const off = shareOfAfter * offAfter + (1 - shareOfAfter) * offBefore;
      const spread = shareOfAfter * offAfter ** 2 + (1 - shareOfAfter) * offBefore ** 2;
      const cost = off ** 2 + SPREAD_COST * spread ** 2;
      if (cost >= least) continue;
      least = cost;
      best = pair;
    }
  }
  return best;
}
