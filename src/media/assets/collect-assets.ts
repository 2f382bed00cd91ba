/** The checks that need all images of a listing: too small ones, duplicates. It reads masters of likely duplicates. */

import type { DroppedAsset, Graphic, ListingPhoto, Photo } from '../../design/photo.ts';
import { photoName } from '../../listing/words/photo-name.ts';
import type { AssetLimits } from './asset-limits.ts';
import { isCroppedCopy } from './copies/cropped-copy.ts';
import { isSamePicture } from './copies/picture-detail.ts';
import type { DecodedImage, ImageKind } from './decode/decode-protocol.ts';
import { type ImageFingerprint, isNearImage, isSameImage, toPrint } from './duplicate.ts';
import type { CachedImage } from './photo-cache.ts';
import { mergeWords, type PhotoWords } from './photo-words.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** A decoded image, or why there is none. */
export type ImageOutcome = { readonly image: CachedImage; readonly isFresh: boolean } | UnusableAsset;

/** What was found out, by {@link imageKey}. */
export type ImageOutcomes = ReadonlyMap<string, ImageOutcome>;

export interface NamedPhoto extends PhotoWords {
  readonly url: string;
  /** The unaltered photo of an altered one. */
  readonly original?: string | undefined;
}

export interface NamedImages {
  readonly assets: readonly NamedPhoto[];
  /** Portraits in the agents' order; repeats are allowed. */
  readonly pictures: readonly { readonly url: string }[];
  readonly logos: readonly { readonly url: string }[];
}

export interface CollectedAssets {
  readonly photos: ListingPhoto[];
  /** By URL as sent, without unusable ones. */
  readonly pictures: Map<string, Photo>;
  /** By URL as sent, without unusable ones. */
  readonly logos: Map<string, Graphic>;
  /** In the order of the assets, then of the portraits, then of the logos. */
  readonly dropped: DroppedAsset[];
  /** For each asset why it is dropped; null for a usable one, and for one without an outcome. */
  readonly reasons: readonly (string | null)[];
  /** For each asset why its original is dropped; null for a usable one, for none, and for one without an outcome. */
  readonly originalReasons: readonly (string | null)[];
  /** For each dropped copy the asset that stands for it, and says what it says: indexes of assets. */
  readonly heirs: ReadonlyMap<number, number>;
  /** Indexes of the assets whose original is the same picture, and so is none. */
  readonly sameOriginals: readonly number[];
}

/** A usable photo, with what it has from its copies. */
interface KeptPhoto {
  readonly index: number;
  readonly url: string;
  readonly cached: CachedImage;
  readonly print: ImageFingerprint;
  words: PhotoWords;
  original: { readonly url: string; readonly cached: CachedImage } | undefined;
}

/** The photos of a listing with their originals, each to be fetched and decoded. */
export function photoUrls(assets: readonly NamedPhoto[]): { readonly url: string }[] {
  return assets.flatMap(({ url, original }) =>
    original === undefined ? [{ url }] : [{ url }, { url: original }],
  );
}

export const imageKey = (kind: ImageKind, url: string): string => `${kind} ${url}`;

/** The images in the order of the listing. One without an outcome is left out. */
export function collectAssets(
  { assets, pictures, logos }: NamedImages,
  limits: AssetLimits,
  outcomes: ImageOutcomes,
): CollectedAssets {
  const dropped: DroppedAsset[] = [];
  const kept: KeptPhoto[] = [];
  const originalReasons: (string | null)[] = [];
  const heirs = new Map<number, number>();
  const sameOriginals: number[] = [];
  const reasons = assets.map((asset, index): string | null => {
    const { url, original } = asset;
    const found = original === undefined ? undefined : outcomes.get(imageKey('photo', original));
    const originalRefusal = found === undefined ? null : refusalOf(found, limits);
    originalReasons.push(originalRefusal?.message ?? null);
    const reason = collectPhoto(asset, index, originalRefusal === null ? found : undefined);
    if (reason !== null) dropped.push({ url, reason });
    if (originalRefusal !== null) dropped.push({ url: original!, reason: originalRefusal.message });
    return reason;
  });
  function collectPhoto(
    { url, original: originalUrl, ...words }: NamedPhoto,
    index: number,
    foundOriginal: ImageOutcome | undefined,
  ): string | null {
    const outcome = outcomes.get(imageKey('photo', url));
    if (outcome === undefined) return null;
    const refusal = refusalOf(outcome, limits);
    if (refusal !== null) return refusal.message;
    const cached = usable(outcome);
    let original = foundOriginal && { url: originalUrl!, cached: usable(foundOriginal) };
    if (original?.cached.digest === cached.digest) {
      sameOriginals.push(index);
      original = undefined;
    }
    const photo = { index, url, cached, print: toPrint(cached.image), words, original };
    const twin = kept.find((earlier) => isCopy(photo, earlier));
    if (twin === undefined) {
      kept.push(photo);
      return null;
    }
    heirs.set(index, twin.index);
    twin.words = mergeWords(twin.words, words)!;
    twin.original ??= original;
    return new UnusableAsset('duplicate', `the same picture as photo ${photoName(twin.index, twin.url)}`)
      .message;
  }
  const reported = new Set<string>();
  const collect = <T>(
    urls: readonly { readonly url: string }[],
    kind: ImageKind,
    make: (url: string, cached: CachedImage) => T,
  ): Map<string, T> => {
    const made = new Map<string, T>();
    for (const { url } of urls) {
      const outcome = outcomes.get(imageKey(kind, url));
      if (outcome === undefined) continue;
      if (!(outcome instanceof UnusableAsset)) made.set(url, make(url, outcome.image));
      else if (!reported.has(url)) dropped.push({ url, reason: outcome.message });
      reported.add(url);
    }
    return made;
  };
  return {
    photos: kept.map(toListingPhoto),
    pictures: collect(pictures, 'photo', toPhoto),
    logos: collect(logos, 'graphic', toGraphic),
    dropped,
    reasons,
    originalReasons,
    heirs,
    sameOriginals,
  };
}

