/** Removes tasks one after the other, for `TaskStore.prune` of every store. */
import { ListingVideoError } from '../platform/errors.ts';
import type { PruneQuery, PruneReport, StoreWarning } from './task-store.ts';

/** Errors that concern one task, such as files that cannot be removed: the task stays and becomes a warning. */
const ABOUT_ONE_TASK: ReadonlySet<string> = new Set(['store_corrupt', 'store_unwritable']);

/**
 * @param remove - Returns false if the task must stay after all.
 * @param pathOf - Where a task is, for warnings.
 */
export async function pruneEach<Found extends { readonly id: string }>(
  found: AsyncIterable<Found>,
  { isStopped }: Pick<PruneQuery, 'isStopped'>,
  remove: (task: Found) => Promise<boolean>,
  pathOf: (id: string) => string,
): Promise<PruneReport> {
  const removed: string[] = [];
  const warnings: StoreWarning[] = [];
  for await (const task of found) {
    const { id } = task;
    if (isStopped?.()) break;
    try {
      if (await remove(task)) removed.push(id);
    } catch (error) {
      if (!(error instanceof ListingVideoError) || !ABOUT_ONE_TASK.has(error.code)) throw error;
      warnings.push({ id, path: pathOf(id), message: error.message });
    }
  }
  // Ids are in the order of creation.
  return { removed: removed.sort(), warnings };
}
