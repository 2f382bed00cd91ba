/** The sentence about photos that are too small for the screen. Pure. */
import type { Photo } from '../../design/photo.ts';
import { MAX_ENLARGEMENT } from '../../design/storyboard/scenes/fit-photo.ts';
import type { AspectRatio } from '../../listing/listing.ts';

/**
 * Says how many photos are too narrow to fill the widest of the videos.
 *
 * @returns null when all are wide enough.
 */
export function describeSmallPhotos(
  photos: readonly Pick<Photo, 'widthPx'>[],
  ratios: readonly AspectRatio[],
): string | null {
  const widest = Math.max(...ratios.map((ratio) => Number.parseInt(ratio, 10)));
  const leastPx = widest / MAX_ENLARGEMENT;
  const small = photos.filter(({ widthPx }) => widthPx < leastPx).length;
  if (small === 0) return null;
  const are = small === 1 ? 'is' : 'are';
  return `${small} of ${photos.length} photos ${are} narrower than ${leastPx} pixels; larger ones fill the screen`;
}
