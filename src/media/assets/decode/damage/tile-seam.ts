/** Finds the tiles of a picture that do not continue in their neighbors: they are worth another look. Pure. */

export interface Pixels {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: 3 | 4;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Noise of a damaged tile is as long as one block of HEVC at least. */
const PART_PX = 32;
/** Across a border a sound photo differs as much as beside it, but for little contrast and a few edges. */
const TIMES = 2;
const LEVELS = 6;

/** True when a part of one side differs from what lies beyond it more than rows and columns at that side do. */
export function hasSeam(pixels: Pixels, tile: Rectangle): boolean {
  const { widthPx, heightPx, channels } = pixels;
  const [left, top] = [Math.max(0, tile.left), Math.max(0, tile.top)];
  const [right, bottom] = [Math.min(widthPx, tile.right), Math.min(heightPx, tile.bottom)];
  const [across, down] = [channels, widthPx * channels];
  const isSeam = (x: number, y: number, along: number, beyond: number, length: number): boolean =>
    length > 0 && isPartSeam(pixels.data, y * down + x * across + 1, along, beyond, length);
  for (let y = top; y < bottom; y += PART_PX) {
    const length = Math.min(PART_PX, bottom - y);
    if (left >= 2 && isSeam(left, y, down, across, length)) return true;
    if (right + 1 < widthPx && isSeam(right, y, down, across, length)) return true;
  }
  for (let x = left; x < right; x += PART_PX) {
    const length = Math.min(PART_PX, right - x);
    if (top >= 2 && isSeam(x, top, across, down, length)) return true;
    if (bottom + 1 < heightPx && isSeam(x, bottom, across, down, length)) return true;
  }
  return false;
}

/** @param at - The first sample behind the border. @param along - To the next at the border. @param beyond - Across it. */
function isPartSeam(data: Uint8Array, at: number, along: number, beyond: number, length: number): boolean {
  let [between, beside] = [0, 0];
  for (let index = 0; index < length; index += 1) {
    const here = at + index * along;
    const [far, near, next] = [data[here - 2 * beyond]!, data[here - beyond]!, data[here]!];
    between += Math.abs(next - near);
    beside += Math.abs(near - far) + Math.abs(data[here + beyond]! - next);
  }
  return between > (TIMES / 2) * beside + LEVELS * length;
}
