/** Finds duplicate photos: the same image resized or recompressed. Pure. */

/** A fingerprint is the image resized to a square with this side: RGB, 3 bytes per pixel. */
export const FINGERPRINT_SIDE_PX = 32;

/** The data that the comparison needs. */
export interface ImageFingerprint {
  /** Width divided by height, oriented. */
  readonly aspectRatio: number;
  /** `FINGERPRINT_SIDE_PX`² RGB pixels. */
  readonly pixels: Uint8Array;
}

/** @param image - Its fingerprint as the decode process answers it, base64. */
export function toPrint(
  image: Readonly<Record<'sourceWidthPx' | 'sourceHeightPx', number>> & { readonly fingerprint: string },
): ImageFingerprint {
  return {
    aspectRatio: image.sourceWidthPx / image.sourceHeightPx,
    pixels: Buffer.from(image.fingerprint, 'base64'),
  };
}

// Measured on 65 photos of 5 houses, each against all others and against copies of itself (JPEG quality 10 to 80, WebP,
// AVIF, 64-color PNG and GIF, 480 to 3000 px wide, sharpened), on the scale of 0 to 255: copies differ by at most 4.2
// RMS and 6.7 in the worst block, other images by at least 31 and 63; a corner logo by 8.6 and 39, a crop of 3 % per
// side by 8.1 and 26, an image made 8 % brighter by 11.6.
const MAX_DIFFERENCE = 6;
const MAX_BLOCK_DIFFERENCE = 12;
/**
 * An image with little contrast allows little difference: two plain colors are two images. Shares of the image's own
 * contrast, added to the error of recompressing a plain color.
 */
const MAX_DIFFERENCE_SHARE = 0.15;
const MAX_BLOCK_DIFFERENCE_SHARE = 0.25;
const PLAIN_DIFFERENCE = 1.5;
const PLAIN_BLOCK_DIFFERENCE = 3;
/** Resizing rounds a side by one pixel; a real crop changes more. */
const MAX_ASPECT_DIFFERENCE = 0.02;
/** Blocks of 4 x 4 fingerprint pixels: small enough that a changed object stands out, large enough to ignore noise. */
const BLOCK_SIDE = 4;
const BLOCKS_PER_SIDE = FINGERPRINT_SIDE_PX / BLOCK_SIDE;

/**
 * True when `a` and `b` are the same image: equal on the whole, and clearly different in no block. Cropped, mirrored,
 * brightened or retouched versions are other images, and so is the same room from a slightly different place.
 */
export function isSameImage(a: ImageFingerprint, b: ImageFingerprint): boolean {
  if (Math.abs(a.aspectRatio / b.aspectRatio - 1) > MAX_ASPECT_DIFFERENCE) return false;
  const difference = toDifference(a.pixels, b.pixels);
  // Most pairs differ by more than these limits, which the contrast could only lower.
  if (difference === null || difference.worstBlock > MAX_BLOCK_DIFFERENCE) return false;
  const { rms, worstBlock } = difference;
  const contrast = Math.min(toContrast(a.pixels), toContrast(b.pixels));
  return (
    rms <= Math.min(MAX_DIFFERENCE, PLAIN_DIFFERENCE + MAX_DIFFERENCE_SHARE * contrast) &&
    worstBlock <=
      Math.min(MAX_BLOCK_DIFFERENCE, PLAIN_BLOCK_DIFFERENCE + MAX_BLOCK_DIFFERENCE_SHARE * contrast)
  );
}

// Of copies cropped from 4:3 to 3:2 or made 10 % brighter, prints differ by up to 13.2 levels besides their light, and by 19
// in it; of different photos by at least 18.7.
const MAX_NEAR_DIFFERENCE = 15;
const MAX_NEAR_LIGHT = 20;

/** True when `b` could be `a` cropped or in another light: worth a look at details. */
export function isNearImage({ pixels: a }: ImageFingerprint, { pixels: b }: ImageFingerprint): boolean {
  let light = 0;
  for (let index = 0; index < a.length; index += 1) light += b[index]! - a[index]!;
  light /= a.length;
  if (Math.abs(light) > MAX_NEAR_LIGHT) return false;
  let total = 0;
  const maxTotal = MAX_NEAR_DIFFERENCE * a.length;
  for (let index = 0; index < a.length && total <= maxTotal; index += 1)
    total += Math.abs(b[index]! - a[index]! - light);
  return total <= maxTotal;
}

/** Null for an RMS above {@link MAX_DIFFERENCE}, which most pairs show in their first rows. */
function toDifference(a: Uint8Array, b: Uint8Array): { rms: number; worstBlock: number } | null {
  const maxTotal = MAX_DIFFERENCE ** 2 * a.length;
  const blocks = new Float64Array(BLOCKS_PER_SIDE * BLOCKS_PER_SIDE);
  let total = 0;
  for (let index = 0; index < a.length; index += 1) {
    const difference = a[index]! - b[index]!;
    const square = difference * difference;
    const pixel = Math.floor(index / 3);
    const column = Math.floor((pixel % FINGERPRINT_SIDE_PX) / BLOCK_SIDE);
    const row = Math.floor(pixel / (FINGERPRINT_SIDE_PX * BLOCK_SIDE));
    blocks[row * BLOCKS_PER_SIDE + column]! += square;
    total += square;
    if (total > maxTotal) return null;
  }
  const samplesPerBlock = 3 * BLOCK_SIDE * BLOCK_SIDE;
  return {
    rms: Math.sqrt(total / a.length),
    worstBlock: Math.sqrt(Math.max(...blocks) / samplesPerBlock),
  };
}

/** RMS deviation of each channel from its own mean: zero for a plain color, whatever the color. */
function toContrast(pixels: Uint8Array): number {
  const sums = [0, 0, 0];
  const squares = [0, 0, 0];
  for (let index = 0; index < pixels.length; index += 1) {
    const value = pixels[index]!;
    sums[index % 3]! += value;
    squares[index % 3]! += value * value;
  }
  const count = pixels.length / 3;
  const variances = sums.map((sum, channel) => squares[channel]! / count - (sum / count) ** 2);
  return Math.sqrt(Math.max(0, variances.reduce((total, variance) => total + variance, 0) / 3));
}
