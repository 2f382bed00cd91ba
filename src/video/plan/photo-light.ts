/** How light a photo is, cell by cell, its color as a whole and along two edges, read from its decoded pixels. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Photo } from '../../design/photo.ts';
import type { PhotoLight, PhotoTint } from '../../design/storyboard/elements/scene-context.ts';
import type { Color } from '../../design/storyboard/storyboard.ts';
import { writeRgba } from '../../media/render/color.ts';

/** Side of a cell, px of the master. */
const CELL = 16;
const BLACK = 16;
const WHITE = 235;
const GRAY = 128;
const CHROMA_RANGE = 224;

/**
 * A meter for one run that measures each photo once. It reads synchronously: few photos carry text, and planning is one
 * synchronous step.
 *
 * @returns Undefined for a photo whose pixels cannot be read.
 */
export function createLightMeter(): (photo: Photo) => PhotoLight | undefined {
  const known = new Map<string, PhotoLight | undefined>();
  return (photo) => {
    if (!known.has(photo.digest)) known.set(photo.digest, measure(photo));
    return known.get(photo.digest);
  };
}

function measure(photo: Photo): PhotoLight | undefined {
  const { masterPath, widthPx, heightPx } = photo;
  const columns = Math.ceil(widthPx / CELL);
  const rows = Math.ceil(heightPx / CELL);
  const luma = new Float32Array(columns * rows);
  const band = Buffer.alloc(widthPx * CELL);
  let file: number;
  try {
    file = openSync(masterPath, 'r');
  } catch {
    return undefined;
  }
  try {
    for (let row = 0; row < rows; row++) {
      const lines = Math.min(CELL, heightPx - row * CELL);
      const length = lines * widthPx;
      if (readSync(file, band, 0, length, row * CELL * widthPx) < length) return undefined;
      for (let column = 0; column < columns; column++) {
        luma[row * columns + column] = meanOf(
          band,
          column * CELL,
          Math.min(CELL, widthPx - column * CELL),
          lines,
          widthPx,
        );
      }
    }
    const { tint, chroma } = tintOf(file, photo);
    const at = (from: number, count: number, step: number): number =>
      meanOfCells(Array.from({ length: count }, (_, index) => luma[from + index * step]!));
    const sides = {
      top: colorOf(at(0, columns, 1), chroma.top),
      bottom: colorOf(at((rows - 1) * columns, columns, 1), chroma.bottom),
      left: colorOf(at(0, rows, columns), chroma.left),
      right: colorOf(at(columns - 1, rows, columns), chroma.right),
    };
    return { columns, rows, luma, edge: edgeColor(file, photo), sides, tint };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Of the photo's height: narrow, so that it goes on where the photo ends. */
const EDGE = 0.04;

/** The median color of a band along the upper and one along the lower edge: lines that end there do not count. */
function edgeColor(file: number, { widthPx, heightPx }: Photo): Color {
  const lines = Math.max(1, Math.round((EDGE * heightPx) / 2));
  const medians = [0, 1, 2].map((plane) => {
    const scale = plane === 0 ? 1 : 2;
    const [width, height] = [widthPx / scale, heightPx / scale];
    const start = plane === 0 ? 0 : widthPx * heightPx * (1 + (plane - 1) / 4);
    const length = ((lines * 2) / scale) * width;
    const bands = Buffer.alloc(2 * length);
    readSync(file, bands, 0, length, start);
    readSync(file, bands, length, length, start + height * width - length);
    return bands.sort()[length]!;
  });
  return hexOf(medians[0]!, medians[1]!, medians[2]!);
}

/** Of plants, green leads red and blue by more levels; the gray of walls does not. */
const GREEN_LEAD = 6;

type Chroma = readonly [blue: number, red: number];

function meanOfCells(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param luma 0 black to 1 white. @param chroma Of 8-bit pixels, without their offset. */
function colorOf(luma: number, [blue, red]: Chroma): Color {
  return hexOf(BLACK + luma * (WHITE - BLACK), GRAY + blue, GRAY + red);
}

function hexOf(y: number, cb: number, cr: number): Color {
  const rgba = new Uint8ClampedArray(4);
  writeRgba(rgba, 0, y, cb, cr);
  return `#${Buffer.from(rgba.subarray(0, 3)).toString('hex').toUpperCase()}`;
}

/** Of every sixteenth line: colors of rooms are large. */
function tintOf(file: number, { widthPx, heightPx }: Photo) {
  const [width, height] = [widthPx / 2, heightPx / 2];
  const lines = [Buffer.alloc(width), Buffer.alloc(width)] as const;
  let [blue, red, green, count] = [0, 0, 0, 0];
  const rowsOf: { readonly line: Chroma; readonly left: Chroma; readonly right: Chroma }[] = [];
  for (let row = 0; row < height; row += CELL) {
    for (const [plane, line] of lines.entries())
      readSync(file, line, 0, width, widthPx * heightPx + (plane * height + row) * width);
    for (let x = 0; x < width; x++) {
      const [cb, cr] = [lines[0][x]! - GRAY, lines[1][x]! - GRAY];
      blue += cb;
      red += cr;
      green += Number(greenLead(cb, cr) > GREEN_LEAD);
    }
    count += width;
    const band = Math.min(CELL, width);
    const part = (from: number, length: number): Chroma => [
      sumOf(lines[0], from, length) / length - GRAY,
      sumOf(lines[1], from, length) / length - GRAY,
    ];
    rowsOf.push({ line: part(0, width), left: part(0, band), right: part(width - band, band) });
  }
  const column = (side: 'left' | 'right'): Chroma => [
    meanOfCells(rowsOf.map((row) => row[side][0])),
    meanOfCells(rowsOf.map((row) => row[side][1])),
  ];
  const chroma = {
    top: rowsOf[0]!.line,
    bottom: rowsOf.at(-1)!.line,
    left: column('left'),
    right: column('right'),
  };
  const tint: PhotoTint = {
    blue: blue / count / CHROMA_RANGE,
    red: red / count / CHROMA_RANGE,
    green: green / count,
  };
  return { tint, chroma };
}

/** Levels by which green leads the greater of red and blue (BT.709). */
function greenLead(cb: number, cr: number): number {
  return (-255 / CHROMA_RANGE) * Math.max(0.1873 * cb + 2.0429 * cr, 2.0429 * cb + 0.4681 * cr);
}

/** 0 black to 1 white. */
function meanOf(band: Buffer, x: number, width: number, lines: number, stride: number): number {
  let sum = 0;
  for (let line = 0; line < lines; line++) sum += sumOf(band, line * stride + x, width);
  return Math.min(1, Math.max(0, (sum / (width * lines) - BLACK) / (WHITE - BLACK)));
}

/** A loop of its own: it is soon compiled, and every photo under a text is summed up here. */
function sumOf(bytes: Buffer, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + count; at++) sum += bytes[at]!;
  return sum;
}
