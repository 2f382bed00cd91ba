/** Displacements of squares all over a frame, in many frames, as a few figures. Pure. */
import { type Displacement, estimateDisplacement, type Square } from './estimate-displacement.ts';
import type { Mapping, Plane } from './sample-scene.ts';

/** All RMS, px, of the length of the displacement. */
export interface MotionError {
  /** Over frames and squares; nothing is removed. Holds what the encoder does to single places. */
  readonly squaresPx: number;
  /** The same after subtracting one offset (dx, dy) for the whole clip: where a graph crops may differ by rounding. */
  readonly steadySquaresPx: number;
  /** Over frames, of the shift and growth that fit all squares of a frame best: the picture, and so the camera. */
  readonly picturePx: number;
  readonly steadyPicturePx: number;
  readonly squares: number;
  readonly frames: number;
}

const SIZE = 128;
/** Squares do not overlap; a frame's border, where the ideal needs pixels from outside of the photo, is left out. */
const PITCH = { x: 160, y: 150 };
const BORDER_PX = 24;
/** A plain wall does not say where it is: noise of 1 code value must not count for more than this. */
const MAX_NOISE_PX = 0.003;
/** Every fifth frame: encoded pictures and each of the five between two of them come up alike. */
const FRAME_STEP = 5;

/**
 * @param frames - Luma, in the order of the video.
 * @param ideal - The photo.
 * @param toMapping - Where a frame should lie on the photo.
 */
export function measureMotion(
  frames: readonly Plane[],
  ideal: Plane,
  toMapping: (frame: number) => Mapping,
): MotionError {
  const squares = chooseSquares(frames[0]!, ideal, toMapping(0));
  const found: Displacement[][] = [];
  for (let n = 0; n < frames.length; n += FRAME_STEP) {
    found.push(squares.map((square) => estimateDisplacement(frames[n]!, ideal, toMapping(n), square)));
  }
  const all = found.flat();
  const offset = { dx: mean(all.map(({ dx }) => dx)), dy: mean(all.map(({ dy }) => dy)) };
  const steady = found.map((frame) =>
    frame.map(({ dx, dy, noisePx }) => ({ dx: dx - offset.dx, dy: dy - offset.dy, noisePx })),
  );
  const squaresPx = (of: Displacement[][]) => rms(of.flat().map(({ dx, dy }) => Math.hypot(dx, dy)));
  const picturePx = (of: Displacement[][]) => rms(of.map((frame) => displacementOfAll(squares, frame)));
  return {
    squaresPx: squaresPx(found),
    steadySquaresPx: squaresPx(steady),
    picturePx: picturePx(found),
    steadyPicturePx: picturePx(steady),
    squares: squares.length,
    frames: found.length,
  };
}

/**
 * RMS over the squares of the displacement `shift + growth * (position - centre)` that fits all of them best, each
 * weighted by what its texture is worth.
 */
function displacementOfAll(squares: readonly Square[], found: readonly Displacement[]): number {
  const weights = found.map(({ noisePx }) => noisePx ** -2);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const average = (of: (n: number) => number) =>
    weights.reduce((sum, weight, n) => sum + weight * of(n), 0) / total;
  const [centreX, centreY] = [average((n) => squares[n]!.x), average((n) => squares[n]!.y)];
  const from = squares.map(({ x, y }) => ({ x: x - centreX, y: y - centreY }));
  const spread = average((n) => from[n]!.x ** 2 + from[n]!.y ** 2);
  const growth = average((n) => from[n]!.x * found[n]!.dx + from[n]!.y * found[n]!.dy) / spread;
  return Math.sqrt(
    average((n) => found[n]!.dx) ** 2 + average((n) => found[n]!.dy) ** 2 + growth ** 2 * spread,
  );
}

function chooseSquares(frame: Plane, ideal: Plane, mapping: Mapping): Square[] {
  const squares: Square[] = [];
  for (let y = BORDER_PX; y + SIZE + BORDER_PX <= frame.heightPx; y += PITCH.y) {
    for (let x = BORDER_PX; x + SIZE + BORDER_PX <= frame.widthPx; x += PITCH.x) {
      const square = { x, y, size: SIZE };
      if (estimateDisplacement(frame, ideal, mapping, square).noisePx <= MAX_NOISE_PX) squares.push(square);
    }
  }
  if (squares.length < 10) throw new Error('the photo has too little detail to measure motion in');
  return squares;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Root of the mean of the squares. */
export function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value ** 2)));
}
