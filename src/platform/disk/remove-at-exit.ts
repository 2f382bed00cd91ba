/** Removes temporary files when the process exits. It is synchronous, because a second Ctrl-C exits at once. */
import { rmdirSync, rmSync } from 'node:fs';

interface Leftover {
  readonly path: string;
  /** Removed after `path` in this order, up to the first that is not empty. */
  readonly folders: readonly string[];
}

const leftovers = new Set<Leftover>();

/**
 * Removes `path` if this process exits first. After `kill -9` the next run removes it.
 *
 * @param folders - Also removed, in this order, if they are empty.
 * @returns A function that cancels the removal. Call it once the path is removed or has another owner.
 */
export function removeAtExit(path: string, ...folders: readonly string[]): () => void {
  if (leftovers.size === 0) process.on('exit', removeAll);
  const leftover = { path, folders };
  leftovers.add(leftover);
  return () => {
    leftovers.delete(leftover);
    if (leftovers.size === 0) process.off('exit', removeAll);
  };
}

function removeAll(): void {
  for (const { path, folders } of leftovers) {
    try {
      // An encoder that is being killed can add a file between the listing of the folder and its removal.
      rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
      for (const folder of folders) rmdirSync(folder);
    } catch {
      // The process is exiting and cannot report the error. The next run tries again.
    }
  }
}
