/** Frees the lock of an output folder, as `folder-lock.ts` describes it: of its own process, or of a dead one. */
import { readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent } from '../../disk/disk-error.ts';
import { type FolderOwner, isOwnerGone, readIdentity, readOwner } from '../../disk/owned-folder.ts';

export const LOCK_NAME = '.listing-video.lock';
/** Folders beside the lock: one that is prepared, one that was freed, and staging folders of earlier versions. */
export const STAGING_PREFIX = '.listing-video-';
/** After this time without a heartbeat, an owner that this process cannot see counts as dead. Six heartbeats. */
const LOCK_LEASE_MS = 30_000;
const SWEPT_AT_ONCE = 64;

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

/** Frees the lock if its owner is dead. @returns The owner that holds it; null when the lock is free. */
export async function freeIfGone(folder: string): Promise<FolderOwner | null> {
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

/** Takes the lock from the owner `name`, removes what it staged, and then the folder if it is empty. */
export async function freeLock(folder: string, name: string): Promise<void> {
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
