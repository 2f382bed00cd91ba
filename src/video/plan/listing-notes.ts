/** What people should know about the photos of a listing before they publish the videos. Pure. */
import type { Photo } from '../../design/photo.ts';
import { pictureKind } from '../../design/storyboard/picture-kind.ts';
import { MAX_ENLARGEMENT } from '../../design/storyboard/scenes/fit-photo.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { photoName } from '../../listing/words/photo-name.ts';
import type { PreparedAssets } from '../../media/assets/prepare-assets.ts';
import { describeWordsOfCopies, takeWordsOfCopies } from './copied-photos.ts';

export interface ListingNote {
  readonly message: string;
  /** In the listing. */
  readonly path: readonly ['assets', number, ...string[]];
}

/** @param listing - As it was sent. */
export function describeListing(
  listing: Listing,
  { photos, heirs, sameOriginals }: Pick<PreparedAssets, 'photos' | 'heirs' | 'sameOriginals'>,
): ListingNote[] {
  const { assets } = takeWordsOfCopies(listing, heirs);
  const nameOf = (index: number) => photoName(index, assets[index]!.url);
  const guesses = photos.filter((photo) => pictureKind(assets[photo.assetIndex]!, photo).isGuess);
  return [
    ...describeWordsOfCopies(listing, heirs).map(
      ({ index, message }): ListingNote => ({ path: ['assets', index], message }),
    ),
    ...sameOriginals.map(
      (index): ListingNote => ({
        path: ['assets', index, 'original'],
        message: `photo ${nameOf(index)} and its original are the same image, so the original is not shown: choose the photo as it was before the change`,
      }),
    ),
    ...photos
      .filter(({ looksLike }) => looksLike === 'blank')
      .map(
        ({ assetIndex }): ListingNote => ({
          path: ['assets', assetIndex],
          message: `photo ${nameOf(assetIndex)} is one flat color and stays in the video: replace or remove it if that is a mistake`,
        }),
      ),
    ...guesses.map(
      ({ assetIndex }): ListingNote => ({
        path: ['assets', assetIndex, 'kind'],
        message: `photo ${nameOf(assetIndex)} looks like a floor plan: it is shown whole and still, near the end; set "kind": "photo" to show it as a photo`,
      }),
    ),
  ];
}

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
  return `${small} of ${photos.length} photos ${are} narrower than ${leastPx} pixels: larger ones fill the screen`;
}
