/** Copies the sample listing with its photos. */
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent, toOutputError } from '../../platform/disk/disk-error.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { packageFile } from '../../platform/program-files.ts';
import { usageError } from '../cli-error.ts';

/** What the sample listing consists of. The listing is the last: a folder that has it has the photos, too. */
export const SAMPLE = ['logo.png', 'agents', 'photos', 'listing.json'];

/**
 * Does nothing in a folder that has a listing.
 *
 * @param name - Of the folder, as the person knows it.
 * @throws {@link ListingVideoError} `usage` for a folder with other files; `output_unwritable`, `disk_full`.
 */
export async function copySample(folder: string, name: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown): string[] => {
    if (isAbsent(error)) return [];
    throw toOutputError(error, folder);
  });
  if (there.includes('listing.json')) return;
  if (there.length > 0)
    throw usageError(`--out: ${name} is not empty`, 'name a new folder: listing-video demo --out sample');
  try {
    await makeFolder(folder, false, 0o777);
    for (const part of SAMPLE)
      await cp(packageFile(`fixtures/${part}`), path.join(folder, part), { recursive: true, force: false });
  } catch (error) {
    throw toOutputError(error, folder);
  }
}
