/**
 * The temporary folder of one run. It is in the data folder, beside the cache, so that cached files can be hard-linked.
 */
import path from 'node:path';
import { toStoreError } from '../platform/disk/disk-error.ts';
import type { AttemptId } from '../platform/disk/owned-folder.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../platform/errors.ts';

/**
 * Makes a new folder in `<home>/work`, and removes those of dead processes.
 *
 * @param attempt - The attempt that it is for; null for work that is no task.
 * @returns The folder. When it is lost, the reason is `store_unwritable`.
 * @throws {@link ListingVideoError} `store_unwritable` or `disk_full`.
 */
export async function openWorkFolder(
  home: string,
  attempt: AttemptId | null = null,
): Promise<TemporaryFolder> {
  const root = workRoot(home);
  try {
    return await openTemporaryFolder(root, attempt, workFolderLost);
  } catch (error) {
    throw toStoreError(error, root);
  }
}

export function workRoot(home: string): string {
  return path.join(home, 'work');
}

function workFolderLost(folder: string): ListingVideoError {
  return new ListingVideoError('store_unwritable', `the temporary folder ${folder} was removed`, {
    hint: 'this process did not respond for minutes, so another one counted it as dead; run the same command again',
    context: { path: folder },
  });
}
