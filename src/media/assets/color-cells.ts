/** A small picture as squares of a few pixels: their colors, and how rough they are. Pure. */
import type { SmallPicture } from './picture-look.ts';

/** Side of a cell, px of the small picture. */
const CELL = 4;

/** Equal squares of a picture, row by row. */
export interface ColorCells {
  readonly columns: number;
  readonly rows: number;
  /** Mean red, green and blue of each, 0 to 255. */
  readonly rgb: Float32Array;
  /** The difference between the lightest and the darkest pixel of each. */
  readonly range: Float32Array;
}

export function isPlant(cells: ColorCells, cell: number): boolean {
  const [red, green, blue] = colorOf(cells, cell);
  return green > 1.04 * Math.max(red, blue) + 1;
}

export function colorOf({ rgb }: ColorCells, cell: number): Rgb {
  return [rgb[cell * 3]!, rgb[cell * 3 + 1]!, rgb[cell * 3 + 2]!];
}

type Rgb = readonly [red: number, green: number, blue: number];

export function lumaOf([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function toColorCells({ data, widthPx, heightPx, channels }: SmallPicture): ColorCells {
  const [columns, rows] = [Math.floor(widthPx / CELL), Math.floor(heightPx / CELL)];
  const rgb = new Float32Array(columns * rows * 3);
  const range = new Float32Array(columns * rows);
  for (let cell = 0; cell < range.length; cell += 1) {
    const [left, top] = [(cell % columns) * CELL, Math.floor(cell / columns) * CELL];
    let [low, high] = [255, 0];
    for (let y = top; y < top + CELL; y += 1) {
      for (let x = left; x < left + CELL; x += 1) {
        const at = (y * widthPx + x) * channels;
        for (let channel = 0; channel < 3; channel += 1)
          rgb[cell * 3 + channel]! += data[at + channel]! / (CELL * CELL);
        const luma = lumaOf([data[at]!, data[at + 1]!, data[at + 2]!]);
        low = Math.min(low, luma);
        high = Math.max(high, luma);
      }
    }
    range[cell] = high - low;
  }
  return { columns, rows, rgb, range };
}
