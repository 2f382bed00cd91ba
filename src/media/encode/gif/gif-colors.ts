/** The palette of a GIF, and the nearest palette color for any pixel. Pure. */

/** Nearest-color look-up for a palette. */
export interface ColorMap {
  readonly palette: readonly (readonly [number, number, number])[];
  /** Index of the palette color nearest to a color with 8 bits per channel. */
  nearest(r: number, g: number, b: number): number;
}

/** 6 bits per channel: finer than a palette of 256 needs, and small enough for a look-up table. */
const BITS = 6;
const SHIFT = 8 - BITS;

/**
 * @param palette - At most 256 colors.
 */
export function createColorMap(palette: readonly (readonly [number, number, number])[]): ColorMap {
  const known = new Int16Array(1 << (3 * BITS)).fill(-1);
  const search = (r: number, g: number, b: number): number => {
    let best = 0;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < palette.length; i++) {
      const color = palette[i]!;
      const distance = colorDistance(r - color[0], g - color[1], b - color[2]);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = i;
      }
    }
    return best;
  };
  const cellOf = (r: number, g: number, b: number) =>
    ((r >> SHIFT) << (2 * BITS)) | ((g >> SHIFT) << BITS) | (b >> SHIFT);
  // The palette's own colors get their exact index, whatever pixel of their cell comes first.
  for (const [index, color] of palette.entries()) known[cellOf(...color)] = index;
  return {
    palette,
    nearest(r, g, b) {
      const cell = cellOf(r, g, b);
      const index = known[cell]!;
      if (index >= 0) return index;
      const found = search(r, g, b);
      known[cell] = found;
      return found;
    },
  };
}

/**
 * Squared, weighted by how much each channel adds to lightness, roughly: green 4, red 3, blue 2 (parts of 9 times 3).
 */
export function colorDistance(dr: number, dg: number, db: number): number {
  return 3 * dr * dr + 4 * dg * dg + 2 * db * db;
}

/**
 * Puts the exact colors of plain areas into a palette, each instead of its nearest color, so that a card's background
 * is not dithered between two similar colors.
 *
 * @param sample - RGBA, opaque.
 */
export function keepPlainColors(
  palette: readonly (readonly [number, number, number])[],
  sample: Uint8Array,
): (readonly [number, number, number])[] {
  const plain = plainColors(sample);
  const others = [...palette];
  for (const [r, g, b] of plain) {
    if (others.length > 1) others.splice(createColorMap(others).nearest(r, g, b), 1);
  }
  return [...others, ...plain];
}

/** A color with a larger share of the video than this is a plain area of the design; no photo has one. */
const PLAIN_SHARE = 0.01;

function plainColors(sample: Uint8Array): (readonly [number, number, number])[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < sample.length; i += 4) {
    const color = (sample[i]! << 16) | (sample[i + 1]! << 8) | sample[i + 2]!;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const enough = (sample.length / 4) * PLAIN_SHARE;
  return [...counts]
    .filter(([, count]) => count >= enough)
    .map(([color]) => [color >> 16, (color >> 8) & 255, color & 255] as const);
}

/**
 * A copy of evenly spread pixels of all frames, for choosing a palette. A copy, because gifenc reads the whole buffer
 * behind a view.
 *
 * @param frames - RGBA.
 * @param maxPixels - Maximum number of pixels in the sample.
 */
export function samplePixels(frames: readonly Uint8Array[], maxPixels: number): Uint8Array {
  const total = frames.reduce((sum, frame) => sum + frame.length / 4, 0);
  // An odd step, so that the sampled pixels do not form columns.
  const step = Math.max(1, Math.ceil(total / maxPixels)) | 1;
  const sample = new Uint8Array(Math.ceil(total / step) * 4);
  let used = 0;
  let position = 0;
  for (const frame of frames) {
    const pixels = frame.length / 4;
    for (; position < pixels; position += step) {
      sample.set(frame.subarray(position * 4, position * 4 + 3), used);
      sample[used + 3] = 255;
      used += 4;
    }
    position -= pixels;
  }
  return sample.slice(0, used);
}

/**
 * How many different colors there are when each has 5, 6 and 5 bits, as gifenc counts them.
 *
 * @param rgba - Read as pixels of 4 bytes.
 */
export function countShades(rgba: Uint8Array): number {
  const seen = new Uint8Array(1 << 16);
  let count = 0;
  for (let i = 0; i < rgba.length; i += 4) {
    const shade = ((rgba[i]! >> 3) << 11) | ((rgba[i + 1]! >> 2) << 5) | (rgba[i + 2]! >> 3);
    if (seen[shade] === 0) count++;
    seen[shade] = 1;
  }
  return count;
}
