/** The frames at a segment's beginning in which the camera alone moves, and which of them are encoded. Pure. */
import type { FrameView } from '../../../design/photo.ts';
import { GROUP_FRAMES } from '../encode-settings.ts';
import type { MoveDistances } from './moved-picture.ts';

export interface CameraMove {
  /** Of each frame, from the segment's first. Nothing lies over the photo. */
  readonly views: readonly FrameView[];
}

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
 * @returns Undefined where it is too short or too fast.
 */
export function toCameraMove(views: readonly FrameView[], frames: number): CameraMove | undefined {
  const known = views.slice(0, Math.min(frames, MAX_GROUPS * GROUP_FRAMES + 1));
  let last = known.length - 1;
  for (let n = GROUP_FRAMES; n < known.length + GROUP_FRAMES - 1; n += GROUP_FRAMES) {
    const [before, after] = [known[n - GROUP_FRAMES]!, known[Math.min(n, known.length - 1)]!];
    const growth = Math.max(after.width / before.width, before.width / after.width);
    if (growth <= MAX_GROWTH) continue;
    last = n - GROUP_FRAMES;
    break;
  }
  if (last + 1 < frames) last -= last % GROUP_FRAMES;
  if (last < MIN_GROUPS * GROUP_FRAMES) return undefined;
  return { views: known.slice(0, last + 1) };
}

/** A segment's frames by who encodes them, counted from its first frame. */
export interface EncodedFrames {
  /** Of the camera move: every sixth, and its last. The frames between them are written without an encoder. */
  readonly ofMove: readonly number[];
  /** Of the rest. The move's last frame comes first here too, since the next ones are predicted from it. */
  readonly ofRest: readonly number[];
}

/** @param frames - Number of the segment's frames that are not held. */
export function planEncodedFrames(frames: number, move: CameraMove | undefined): EncodedFrames {
  if (move === undefined) return { ofMove: [], ofRest: Array.from({ length: frames }, (_, n) => n) };
  const last = move.views.length - 1;
  const ofMove: number[] = [];
  for (let n = 0; n < last; n += GROUP_FRAMES) ofMove.push(n);
  ofMove.push(last);
  const ofRest = Array.from({ length: frames - last }, (_, n) => last + n);
  return { ofMove, ofRest: ofRest.length > 1 ? ofRest : [] };
}

/** Side of a macroblock, px. */
const BLOCK = 16;

/**
 * How far each macroblock of a frame is from its place in the encoded frames after and before it.
 *
 * @param columns - Macroblocks in a row of the frame.
 * @param rows - Rows of macroblocks.
 */
export function moveDistances(
  [now, after, before]: readonly [FrameView, FrameView, FrameView],
  frame: { readonly widthPx: number; readonly heightPx: number },
  { columns, rows }: { readonly columns: number; readonly rows: number },
): MoveDistances {
  const across = (to: FrameView) =>
    distances(columns, frame.widthPx, [now.left, now.width], [to.left, to.width]);
  const down = (to: FrameView) => distances(rows, frame.heightPx, [now.top, now.height], [to.top, to.height]);
  return { columns: [across(after), across(before)], rows: [down(after), down(before)] };
}

type Axis = readonly [start: number, length: number];

function distances(count: number, sidePx: number, now: Axis, to: Axis): Int16Array {
  return Int16Array.from({ length: count }, (_, n) => {
    const at = BLOCK * n + BLOCK / 2;
    const onPhoto = now[0] + (now[1] * at) / sidePx;
    const there = ((onPhoto - to[0]) / to[1]) * sidePx;
    return Math.round(4 * (there - at));
  });
}
