/** Whether two pictures are the same picture, resized or recompressed. Pure. */

/** A fingerprint is the whole picture squeezed into a square of this side: RGB, 3 bytes a pixel. */
export const FINGERPRINT_SIDE_PX = 32;

/** What is compared. */
export interface PicturePrint {
  /** Width divided by height, oriented. */
  readonly aspectRatio: number;
  /** `FINGERPRINT_SIDE_PX`² RGB pixels. */
  readonly pixels: Uint8Array;
}

/** Resizing rounds sides by a pixel or two; a crop that matters changes more. */
const MAX_ASPECT_DIFFERENCE = 0.02;

/** True when `a` and `b` show the same picture. */
export function isSamePicture(_a: PicturePrint, _b: PicturePrint): boolean {
  return false;
}