function refusalOf(outcome: ImageOutcome, limits: AssetLimits): UnusableAsset | null {
  return outcome instanceof UnusableAsset ? outcome : findTooSmall(outcome.image, limits);
}

function usable(outcome: ImageOutcome): CachedImage {
  return (outcome as Exclude<ImageOutcome, UnusableAsset>).image;
}

function findTooSmall({ image }: CachedImage, { minShortSidePx }: AssetLimits): UnusableAsset | null {
  const { sourceWidthPx, sourceHeightPx } = image;
  if (Math.min(sourceWidthPx, sourceHeightPx) >= minShortSidePx) return null;
  return new UnusableAsset(
    'too_small',
    `${sourceWidthPx} x ${sourceHeightPx} px, the shorter side must be at least ${minShortSidePx} px`,
  );
}

/** Only usable photos count as earlier: of a thumbnail that is too small and its original, the original stays. */
function isCopy(photo: KeptPhoto, earlier: KeptPhoto): boolean {
  if (!isNearImage(earlier.print, photo.print)) return false;
  // However little was altered, both are shown.
  const isAltered = [
    [photo, earlier],
    [earlier, photo],
  ].some(([altered, other]) => altered!.original?.cached.digest === other!.cached.digest);
  return (
    !isAltered &&
    mergeWords(earlier.words, photo.words) !== null &&
    ((isSameImage(earlier.print, photo.print) && isSamePicture(earlier.cached, photo.cached)) ||
      // Brighter can be what the label of one of them says.
      ((earlier.words.label ?? '') === (photo.words.label ?? '') &&
        isCroppedCopy(earlier.cached, photo.cached)))
  );
}

function toListingPhoto({ index, url, cached, original }: KeptPhoto): ListingPhoto {
  const { looksLike } = cached.image;
  const inListing = (from: string, image: CachedImage) => ({
    ...toPhoto(from, image),
    focus: focusInListing(image.image),
  });
  return {
    ...inListing(url, cached),
    assetIndex: index,
    ...(original === undefined ? {} : { original: inListing(original.url, original.cached) }),
    ...(looksLike === undefined ? {} : { looksLike }),
  };
}

/** Of a photo of the listing: what draws the eye in it is a lamp or a window, in a portrait a face. */
export function focusInListing({ focus, detailCenter }: DecodedImage): Photo['focus'] {
  return detailCenter ?? focus;
}

function toPhoto(url: string, { digest, masterPath, image }: CachedImage): Photo {
  const { widthPx, heightPx, sourceWidthPx, sourceHeightPx, focus, subject, bareFrom } = image;
  return {
    ...{ digest, url, masterPath, widthPx, heightPx, sourceWidthPx, sourceHeightPx, focus },
    ...(subject === undefined ? {} : { subject }),
    ...(bareFrom === undefined ? {} : { bareFrom }),
  };
}

function toGraphic(url: string, { digest, masterPath, image }: CachedImage): Graphic {
  const { widthPx, heightPx, medianColor } = image;
  return { digest, url, masterPath, widthPx, heightPx, ...(medianColor ? { medianColor } : {}) };
}
