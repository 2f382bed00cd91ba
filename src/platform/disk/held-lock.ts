/**
 * A lock that one process holds for as long as it works. It is also the staging folder of its owner:
 *
 *     <lock>/<name>/owner.json    the owner and its heartbeat
 *     <lock>/<name>/<file>        files that the owner renames into place
 *
 * One rename of a prepared folder takes the lock, because a rename cannot replace a folder that is not empty. One
 * rename of `<name>` frees it. No two owners share a `<name>`, so a process that frees the lock of a dead owner
 * cannot free that of a later one. An owner publishes by renaming files out of `<name>`, so an owner that was only
 * suspended can publish nothing after it lost the lock.
 */
import { lstat, mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, isAbsent } from './disk-error.ts';
import { namesIn } from './folder.ts';
import {
  type AttemptId,
  type FolderOwner,
  isOwnerGone,
  isOwnName,
  makeOwnedFolder,
  newFolderName,
  readOwner,
  startHeartbeat,
} from './owned-folder.ts';
import { removeAtExit } from './remove-at-exit.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

const PORT_NAME = 'server.json';
/** After this time without a heartbeat, an owner that this process cannot see counts as dead. Six heartbeats. */
const LOCK_LEASE_MS = 30_000;
/** Each try can meet another process that takes or frees the lock. */
const MAX_TRIES = 10;
/** Errors of a lock that another process holds. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY']);
/** The same on Windows, a file in place of the lock, and an empty folder that another run has just removed. */
const MEETINGS = new Set([...TAKEN, 'EPERM', 'EACCES', 'EBUSY', 'ENOTDIR', 'ENOENT']);

export interface LockHolder extends FolderOwner {
  /** Its folder in the lock. */
  readonly path: string;
}

/** `holder` is null when several processes take and free the lock at the same time. */
export type Hold = { readonly held: TemporaryFolder } | { readonly holder: LockHolder | null };

export interface HoldOptions {
  readonly attempt: AttemptId | null;
  /** Makes the folder of the lock. Called before each try, because another process can remove an empty folder. */
  readonly makeParent: () => Promise<void>;
  /** At the exit of the process these folders go after the lock, if they are empty. */
  readonly parents?: readonly string[];
  /** The reason of `held.lost`. */
  readonly lostError: () => Error;
}

/**
 * Takes a lock. It frees the lock of a dead owner first.
 *
 * @param lock - Absolute path of a name that nothing else uses. Folders beside it have names that begin with it.
 * @throws The error of the file system, when the lock cannot be made.
 */
export async function holdLock(lock: string, options: HoldOptions): Promise<Hold> {
  const { attempt, parents = [], lostError } = options;
  const name = newFolderName(attempt);
  const staging = path.join(lock, name);
  const forget = removeAtExit(staging, lock, ...parents);
  try {
    const holder = await take(lock, name, options);
    if (holder !== undefined) {
      forget();
      return { holder };
    }
  } catch (error) {
    forget();
    throw error;
  }
  const heartbeat = startHeartbeat(staging, lostError);
  await removeLeftovers(lock);
  const held: TemporaryFolder = {
    path: staging,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    async close() {
      heartbeat.stop();
      // What cannot be removed stays for the next run. The results are complete.
      await freeLock(lock, name).catch(() => {});
      forget();
    },
  };
  return { held };
}

/** Says in the lock at which port its owner answers. */
export async function writePort(held: Pick<TemporaryFolder, 'path'>, port: number): Promise<void> {
  await writeFile(path.join(held.path, PORT_NAME), JSON.stringify({ port }));
}

/** Null: the owner has not said it yet. */
export async function readPort(holder: LockHolder): Promise<number | null> {
  try {
    const { port } = JSON.parse(await readFile(path.join(holder.path, PORT_NAME), 'utf8'));
    return Number.isInteger(port) ? port : null;
  } catch {
    return null;
  }
}

/** Undefined when the lock was taken, else its holder. */
async function take(
  lock: string,
  name: string,
  { makeParent, parents = [] }: HoldOptions,
): Promise<LockHolder | null | undefined> {
  const prepared = besideLock(lock, name);
  const forget = removeAtExit(prepared, ...parents);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        await makeParent();
        await mkdir(prepared);
        await makeOwnedFolder(path.join(prepared, name), { mode: 0o777, place: path.join(lock, name) });
        // Windows cannot replace even an empty folder.
        await rmdir(lock).catch(() => {});
        await rename(prepared, lock);
        return undefined;
      } catch (error) {
        await rm(prepared, { recursive: true, force: true });
        const errno = errnoOf(error);
        if (!MEETINGS.has(errno)) throw error;
        const holder = await freeIfGone(lock);
        if (holder !== null) return holder;
        if (tries === MAX_TRIES && TAKEN.has(errno)) return null;
        if (tries === MAX_TRIES) throw error;
      }
    }
  } finally {
    forget();
  }
}

/** Removes what killed runs left. A process that prepares a lock now finds its folder gone, and tries again. */
async function removeLeftovers(lock: string): Promise<void> {
  const folder = path.dirname(lock);
  const start = path.basename(besideLock(lock, ''));
  for (const name of await namesIn(folder).catch(() => [])) {
    if (!name.startsWith(start) || !isOwnName(name.slice(start.length))) continue;
    // One that cannot be removed stays for the next run.
    await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Frees the lock if its owner is dead. @returns The owner that holds it; null when the lock is free. */
export async function freeIfGone(lock: string): Promise<LockHolder | null> {
  const found = await lstat(lock).catch(unlessAbsent);
  if (found === undefined) return null;
  if (!found.isDirectory()) {
    // A link is never a lock of ours. What it leads to belongs to someone else.
    await unlink(lock).catch(() => {});
    return null;
  }
  for (const name of await namesIn(lock)) {
    const owner = await readOwner(path.join(lock, name));
    if (owner !== null && !isOwnerGone(owner, LOCK_LEASE_MS))
      return { ...owner, path: path.join(lock, name) };
    await freeLock(lock, name);
  }
  return null;
}

/** Takes the lock from the owner `name`, and removes what it staged. */
async function freeLock(lock: string, name: string): Promise<void> {
  const held = path.join(lock, name);
  const freed = besideLock(lock, name);
  // Windows refuses the rename while a file is open, and overlay file systems refuse it for a folder of a lower
  // layer.
  await rename(held, freed).catch(() => rm(held, { recursive: true, force: true }));
  await rmdir(lock).catch(() => {});
  await rm(freed, { recursive: true, force: true });
}

/** A folder that is prepared, or that was freed. */
function besideLock(lock: string, name: string): string {
  return `${lock}-${name}`;
}

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}
