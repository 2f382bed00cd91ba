/** The temporary folder of one run. It is in the data folder, beside the cache, so that cached files can be hard-linked. */
import path from 'node:path';
import { toStoreError } from '../disk/disk-error.ts';
import { makeFolder } from '../disk/folder.ts';
import {
  type AttemptId,
  makeOwnedFolder,
  newFolderName,
  removeAbandoned,
  startHeartbeat,
  takeAndRemove,
} from '../disk/owned-folder.ts';
import { removeAtExit } from '../disk/remove-at-exit.ts';
import { ListingVideoError } from '../errors.ts';

export interface WorkFolder {
  readonly path: string;
  /** Aborted when another process has removed the folder, because this one did not respond for minutes. */
  readonly lost: AbortSignal;
  /** @throws {@link ListingVideoError} `store_unwritable` when the folder is lost. */
  assertHeld(): Promise<void>;
  /** Removes it with all that is in it. Always call it. */
  close(): Promise<void>;
}

/**
 * Makes a new folder in `<home>/work`, and removes those of dead processes.
 *
 * @param attempt - The attempt that it is for; null for work that is no task.
 * @throws {@link ListingVideoError} `store_unwritable` or `disk_full`.
 */
export async function openWorkFolder(home: string, attempt: AttemptId | null = null): Promise<WorkFolder> {
  const root = workRoot(home);
  const folder = path.join(root, newFolderName(attempt));
  const forget = removeAtExit(folder);
  try {
    await makeFolder(root, false);
    await makeOwnedFolder(folder);
  } catch (error) {
    forget();
    throw toStoreError(error, root);
  }
  const heartbeat = startHeartbeat(folder, () => workFolderLost(folder));
  await removeAbandoned(root);
  return {
    path: folder,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    async close() {
      heartbeat.stop();
      await takeAndRemove(folder);
      forget();
    },
  };
}

/** Folder of all work folders of a data folder. */
export function workRoot(home: string): string {
  return path.join(home, 'work');
}

function workFolderLost(folder: string): ListingVideoError {
  return new ListingVideoError('store_unwritable', `the temporary folder ${folder} was removed`, {
    hint: 'this process did not respond for minutes, so another one counted it as dead; run the same command again',
    context: { path: folder },
  });
}
