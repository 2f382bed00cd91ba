/** What goes when the process ends in the middle of a task: a second Ctrl-C leaves no time for anything that waits. */
import { rmdirSync, rmSync } from 'node:fs';

interface Leftover {
  /** Removed with all that is in it. */
  readonly path: string;
  /** Removed after it, where that leaves it empty. */
  readonly folder: string | null;
}

const leftovers = new Set<Leftover>();

/**
 * Removes `path` if this process exits first. What `kill -9` leaves is cleared away by the next run.
 *
 * @param folder - Goes with it, when empty.
 * @returns Call it once the path is gone, or is somebody else's.
 */
export function removeAtExit(path: string, folder: string | null = null): () => void {
  if (leftovers.size === 0) process.on('exit', removeAll);
  const leftover = { path, folder };
  leftovers.add(leftover);
  return () => {
    leftovers.delete(leftover);
    if (leftovers.size === 0) process.off('exit', removeAll);
  };
}

function removeAll(): void {
  for (const { path, folder } of leftovers) {
    try {
      // An encoder that is just being killed may add a file between the listing of the folder and its removal.
      rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
      if (folder !== null) rmdirSync(folder);
    } catch {
      // Nobody is left to tell; the next run tries again.
    }
  }
}
