/** Lists tasks by their markers, reads their records, and fixes wrong markers. */
import { ListingVideoError } from '../../platform/errors.ts';
import type { TaskRecord } from '../task.ts';
import { taskIdTimeMs, taskNotFound } from '../task-id.ts';
import type { StoreWarning, TaskQuery } from '../task-store.ts';
import { type Marker, type MarkerTree, walkMarkers } from './marker-walk.ts';
import type { StateMarkers } from './state-markers.ts';
import type { TaskFolders } from './task-folder.ts';
import type { FoundRecord, LoadedPage, TaskListCache } from './task-list-cache.ts';
import type { TaskMarkers } from './task-markers.ts';

/** Every creation has succeeded or failed long before this. */
export const CREATION_MS = 3_600_000;

type FoundMarker = Marker<MarkerTree & { readonly markers: StateMarkers }>;

/**
 * Maximum size of the records of a page, so that a page of tasks with many results needs as little memory as any other. A
 * page of 100 tasks with a few videos each has 0.3 MB.
 */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Records that are read at once. More would fill the queue of the file system's threads, and other requests wait behind it. */
const MAX_READS = 16;

/** What a list needs of the store. */
export interface ListDeps {
  readonly folders: TaskFolders;
  readonly markers: TaskMarkers;
  readonly cache: TaskListCache;
  readonly nowMs: number;
}

/** One page of tasks; see `TaskStore.list`. */
export async function listTasks(query: TaskQuery, deps: ListDeps): Promise<LoadedPage> {
  if (query.startingAfter !== undefined) await checkCursor(query.startingAfter, query, deps.folders);
  const data: TaskRecord[] = [];
  const warnings: StoreWarning[] = [];
  const trees = deps.markers.trees(query.state, query.organizationId);
  const walk = groupById(walkMarkers(trees, 'newest', query.startingAfter));
  const end = (hasMore: boolean): LoadedPage => ({ page: { data, hasMore, warnings }, sizeBytes });
  let sizeBytes = 0;
  let found: FoundTask[] = [];
  for (;;) {
    // One task more than the page holds shows whether there is a next page.
    const wanted = Math.min(MAX_READS, query.limit + 1 - data.length);
    const groups = await take(walk, wanted - found.length);
    found = [...found, ...(await Promise.all(groups.map((group) => findTask(group, deps))))];
    if (found.length === 0) return end(false);
    const fitting = countFitting(found, MAX_PAGE_BYTES - sizeBytes);
    // The first task is shown whatever its size, so that every client gets to the last.
    const isFull = fitting === 0 && data.length > 0;
    if (isFull) return end(true);
    const reads = found.slice(0, Math.max(1, fitting));
    found = found.slice(reads.length);
    for (const task of await Promise.all(reads.map((each) => readFound(each, deps)))) {
      if (task === null) continue;
      if ('message' in task.result) {
        if (data.length < query.limit) warnings.push(task.result);
      } else if (matches(task.result, query)) {
        if (data.length === query.limit) return end(true);
        data.push(task.result);
        sizeBytes += task.sizeBytes;
      }
    }
  }
}

interface FoundTask {
  readonly group: readonly FoundMarker[];
  readonly record: FoundRecord;
}

async function findTask(group: readonly FoundMarker[], { folders, cache }: ListDeps): Promise<FoundTask> {
  return { group, record: await folders.find(group[0]!.id, cache) };
}

/** Number of the first tasks whose records together have at most `maxBytes`. */
function countFitting(found: readonly FoundTask[], maxBytes: number): number {
  let bytes = 0;
  const tooMany = found.findIndex(({ record }) => {
    bytes += record.sizeBytes;
    return bytes > maxBytes;
  });
  return tooMany === -1 ? found.length : tooMany;
}

async function checkCursor(id: string, query: TaskQuery, folders: TaskFolders): Promise<void> {
  try {
    const { task } = await folders.inspect(id);
    if (query.organizationId !== undefined && task.organizationId !== query.organizationId)
      throw taskNotFound(id);
  } catch (error) {
    // For the operator, who sees all organizations, a damaged task is a valid cursor.
    const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
    if (!isDamaged || query.organizationId !== undefined) throw error;
  }
}

function matches(task: TaskRecord, query: TaskQuery): boolean {
  if (query.state !== undefined && task.state !== query.state) return false;
  return query.organizationId === undefined || task.organizationId === query.organizationId;
}

/** Groups the markers by task: a task has two markers while its state changes. */
async function* groupById(walk: AsyncIterable<FoundMarker>): AsyncGenerator<FoundMarker[], void> {
  let group: FoundMarker[] = [];
  for await (const marker of walk) {
    if (group.length > 0 && group[0]?.id !== marker.id) {
      yield group;
      group = [];
    }
    group.push(marker);
  }
  if (group.length > 0) yield group;
}

async function take<T>(items: AsyncGenerator<T, void>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value } = await items.next();
    if (value === undefined) break;
    taken.push(value);
  }
  return taken;
}

/** Null if the task does not exist. */
async function readFound(
  { group, record }: FoundTask,
  { folders, nowMs }: ListDeps,
): Promise<{ readonly result: TaskRecord | StoreWarning; readonly sizeBytes: number } | null> {
  const { id } = group[0]!;
  try {
    const task = await folders.withProgress(await record.read());
    if (group.some(({ tree }) => tree.state !== task?.state))
      await fixMarkers(group, folders, nowMs).catch(() => {});
    return task === null ? null : { result: task, sizeBytes: record.sizeBytes };
  } catch (error) {
    if (!(error instanceof ListingVideoError)) throw error;
    const path = String(error.context?.path ?? folders.path(id));
    return { result: { id, path, message: error.message }, sizeBytes: 0 };
  }
}

/**
 * Fixes the markers of a task after a crash. While a live process changes the task (its claim is newer than the record),
 * its markers only look wrong and stay.
 */
async function fixMarkers(group: readonly FoundMarker[], folders: TaskFolders, nowMs: number): Promise<void> {
  const { id } = group[0]!;
  let task: TaskRecord | null = null;
  try {
    const at = await folders.inspect(id);
    if (at.fence !== at.task.fence && at.holder !== 'dead') return;
    task = at.task;
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'task_not_found') throw error;
    if (nowMs - taskIdTimeMs(id) < CREATION_MS || !(await folders.removeTorn(id))) return;
  }
  for (const { tree } of group) {
    if (tree.state === task?.state) continue;
    if (task !== null && !group.some((each) => each.tree.state === task.state)) {
      await tree.markers.add(task.state, id);
    }
    await tree.markers.remove(tree.state, id);
  }
}
