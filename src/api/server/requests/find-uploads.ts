/** The uploads that a listing names. Pure. */
import type { Listing, Violation } from '../../../listing/listing.ts';
import { listPhotos } from '../../../listing/rules/list-photos.ts';
import { type Loc, valueError } from '../../../listing/rules/violation.ts';

export const ASSETS_PATH = '/v1/assets';

/** A URL of this service's uploads in a listing. */
export interface NamedUpload {
  readonly place: Loc;
  readonly url: string;
  /** What stands for the id in the URL; anything. */
  readonly id: string;
}

export function toUploadUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${ASSETS_PATH}/${id}`;
}

/** Every URL below that of the uploads: photos, portraits, logos and other images, in the order of the document. */
export function findUploads({ assets, agents }: Listing, publicUrl: string): NamedUpload[] {
  const base = toUploadUrl(publicUrl, '');
  const found: NamedUpload[] = [];
  const look = (url: string | null | undefined, ...place: Loc): void => {
    if (url?.startsWith(base)) found.push({ place: ['body', ...place], url, id: url.slice(base.length) });
  };
  for (const { place, url } of listPhotos(assets)) look(url, ...place);
  for (const [index, { picture, video_options: options }] of agents.entries()) {
    look(picture, 'agents', index, 'picture');
    for (const [name, value] of Object.entries(options?.template_data ?? {}))
      look(value, 'agents', index, 'video_options', 'template_data', name);
  }
  return found;
}

/** Without the beta nothing is at these addresses, and the photos would be left out as unreachable. */
export function uploadsWithoutBeta(named: readonly NamedUpload[]): Violation[] {
  const problem =
    'this is an upload of this service: send the header `service-beta: uploads` with the listing, too';
  return named.map(({ place, url }) => valueError(place, url, problem));
}

export function uploadViolations(named: readonly NamedUpload[], missing: readonly string[]): Violation[] {
  const problem = 'no such upload: it is older than a day, was removed, or belongs to another organization';
  return named.flatMap(({ place, url, id }) =>
    missing.includes(id) ? [valueError(place, url, problem)] : [],
  );
}
