/** The light and colors of a picture in cells, read from its master: 20 to 50 ms each. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { CachedImage } from '../photo-cache.ts';

/** Mean luma, mean square of luma, and mean chroma of the cells of a grid, on the scale of 0 to 255. */
export type Detail = readonly [luma: Cells, square: Cells, u: Cells, v: Cells];
export type Cells = Float32Array;

/** Cells per side. Of a photo of 1920 px a cell has 16 px; smaller photos have no more detail than the fingerprint. */
export const GRID = 120;

/** From `from` to `to`, shares of a side. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The part of a picture that is divided into cells. */
export interface Part {
  readonly x: Span;
  readonly y: Span;
}

export const WHOLE: Part = { x: { from: 0, to: 1 }, y: { from: 0, to: 1 } };

/** Whether each cell of the part has a pixel; a plane of chroma has half as many per side. */
export function hasDetail({ image: { widthPx, heightPx } }: CachedImage, { x, y }: Part = WHOLE): boolean {
  return Math.min(widthPx * (x.to - x.from), heightPx * (y.to - y.from)) >= 2 * GRID;
}

/** @returns Null where the master cannot be read. */
export function readDetail(
  { masterPath, image: { widthPx, heightPx } }: CachedImage,
  part: Part = WHOLE,
): Detail | null {
  let file: number;
  try {
    file = openSync(masterPath, 'r');
  } catch {
    return null;
  }
  try {
    const ySize = widthPx * heightPx;
    const [width, height] = [widthPx / 2, heightPx / 2];
    const chroma = { zero: 128, scale: 255 / 224 };
    const light = { zero: 16, scale: 255 / 219 };
    const luma = readCells(file, 0, { width: widthPx, height: heightPx, part, ...light });
    const u = readCells(file, ySize, { width, height, part, ...chroma });
    const v = readCells(file, ySize * 1.25, { width, height, part, ...chroma });
    return [luma.mean, luma.square, u.mean, v.mean];
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** A plane in cells: a pixel on a border counts in both cells by its shares. At least as many pixels as cells. */
function readCells(
  file: number,
  offset: number,
  plane: {
    readonly width: number;
    readonly height: number;
    readonly part: Part;
    readonly zero: number;
    readonly scale: number;
  },
): { readonly mean: Cells; readonly square: Cells } {
  const { width, height, part, zero, scale } = plane;
  const pixels = Buffer.allocUnsafe(width * height);
  if (readSync(file, pixels, 0, pixels.length, offset) < pixels.length)
    throw new Error('the master is too short');
  const [mean, square] = [new Float64Array(GRID * GRID), new Float64Array(GRID * GRID)];
  const columns = sharesOf(width, part.x);
  const rows = sharesOf(height, part.y);
  const [sums, squares] = [new Float64Array(GRID + 1), new Float64Array(GRID + 1)];
  for (let y = rows.first; y < rows.end; y += 1) {
    sums.fill(0);
    squares.fill(0);
    for (let x = columns.first; x < columns.end; x += 1) {
      const value = (pixels[y * width + x]! - zero) * scale;
      const cell = columns.cell[x]!;
      const here = columns.here[x]! * value;
      const next = columns.next[x]! * value;
      sums[cell]! += here;
      squares[cell]! += here * value;
      sums[cell + 1]! += next;
      squares[cell + 1]! += next * value;
    }
    for (const [row, share] of [
      [rows.cell[y]!, rows.here[y]!],
      [rows.cell[y]! + 1, rows.next[y]!],
    ] as const) {
      if (share === 0) continue;
      for (let cell = 0; cell < GRID; cell += 1) {
        mean[row * GRID + cell]! += share * sums[cell]!;
        square[row * GRID + cell]! += share * squares[cell]!;
      }
    }
  }
  return { mean: Float32Array.from(mean), square: Float32Array.from(square) };
}

/** For each of `count` pixels its cell, and which share of that cell and of the next it is; others are outside of the span. */
function sharesOf(count: number, { from: start, to: stop }: Span) {
  const first = Math.floor(start * count);
  const end = Math.min(count, Math.ceil(stop * count));
  const cell = new Uint8Array(count);
  const [here, next] = [new Float64Array(count), new Float64Array(count)];
  const cellsPerPixel = GRID / ((stop - start) * count);
  for (let pixel = first; pixel < end; pixel += 1) {
    const from = Math.max(0, (pixel - start * count) * cellsPerPixel);
    const to = Math.min(GRID, (pixel + 1 - start * count) * cellsPerPixel);
    cell[pixel] = Math.min(GRID - 1, Math.floor(from));
    // The last border is at the end, but for rounding.
    const border = Math.min(to, cell[pixel]! + 1);
    here[pixel] = border - from;
    next[pixel] = cell[pixel] === GRID - 1 ? 0 : to - border;
  }
  return { cell, here, next, first, end };
}
