/** The folders that listings' results go to, `<out>/<listing id>`, never one that belongs to another listing. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { foldCase, hashedName, safeNames } from '../../disk/safe-name.ts';

/** Names in the folder of all results that are no listing's: what a batch says of itself. */
const KEPT = /^manifest(?:-\d+-of-\d+)?\.json$/;

/**
 * The ids as safe file names, no two of which some file system would take for one; with its hash also where a folder is
 * there whose name differs from it in case only.
 *
 * @param out - Absolute; need not exist.
 * @returns Absolute folders in the order of the ids; of equal ids equal ones.
 */
export async function outputFoldersOf(out: string, listingIds: readonly string[]): Promise<string[]> {
  const taken = await readdir(out).catch((): string[] => []);
  const exact = new Set(taken);
  const folded = new Set(taken.map(foldCase));
  return safeNames(listingIds).map((name, index) => {
    const isClash = (!exact.has(name) && folded.has(foldCase(name))) || KEPT.test(foldCase(name));
    return path.join(out, isClash ? hashedName(listingIds[index]!) : name);
  });
}

/** {@link outputFoldersOf} for one listing. */
export async function outputFolderOf(out: string, listingId: string): Promise<string> {
  const [folder] = await outputFoldersOf(out, [listingId]);
  return folder!;
}
