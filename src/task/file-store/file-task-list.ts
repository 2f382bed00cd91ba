/** Lists tasks by their markers, reads their records, and mends the markers that were wrong. */
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { isTaskId, taskIdTimeMs, taskNotFound } from '../task-id.ts';
import type { StoreWarning, TaskPage, TaskQuery } from '../task-store.ts';
import { type Marker, type MarkerTree, walkMarkers } from './marker-walk.ts';
import type { StateMarkers } from './state-markers.ts';
import type { TaskFolders } from './task-folder.ts';
import type { TaskListCache } from './task-list-cache.ts';
import type { TaskMarkers } from './task-markers.ts';

/** A creation is over, one way or the other, long before this. */
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
  const walk = new MarkerGroups(walkMarkers(trees, 'newest', query.startingAfter));
  for (;;) {
    // One more than the page holds says whether there is more. Read together: each is a small file.
    const groups = await walk.take(query.limit + 1 - data.length);
    const read = await Promise.all(groups.map((group) => readMarked(group, folders, cache, nowMs)));
    for (const result of read) {
      if (result === null) continue;
      if ('message' in result) {
        if (data.length < query.limit) warnings.push(result);
      } else if (isWanted(result, query)) data.push(result);
    }
    if (groups.length === 0 || data.length > query.limit) break;
  }
  return { data: data.slice(0, query.limit), hasMore: data.length > query.limit, warnings };
}

async function checkCursor(id: string, query: TaskQuery, folders: TaskFolders): Promise<void> {
  if (!isTaskId(id)) throw taskNotFound(id);
  try {
    const { task } = await folders.inspect(id);
    if (query.organizationId !== undefined && task.organizationId !== query.organizationId)
      throw taskNotFound(id);
  } catch (error) {
    // A damaged task still marks its place in the list of whoever may see all.
    const isDamaged = error instanceof ListingVideoError && error.code === 'store_corrupt';
    if (!isDamaged || query.organizationId !== undefined) throw error;
  }
}

function isWanted(task: TaskRecord, query: TaskQuery): boolean {
  if (query.state !== undefined && task.state !== query.state) return false;
  return query.organizationId === undefined || task.organizationId === query.organizationId;
}

/** The walk in groups: all markers of one task together, for in the middle of a change it has two. */
class MarkerGroups {
  readonly #walk: AsyncGenerator<FoundMarker, void>;
  #ahead: FoundMarker | null = null;

  constructor(walk: AsyncGenerator<FoundMarker, void>) {
    this.#walk = walk;
  }

  /** The next `count` tasks, fewer at the end. */
  async take(count: number): Promise<FoundMarker[][]> {
    const groups: FoundMarker[][] = [];
    for (;;) {
      const marker = this.#ahead ?? (await this.#walk.next()).value ?? null;
      this.#ahead = null;
      if (marker === null) return groups;
      const group = groups.at(-1);
      if (group?.[0]?.id === marker.id) group.push(marker);
      else if (groups.length < count) groups.push([marker]);
      else {
        this.#ahead = marker;
        return groups;
      }
    }
  }
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
      await mend(group, folders, nowMs).catch(() => {});
    return task;
  } catch (error) {
    if (!(error instanceof ListingVideoError)) throw error;
    return { id, path: String(error.context?.path ?? folders.path(id)), message: error.message };
  }
}

/**
 * Puts markers right that a crash left wrong. While a process is changing the task they only seem wrong: then a claim
 * is ahead of the record and its owner lives.
 */
async function mend(group: readonly FoundMarker[], folders: TaskFolders, nowMs: number): Promise<void> {
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
