/** Removes old tasks from a file store. */
import { pruneEach } from '../../prune-each.ts';
import type { TaskRecord } from '../../task.ts';
import { taskIdTimeMs } from '../../task-id.ts';
import type { PruneQuery, PruneReport } from '../../task-store.ts';
import type { TaskFolders } from './task-folder.ts';
import type { IndexEntry, TaskIndex } from './task-index.ts';

/** Removes ended tasks; see `TaskStore.prune`. */
export async function pruneTasks(
  query: PruneQuery,
  folders: TaskFolders,
  index: TaskIndex,
): Promise<PruneReport> {
  if (!query.isDryRun) await folders.emptyTrash();
  const remove = (entry: IndexEntry) => pruneTask(entry, query, folders, index);
  return pruneEach(findOld(query, index), query, remove, (id) => folders.path(id));
}

/** Ids are in order of creation, and no state changes before creation: all tasks after the first young one are young. */
async function* findOld({ states, olderThanMs }: PruneQuery, index: TaskIndex): AsyncGenerator<IndexEntry> {
  for await (const entry of index.walk({ states, order: 'oldest' })) {
    if (taskIdTimeMs(entry.id) >= olderThanMs) return;
    yield entry;
  }
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
