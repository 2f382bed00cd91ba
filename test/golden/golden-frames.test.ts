/**
 * Every template looks like its golden frames, with a plain listing and with hard ones, in both ratios.
 *
 * Distance, on decoded pixels in levels of 0 to 255: the root of the mean square over a frame, which the golden file's
 * own compression and another processor's resampling stay below; and the mean over any square of 24 px, which a word
 * that moved by three pixels of the video or changed its colour passes.
 */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type GoldenSheet, renderSheets } from './golden-frames.ts';

const MAX_RMS = 4;
const MAX_SQUARE = 9;
const SQUARE = 24;

const sheets: GoldenSheet[] = [];
for await (const sheet of renderSheets()) sheets.push(sheet);

describe('golden frames', () => {
  it.each(sheets.map((sheet) => ({ name: sheet.name, sheet })))('$name', async ({ name, sheet }) => {
    const golden = await sharp(fileURLToPath(new URL(`frames/${name}.avif`, import.meta.url)))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([golden.info.width, golden.info.height]).toEqual([sheet.widthPx, sheet.heightPx]);
    const { rms, square } = distance(sheet, golden.data);
    expect(
      Math.max(...rms),
      `RMS of the frames: ${rms.map((value) => value.toFixed(1)).join(' ')}`,
    ).toBeLessThan(MAX_RMS);
    expect(square.mean, `at ${square.x},${square.y} of the sheet`).toBeLessThan(MAX_SQUARE);
  });
});

function distance({ rgb, widthPx, heightPx, frames }: GoldenSheet, golden: Uint8Array) {
  const frameWidth = widthPx / frames;
  const columns = Math.ceil(widthPx / SQUARE);
  const squares = Array.from({ length: columns * Math.ceil(heightPx / SQUARE) }, () => ({
    sum: 0,
    count: 0,
  }));
  const sums = new Float64Array(frames);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const square = squares[Math.floor(y / SQUARE) * columns + Math.floor(x / SQUARE)]!;
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * widthPx + x) * 3 + channel;
        const difference = Math.abs(rgb[at]! - golden[at]!);
        sums[Math.floor(x / frameWidth)]! += difference * difference;
        square.sum += difference;
        square.count++;
      }
    }
  }
  const rms = [...sums].map((sum) => Math.sqrt(sum / (frameWidth * heightPx * 3)));
  const means = squares.map(({ sum, count }) => sum / count);
  const mean = Math.max(...means);
  const at = means.indexOf(mean);
  return { rms, square: { mean, x: (at % columns) * SQUARE, y: Math.floor(at / columns) * SQUARE } };
}
