/** A frame as a JPEG for a page that shows it for a moment: baseline, quick to make. */
import type { StillImage } from '../../media/encode/still-image.ts';
import { loadSharp } from '../../platform/load-sharp.ts';

/** Type stays crisp, and a frame of 960 px has about 90 kB. */
const QUALITY = 82;

/** Without metadata: no profile means sRGB. */
export async function encodeFrame({ rgba, widthPx, heightPx }: StillImage): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return sharp(rgba, { raw: { width: widthPx, height: heightPx, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
