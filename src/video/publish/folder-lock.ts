/**
 * The lock of an output folder, which is also the staging folder of its owner:
 *
 *     <folder>/.listing-video.lock/<name>/owner.json    the owner and its heartbeat
 *     <folder>/.listing-video.lock/<name>/<file>        files to publish
 *
 * One rename of a prepared folder takes the lock, because a rename cannot replace a folder that is not empty. One
 * rename of `<name>` frees it. No two owners share a `<name>`, so a process that frees the lock of a dead owner
 * cannot free that of a later one. An owner publishes by renaming files out of `<name>`, so an owner that was only
 * suspended can publish nothing after it lost the lock.
 */
import { lstat, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent, outputUnwritable, toOutputError } from '../../platform/disk/disk-error.ts';
import { exists, makeFolder, namesIn } from '../../platform/disk/folder.ts';
import {
  type AttemptId,
  type FolderOwner,
  isOwnerGone,
  makeOwnedFolder,
  newFolderName,
  readOwner,
  startHeartbeat,
} from '../../platform/disk/owned-folder.ts';
import { removeAtExit } from '../../platform/disk/remove-at-exit.ts';
import type { TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { lockedBy, lockLost } from './output-locked.ts';

const LOCK_NAME = '.listing-video.lock';
/** Folders beside the lock: one that is prepared, and one that was freed. */
const STAGING_PREFIX = '.listing-video-';
/** After this time without a heartbeat, an owner that this process cannot see counts as dead. Six heartbeats. */
const LOCK_LEASE_MS = 30_000;
const SWEPT_AT_ONCE = 64;
/** Each try can meet another process that takes or frees the lock. */
const MAX_TRIES = 10;
/** Errors of a lock that another process holds. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY']);
/** The same on Windows, a file in place of the lock, and an empty folder that another run has just removed. */
const MEETINGS = new Set([...TAKEN, 'EPERM', 'EACCES', 'EBUSY', 'ENOTDIR', 'ENOENT']);

/**
 * Takes the lock of `folder`. It frees the lock of a dead owner first.
 *
 * @param folder - Absolute; made when missing, durably.
 * @returns The staging folder. Another process that takes the lock takes it away.
 * @throws {@link ListingVideoError} `output_locked` while another process holds the lock, `output_unwritable`,
 * `disk_full`.
 */
export async function lockFolder(folder: string, attempt: AttemptId | null): Promise<TemporaryFolder> {
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
    path: staging,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    async close() {
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
    if (!name.startsWith(STAGING_PREFIX)) continue;
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
  const found = await lstat(lock).catch(unlessAbsent);
  if (found === undefined) return null;
  if (!found.isDirectory()) {
    // A link is never a lock of ours. What it leads to belongs to someone else.
    await unlink(lock).catch(() => {});
    return null;
  }
  for (const name of await namesIn(lock)) {
    const owner = await readOwner(path.join(lock, name));
    if (owner !== null && !isOwnerGone(owner, LOCK_LEASE_MS)) return owner;
    await freeLock(folder, name);
  }
  return null;
}

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** Takes the lock from the owner `name`, removes what it staged, and then the folder if it is empty. */
export async function freeLock(folder: string, name: string): Promise<void> {
  const lock = path.join(folder, LOCK_NAME);
  const held = path.join(lock, name);
  const freed = path.join(folder, `${STAGING_PREFIX}${name}`);
  // Windows refuses the rename while a file is open, and overlay file systems refuse it for a folder of a lower
  // layer.
  await rename(held, freed).catch(() => rm(held, { recursive: true, force: true }));
  await rmdir(lock).catch(() => {});
  await rm(freed, { recursive: true, force: true });
  // A run that failed or was killed leaves no empty folder; one with anything in it stays.
  await rmdir(folder).catch(() => {});
}
