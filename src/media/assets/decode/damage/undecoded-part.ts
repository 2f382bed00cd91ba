/** Finds damage that the decoder of HEIC does not report. Pure. */
import type { HeicPicture } from '../decode-heic.ts';

/** Smallest block that the decoder leaves out at an error. */
const BLOCK_PX = 16;

/**
 * True for a picture with a part that was not decoded. libde265 reports no error for damaged data: it leaves the rest
 * at zero in all planes. As RGB that is a green which a photo cannot show without noise, whatever the matrix of the
 * file.
 */
export function hasUndecodedPart({
  data,
  widthPx,
  heightPx,
  channels,
}: Omit<HeicPicture, 'converter'>): boolean {
  const row = widthPx * channels;
  const isFill = (at: number) =>
    data[at] === 0 && data[at + 2] === 0 && data[at + 1]! >= 70 && data[at + 1]! <= 160;
  const isUniform = (left: number, top: number) => {
    const green = data[top * row + left * channels + 1];
    for (let y = top; y < Math.min(top + BLOCK_PX, heightPx); y += 1) {
      for (let x = left; x < Math.min(left + BLOCK_PX, widthPx); x += 1) {
        const at = y * row + x * channels;
        if (!isFill(at) || data[at + 1] !== green) return false;
      }
    }
    return true;
  };
  for (let y = 0; y + BLOCK_PX / 2 <= heightPx; y += BLOCK_PX) {
    for (let x = 0; x + BLOCK_PX / 2 <= widthPx; x += BLOCK_PX) {
      if (isFill(y * row + x * channels) && isUniform(x, y)) return true;
    }
  }
  return false;
}
