/**
 * The output folder of one listing. Files are written into a staging folder and renamed when the whole set is complete, so
 * that a reader never sees half a file or half a set. A lock prevents two runs of one listing at once.
 */
import { open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { toOutputError } from '../../platform/disk/disk-error.ts';
import { flushFolder } from '../../platform/disk/folder.ts';
import { hashFile } from '../../platform/disk/hash-file.ts';
import type { AttemptId } from '../../platform/disk/owned-folder.ts';
import { lockFolder } from './folder-lock.ts';
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
  /** Describes a staged file: size and digest. */
  describe(name: string): Promise<ReportFile>;
  /**
   * Makes staged files visible and durable under their final names, in this order: the last one marks the set as complete.
   *
   * @throws {@link ListingVideoError} `output_unwritable`, `disk_full`; the reason of `lost`.
   */
  publish(names: readonly string[]): Promise<void>;
  /** Removes staged files and the lock. Always call it, also after a failure. */
  close(): Promise<void>;
}

/**
 * @param folder - Absolute; made when missing.
 * @param attempt - The attempt that writes; null for work that is no task of this machine.
 * @throws {@link ListingVideoError} `output_unwritable` when the folder cannot be made or written, `output_locked` when
 *   another living process is writing this listing.
 */
export async function openOutputFolder(
  folder: string,
  attempt: AttemptId | null = null,
): Promise<OutputFolder> {
  const lock = await lockFolder(folder, attempt);
  return {
    path: folder,
    lost: lock.lost,
    assertHeld: () => lock.assertHeld(),
    stagedPath: (name) => path.join(lock.staging, name),
    describe: (name) => describeFile(path.join(lock.staging, name)),
    async publish(names) {
      try {
        for (const name of names) await flushFile(path.join(lock.staging, name));
        // Each rename fails after the lock was lost, because the staging folder is gone then.
        for (const name of names) await rename(path.join(lock.staging, name), path.join(folder, name));
        await flushFolder(folder);
        // The run that made this folder can have died before it flushed the name.
        await flushFolder(path.dirname(folder));
      } catch (error) {
        await lock.assertHeld();
        throw toOutputError(error, folder);
      }
    },
    close: () => lock.release(),
  };
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
