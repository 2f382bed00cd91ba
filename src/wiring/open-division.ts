/** Decides whether a task can be divided among workers, which needs a database, a bucket and an idle worker. */
import type { SharedCache } from '../video/bucket/shared-cache.ts';
import type { WorkDivision } from '../task/engine/work-division.ts';
import type { VideoDivision } from '../video/make/video-division.ts';
import type { VideoTaskPayload } from '../video/video-task.ts';

/**
 * Null if this process makes the videos alone.
 *
 * @throws {@link ListingVideoError} `store_corrupt` if the stored batch was edited.
 */
export async function openDivision(
  division: WorkDivision | undefined,
  shared: SharedCache | undefined,
  { nameSecret, options }: Pick<VideoTaskPayload, 'nameSecret' | 'options'>,
): Promise<VideoDivision | null> {
  if (division === undefined || shared === undefined || nameSecret === undefined || options.force)
    return null;
  if (division.batch === null && (await division.countIdle()) === 0) return null;
  const { VideoDivision } = await import('../video/make/video-division.ts');
  return new VideoDivision({ ...division, shareAll: shared.widen, flush: shared.flush }, nameSecret);
}
