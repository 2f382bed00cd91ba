/** A listing whose photos are on this machine, in place of those of a feed. Pure. */
import type { Asset, Listing } from '../../../listing/listing.ts';
import type { LeftOut } from '../../../listing/mls/findings.ts';
import { explainProblems } from '../../../listing/mls/to-listing.ts';
import { listPhotos } from '../../../listing/rules/list-photos.ts';
import { validateListing } from '../../../listing/rules/validate-listing.ts';

/** Where a photo is now, or why it is nowhere. */
export type FetchedPhoto = { readonly path: string } | { readonly problem: string };

export interface LocalListing {
  /** Null when it breaks a rule without the photos that are missing. */
  readonly listing: Listing | null;
  readonly problems: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** URLs of photos, originals, portraits and logos, each once. */
export function urlsOf({ assets, agents }: Listing): string[] {
  const urls = [
    ...listPhotos(assets).map(({ url }) => url),
    ...agents.flatMap(({ picture, video_options: options }) => [picture, options?.template_data?.logo]),
  ];
  return [...new Set(urls.filter((url) => url != null))];
}

/** @param nameOf - How reports name a photo; null for one that the property does not list. */
export function localizeListing(
  listing: Listing,
  places: ReadonlyMap<string, FetchedPhoto>,
  nameOf: (url: string) => string | null,
): LocalListing {
  const leftOut: LeftOut[] = [];
  const pathOf = (url: string | null | undefined, field: string): string | undefined => {
    const place = url == null ? undefined : places.get(url);
    if (place === undefined) return undefined;
    if ('path' in place) return place.path;
    leftOut.push({ source: nameOf(url!) ?? field, reason: `the photo was not fetched: ${place.problem}` });
    return undefined;
  };
  const assets = listing.assets.flatMap((asset, index): Asset[] => {
    const { original, ...others } = asset;
    const url = pathOf(asset.url, `assets[${index}]`);
    if (url === undefined) return [];
    const originalPath = pathOf(original, `assets[${index}].original`);
    return [{ ...others, url, ...(originalPath !== undefined && { original: originalPath }) }];
  });
  const agents = listing.agents.map(({ picture, ...agent }, index) => {
    const portrait = pathOf(picture, `agents[${index}].picture`);
    const { template_data: data, ...options } = agent.video_options ?? {};
    const { logo, ...layers } = data ?? {};
    const logoPath = pathOf(logo, `agents[${index}].logo`);
    return {
      ...agent,
      ...(portrait !== undefined && { picture: portrait }),
      ...(agent.video_options !== undefined && {
        video_options: {
          ...options,
          ...(data !== undefined && {
            template_data: { ...layers, ...(logoPath !== undefined && { logo: logoPath }) },
          }),
        },
      }),
    };
  });
  const result = validateListing({ ...listing, assets, agents }, { allowLocalFiles: true });
  return result.ok
    ? { listing: result.listing, problems: [], leftOut }
    : { listing: null, problems: explainProblems(result.violations), leftOut };
}
