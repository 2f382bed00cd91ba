/** The checks that need all images of a listing: too small ones, duplicates. Pure. */

import type { DroppedAsset, Graphic, ListingPhoto, Photo } from '../../design/photo.ts';
import type { AssetLimits } from './asset-limits.ts';
import type { ImageKind } from './decode/decode-protocol.ts';
import { type ImageFingerprint, isSameImage } from './duplicate.ts';
import type { CachedImage } from './photo-cache.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** A decoded image, or why there is none. */
export type ImageOutcome = { readonly image: CachedImage; readonly isFresh: boolean } | UnusableAsset;

/** What was found out, by {@link imageKey}. */
export type ImageOutcomes = ReadonlyMap<string, ImageOutcome>;

export interface NamedPhoto {
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
  const photos: ListingPhoto[] = [];
  const originalReasons: (string | null)[] = [];
  const prints: { readonly print: ImageFingerprint; readonly index: number }[] = [];
  const reasons = assets.map(({ url, original }, index): string | null => {
    const found = original === undefined ? undefined : outcomes.get(imageKey('photo', original));
    const originalRefusal = found === undefined ? null : refusalOf(found, limits);
    originalReasons.push(originalRefusal?.message ?? null);
    const reason = collectPhoto(url, index, originalRefusal === null ? found : undefined);
    if (reason !== null) dropped.push({ url, reason });
    if (originalRefusal !== null) dropped.push({ url: original!, reason: originalRefusal.message });
    return reason;
  });
  function collectPhoto(url: string, index: number, original: ImageOutcome | undefined): string | null {
    const outcome = outcomes.get(imageKey('photo', url));
    if (outcome === undefined) return null;
    const refusal = refusalOf(outcome, limits) ?? findDuplicate(usable(outcome), prints);
    if (refusal !== null) return refusal.message;
    prints.push({ print: toPrint(usable(outcome)), index });
    photos.push({
      ...toPhoto(url, usable(outcome)),
      assetIndex: index,
      ...(original === undefined ? {} : { original: toPhoto(assets[index]!.original!, usable(original)) }),
    });
    return null;
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
    photos,
    pictures: collect(pictures, 'photo', toPhoto),
    logos: collect(logos, 'graphic', toGraphic),
    dropped,
    reasons,
    originalReasons,
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
function findDuplicate(
  cached: CachedImage,
  earlier: readonly { readonly print: ImageFingerprint; readonly index: number }[],
): UnusableAsset | null {
  const print = toPrint(cached);
  const twin = earlier.find((other) => isSameImage(other.print, print));
  return twin === undefined
    ? null
    : new UnusableAsset('duplicate', `the same picture as assets[${twin.index}]`);
}

function toPrint({ image }: CachedImage): ImageFingerprint {
  return {
    aspectRatio: image.sourceWidthPx / image.sourceHeightPx,
    pixels: Buffer.from(image.fingerprint, 'base64'),
  };
}

function toPhoto(url: string, { digest, masterPath, image }: CachedImage): Photo {
  const { widthPx, heightPx, sourceWidthPx, sourceHeightPx, focus } = image;
  return { digest, url, masterPath, widthPx, heightPx, sourceWidthPx, sourceHeightPx, focus };
}

function toGraphic(url: string, { digest, masterPath, image }: CachedImage): Graphic {
  const { widthPx, heightPx, medianColor } = image;
  return { digest, url, masterPath, widthPx, heightPx, ...(medianColor ? { medianColor } : {}) };
}
