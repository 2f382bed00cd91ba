/** A temporary folder of this process, kept by a heartbeat and removed when it is closed, or when the process exits. */
import { join } from 'node:path';
import { makeFolder } from './folder.ts';
import {
  type AttemptId,
  makeOwnedFolder,
  newFolderName,
  removeAbandoned,
  startHeartbeat,
  takeAndRemove,
} from './owned-folder.ts';
import { removeAtExit } from './remove-at-exit.ts';

export interface TemporaryFolder {
  /** Absolute. */
  readonly path: string;
  /** Aborted when another process has removed the folder, because this one did not respond for minutes. */
  readonly lost: AbortSignal;
  /** @throws The reason of `lost`. */
  assertHeld(): Promise<void>;
  /** Removes it with all that is in it. Always call it. */
  close(): Promise<void>;
}

/**
 * Makes a new folder in `root`, and removes those of dead processes there.
 *
 * @param root - Absolute; made when missing.
 * @param attempt - The attempt that it is for; null for work that is no task.
 * @param toLostError - Makes the reason of `lost` from the folder's path.
 * @throws The file system's error.
 */
export async function openTemporaryFolder(
  root: string,
  attempt: AttemptId | null,
  toLostError: (path: string) => Error,
): Promise<TemporaryFolder> {
  const path = join(root, newFolderName(attempt));
  const forget = removeAtExit(path);
  try {
    await makeFolder(root, false);
    await makeOwnedFolder(path);
  } catch (error) {
    // A full disk can have room for the folder, but not for its owner's file.
    await takeAndRemove(path).catch(() => {});
    forget();
    throw error;
  }
  const heartbeat = startHeartbeat(path, () => toLostError(path));
  await removeAbandoned(root);
  return {
    path,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    async close() {
      heartbeat.stop();
      await takeAndRemove(path);
      forget();
    },
  };
}
