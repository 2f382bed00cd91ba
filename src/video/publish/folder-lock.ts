/**
 * The lock of an output folder, which is also the staging folder of its owner:
 *
 *     <folder>/.listing-video.lock/<name>/owner.json    the owner and its heartbeat
 *     <folder>/.listing-video.lock/<name>/<file>        files to publish
 *
 * One rename of a prepared folder takes the lock, because a rename cannot replace a folder that is not empty. One rename of
 * `<name>` frees it. No two owners share a `<name>`, so a process that frees the lock of a dead owner cannot free that of a
 * later one. An owner publishes by renaming files out of `<name>`, so an owner that was only suspended can publish nothing
 * after it lost the lock.
 */
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent, outputUnwritable, toOutputError } from '../../platform/disk/disk-error.ts';
import { exists, makeFolder, namesIn } from '../../platform/disk/folder.ts';
import { type AttemptId, makeOwnedFolder, newFolderName, startHeartbeat } from '../../platform/disk/owned-folder.ts';
import { removeAtExit } from '../../platform/disk/remove-at-exit.ts';
import { freeIfGone, freeLock, LOCK_NAME, STAGING_PREFIX } from './free-lock.ts';
import { lockedBy, lockLost } from './output-locked.ts';

/** Each try can meet another process that takes or frees the lock. */
const MAX_TRIES = 10;
/** Errors of a lock that another process holds. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY']);
/**
 * The same as Windows reports it, a lock file of an earlier version, and an empty output folder that another run has just
 * removed.
 */
const MEETINGS = new Set([...TAKEN, 'EPERM', 'EACCES', 'EBUSY', 'ENOTDIR', 'ENOENT']);

export interface FolderLock {
  /** Absolute path of the staging folder. */
  readonly staging: string;
  /** Aborted when another process has taken the lock, because this one did not respond for too long. */
  readonly lost: AbortSignal;
  /** @throws {@link ListingVideoError} `output_locked` when the lock is lost. */
  assertHeld(): Promise<void>;
  /** Frees the lock and removes the staged files. */
  release(): Promise<void>;
}

/**
 * Takes the lock of `folder`. It frees the lock of a dead owner first.
 *
 * @param folder - Absolute; made when missing, durably.
 * @throws {@link ListingVideoError} `output_locked` while another process holds the lock, `output_unwritable`, `disk_full`.
 */
export async function lockFolder(folder: string, attempt: AttemptId | null): Promise<FolderLock> {
  const name = newFolderName(attempt);
  const staging = path.join(folder, LOCK_NAME, name);
  const isNew = !(await exists(folder).catch(() => true));
  const forget = removeAtExit(staging, path.dirname(staging), folder);
  try {
    await takeLock(folder, name);
  } catch (error) {
    forget();
    if (isNew) await rmdir(folder).catch(() => {});
    throw toOutputError(error, folder);
  }
  const heartbeat = startHeartbeat(staging, () => lockLost(folder));
  await removeLeftovers(folder);
  return {
    staging,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    async release() {
      heartbeat.stop();
      // What cannot be removed stays for the next run. The results are complete.
      await freeLock(folder, name).catch(() => {});
      forget();
    },
  };
}

async function takeLock(folder: string, name: string): Promise<void> {
  const lock = path.join(folder, LOCK_NAME);
  const prepared = path.join(folder, `${STAGING_PREFIX}${name}`);
  const forget = removeAtExit(prepared, folder);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await makeOutputFolder(folder);
        await mkdir(prepared);
        await makeOwnedFolder(path.join(prepared, name), 0o777);
        // Windows cannot replace even an empty folder.
        await rmdir(lock).catch(() => {});
        return await rename(prepared, lock);
      } catch (error) {
        await rm(prepared, { recursive: true, force: true });
        const errno = errnoOf(error);
        if (!MEETINGS.has(errno)) throw error;
        const holder = await freeIfGone(folder);
        if (holder !== null) throw lockedBy(holder, folder);
        if (tries === MAX_TRIES) throw TAKEN.has(errno) ? lockedBy(null, folder) : error;
      }
    }
  } finally {
    forget();
  }
}

/** Removes what killed runs left. A process that prepares a lock now finds its folder gone, and tries again. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await namesIn(folder).catch(() => [])) {
    if (!name.startsWith(STAGING_PREFIX) && !name.startsWith(`${LOCK_NAME}.`)) continue;
    // One that cannot be removed stays for the next run.
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
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
