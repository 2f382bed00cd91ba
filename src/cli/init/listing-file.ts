/** Writes the listing file, and finds out before the first question whether it can be written. */
import { constants, existsSync, statSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { outputUnwritable } from '../../platform/disk/disk-error.ts';
import type { ListingVideoError } from '../../platform/errors.ts';

/**
 * Checked before the first question: twenty answers must not be lost to a file that cannot be written.
 *
 * @throws ListingVideoError `output_unwritable`.
 */
export async function requireWritable(file: string): Promise<void> {
  if (existsSync(file) && statSync(file).isDirectory()) throw unwritable(file, new Error('it is a folder'));
  let folder = path.dirname(file);
  while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Writes the file and its folder. @throws ListingVideoError `output_unwritable`, `disk_full`. */
export async function writeListing(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomically(file, text, { durable: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): ListingVideoError {
  return outputUnwritable(error, file, 'name another file: listing-video init /path/to/listing.json');
}
