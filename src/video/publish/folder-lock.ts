/** The lock of an output folder, `.listing-video.lock`, which is also the staging folder of its owner. */
import { lstat, readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent, outputUnwritable, toOutputError } from '../../platform/disk/disk-error.ts';
import { exists, makeFolder } from '../../platform/disk/folder.ts';
import * as heldLock from '../../platform/disk/held-lock.ts';
import type { AttemptId, FolderOwner } from '../../platform/disk/owned-folder.ts';
import type { TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { lockedBy, lockLost } from './output-locked.ts';

const LOCK_NAME = '.listing-video.lock';
const SWEPT_AT_ONCE = 64;

/**
 * Takes the lock of `folder`. It frees the lock of a dead owner first.
 *
 * @param folder - Absolute; made when missing, durably. Removed when it is empty and the lock is freed.
 * @returns The staging folder. Another process that takes the lock takes it away.
 * @throws {@link ListingVideoError} `output_locked` while another process holds the lock, `output_unwritable`,
 * `disk_full`.
 */
export async function lockFolder(folder: string, attempt: AttemptId | null): Promise<TemporaryFolder> {
  const isNew = !(await exists(folder).catch(() => true));
  try {
    const hold = await heldLock.holdLock(path.join(folder, LOCK_NAME), {
      attempt,
      makeParent: () => makeOutputFolder(folder),
      parents: [folder],
      lostError: () => lockLost(folder),
    });
    if (!('held' in hold)) throw lockedBy(hold.holder, folder);
    return { ...hold.held, close: () => hold.held.close().then(() => removeEmpty(folder)) };
  } catch (error) {
    if (isNew) await removeEmpty(folder);
    throw toOutputError(error, folder);
  }
}

async function makeOutputFolder(folder: string): Promise<void> {
  try {
    // On the command line it is the user's own place, with the rights that the user gives to new folders.
    await makeFolder(folder, true, 0o777);
  } catch (error) {
    // A parent that cannot be made, such as a drive that is not there, is no bug but a place that takes no files.
    throw isAbsent(error) ? outputUnwritable(error, folder) : toOutputError(error, folder);
  }
}

/**
 * Frees the locks of dead owners in the output folders of `out`, and removes what they staged. Removes folders that
 * are empty then. What cannot be removed stays for the next call.
 */
export async function removeTornFolders(out: string): Promise<void> {
  const entries = await readdir(out, { withFileTypes: true }).catch(() => []);
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? [path.join(out, entry.name)] : []));
  // Several at once, because a network drive answers slowly. 10,000 folders take half a second on a local disk.
  for (let at = 0; at < folders.length; at += SWEPT_AT_ONCE) {
    await Promise.all(
      folders.slice(at, at + SWEPT_AT_ONCE).map((folder) => freeIfGone(folder).catch(() => {})),
    );
  }
}

/** Frees the lock if its owner is dead. @returns The owner that holds it; null when the lock is free. */
export async function freeIfGone(folder: string): Promise<FolderOwner | null> {
  const lock = path.join(folder, LOCK_NAME);
  const found = await lstat(lock).catch(() => null);
  const holder = await heldLock.freeIfGone(lock);
  if (holder === null && found?.isDirectory()) await removeEmpty(folder);
  return holder;
}

/** A run that failed or was killed leaves no empty folder; one with anything in it stays. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
