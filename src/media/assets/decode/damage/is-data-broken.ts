/** Which files are read for damage that the decoder of their format does not report. Pure. */
import type { SupportedFormat } from '../sniff-format.ts';
import { isGifBroken } from './inspect-gif.ts';
import { isTiffBroken } from './inspect-tiff.ts';
import { isWebpBroken } from './inspect-webp.ts';
import { isJpegScanBroken } from './walk-jpeg-scan.ts';

/** Walking costs 25 ms per megabyte: little for photos from a web site, too much for every camera original. */
const ALWAYS_WALKED_BYTES = 1024 * 1024;
/** Walking a WebP costs as much as decoding it: little for photos from a web site, which have 2 megapixels. */
const ALWAYS_WALKED_PIXELS = 4_000_000;
/** A hole in the data. A plain wall can look like one, so the scan is then walked to be sure. */
const HOLE = Buffer.alloc(24);

/** @param pixels - Width times height. */
export function isDataBroken(source: Buffer, format: SupportedFormat, pixels: number): boolean {
  switch (format) {
    case 'jpeg':
      return (source.length <= ALWAYS_WALKED_BYTES || source.includes(HOLE)) && isJpegScanBroken(source);
    case 'webp':
      return (pixels <= ALWAYS_WALKED_PIXELS || source.includes(HOLE)) && isWebpBroken(source);
    // Hardly a photo comes in these formats, and most damage to one would be shown.
    case 'gif':
      return isGifBroken(source);
    case 'tiff':
      return isTiffBroken(source);
    default:
      return false;
  }
}

/** Where only another decoding shows damage. */
export function isWorthDecodingTwice(pixels: number): boolean {
  return pixels <= ALWAYS_WALKED_PIXELS;
}
