/** Warnings for altered photos without a way to their originals. Pure. */
import type { Listing } from '../../../../listing/listing.ts';
import { alteredLabel } from '../../../../listing/words/altered-label.ts';
import { photoNames } from '../../../../listing/words/photo-name.ts';

/** What is known of a photo that the video shows. */
interface ShownPhoto {
  readonly assetIndex: number;
  /** Absent: there is none, or it cannot be used. */
  readonly original?: unknown;
}

/**
 * @param shown - The photos that the video shows.
 * @param originalsUrl - The data layer `originals_url`, which stands for every original.
 */
export function alteredWarnings(
  { assets }: Pick<Listing, 'assets'>,
  shown: readonly ShownPhoto[],
  originalsUrl: string | undefined,
): string[] {
  if (originalsUrl !== undefined && originalsUrl.trim() !== '') return [];
  const bare = shown.filter(
    ({ assetIndex, original }) => original === undefined && alteredLabel(assets[assetIndex] ?? {}) !== null,
  );
  if (bare.length === 0) return [];
  const names = photoNames(
    bare.map(({ assetIndex }) => ({ number: assetIndex + 1, url: assets[assetIndex]!.url })),
  );
  // The names come last: the API cuts long sentences.
  return [
    `${bare.length === 1 ? 'an altered photo has' : 'altered photos have'} no original, which California's Business and Professions ` +
      `Code 10140.8 asks for: fill in originals_url, or name the original of photo${bare.length === 1 ? '' : 's'} ${names}`,
  ];
}
