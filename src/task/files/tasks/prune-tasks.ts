/** Removes old tasks from a file store. */
import { ListingVideoError } from '../../../platform/errors.ts';
import type { TaskRecord } from '../../task.ts';
import { taskIdTimeMs } from '../../task-id.ts';
import type { PruneQuery, PruneReport, StoreWarning } from '../../task-store.ts';
import { walkMarkers } from '../../file-store/marker-walk.ts';
import type { TaskFolders } from '../../file-store/task-folder.ts';
import type { TaskMarkers } from '../../file-store/task-markers.ts';

const ABOUT_ONE_TASK: ReadonlySet<string> = new Set(['store_corrupt', 'store_unwritable']);

/** Removes ended tasks; see `TaskStore.prune`. Tasks that cannot be read or removed stay and become warnings. */
export async function pruneTasks(
  query: PruneQuery,
  folders: TaskFolders,
  markers: TaskMarkers,
): Promise<PruneReport> {
  const removed: string[] = [];
  const warnings: StoreWarning[] = [];
  if (!query.isDryRun) await folders.emptyTrash();
  const trees = query.states.flatMap((state) => markers.trees(state, undefined));
  for await (const { id } of walkMarkers(trees, 'oldest')) {
    // Ids are in order of creation, and no state changes before creation: all further tasks are too young.
    if (taskIdTimeMs(id) >= query.olderThanMs || query.isStopped?.()) break;
    try {
      const task = await removeIfMatching(id, query, folders);
      if (task === null) continue;
      if (!query.isDryRun) await markers.remove(task.state, task);
      removed.push(id);
    } catch (error) {
      // A task whose files cannot be deleted must not keep the others.
      const isAboutTask = error instanceof ListingVideoError && ABOUT_ONE_TASK.has(error.code);
      if (!isAboutTask) throw error;
      warnings.push({ id, path: folders.path(id), message: error.message });
    }
  }
  return { removed, warnings };
}

async function removeIfMatching(
  id: string,
  query: PruneQuery,
  folders: TaskFolders,
): Promise<TaskRecord | null> {
  const matches = (task: TaskRecord) =>
    query.states.some((state) => state === task.state) &&
    (query.origin === undefined || query.origin === task.origin) &&
    Date.parse(task.updatedAt) < query.olderThanMs;
  const task = await folders.read(id);
  if (task === null || !matches(task)) return null;
  const at = await folders.inspect(id);
  if (at.holder === 'live' || !matches(at.task)) return null;
  return query.isDryRun || (await folders.remove(at, query.beforeRemove)) ? at.task : null;
}
