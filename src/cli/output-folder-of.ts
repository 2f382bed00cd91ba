/** The folder a listing's results go to, `<out>/<listing id>`, never one that belongs to another listing. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { foldCase, hashedName, safeName } from '../listing/safe-name.ts';

/**
 * The id as a safe file name; with its hash when a folder is there whose name differs from it in case only, since some
 * file systems would take the two for one.
 *
 * @param out - Absolute; need not exist.
 */
export async function outputFolderOf(out: string, listingId: string): Promise<string> {
  const name = safeName(listingId);
  const taken = await readdir(out).catch((): string[] => []);
  const isClash = !taken.includes(name) && taken.some((other) => foldCase(other) === foldCase(name));
  return path.join(out, isClash ? hashedName(listingId) : name);
}
