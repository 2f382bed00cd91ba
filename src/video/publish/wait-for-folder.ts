/** Opens an output folder, and waits while another process writes it: its work is then found done. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptId } from '../../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { freeIfGone } from './free-lock.ts';
import { type OutputFolder, openOutputFolder } from './output-folder.ts';

/** Time between two looks, and up to as much again by chance, so that processes that wait do not act in step. */
const LOOK_MS = 300;

export interface FolderWait {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once, when another process holds the folder. */
  readonly onWait: () => void;
}

/**
 * As {@link openOutputFolder}, but waits for the end of a run that holds the folder. The lock of a dead owner is freed.
 *
 * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`; the signal's reason.
 */
export async function openFolderWhenFree(
  folder: string,
  attempt: AttemptId | null,
  { signal, onWait }: FolderWait,
): Promise<OutputFolder> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await openOutputFolder(folder, attempt);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'output_locked') throw error;
    }
    if (tries === 1) onWait();
    do await pauseBetweenLooks(signal);
    while ((await freeIfGone(folder)) !== null);
  }
}

/** @throws The signal's reason. */
export async function pauseBetweenLooks(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_MS * (1 + Math.random()), undefined, { signal }).catch(() => {});
  signal.throwIfAborted();
}
