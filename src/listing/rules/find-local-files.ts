/** The files of a listing that only the local machine can read. Pure. */
import type { Listing, Violation } from '../listing.ts';
import { validateUrl } from './validate-url.ts';
import { type Loc, valueError } from './violation.ts';

/**
 * A violation for every asset, portrait and logo that is a path or a `file:` URL, in the order of the document.
 *
 * @param server - The server that cannot read them, for the message.
 */
export function findLocalFiles(listing: Listing, server: string): Violation[] {
  const named: (readonly [place: Loc, url: string | null | undefined])[] = [
    ...listing.assets.map(({ url }, index) => [['assets', index, 'url'], url] as const),
    ...listing.agents.flatMap(({ picture, video_options: options }, index) => [
      [['agents', index, 'picture'], picture] as const,
      [['agents', index, 'video_options', 'template_data', 'logo'], options?.template_data?.logo] as const,
    ]),
  ];
  return named.flatMap(([place, url]) =>
    isLocalFile(url) ? [valueError(['body', ...place], url, localFileProblem(url, server))] : [],
  );
}

/** True for a path and a `file:` URL. */
export function isLocalFile(url: string | null | undefined): url is string {
  return typeof url === 'string' && url !== '' && validateUrl(url, false) !== null;
}

/** Says what is wrong with a local file, and what to use. */
export function localFileProblem(url: string, server: string): string {
  return `${url} is a file of this machine, ${server} wants an http or https URL`;
}
