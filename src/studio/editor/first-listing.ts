/**
 * The listing of a folder that has only photos: all of them in natural order, and one agent to fill in. It invents no
 * fact: what nobody said is absent or empty.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createFile } from '../../platform/disk/atomic-write.ts';
import { outputUnwritable } from '../../platform/disk/disk-error.ts';
import { flushFolder } from '../../platform/disk/folder.ts';
import { packageFile } from '../../platform/program-files.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import { findPhotos, type SkippedFile } from '../../video/photos/find-photos.ts';
import { presetId } from '../../video/photos/preset-id.ts';
import { schemaAddress } from '../../video/schema-address.ts';

/** The file name of a listing in a folder of its own. */
export const LISTING_NAME = 'listing.json';
/** Where the photos of a house are, as for `init`; else they lie beside the listing. */
const PHOTO_FOLDER = 'photos';
/** As many as a listing can have. */
const MAX_PHOTOS = 100;

export interface FirstListing {
  readonly file: string;
  readonly photoCount: number;
  /** Photos beyond those that a listing can have, as it would name them. */
  readonly leftOut: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Writes `listing.json` into the folder, unless there is one. The photos are those of its folder `photos`, else its
 * own. An empty folder gets a listing whose photos are still to come.
 *
 * @param folder - Absolute.
 * @param street - Street and number of the house; null when nobody said them.
 * @param aside - Folder of the same disk for the temporary file; null: `folder`.
 * @returns Null when the folder has files and none is a photo, or cannot be read.
 * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
 */
export async function makeFirstListing(
  folder: string,
  street: string | null = null,
  aside: string | null = null,
): Promise<FirstListing | null> {
  const found =
    (await photosOf(path.join(folder, PHOTO_FOLDER))) ??
    (await photosOf(folder)) ??
    ((await isEmpty(folder)) ? { files: [], skipped: [] } : null);
  if (found === null) return null;
  const urls = found.files.map((file) => toAssetUrl(file, folder));
  const listing = {
    $schema: schemaAddress(folder, packageFile('.')),
    id: presetId(street, folder),
    ...(street === null ? {} : { address: { street } }),
    assets: urls.slice(0, MAX_PHOTOS).map((url) => ({ url })),
    agents: [{ id: 'agent-1', first_name: '', last_name: '' }],
  };
  const file = path.join(folder, LISTING_NAME);
  try {
    await createFile(file, `${JSON.stringify(listing, null, 2)}\n`, { durable: true, aside });
    await flushFolder(folder);
  } catch (error) {
    const hint = 'copy the photos to a folder that you can write to, and open that';
    throw outputUnwritable(error, file, hint);
  }
  const leftOut = urls.slice(MAX_PHOTOS);
  return { file, photoCount: urls.length - leftOut.length, leftOut, skipped: found.skipped };
}

/** Hidden files and folders do not count, and an empty folder for photos neither. */
async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null);
  const rest = names?.filter((name) => !name.startsWith('.'));
  if (rest?.length !== 1 || rest[0] !== PHOTO_FOLDER) return rest?.length === 0;
  return isEmpty(path.join(folder, PHOTO_FOLDER));
}

/** Absolute paths; null when there are no photos. */
async function photosOf(
  folder: string,
): Promise<{ readonly files: readonly string[]; readonly skipped: readonly SkippedFile[] } | null> {
  const found = await findPhotos(folder);
  const files = found?.photos.map((name) => path.join(folder, name));
  return files?.length ? { files, skipped: found!.skipped } : null;
}
