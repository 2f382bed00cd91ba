/** The output folder of each listing, `<out>/<listing id>`, never shared by two listings. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { foldCase, hashedName, safeNames } from '../../platform/disk/safe-name.ts';

/** Names in `<out>` that no listing can have: manifests of batches. */
const KEPT = /^manifest(?:-\d+-of-\d+)?\.json$/;

/**
 * The ids as file names that are safe and different on every file system. A name gets a hash when `out` has a folder
 * whose name differs only in case.
 *
 * @param out - Absolute; need not exist.
 * @returns Absolute folders in the order of the ids; equal ids have equal folders.
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

export async function outputFolderOf(out: string, listingId: string): Promise<string> {
  const [folder] = await outputFoldersOf(out, [listingId]);
  return folder!;
}
