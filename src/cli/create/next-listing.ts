/** Which listing of a batch comes next, so that two commands with one output folder share their listings. */
import type { FolderOwner } from '../../platform/disk/owned-folder.ts';
import { freeIfGone } from '../../video/publish/free-lock.ts';
import { nameHolder } from '../../video/publish/output-locked.ts';
import { pauseBetweenLooks } from '../../video/publish/wait-for-folder.ts';
import type { ReadyListing } from '../listings/listing-result.ts';
import { escapeText } from '../terminal/escape-text.ts';

/** A listing that has not started. */
export interface WaitingListing {
  readonly ready: ReadyListing;
  /** Its place on the command line. */
  readonly index: number;
}

/** Whom a listing waits for. */
export function describeWait({ source }: ReadyListing, holder: FolderOwner | null): string {
  return `${escapeText(source.file)}: waiting for ${nameHolder(holder)}, which is writing its videos`;
}

interface TakerOptions {
  readonly isEnding: () => boolean;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Takes the first listing whose folder no other process holds; waits while others hold all of them. Undefined at the end.
 *
 * @param waiting - Loses what is taken.
 */
export function createTaker(waiting: WaitingListing[], { isEnding, signal, log }: TakerOptions) {
  const logged = new Set<number>();
  const take = async (): Promise<WaitingListing | undefined> => {
    while (!isEnding() && waiting.length > 0) {
      let firstHolder: FolderOwner | null = null;
      for (const [at, { ready }] of waiting.entries()) {
        // A folder that cannot be read fails its task, which says why.
        const holder = await freeIfGone(ready.payload.outputDir).catch(() => null);
        if (isEnding()) return undefined;
        if (holder === null) return waiting.splice(at, 1)[0];
        firstHolder ??= holder;
      }
      const [first] = waiting;
      if (first !== undefined && !logged.has(first.index)) {
        logged.add(first.index);
        log(describeWait(first.ready, firstHolder));
      }
      await pauseBetweenLooks(signal).catch(() => {});
    }
    return undefined;
  };
  // One after the other, so that no two lanes take the same listing.
  let last: Promise<unknown> = Promise.resolve();
  return (): Promise<WaitingListing | undefined> => {
    const taken = last.then(take);
    last = taken;
    return taken;
  };
}
