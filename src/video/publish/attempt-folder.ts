/**
 * The output folder of one attempt at a server's task. No other attempt writes there, so it needs no lock: only the
 * outcome that the task store accepts makes it the result. One rename of the staging folder publishes all files.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, toOutputError } from '../../platform/disk/disk-error.ts';
import { flushFolder, makeFolder } from '../../platform/disk/folder.ts';
import type { AttemptId } from '../../platform/disk/owned-folder.ts';
import { openTemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { type OutputFolder, stagedFolder } from './output-folder.ts';

export interface AttemptFolderOptions {
  /** Absolute path of the published files. Only this attempt publishes there. */
  readonly folder: string;
  /** Absolute folder of all staging folders, on the same disk. */
  readonly stagingRoot: string;
  readonly attempt: AttemptId;
  /** Rejects when another process has taken the task. */
  readonly assertOwned: () => Promise<void>;
}

/** @throws {@link ListingVideoError} `output_unwritable`, `disk_full`. */
export async function openAttemptFolder(options: AttemptFolderOptions): Promise<OutputFolder> {
  const { folder, stagingRoot, attempt, assertOwned } = options;
  const toError = (error: unknown): never => {
    throw toOutputError(error, stagingRoot);
  };
  const owned = await openTemporaryFolder(stagingRoot, attempt, stagingLost).catch(toError);
  // The published folder has no owner's file, so the files have a folder of their own.
  const staging = path.join(owned.path, 'files');
  await makeFolder(staging, false).catch((error: unknown) => owned.close().then(() => toError(error)));
  const opened = stagedFolder({ ...owned, path: staging }, folder, async (names) => {
    for (const name of await readdir(staging))
      if (!names.includes(name)) await rm(path.join(staging, name), { recursive: true });
    await flushFolder(staging);
    await makeFolder(path.dirname(folder), false);
    await moveFolder(staging, folder);
    // Every parent, because another attempt can have made one and died before it flushed the name.
    for (const parent of parentsOf(folder, path.dirname(stagingRoot))) await flushFolder(parent);
  });
  return {
    ...opened,
    async publish(names) {
      await opened.publish(names);
      // The process that takes the task from now on removes these files when it ends the task. One that took it
      // earlier can have ended it already.
      await assertOwned().catch(async (error: unknown) => {
        await rm(folder, { recursive: true, force: true });
        throw error;
      });
    },
  };
}

/** Files are there only after an older backup of the task store was restored: claims repeat their numbers. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES'].includes(errnoOf(error))) throw error;
    await rm(to, { recursive: true, force: true });
    await rename(from, to);
  }
}

/** Parents of `folder`, the nearest first, up to and including `root`. */
function parentsOf(folder: string, root: string): string[] {
  const parent = path.dirname(folder);
  return parent === root || parent === folder ? [parent] : [parent, ...parentsOf(parent, root)];
}

function stagingLost(folder: string): ListingVideoError {
  return new ListingVideoError('output_unwritable', `the temporary folder ${folder} was removed`, {
    hint: 'this process did not respond for minutes, so another one counted it as dead',
    context: { path: folder },
  });
}
