/** The photos and images of a document as the page sees them. Pure. */
import type { ImageOutcome } from '../../media/assets/collect-assets.ts';
import type { StageImage, StagePhoto } from './stage-state.ts';

export type FindOutcome = (url: string) => ImageOutcome | undefined;

/** The URLs of the document's assets; null for an item without one. */
export function assetUrls(document: Readonly<Record<string, unknown>>): (string | null)[] {
  const assets = Array.isArray(document.assets) ? (document.assets as readonly unknown[]) : [];
  return assets.map((asset) => {
    const url = typeof asset === 'object' && asset !== null ? (asset as { url?: unknown }).url : null;
    return typeof url === 'string' ? url : null;
  });
}

/** @param reasons - Why photos are dropped although they can be read, by index. */
export function toStagePhotos(
  urls: readonly (string | null)[],
  reasons: ReadonlyMap<number, string | null>,
  find: FindOutcome,
  isReading: boolean,
): StagePhoto[] {
  return urls.map((url, index): StagePhoto => {
    const image = toStageImage(url ?? '', url === null ? undefined : find(url));
    const outcome = url === null ? undefined : find(url);
    const size = outcome === undefined || outcome instanceof Error ? null : outcome.image.image;
    const problem = reasons.get(index) ?? image.problem;
    const isUnknown = outcome === undefined && problem === null;
    return {
      ...image,
      problem,
      width_px: size?.sourceWidthPx ?? null,
      height_px: size?.sourceHeightPx ?? null,
      state: isUnknown && isReading ? 'reading' : problem === null && !isUnknown ? 'usable' : 'dropped',
    };
  });
}

export function toStageImage(url: string, outcome: ImageOutcome | undefined): StageImage {
  if (outcome === undefined) return { url, digest: null, problem: null };
  if (outcome instanceof Error) return { url, digest: null, problem: outcome.message };
  return { url, digest: outcome.image.digest, problem: null };
}
