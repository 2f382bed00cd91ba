/**
 * The output folder of one attempt at a server's task. No other attempt writes there, so it needs no lock: only the outcome
 * that the task store accepts makes it the result. Files are written into a staging folder, and one rename publishes all.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf, toOutputError } from '../../disk/disk-error.ts';
import { flushFolder, makeFolder } from '../../disk/folder.ts';
import {
  type AttemptId,
  makeOwnedFolder,
  newFolderName,
  removeAbandoned,
  startHeartbeat,
  takeAndRemove,
} from '../../disk/owned-folder.ts';
import { removeAtExit } from '../../disk/remove-at-exit.ts';
import { ListingVideoError } from '../../errors.ts';
import { describeFile, flushFile, type OutputFolder } from './output-folder.ts';

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
  const owned = path.join(stagingRoot, newFolderName(attempt));
  const staging = path.join(owned, 'files');
  const forget = removeAtExit(owned);
  try {
    await makeFolder(stagingRoot, false);
    await makeOwnedFolder(owned);
    await makeFolder(staging, false);
  } catch (error) {
    forget();
    throw toOutputError(error, stagingRoot);
  }
  const heartbeat = startHeartbeat(owned, () => stagingLost(owned));
  await removeAbandoned(stagingRoot);
  return {
    path: folder,
    lost: heartbeat.lost,
    assertHeld: () => heartbeat.assertHeld(),
    stagedPath: (name) => path.join(staging, name),
    describe: (name) => describeFile(path.join(staging, name)),
    async publish(names) {
      try {
        for (const name of await readdir(staging)) {
          if (names.includes(name)) await flushFile(path.join(staging, name));
          else await rm(path.join(staging, name), { recursive: true });
        }
        await flushFolder(staging);
        await makeFolder(path.dirname(folder), false);
        await moveFolder(staging, folder);
        // Every parent, because another attempt can have made one and died before it flushed the name.
        for (const parent of parentsOf(folder, path.dirname(stagingRoot))) await flushFolder(parent);
      } catch (error) {
        await heartbeat.assertHeld();
        throw toOutputError(error, folder);
      }
      // The process that takes the task from now on removes these files when it ends the task. One that took it earlier can
      // have ended it already.
      await assertOwned().catch(async (error: unknown) => {
        await rm(folder, { recursive: true, force: true });
        throw error;
      });
    },
    async close() {
      heartbeat.stop();
      await takeAndRemove(owned);
      forget();
    },
  };
}

/** Files are already there only when the task store was restored from an older backup: then claims have the same numbers again. */
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
