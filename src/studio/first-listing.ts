/**
 * The listing of a folder that has only photos: all of them in natural order, and one agent to fill in. It invents no fact:
 * what nobody said is absent or empty.
 */
import path from 'node:path';
import { createFile } from '../disk/atomic-write.ts';
import { toOutputError } from '../disk/disk-error.ts';
import { flushFolder } from '../disk/folder.ts';
import { packageFile } from '../program-files.ts';
import { toAssetUrl } from '../video/photos/asset-url.ts';
import { findPhotos, isPhotoSheet, type SkippedFile } from '../video/photos/find-photos.ts';
import { presetId } from '../video/photos/preset-id.ts';
import { schemaAddress } from '../video/schema-address.ts';

/** The file name of a listing in a folder of its own. */
export const LISTING_NAME = 'listing.json';
/** As many as a listing can have. */
const MAX_PHOTOS = 100;

export interface FirstListing {
  /** Absolute path of the listing file. */
  readonly file: string;
  readonly photoCount: number;
  /** Photos beyond those that a listing can have, as it would name them. */
  readonly leftOut: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Writes `listing.json` into the folder, unless there is one.
 *
 * @param folder - Absolute.
 * @returns Null when the folder has no photos, or cannot be read.
 * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`.
 */
export async function makeFirstListing(folder: string): Promise<FirstListing | null> {
  const found = await findPhotos(folder);
  const names = found?.photos.filter((name) => !isPhotoSheet(name)) ?? [];
  if (found === null || names.length === 0) return null;
  const urls = names.map((name) => toAssetUrl(path.join(folder, name), folder));
  const listing = {
    $schema: schemaAddress(folder, packageFile('.')),
    id: presetId(null, folder),
    assets: urls.slice(0, MAX_PHOTOS).map((url) => ({ url })),
    agents: [{ id: 'agent-1', first_name: '', last_name: '' }],
  };
  const file = path.join(folder, LISTING_NAME);
  try {
    await createFile(file, `${JSON.stringify(listing, null, 2)}\n`, { durable: true });
    await flushFolder(folder);
  } catch (error) {
    throw toOutputError(error, file);
  }
  const leftOut = urls.slice(MAX_PHOTOS);
  return { file, photoCount: urls.length - leftOut.length, leftOut, skipped: found.skipped };
}
