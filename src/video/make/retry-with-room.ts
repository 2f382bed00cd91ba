/** Tries a step again after it failed on a full disk. The only place that does. */

import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { isDiskFull } from '../../platform/disk/disk-error.ts';
import { MIN_FREE_BYTES } from '../../platform/disk/free-space.ts';
import { ListingVideoError } from '../../platform/errors.ts';

/**
 * Runs `step`. If the disk is full, removes entries of the cache and runs `step` once more, from its start.
 *
 * @throws What `step` throws: its first error if the cache has nothing to remove, else its second.
 */
export async function retryWithRoom<T>(
  cache: Pick<DiskCache, 'makeRoom'>,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isFull(error)) throw error;
    const { freedBytes } = await cache.makeRoom(MIN_FREE_BYTES);
    if (freedBytes === 0) throw error;
    return step();
  }
}

function isFull(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof ListingVideoError && error.code === 'disk_full');
}
