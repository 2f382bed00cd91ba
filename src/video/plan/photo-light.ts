/** How light a photo is, cell by cell, and its colors along two edges, read from its decoded pixels. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Photo } from '../../design/photo.ts';
import type { PhotoLight } from '../../design/storyboard/elements/scene-context.ts';
import type { Color } from '../../design/storyboard/storyboard.ts';
import { writeRgba } from '../../media/render/color.ts';

/** Side of a cell, px of the master. */
const CELL = 16;
const BLACK = 16;
const WHITE = 235;

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
    const edges = { top: bandColor(file, photo, 0), bottom: bandColor(file, photo, 1) };
    return { columns, rows, luma, edges };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Of the photo's height: narrow, so that it goes on where the photo ends. */
const EDGE = 0.04;

/** The mean color of a band along an edge. @param end - 0 for the upper one, 1 for the lower one. */
function bandColor(file: number, { widthPx, heightPx }: Photo, end: 0 | 1): Color {
  const lines = Math.max(1, Math.round((EDGE * heightPx) / 2));
  const means = [0, 1, 2].map((plane) => {
    const scale = plane === 0 ? 1 : 2;
    const [width, height] = [widthPx / scale, heightPx / scale];
    const own = (lines * 2) / scale;
    const start = plane === 0 ? 0 : widthPx * heightPx * (1 + (plane - 1) / 4);
    const band = Buffer.alloc(own * width);
    readSync(file, band, 0, band.length, start + end * (height - own) * width);
    return sumOf(band, 0, band.length) / band.length;
  });
  const rgba = new Uint8ClampedArray(4);
  writeRgba(rgba, 0, means[0]!, means[1]!, means[2]!);
  return `#${Buffer.from(rgba.subarray(0, 3)).toString('hex').toUpperCase()}`;
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
