/** Stills side by side in one image, each with a line of text below. */
import type { TextMeasurer, TextRasterizer, TextStyle } from '../../design/text/text.ts';
import { printInto, type SheetImage } from '../print-into.ts';

export interface LabeledStill extends SheetImage {
  /** Printed below at the left; `time` at the right. */
  readonly label: string;
  readonly time: string;
}

export interface SheetFonts {
  readonly measurer: TextMeasurer;
  readonly rasterizer: TextRasterizer;
}

const GAP_PX = 24;
const LABEL_PX = 40;
const GROUND = 0xe6;
const STYLE: TextStyle = {
  family: 'commissioner',
  weight: 500,
  italic: false,
  sizePx: 19,
  trackingEm: 0,
  lineHeight: 1.2,
};

/**
 * @param stills - At least one, all of one size; in reading order.
 * @param columns - Stills in a row.
 */
export async function makeContactSheet(
  stills: readonly LabeledStill[],
  columns: number,
  { measurer, rasterizer }: SheetFonts,
): Promise<SheetImage> {
  const { widthPx: w, heightPx: h } = stills[0]!;
  const inRow = Math.min(columns, stills.length);
  const rows = Math.ceil(stills.length / inRow);
  const widthPx = GAP_PX + inRow * (w + GAP_PX);
  const heightPx = GAP_PX + rows * (h + LABEL_PX + GAP_PX);
  const rgba = new Uint8Array(widthPx * heightPx * 4).fill(GROUND);
  for (let alpha = 3; alpha < rgba.length; alpha += 4) rgba[alpha] = 255;
  const sheet = { rgba, widthPx, heightPx };
  for (const [index, still] of stills.entries()) {
    const x = GAP_PX + (index % inRow) * (w + GAP_PX);
    const y = GAP_PX + Math.floor(index / inRow) * (h + LABEL_PX + GAP_PX);
    copyInto(sheet, still, x, y);
    const timeWidthPx = measurer.measure(still.time, STYLE).widthPx;
    const lines = [
      { text: still.label, xPx: 0, baselineYPx: 0 },
      { text: still.time, xPx: w - timeWidthPx, baselineYPx: 0 },
    ];
    printInto(sheet, await rasterizer.rasterize(lines, STYLE), x, y + h + 26);
  }
  return sheet;
}

function copyInto(sheet: SheetImage, still: SheetImage, x: number, y: number): void {
  for (let row = 0; row < still.heightPx; row++) {
    const from = row * still.widthPx * 4;
    sheet.rgba.set(still.rgba.subarray(from, from + still.widthPx * 4), ((y + row) * sheet.widthPx + x) * 4);
  }
}
