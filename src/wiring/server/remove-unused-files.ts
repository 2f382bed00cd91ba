/** Removes the files of attempts that are not the result of their task. */
import type { FileStorage } from '../../video/publish/file-storage.ts';
import type { VideoTask } from '../backend.ts';

/**
 * Call it when a task has ended: attempts whose process died, or that lost the task, can have left files. Tasks of the
 * command line have none here.
 */
export async function removeUnusedFiles(
  files: Pick<FileStorage, 'removeUnused'>,
  { id, organizationId, fence, state, outcome }: VideoTask,
): Promise<void> {
  const report = outcome?.report ?? null;
  // A damaged outcome does not name its files, so all of them stay.
  if (organizationId === null || (state === 'SUCCEEDED' && report === null)) return;
  await files.removeUnused({ organizationId, taskId: id, fence, report });
}
