/** The brightness of a photo, cell by cell, read from its decoded pixels for text contrast. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Photo } from '../../design/photo.ts';
import type { PhotoLight } from '../../design/storyboard/elements/scene-context.ts';

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

function measure({ masterPath, widthPx, heightPx }: Photo): PhotoLight | undefined {
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
    return { columns, rows, luma };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** 0 black to 1 white. */
function meanOf(band: Buffer, x: number, width: number, lines: number, stride: number): number {
  let sum = 0;
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < width; i++) sum += band[line * stride + x + i]!;
  }
  return Math.min(1, Math.max(0, (sum / (width * lines) - BLACK) / (WHITE - BLACK)));
}
