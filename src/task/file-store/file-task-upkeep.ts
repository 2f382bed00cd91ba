/** What keeps a store of files in order over the years: removing old tasks, and markers that were lost altogether. */
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { taskIdTimeMs } from '../task-id.ts';
import type { PruneQuery, PruneReport, StoreWarning } from '../task-store.ts';
import { walkMarkers } from './marker-walk.ts';
import type { TaskFolders } from './task-folder.ts';
import type { TaskMarkers } from './task-markers.ts';

/** Removes ended tasks; see `TaskStore.prune`. An unreadable one is left to whoever can tell what it was. */
export async function pruneTasks(
  query: PruneQuery,
  folders: TaskFolders,
  markers: TaskMarkers,
): Promise<PruneReport> {
  const removed: string[] = [];
  const warnings: StoreWarning[] = [];
  await folders.emptyTrash();
  const trees = query.states.flatMap((state) => markers.trees(state, undefined));
  for await (const { id } of walkMarkers(trees, 'oldest')) {
    // No task changed its state before it was created, so the rest is younger still.
    if (taskIdTimeMs(id) >= query.olderThanMs) break;
    try {
      const task = await removeIfMeant(id, query, folders);
      if (task === null) continue;
      await markers.remove(task.state, task);
      removed.push(id);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
      warnings.push({ id, path: folders.path(id), message: error.message });
    }
  }
  return { removed, warnings };
}

async function removeIfMeant(
  id: string,
  query: PruneQuery,
  folders: TaskFolders,
): Promise<TaskRecord | null> {
  const isMeant = (task: TaskRecord) =>
    query.states.some((state) => state === task.state) &&
    (query.origin === undefined || query.origin === task.origin) &&
    Date.parse(task.updatedAt) < query.olderThanMs;
  const task = await folders.read(id);
  if (task === null || !isMeant(task)) return null;
  const at = await folders.inspect(id);
  if (at.holder === 'live' || !isMeant(at.task)) return null;
  return (await folders.remove(at)) ? at.task : null;
}

/** Makes the markers of all tasks again, by reading every record. */
export async function rebuildMarkers(folders: TaskFolders, markers: TaskMarkers): Promise<void> {
  for await (const id of folders.ids()) {
    try {
      const task = await folders.read(id);
      if (task !== null) await markers.add(task.state, task);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
      // An unreadable task is to be seen, too: as a warning of the list of failed ones, and of all.
      await markers.add('FAILED', { id, organizationId: null });
    }
  }
}
