/** Frees the lock of an output folder, as `folder-lock.ts` describes it: of its own process, or of a dead one. */
import type { Stats } from 'node:fs';
import { lstat, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent } from '../../platform/disk/disk-error.ts';
import { namesIn } from '../../platform/disk/folder.ts';
import { type FolderOwner, isOwnerGone, readIdentity, readOwner } from '../../platform/disk/owned-folder.ts';

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
  // A link is never a lock of ours. What it leads to belongs to someone else.
  if (!found.isDirectory()) return freeOldLock(lock, found);
  for (const name of await namesIn(lock)) {
    const owner = await readOwner(path.join(lock, name));
    if (owner !== null && !isOwnerGone(owner, LOCK_LEASE_MS)) return owner;
    await freeLock(folder, name);
  }
  return null;
}

/** The lock of an earlier version was a file. @returns As {@link freeIfGone}. */
async function freeOldLock(lock: string, found: Stats): Promise<FolderOwner | null> {
  const owner = { process: await readIdentity(lock), heartbeatMs: found.mtimeMs };
  if (found.isFile() && !isOwnerGone(owner, LOCK_LEASE_MS)) return owner;
  await unlink(lock).catch(() => {});
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
  // Windows refuses the rename while a file is open, and overlay file systems refuse it for a folder of a lower layer.
  await rename(held, freed).catch(() => rm(held, { recursive: true, force: true }));
  await rmdir(lock).catch(() => {});
  await rm(freed, { recursive: true, force: true });
  // A run that failed or was killed leaves no empty folder; one with anything in it stays.
  await rmdir(folder).catch(() => {});
}
