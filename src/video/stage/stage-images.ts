/** The photos and images of a document as the page sees them. Pure. */
import type { ImageOutcome } from '../../media/assets/collect-assets.ts';
import type { StageImage, StagePhoto } from './stage-state.ts';

export type FindOutcome = (url: string) => ImageOutcome | undefined;

export interface AssetUrls {
  /** Null for an item without one. */
  readonly url: string | null;
  readonly original: string | null;
}

/** What the stage found out about an asset with all the others, such as that it is a copy. */
export interface AssetFindings {
  /** Why it is dropped although it can be read. */
  readonly reason: string | null;
  /** The same of its original. */
  readonly originalReason: string | null;
  readonly looksLike: StagePhoto['looks_like'];
}

export function assetUrls(document: Readonly<Record<string, unknown>>): AssetUrls[] {
  const assets = Array.isArray(document.assets) ? (document.assets as readonly unknown[]) : [];
  return assets.map((asset) => {
    const { url, original } = (asset ?? {}) as { readonly url?: unknown; readonly original?: unknown };
    return {
      url: typeof url === 'string' ? url : null,
      original: typeof original === 'string' ? original : null,
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
  return assets.map(({ url, original }, index): StagePhoto => {
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
      looks_like: found?.looksLike ?? null,
    };
  });
}

export function toStageImage(url: string, outcome: ImageOutcome | undefined): StageImage {
  if (outcome === undefined) return { url, digest: null, problem: null };
  if (outcome instanceof Error) return { url, digest: null, problem: outcome.message };
  return { url, digest: outcome.image.digest, problem: null };
}
