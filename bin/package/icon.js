/** The icon of the program, as macOS and Windows want it. Both formats are a list of pictures. */
import path from 'node:path';
import sharp from 'sharp';
import { ROOT } from './stage.js';

export const ICON = path.join(ROOT, 'src', 'studio', 'serve-page', 'favicon.svg');
/** Of the drawing, in its own units. */
const ICON_SIDE = 32;
/** Types of pictures in an icon of macOS, with their width. */
const MAC_ICONS = { ic07: 128, ic08: 256, ic09: 512 };
/** From a small entry of a list to a large tile. */
const WINDOWS_WIDTHS_PX = [16, 24, 32, 48, 64, 256];
const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** @returns {Promise<Buffer>} PNG. */
export function drawIcon(widthPx) {
  return sharp(ICON, { density: (72 * widthPx) / ICON_SIDE })
    .resize(widthPx)
    .png()
    .toBuffer();
}

/** @returns {Promise<Buffer>} A file for macOS (`.icns`): each picture with its type and its length in bytes. */
export async function makeMacIcon() {
  const parts = await Promise.all(
    Object.entries(MAC_ICONS).map(async ([type, widthPx]) => {
      const picture = await drawIcon(widthPx);
      return [macHeader(type, picture.length), picture];
    }),
  );
  const content = Buffer.concat(parts.flat());
  return Buffer.concat([macHeader('icns', content.length), content]);
}

function macHeader(type, length) {
  const header = Buffer.alloc(8, type, 'latin1');
  header.writeUInt32BE(length + header.length, 4);
  return header;
}

/** @returns {Promise<Buffer>} A file for Windows (`.ico`): the list of all pictures, then the pictures. */
export async function makeWindowsIcon() {
  const pictures = await Promise.all(WINDOWS_WIDTHS_PX.map(drawIcon));
  const list = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  list.writeUInt16LE(1, 2);
  list.writeUInt16LE(pictures.length, 4);
  let start = list.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index;
    // 0 stands for 256.
    const side = WINDOWS_WIDTHS_PX[index] % 256;
    list.set([side, side, 0, 0, 1, 0, 32, 0], entry);
    list.writeUInt32LE(picture.length, entry + 8);
    list.writeUInt32LE(start, entry + 12);
    start += picture.length;
  }
  return Buffer.concat([list, ...pictures]);
}
