/** Lists tasks: finds them in the index and reads their records. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { TASK_STATES, type TaskRecord } from '../../task.ts';
import { taskNotFound } from '../../task-id.ts';
import type { StoreWarning, TaskPage, TaskQuery } from '../../task-store.ts';
import type { ListedTask, TaskFolders } from './task-folder.ts';
import type { IndexEntry, TaskIndex } from './task-index.ts';

/**
 * Maximum length of the records of a page in characters, so that a page of tasks with many results needs as little
 * memory as any other. A page of 100 tasks with a few videos each has 0.3 MB.
 */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024;

export interface ListDeps {
  readonly folders: TaskFolders;
  readonly index: TaskIndex;
  /** The task of an entry; null if it does not exist. */
  readonly readEntry: (entry: IndexEntry) => Promise<ListedTask | null>;
}

/** One page of tasks; see `TaskStore.list`. */
export async function listTasks(query: TaskQuery, deps: ListDeps): Promise<TaskPage> {
  const { state, organizationId, startingAfter: olderThan, limit } = query;
  if (olderThan !== undefined) await checkCursor(olderThan, organizationId, deps.folders);
  const data: TaskRecord[] = [];
  const warnings: StoreWarning[] = [];
  let [lastId, length] = ['', 0];
  const states = state === undefined ? TASK_STATES : [state];
  for await (const entry of deps.index.walk({ states, order: 'newest', organizationId, olderThan })) {
    // A task has two entries while its state changes.
    if (entry.id === lastId) continue;
    lastId = entry.id;
    const listed = await readOrWarn(entry, deps);
    if (listed === null) continue;
    if ('message' in listed) {
      if (data.length < limit) warnings.push(listed);
      continue;
    }
    const { task } = listed;
    if (state !== undefined && task.state !== state) continue;
    if (organizationId !== undefined && task.organizationId !== organizationId) continue;
    // One task more than the page holds shows that there is a next page.
    if (data.length === limit) return { data, hasMore: true, warnings };
    length += listed.length;
    // The first task is shown whatever its size, so that every client gets to the last.
    if (data.length > 0 && length > MAX_PAGE_LENGTH) return { data, hasMore: true, warnings };
    data.push(task);
  }
  return { data, hasMore: false, warnings };
}

async function checkCursor(
  id: string,
  organizationId: string | undefined,
  folders: TaskFolders,
): Promise<void> {
  try {
    const { task } = await folders.inspect(id);
    if (organizationId !== undefined && task.organizationId !== organizationId) throw taskNotFound(id);
  } catch (error) {
    // For the operator, who sees all organizations, a damaged task is a valid cursor.
    const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
    if (!isDamaged || organizationId !== undefined) throw error;
  }
}

async function readOrWarn(
  entry: IndexEntry,
  { folders, readEntry }: ListDeps,
): Promise<ListedTask | StoreWarning | null> {
  try {
    return await readEntry(entry);
  } catch (error) {
    if (!(error instanceof ListingVideoError)) throw error;
    const path = String(error.context?.path ?? folders.path(entry.id));
    return { id: entry.id, path, message: error.message };
  }
}
