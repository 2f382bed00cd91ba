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
import { mkdir, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent, outputUnwritable, toOutputError } from '../../disk/disk-error.ts';
import { exists, makeFolder, namesIn } from '../../disk/folder.ts';
import {
  type AttemptId,
  type FolderOwner,
  isOwnerGone,
  makeOwnedFolder,
  newFolderName,
  readIdentity,
  readOwner,
  startHeartbeat,
} from '../../disk/owned-folder.ts';
import { systemProbe } from '../../disk/process-identity.ts';
import { removeAtExit } from '../../disk/remove-at-exit.ts';
import { ListingVideoError } from '../../errors.ts';

const LOCK_NAME = '.listing-video.lock';
/** Folders beside the lock: one that is prepared, one that was freed, and staging folders of earlier versions. */
const STAGING_PREFIX = '.listing-video-';
/** After this time without a heartbeat, an owner that this process cannot see counts as dead. Six heartbeats. */
const LOCK_LEASE_MS = 30_000;
/** Each try can meet another process that takes or frees the lock. */
const MAX_TRIES = 10;
const SWEPT_AT_ONCE = 64;
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

/**
 * Frees the locks of dead owners in the output folders of `out`, and removes what they staged. Removes folders that are empty
 * then. What cannot be removed stays for the next call.
 */
export async function removeTornFolders(out: string): Promise<void> {
  const entries = await readdir(out, { withFileTypes: true }).catch(() => []);
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? [path.join(out, entry.name)] : []));
  // Several at once, because a network drive answers slowly. 10,000 folders take half a second on a local disk.
  for (let at = 0; at < folders.length; at += SWEPT_AT_ONCE) {
    await Promise.all(folders.slice(at, at + SWEPT_AT_ONCE).map(removeTorn));
  }
}

async function removeTorn(folder: string): Promise<void> {
  const isLocked = (await stat(path.join(folder, LOCK_NAME)).catch(() => null)) !== null;
  if (isLocked) await freeIfGone(folder).catch(() => {});
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

/** @returns The owner that holds the lock; null when the lock is free. */
async function freeIfGone(folder: string): Promise<FolderOwner | null> {
  const lock = path.join(folder, LOCK_NAME);
  let names: string[];
  try {
    names = await readdir(lock);
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return freeOldLock(lock);
    if (isAbsent(error)) return null;
    throw error;
  }
  for (const name of names) {
    const owner = await readOwner(path.join(lock, name));
    if (owner !== null && !isOwnerGone(owner, LOCK_LEASE_MS)) return owner;
    await freeLock(folder, name);
  }
  return null;
}

/** The lock of an earlier version was a file. @returns As {@link freeIfGone}. */
async function freeOldLock(lock: string): Promise<FolderOwner | null> {
  const file = await stat(lock).catch(() => null);
  if (file === null) return null;
  const owner = { process: await readIdentity(lock), heartbeatMs: file.mtimeMs };
  if (!isOwnerGone(owner, LOCK_LEASE_MS)) return owner;
  await unlink(lock).catch(() => {});
  return null;
}

async function freeLock(folder: string, name: string): Promise<void> {
  const lock = path.join(folder, LOCK_NAME);
  const held = path.join(lock, name);
  const freed = path.join(folder, `${STAGING_PREFIX}${name}`);
  // Windows refuses the rename while a file is open, and overlay file systems refuse it for a folder of a lower layer.
  await rename(held, freed).catch(() => rm(held, { recursive: true, force: true }));
  await rmdir(lock).catch(() => {});
  await rm(freed, { recursive: true, force: true });
  // A run that failed or was killed leaves no empty folder; one with anything in it stays.
  await rmdir(folder).catch(() => {});
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

/** @param owner - Null when several processes take and free the lock at the same time. */
function lockedBy(owner: FolderOwner | null, folder: string): ListingVideoError {
  const holder = owner?.process ?? null;
  const { host, space } = systemProbe().self;
  const isHere = holder?.host === host && holder.space === space;
  const where = isHere ? '' : ` of another container or machine (${holder?.host})`;
  const who = holder === null ? 'another process' : `process ${holder.pid}${where}`;
  return new ListingVideoError(
    'output_locked',
    `${who} is writing this listing's videos right now: ${folder}`,
    {
      hint:
        'Wait until it is done (`listing-video tasks list --state RUNNING`), or choose another folder with --out.' +
        (isHere ? '' : ' If it was killed, the folder becomes free 30 seconds later.'),
      context: { path: folder, pid: holder?.pid ?? null },
    },
  );
}

function lockLost(folder: string): ListingVideoError {
  return new ListingVideoError('output_locked', `another process has taken over ${folder}`, {
    hint: 'This process did not respond for more than 30 seconds, so it counted as dead. Run the same command again.',
    context: { path: folder, pid: null },
  });
}
