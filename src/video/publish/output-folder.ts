/**
 * The output folder of a run. Files are written into a staging folder and renamed when the whole set is complete, so
 * that a reader never sees half a file or half a set.
 */
import { open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toOutputError } from '../../platform/disk/disk-error.ts';
import { flushFolder } from '../../platform/disk/folder.ts';
import { hashFile } from '../../platform/disk/hash-file.ts';
import type { AttemptId } from '../../platform/disk/owned-folder.ts';
import type { TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { freeIfGone, lockFolder } from './folder-lock.ts';
import type { ReportFile } from './report.ts';

export interface OutputFolder {
  /** Absolute path of the published files. */
  readonly path: string;
  /** Aborted when another process has taken the folder, because this one did not respond for too long. */
  readonly lost: AbortSignal;
  /** @throws {@link ListingVideoError} When the folder is lost; the reason of `lost`. */
  assertHeld(): Promise<void>;
  /** Path to write the file that will be published as `name`. */
  stagedPath(name: string): string;
  describe(name: string): Promise<ReportFile>;
  /**
   * Makes staged files visible and durable under their final names, in this order: the last one marks the set as
   * complete.
   *
   * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`; the reason of `lost`.
   */
  publish(names: readonly string[]): Promise<void>;
  /** Removes staged files and the lock. Always call it, also after a failure. */
  close(): Promise<void>;
}

/**
 * The output folder whose files wait in `staging`.
 *
 * @param folder - Absolute path of the published files.
 * @param move - Moves the staged files of these names into it. A failure of a lost folder counts as the loss.
 */
export function stagedFolder(
  staging: TemporaryFolder,
  folder: string,
  move: (names: readonly string[]) => Promise<void>,
): OutputFolder {
  const stagedPath = (name: string): string => path.join(staging.path, name);
  return {
    ...staging,
    path: folder,
    stagedPath,
    describe: (name) => describeFile(stagedPath(name)),
    async publish(names) {
      try {
        for (const name of names) await flushFile(stagedPath(name));
        await move(names);
      } catch (error) {
        await staging.assertHeld();
        throw toOutputError(error, folder);
      }
    },
  };
}

/**
 * The output folder of one listing. A lock prevents two runs of one listing at once.
 *
 * @param folder - Absolute; made when missing.
 * @param attempt - The attempt that writes; null for work that is no task of this machine.
 * @throws {@link ListingVideoError} `output_unwritable` when the folder cannot be made or written, `output_locked`
 *   when another living process is writing this listing.
 */
export async function openOutputFolder(
  folder: string,
  attempt: AttemptId | null = null,
): Promise<OutputFolder> {
  const lock = await lockFolder(folder, attempt);
  return stagedFolder(lock, folder, async (names) => {
    // Each rename fails after the lock was lost, because the staging folder is gone then.
    for (const name of names) await rename(path.join(lock.path, name), path.join(folder, name));
    await flushFolder(folder);
    // The run that made this folder can have died before it flushed the name.
    await flushFolder(path.dirname(folder));
  });
}

/** Time between two looks, and up to as much again by chance, so that processes that wait do not act in step. */
const LOOK_MS = 300;

export interface FolderWait {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once, when another process holds the folder. */
  readonly onWait: () => void;
}

/**
 * As {@link openOutputFolder}, but waits for the end of a run that holds the folder: its work is then found done.
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

/** Size and SHA-256 of a file; `file` is its base name. */
export async function describeFile(filePath: string): Promise<ReportFile> {
  const { sizeBytes, sha256 } = await hashFile(filePath);
  return { file: path.basename(filePath), size_bytes: sizeBytes, sha256 };
}

/** True if the file is as a report describes it: nobody has changed it since. */
export async function isIntact(described: ReportFile, folder: string): Promise<boolean> {
  const filePath = path.join(folder, described.file);
  const found = await stat(filePath).catch(() => null);
  // Reading a named pipe would hold up the run for ever.
  if (!found?.isFile() || found.size !== described.size_bytes) return false;
  return (await hashFile(filePath).catch(() => null))?.sha256 === described.sha256;
}

/** Makes the content of a file durable. @throws The file system's error. */
export async function flushFile(filePath: string): Promise<void> {
  const file = await open(filePath, 'r+');
  await file.sync().finally(() => file.close());
}
