/** The only file of the renderer that uses sharp: scales planes and logos, rasterizes drawn marks. */
import { loadSharp } from '../../../platform/load-sharp.ts';

/** Of an image, px. */
export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Scales one 8-bit plane (rows without padding) to exactly `to`; Lanczos, edges aligned. */
export async function scalePlane(plane: Uint8Array, from: Size, to: Size): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(plane, { raw: { width: from.widthPx, height: from.heightPx, channels: 1 } })
    .resize({ width: to.widthPx, height: to.heightPx, fit: 'fill', kernel: 'lanczos3' })
    .toColorspace('b-w')
    .raw()
    .toBuffer();
}

/** Scales straight RGBA to exactly `to`. */
export async function scaleRgba(rgba: Uint8Array, from: Size, to: Size): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(rgba, { raw: { width: from.widthPx, height: from.heightPx, channels: 4 } })
    .resize({ width: to.widthPx, height: to.heightPx, fit: 'fill', kernel: 'lanczos3' })
    .ensureAlpha()
    .raw()
    .toBuffer();
}

/**
 * Coverage (one byte a pixel) of an SVG path drawn in 100 x 100 units, stretched to `to`, even-odd.
 *
 * @param path - Path data; the caller has checked that it holds nothing else.
 */
export async function rasterizePath(path: string, to: Size): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${to.widthPx}" height="${to.heightPx}" ` +
    `viewBox="0 0 100 100" preserveAspectRatio="none"><path fill="#fff" fill-rule="evenodd" d="${path}"/></svg>`;
  return sharp(Buffer.from(svg)).ensureAlpha().extractChannel(3).raw().toBuffer();
}
