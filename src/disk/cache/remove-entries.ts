/** Removes entries of a cache. */
import { rm } from 'node:fs/promises';
import type { ScannedEntry } from './scan-cache.ts';

export interface Removal {
  readonly removedEntries: number;
  readonly freedBytes: number;
}

/**
 * Removes the files of `entries`. One that another process has removed counts as removed here too; one that cannot be removed
 * does not count. A run that has just linked an entry keeps its file.
 */
export async function removeEntries(entries: readonly ScannedEntry[]): Promise<Removal> {
  let removedEntries = 0;
  let freedBytes = 0;
  for (const { paths, sizeBytes } of entries) {
    try {
      for (const path of paths) await rm(path, { force: true });
    } catch {
      continue;
    }
    removedEntries += 1;
    freedBytes += sizeBytes;
  }
  return { removedEntries, freedBytes };
}
