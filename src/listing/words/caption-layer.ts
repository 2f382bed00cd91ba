/** The data layer that has the caption of a photo in the videos of one agent. Pure. */

/** @param index - Of the photo in `listing.assets`, from 0. @returns `caption_03` of the third photo. */
export function captionLayer(index: number): string {
  return `caption_${String(index + 1).padStart(2, '0')}`;
}
