/** Folders: made with those above them, and flushed so that a power cut does not lose the names in them. */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, isAbsent } from './disk-error.ts';

/** Names in a folder; none if there is no such folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await fs.readdir(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** True when there is a file or folder of that name. */
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
 * Makes the names in a folder durable. Callers that arrive while a flush runs share the next one, because the running
 * one can miss what they wrote.
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
  // Windows cannot open a folder for this, and NTFS journals names by itself.
  if (process.platform === 'win32') return;
  let folder: fs.FileHandle;
  try {
    folder = await fs.open(path, 'r');
  } catch (error) {
    // Another process can remove an emptied folder: then there is nothing to flush.
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems do not know fsync of a folder.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(errnoOf(error))) throw error;
  } finally {
    await folder.close();
  }
}

/** Another process can prune a folder between two steps; more often than this, something else is wrong. */
const MAX_FOLDER_TRIES = 5;

/**
 * Makes a folder and those above it, each durably. Existing ones are fine, and stay as they are.
 *
 * Node's `recursive` reports a read-only file system as `ENOENT`, and never returns where a parent exists but takes no
 * folders (`/proc`).
 *
 * @param mode - Rights of new ones, less the process's umask. By default their owner's alone: a data folder holds
 *   listings, and file names that nobody should guess.
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
