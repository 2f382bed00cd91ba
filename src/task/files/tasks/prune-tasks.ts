/** Removes old tasks from a file store. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { TaskRecord } from '../../task.ts';
import { taskIdTimeMs } from '../../task-id.ts';
import type { PruneQuery, PruneReport, StoreWarning } from '../../task-store.ts';
import type { TaskFolders } from './task-folder.ts';
import type { IndexEntry, TaskIndex } from './task-index.ts';

const ABOUT_ONE_TASK: ReadonlySet<string> = new Set(['store_corrupt', 'store_unwritable']);

/** Removes ended tasks; see `TaskStore.prune`. Tasks that cannot be read or removed stay and become warnings. */
export async function pruneTasks(
  query: PruneQuery,
  folders: TaskFolders,
  index: TaskIndex,
): Promise<PruneReport> {
  const removed: string[] = [];
  const warnings: StoreWarning[] = [];
  if (!query.isDryRun) await folders.emptyTrash();
  for await (const entry of index.walk({ states: query.states, order: 'oldest' })) {
    const { id } = entry;
    // Ids are in order of creation, and no state changes before creation: all further tasks are too young.
    if (taskIdTimeMs(id) >= query.olderThanMs || query.isStopped?.()) break;
    try {
      if (await pruneTask(entry, query, folders, index)) removed.push(id);
    } catch (error) {
      // A task whose files cannot be deleted must not keep the others.
      const isAboutTask = error instanceof ListingVideoError && ABOUT_ONE_TASK.has(error.code);
      if (!isAboutTask) throw error;
      warnings.push({ id, path: folders.path(id), message: error.message });
    }
  }
  return { removed, warnings };
}

async function pruneTask(
  entry: IndexEntry,
  query: PruneQuery,
  folders: TaskFolders,
  index: TaskIndex,
): Promise<boolean> {
  const matches = (task: TaskRecord) =>
    task.state === entry.state &&
    (query.origin === undefined || query.origin === task.origin) &&
    Date.parse(task.updatedAt) < query.olderThanMs;
  const task = await folders.read(entry.id);
  if (task === null && !query.isDryRun) {
    // Its removal was not finished.
    await folders.finishRemoval(entry.id);
    await index.remove(entry);
  }
  if (task === null || !matches(task)) return false;
  const at = await folders.inspect(entry.id);
  if (at.holder === 'live' || !matches(at.task)) return false;
  if (query.isDryRun) return true;
  if (!(await folders.remove(at, query.beforeRemove))) return false;
  await index.remove(entry);
  return true;
}
