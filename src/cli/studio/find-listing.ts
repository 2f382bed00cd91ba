/** Finds what the studio is to edit: a listing file, or a folder of photos that gets one. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { StudioRequest } from '../../wiring/open-studio.ts';
import { usageError } from '../cli-error.ts';
import { unreadableBecause } from '../listings/collect-inputs.ts';
import { shellWord } from '../terminal/shell-word.ts';

const LISTING_NAME = 'listing.json';

/**
 * @param word - Of the command line.
 * @throws {@link ListingVideoError} `usage`, `file_not_found`, `input_unreadable`.
 */
export async function findListing(word: string, cwd: string): Promise<StudioRequest['place']> {
  if (word === '') throw usageError('the name of the listing is empty', 'listing-video studio listing.json');
  if (word === '-')
    throw usageError('the studio edits a file, not stdin', 'listing-video studio listing.json');
  const place = path.resolve(cwd, word);
  const found = await stat(place).catch((error: unknown) => {
    const code = isAbsent(error) ? 'file_not_found' : 'input_unreadable';
    const hint = 'name a listing file or a folder of photos; listing-video demo opens a sample';
    throw new ListingVideoError(code, `cannot open ${word}: ${unreadableBecause(error)}`, { hint });
  });
  if (found.isDirectory()) {
    const listing = path.join(place, LISTING_NAME);
    const file = await stat(listing).catch(() => null);
    return file?.isFile() ? { listing } : { photos: place };
  }
  if (!found.isFile()) throw usageError(`${word} is not a file`, 'listing-video studio listing.json');
  if (/\.ndjson$/i.test(place))
    throw usageError(`${word} has many listings, and the studio edits one`, 'name a listing file');
  const { findPhotoProblem } = await import('../../video/find-photo-problem.ts');
  if ((await findPhotoProblem(place)) === null) {
    const folder = shellWord(path.dirname(word));
    throw usageError(`${word} is a photo, not a listing`, `listing-video studio ${folder}`);
  }
  return { listing: place };
}

export function nothingToEdit(place: StudioRequest['place'], cwd: string): ListingVideoError {
  const folder = 'photos' in place ? path.relative(cwd, place.photos) || 'this folder' : 'it';
  return usageError(
    `${folder} has no ${LISTING_NAME} and no photos`,
    'name a listing file or a folder of photos; listing-video demo opens a sample',
  );
}
