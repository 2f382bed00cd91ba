/** Which listing of a batch comes next, so that two commands with one output folder share their listings. */
import pLimit from 'p-limit';
import type { FolderOwner } from '../../platform/disk/owned-folder.ts';
import { freeIfGone } from '../../video/publish/folder-lock.ts';
import { pauseBetweenLooks } from '../../video/publish/output-folder.ts';
import { nameHolder } from '../../video/publish/output-locked.ts';
import type { ReadyListing } from '../listings/listing-result.ts';
import { escapeText } from '../terminal/escape-text.ts';
import type { PlacedListing } from './reporters/reporter.ts';

/** Whom a listing waits for. */
export function describeWait({ source }: ReadyListing, holder: FolderOwner | null): string {
  return `${escapeText(source.file)}: waiting for ${nameHolder(holder)}, which is writing its videos`;
}

interface TakerOptions {
  readonly isEnding: () => boolean;
  readonly signal: AbortSignal;
  /** Called once for a listing that every other one has overtaken. */
  readonly onWait: (listing: PlacedListing, holder: FolderOwner | null) => void;
}

/**
 * Takes the first listing whose folder no other process holds; waits while others hold all of them. Undefined at
 * last.
 *
 * @param waiting - Loses what is taken.
 */
export function createTaker(waiting: PlacedListing[], { isEnding, signal, onWait }: TakerOptions) {
  const reported = new Set<number>();
  const take = async (): Promise<PlacedListing | undefined> => {
    while (!isEnding() && waiting.length > 0) {
      let firstHolder: FolderOwner | null = null;
      for (const [at, { listing }] of waiting.entries()) {
        // A folder that cannot be read fails its task, which says why.
        const holder = await freeIfGone(listing.payload.outputDir).catch(() => null);
        if (isEnding()) return undefined;
        if (holder === null) return waiting.splice(at, 1)[0];
        firstHolder ??= holder;
      }
      const [first] = waiting;
      if (first !== undefined && !reported.has(first.index)) {
        reported.add(first.index);
        onWait(first, firstHolder);
      }
      await pauseBetweenLooks(signal).catch(() => {});
    }
    return undefined;
  };
  // One after the other, so that no two lanes take the same listing.
  const limit = pLimit(1);
  return () => limit(take);
}
