/** Organizations, keys and credits of a data folder, and the price of a task. */

import { ListingVideoError } from '../../platform/errors.ts';
import type { FileAccountStore } from '../../task/files/accounts/create-account-store.ts';
import type { TaskSummary } from '../../task/task.ts';
import type { TaskStore } from '../../task/task-store.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { generatorName } from '../open-render-deps.ts';

/** The account store, loaded here because most commands never need it. */
export async function openAccounts(home: string, tasks: TaskStore): Promise<FileAccountStore> {
  const { createFileAccountStore } = await import('../../task/files/accounts/create-account-store.ts');
  return createFileAccountStore({ home, tasks, program: generatorName() });
}

/** Credits for the videos of a listing: one video per agent. */
export function priceOf({ agents }: VideoTaskPayload['listing']): number {
  return priceOfVideos(agents.length);
}

/**
 * Credits of a stored task.
 *
 * @throws {@link ListingVideoError} `store_corrupt` for a damaged payload.
 */
export function priceOfTask(summary: TaskSummary | null): number {
  if (summary !== null) return priceOfVideos(summary.resultCount);
  throw new ListingVideoError('store_corrupt', 'the stored request of the task is damaged', {
    hint: 'run create or send the listing again; other tasks are not affected',
  });
}

/** The only place that decides the price: one credit per video. */
function priceOfVideos(count: number): number {
  return count;
}
