/** Refuses what no server stores as a task: a person with access to its row could read files of the worker's machine with it. */
import { ListingVideoError } from '../platform/errors.ts';
import type { VideoTaskPayload } from '../video/video-task.ts';

/** @throws {@link ListingVideoError} `store_corrupt` for a payload that names files, or has options of the command line. */
export function requireServerTask({ baseDir, listingFile, options }: VideoTaskPayload): void {
  const { quality: _, minAssets: __, force: ___, ...others } = options;
  if (baseDir === null && listingFile === null && Object.keys(others).length === 0) return;
  throw new ListingVideoError(
    'store_corrupt',
    'the stored request of this task is none that a server makes',
    {
      hint: 'send the listing again; other tasks are not affected',
    },
  );
}
