/** Prints text on a sheet of stills or photos. */
import type { AlphaMask } from '../design/text/text.ts';

/** sRGB, RGBA, rows without padding. */
export interface SheetImage {
  readonly rgba: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

const INK = 0x22;

/**
 * Prints the mask in dark gray. What does not fit on the sheet is cut.
 *
 * @param x - Where the pen starts; `y` is the baseline.
 */
export function printInto(sheet: SheetImage, mask: AlphaMask, x: number, y: number): void {
  for (let row = 0; row < mask.heightPx; row++) {
    for (let column = 0; column < mask.widthPx; column++) {
      const px = x + mask.offsetXPx + column;
      const py = y + mask.offsetYPx + row;
      if (px < 0 || px >= sheet.widthPx || py < 0 || py >= sheet.heightPx) continue;
      const alpha = mask.data[row * mask.widthPx + column]! / 255;
      const at = (py * sheet.widthPx + px) * 4;
      for (let channel = at; channel < at + 3; channel++) {
        sheet.rgba[channel] = Math.round(sheet.rgba[channel]! * (1 - alpha) + INK * alpha);
      }
    }
  }
}
