/** Encodes a still as JPEG or PNG. Only this file of the layer uses sharp. */
import { loadSharp } from '../../platform/load-sharp.ts';

export interface StillImage {
  /** sRGB, 4 bytes per pixel, rows without padding; alpha is ignored. */
  readonly rgba: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface PosterImage extends StillImage {
  /** 1 to 100. Default 88, at which house fronts show no blocks. */
  readonly quality?: number;
}

/** Progressive JPEG, 4:4:4 so that small type on color stays sharp, without metadata (no profile means sRGB). */
export async function encodePoster(picture: PosterImage): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { rgba, widthPx, heightPx, quality = 88 } = picture;
  return sharp(rgba, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality, progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Lossless, with light compression: a tenth of the time for a fifth more bytes. */
export async function encodePng({ rgba, widthPx, heightPx }: StillImage): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(rgba, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 3 })
    .toBuffer();
}

/** A JPEG as it is when it has at most `maxBytes`, else scaled down until it has. */
export async function shrinkJpeg(jpeg: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  let small = jpeg;
  for (let width = (await sharp(jpeg).metadata()).width; small.length > maxBytes && width > 1; ) {
    width = Math.floor(width * Math.min(0.9, Math.sqrt(maxBytes / small.length)));
    small = await sharp(jpeg).resize({ width }).jpeg({ quality: 85, progressive: true }).toBuffer();
  }
  return small;
}
