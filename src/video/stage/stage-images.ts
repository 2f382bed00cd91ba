/** The photos and images of a document as the page sees them. Pure. */
import type { ListingPhoto } from '../../design/photo.ts';
import { inRoom } from '../../design/storyboard/elements/in-room.ts';
import { pictureKind } from '../../design/storyboard/picture-kind.ts';
import { roomOf } from '../../listing/words/room-of.ts';
import { focusInListing, type ImageOutcome } from '../../media/assets/collect-assets.ts';
import type { DecodedImage } from '../../media/assets/decode/decode-protocol.ts';
import type { StageGuess, StageImage, StagePhoto } from './stage-state.ts';

export type FindOutcome = (url: string) => ImageOutcome | undefined;

export interface AssetUrls {
  /** Null for an item without one. */
  readonly url: string | null;
  readonly original: string | null;
  /** Empty for none. */
  readonly caption: string;
}

/** What the stage found out about an asset with all the others, such as that it is a copy. */
export interface AssetFindings {
  /** Why it is dropped although it can be read. */
  readonly reason: string | null;
  /** The same of its original. */
  readonly originalReason: string | null;
  readonly looksLike?: ListingPhoto['looksLike'];
}

export function assetUrls(document: Readonly<Record<string, unknown>>): AssetUrls[] {
  const assets = Array.isArray(document.assets) ? (document.assets as readonly unknown[]) : [];
  return assets.map((asset) => {
    const { url, original, caption } = (asset ?? {}) as Readonly<Record<string, unknown>>;
    return {
      url: typeof url === 'string' ? url : null,
      original: typeof original === 'string' ? original : null,
      caption: typeof caption === 'string' ? caption : '',
    };
  });
}

/** @param findings - By index. */
export function toStagePhotos(
  assets: readonly AssetUrls[],
  findings: ReadonlyMap<number, AssetFindings>,
  find: FindOutcome,
  isReading: boolean,
): StagePhoto[] {
  return assets.map(({ url, original, caption }, index): StagePhoto => {
    const outcome = url === null ? undefined : find(url);
    const image = toStageImage(url ?? '', outcome);
    const size = outcome === undefined || outcome instanceof Error ? null : outcome.image.image;
    const found = findings.get(index);
    const problem = found?.reason ?? image.problem;
    const unaltered = original === null ? null : toStageImage(original, find(original));
    const isUnknown = outcome === undefined && problem === null;
    return {
      ...image,
      problem,
      width_px: size?.sourceWidthPx ?? null,
      height_px: size?.sourceHeightPx ?? null,
      state: isUnknown && isReading ? 'reading' : problem === null && !isUnknown ? 'usable' : 'dropped',
      original: unaltered && { ...unaltered, problem: found?.originalReason ?? unaltered.problem },
      guess: size === null ? null : toGuess(size, { url: url ?? '', caption }, found?.looksLike),
    };
  });
}

function toGuess(
  image: DecodedImage,
  named: { readonly url: string; readonly caption: string },
  looksLike: ListingPhoto['looksLike'],
): StageGuess {
  const { kind } = pictureKind(named, looksLike === undefined ? {} : { looksLike });
  const room = roomOf(named) ?? (image.subject ? 'outside' : null);
  const { focus, subject } = inRoom({ ...image, focus: focusInListing(image) }, room);
  return { kind, focus, subject: subject ?? null };
}

export function toStageImage(url: string, outcome: ImageOutcome | undefined): StageImage {
  if (outcome === undefined) return { url, digest: null, problem: null };
  if (outcome instanceof Error) return { url, digest: null, problem: outcome.message };
  return { url, digest: outcome.image.digest, problem: null };
}
