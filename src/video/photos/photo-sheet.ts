/** Photos side by side in one PNG, each with its number and name below: what a person looks at to choose an order. */
import { encodePng } from '../../media/encode/still-image.ts';
import type { TextMeasurer, TextRasteriser, TextStyle } from '../../design/text/text.ts';
import { printInto, type SheetImage } from '../print-into.ts';
import type { SeenPhoto } from './look-at-photos.ts';

const COLUMNS = 5;
/** A cell fits every thumbnail of usual shapes, wide ones at their full width. */
const CELL_WIDTH_PX = 320;
const CELL_HEIGHT_PX = 240;
const GAP_PX = 20;
const LABEL_PX = 42;
const NAME_X_PX = 62;
const GROUND = 0xee;
const EMPTY = 0xdd;

const NAME_STYLE: TextStyle = {
  family: 'commissioner',
  weight: 400,
  italic: false,
  sizePx: 19,
  trackingEm: 0,
  lineHeight: 1.2,
};
const NUMBER_STYLE: TextStyle = { ...NAME_STYLE, weight: 700, sizePx: 32 };

/** A photo and the words below it. */
export interface SheetPhoto {
  readonly photo: SeenPhoto;
  readonly number: number;
  /** One line; cut where it is too long. */
  readonly name: string;
}

/** The sheet as PNG. @param photos - At least one, in reading order. */
export async function makePhotoSheet(photos: readonly SheetPhoto[]): Promise<Uint8Array> {
  const [{ createTextRasteriser }, { createTextMeasurer }] = await Promise.all([
    import('../../design/text/text-rasteriser.ts'),
    import('../../design/text/text-measurer.ts'),
  ]);
  const fonts = { measurer: await createTextMeasurer(), rasteriser: await createTextRasteriser() };
  const columns = Math.min(COLUMNS, photos.length);
  const rows = Math.ceil(photos.length / columns);
  const widthPx = GAP_PX + columns * (CELL_WIDTH_PX + GAP_PX);
  const heightPx = GAP_PX + rows * (CELL_HEIGHT_PX + LABEL_PX + GAP_PX);
  const sheet = { rgba: new Uint8Array(widthPx * heightPx * 4).fill(GROUND), widthPx, heightPx };
  for (const [index, photo] of photos.entries()) {
    const x = GAP_PX + (index % columns) * (CELL_WIDTH_PX + GAP_PX);
    const y = GAP_PX + Math.floor(index / columns) * (CELL_HEIGHT_PX + LABEL_PX + GAP_PX);
    drawThumbnail(sheet, photo.photo, x, y);
    await drawLabel(sheet, photo, x, y + CELL_HEIGHT_PX + 32, fonts);
  }
  return encodePng(sheet);
}

/** In the middle of its cell, so that wide and upright photos stand in one grid. */
function drawThumbnail({ rgba, widthPx }: SheetImage, { thumbnail }: SeenPhoto, x: number, y: number): void {
  for (let row = 0; row < CELL_HEIGHT_PX; row++) {
    const from = ((y + row) * widthPx + x) * 4;
    rgba.fill(EMPTY, from, from + CELL_WIDTH_PX * 4);
  }
  if (thumbnail === null) return;
  const { rgb, widthPx: w, heightPx: h } = thumbnail;
  // An upright thumbnail is taller than the cell: every second or third pixel is enough to recognise it.
  const step = Math.max(w / CELL_WIDTH_PX, h / CELL_HEIGHT_PX, 1);
  const [width, height] = [Math.floor(w / step), Math.floor(h / step)];
  const left = x + Math.floor((CELL_WIDTH_PX - width) / 2);
  const top = y + Math.floor((CELL_HEIGHT_PX - height) / 2);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = (Math.floor(row * step) * w + Math.floor(column * step)) * 3;
      const to = ((top + row) * widthPx + left + column) * 4;
      for (let channel = 0; channel < 3; channel++) rgba[to + channel] = rgb[from + channel]!;
    }
  }
}

interface Fonts {
  readonly measurer: TextMeasurer;
  readonly rasteriser: TextRasteriser;
}

async function drawLabel(
  sheet: SheetImage,
  photo: SheetPhoto,
  x: number,
  y: number,
  fonts: Fonts,
): Promise<void> {
  const { measurer, rasteriser } = fonts;
  const draw = async (text: string, style: TextStyle, atX: number): Promise<void> =>
    printInto(sheet, await rasteriser.rasterise([{ text, xPx: 0, baselineYPx: 0 }], style), atX, y);
  await draw(String(photo.number), NUMBER_STYLE, x);
  const name = cutMiddle(photo.name, CELL_WIDTH_PX - NAME_X_PX, (text) => {
    return measurer.measure(text, NAME_STYLE).widthPx;
  });
  await draw(name, NAME_STYLE, x + NAME_X_PX);
}

/** Keeps start and end: cameras number their photos at the end of the name. */
function cutMiddle(text: string, widthPx: number, measure: (text: string) => number): string {
  const chars = [...text].slice(0, 200);
  if (measure(chars.join('')) <= widthPx) return chars.join('');
  for (let kept = Math.min(chars.length, 60); kept > 2; kept -= 1) {
    const cut = `${chars.slice(0, Math.ceil(kept / 2)).join('')}…${chars.slice(-Math.floor(kept / 2)).join('')}`;
    if (measure(cut) <= widthPx) return cut;
  }
  return '…';
}
