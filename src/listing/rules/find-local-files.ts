/** The files of a listing that only the local machine can read. Pure. */
import type { Listing, Violation } from '../listing.ts';
import { listPhotos } from './list-photos.ts';
import { validateUrl } from './validate-url.ts';
import { type Loc, valueError } from './violation.ts';

export interface LocalFile {
  readonly place: Loc;
  readonly url: string;
}

/** Every photo, portrait and logo that is a path or a `file:` URL, in the order of the document. */
export function listLocalFiles(listing: Listing): LocalFile[] {
  const named: (readonly [place: Loc, url: string | null | undefined])[] = [
    ...listPhotos(listing.assets).map(({ place, url }) => [place, url] as const),
    ...listing.agents.flatMap(({ picture, video_options: options }, index) => [
      [['agents', index, 'picture'], picture] as const,
      [['agents', index, 'video_options', 'template_data', 'logo'], options?.template_data?.logo] as const,
    ]),
  ];
  return named.flatMap(([place, url]) => (isLocalFile(url) ? [{ place, url }] : []));
}

/** A violation for each of them, for a server that takes no uploads. @param server - As messages name it. */
export function findLocalFiles(listing: Listing, server: string): Violation[] {
  return listLocalFiles(listing).map(({ place, url }) =>
    valueError(['body', ...place], url, localFileProblem(url, server)),
  );
}

/** The listing with other URLs in place of its local files. Files that are not in `urls` stay. */
export function replaceLocalFiles(listing: Listing, urls: ReadonlyMap<string, string>): Listing {
  const replace = <T extends string | null | undefined>(url: T): T | string =>
    isLocalFile(url) ? (urls.get(url) ?? url) : url;
  return {
    ...listing,
    assets: listing.assets.map((asset) => ({
      ...asset,
      url: replace(asset.url),
      ...(asset.original === undefined ? {} : { original: replace(asset.original) }),
    })),
    agents: listing.agents.map((agent) => {
      const { picture, video_options: options } = agent;
      const data = options?.template_data;
      return {
        ...agent,
        ...(isLocalFile(picture) ? { picture: replace(picture) } : {}),
        ...(options && data && isLocalFile(data.logo)
          ? { video_options: { ...options, template_data: { ...data, logo: replace(data.logo) } } }
          : {}),
      };
    }),
  };
}

export function isLocalFile(url: string | null | undefined): url is string {
  return typeof url === 'string' && url !== '' && validateUrl(url, false) !== null;
}

export function localFileProblem(url: string, server: string): string {
  return `${url} is a file of this machine, and ${server} takes no uploads: use an http or https URL, or --no-server`;
}
