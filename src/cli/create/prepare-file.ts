/** Checks before rendering that a report can be written at the end, and writes it whole. */
import { constants } from 'node:fs';
import { access, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { errnoOf, outputUnwritable } from '../../platform/disk/disk-error.ts';
import type { ListingVideoError } from '../../platform/errors.ts';
import { usageError } from '../cli-error.ts';

/**
 * Makes the folders above `file`.
 *
 * @throws ListingVideoError `usage` when it is a folder, `output_unwritable` when it cannot be written.
 */
export async function prepareFile(file: string, flag: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found?.isDirectory()) throw usageError(`${flag}: ${file} is a folder`, 'name a file in it');
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await access(found === null ? path.dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Replaces the file: a reader sees the old or the new one. A device or pipe is written directly.
 *
 * @throws ListingVideoError `output_unwritable`, `disk_full`.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  try {
    const found = await stat(file).catch(() => null);
    if (found !== null && !found.isFile()) await writeFile(file, text);
    else await writeFileAtomically(file, text, { durable: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** The error of a file that cannot be written, with the system's reason. */
export function unwritable(file: string, cause: unknown): ListingVideoError {
  const isPipe = errnoOf(cause) === 'ENXIO';
  const hint = isPipe ? 'nobody reads this pipe: start the reader first' : 'check its rights and its folder';
  return outputUnwritable(cause, file, hint);
}
