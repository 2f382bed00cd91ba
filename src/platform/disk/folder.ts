/** Creates, reads and flushes folders. A flush makes the names in a folder survive a power loss. */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, isAbsent } from './disk-error.ts';

/** Names in a folder; empty if the folder does not exist. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** True if a file or folder exists at `path`. */
export async function exists(path: string): Promise<boolean> {
  try {
    await fs.access(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

interface Flushing {
  readonly running: Promise<void>;
  next: Promise<void> | null;
}

const flushing = new Map<string, Flushing>();

/**
 * Makes the names in a folder durable. Calls during a running flush share the next one, because the running flush can
 * miss their writes.
 */
export function flushFolder(path: string): Promise<void> {
  const current = flushing.get(path);
  if (current === undefined) return startFlush(path);
  current.next ??= current.running.catch(() => {}).then(() => startFlush(path));
  return current.next;
}

function startFlush(path: string): Promise<void> {
  const running = flushNow(path).finally(() => {
    // A flush that waits puts itself into the map in the same tick.
    flushing.delete(path);
  });
  flushing.set(path, { running, next: null });
  return running;
}

async function flushNow(path: string): Promise<void> {
  // Windows cannot open a folder to flush it. NTFS journals names itself.
  if (process.platform === 'win32') return;
  let folder: fs.FileHandle;
  try {
    folder = await fs.open(path, 'r');
  } catch (error) {
    // Another process can remove an empty folder. Then there is nothing to flush. A folder that this user can write but
    // not read cannot be flushed.
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EACCES') return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems do not support fsync of a folder.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errnoOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

/** Another process can remove a folder between two steps. After this many tries the cause must be another one. */
const MAX_FOLDER_TRIES = 5;

/**
 * Creates a folder and its missing parents. Existing folders do not change.
 *
 * It does not use the option `recursive` of Node, which reports a read-only file system as `ENOENT` and never returns
 * if a parent cannot contain folders (`/proc`).
 *
 * @param durable - Flushes the parent of each new folder.
 * @param mode - Rights of new folders, less the umask of the process. By default only the owner has access, because a
 *   data folder holds listings and secret file names.
 */
export async function makeFolder(path: string, durable: boolean, mode = 0o700): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await fs.mkdir(path, { mode });
      break;
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'EEXIST') return;
      if (errno !== 'ENOENT' || dirname(path) === path || tries === MAX_FOLDER_TRIES) throw error;
      await makeFolder(dirname(path), durable, mode);
    }
  }
  if (durable) await flushFolder(dirname(path));
}

/**
 * Calls `act`; after ENOENT again, with a new folder: there was none, or another process has just removed the empty
 * one.
 */
export async function inFolder<T>(path: string, durable: boolean, act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || tries === 100) throw error;
      await makeFolder(path, durable);
    }
  }
}
