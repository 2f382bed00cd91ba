/** Lists tasks by their markers, reads their records, and fixes wrong markers. */
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { taskIdTimeMs, taskNotFound } from '../task-id.ts';
import type { StoreWarning, TaskPage, TaskQuery } from '../task-store.ts';
import { type Marker, type MarkerTree, walkMarkers } from './marker-walk.ts';
import type { StateMarkers } from './state-markers.ts';
import type { TaskFolders } from './task-folder.ts';
import type { TaskListCache } from './task-list-cache.ts';
import type { TaskMarkers } from './task-markers.ts';

/** Every creation has succeeded or failed long before this. */
const CREATION_MS = 3_600_000;

type FoundMarker = Marker<MarkerTree & { readonly markers: StateMarkers }>;

/** One page of tasks; see `TaskStore.list`. */
export async function listTasks(
  query: TaskQuery,
  folders: TaskFolders,
  markers: TaskMarkers,
  cache: TaskListCache,
  nowMs: number,
): Promise<TaskPage> {
  if (query.startingAfter !== undefined) await checkCursor(query.startingAfter, query, folders);
  const data: TaskRecord[] = [];
  const warnings: StoreWarning[] = [];
  const trees = markers.trees(query.state, query.organizationId);
  const walk = groupById(walkMarkers(trees, 'newest', query.startingAfter));
  for (;;) {
    // One task more than the page holds shows whether there is a next page.
    const groups = await take(walk, query.limit + 1 - data.length);
    const read = await Promise.all(groups.map((group) => readMarked(group, folders, cache, nowMs)));
    for (const result of read) {
      if (result === null) continue;
      if ('message' in result) {
        if (data.length < query.limit) warnings.push(result);
      } else if (matches(result, query)) data.push(result);
    }
    if (groups.length === 0 || data.length > query.limit) break;
  }
  return { data: data.slice(0, query.limit), hasMore: data.length > query.limit, warnings };
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

async function readMarked(
  group: readonly FoundMarker[],
  folders: TaskFolders,
  cache: TaskListCache,
  nowMs: number,
): Promise<TaskRecord | StoreWarning | null> {
  const { id } = group[0]!;
  try {
    const task = await folders.readCached(id, cache);
    if (group.some(({ tree }) => tree.state !== task?.state))
      await fixMarkers(group, folders, nowMs).catch(() => {});
    return task;
  } catch (error) {
    if (!(error instanceof ListingVideoError)) throw error;
    return { id, path: String(error.context?.path ?? folders.path(id)), message: error.message };
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
    if (nowMs - taskIdTimeMs(id) < CREATION_MS) return;
  }
  for (const { tree } of group) {
    if (tree.state === task?.state) continue;
    if (task !== null && !group.some((each) => each.tree.state === task.state)) {
      await tree.markers.add(task.state, id);
    }
    await tree.markers.remove(tree.state, id);
  }
}
