/** The cache of a data folder. */
import path from 'node:path';
import { createDiskCache, type DiskCache } from '../platform/disk/cache/disk-cache.ts';
import { formatSize } from '../platform/settings/parse-size.ts';
import type { Settings } from '../platform/settings/setting-table.ts';

/** Folder of the cache; it need not exist. */
export function cacheFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'cache');
}

/**
 * @param onHeldExcess - Called once, with the bytes that running tasks hold, when they alone exceed the limit.
 */
export function openCache(settings: Settings, onHeldExcess?: (heldBytes: number) => void): DiskCache {
  return createDiskCache(cacheFolder(settings), {
    maxBytes: settings.cacheSize,
    ...(onHeldExcess ? { onHeldExcess } : {}),
  });
}

/** The warning about it. */
export function heldExcess(heldBytes: number, { cacheSize }: Settings): string {
  return `the photos, scenes and audio of the running tasks take ${formatSize(heldBytes)} of the cache, more than --cache-size ${formatSize(cacheSize)}; what does not fit is removed when they end`;
}
