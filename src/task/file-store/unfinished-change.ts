/**
 * Ends changes that another process began and did not finish. Such a process can be stopped instead of dead, for example by a
 * suspended container or laptop. When it continues, it must not rename its old record over a newer one, or remove a task that
 * is in use again. A check before the rename would leave a gap between check and rename. So every rename has a source or
 * target that the next owner of the task removes first: then the rename fails.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../platform/disk/folder.ts';

/** Claims of one task that can be unfinished at once; more would need that many stopped processes. */
const MAX_REMOVALS = 100;

/** Tag of the temporary record that is written under claim `fence`; see `asidePath`. */
export function recordTag(fence: number): string {
  return `claim-${fence}`;
}

/** Folder that receives a removed task, made before the task moves into it. */
export function removalPath(trash: string, id: string, fence: number): string {
  return join(trash, `${id}.${fence}`);
}

/**
 * Ends every change of the task that began under a claim before `fence`. Call it after claim `fence` is won and before
 * its own rename.
 *
 * @param recordFence - Claim of the current record: the changes up to it are finished.
 */
export async function endUnfinishedChanges(
  task: { readonly id: string; readonly folder: string; readonly trash: string },
  recordFence: number,
  fence: number,
): Promise<void> {
  for (const name of await namesIn(task.folder)) {
    const match = /^\.task\.json\.claim-([0-9]{1,9})\..*\.tmp$/.exec(name);
    // Writers with a higher number are not ours to end: they lose the race for our claim, or have a later one.
    if (match !== null && Number(match[1]) < fence) await fs.rm(join(task.folder, name), { force: true });
  }
  const first = Math.max(recordFence + 1, fence - MAX_REMOVALS);
  for (let earlier = first; earlier < fence; earlier++) {
    // Not empty if the removal has happened. Then the task is gone, and our own rename fails.
    await fs.rmdir(removalPath(task.trash, task.id, earlier)).catch(() => {});
  }
}
