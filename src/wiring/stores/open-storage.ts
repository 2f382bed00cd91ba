/** The bucket that a setting names. Its code is loaded only here, so that programs without a bucket never load it. */

import type { Logger } from '../../api/server/watch/logger.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { processEnvironment } from '../../platform/settings/process-environment.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { Bucket } from '../../video/bucket/bucket.ts';
import type { BucketUploads } from '../../video/bucket/bucket-uploads.ts';
import type { OnBucketRequest } from '../../video/bucket/observe-request.ts';
import type { BucketProbe } from '../../video/bucket/probe-bucket.ts';
import type { CacheBounds, CachePrune } from '../../video/bucket/prune-cache.ts';
import type { SharedCache } from '../../video/bucket/shared-cache.ts';
import { createFileStorage, type FileStorage } from '../../video/publish/file-storage.ts';
import { workRoot } from '../../video/work-folder.ts';

export interface Storage {
  readonly bucket: Bucket;
  readonly files: FileStorage;
  readonly uploads: BucketUploads;
  shareCache(local: DiskCache, onAway: (error: unknown) => void): SharedCache;
}

/**
 * Null without the setting.
 *
 * @param onRequest - Called after every request, for metrics.
 * @throws {@link ListingVideoError} `setting_invalid` without keys.
 */
export async function openStorage(
  settings: Pick<Settings, 'home' | 'storage'>,
  onRequest: OnBucketRequest = () => {},
): Promise<Storage | null> {
  if (settings.storage === undefined) return null;
  const [
    { createBucket },
    { createBucketFiles },
    { createBucketUploads },
    { createSharedCache },
    { readStoragePlace },
  ] = await Promise.all([
    import('../../video/bucket/bucket.ts'),
    import('../../video/bucket/bucket-files.ts'),
    import('../../video/bucket/bucket-uploads.ts'),
    import('../../video/bucket/shared-cache.ts'),
    import('../../video/bucket/storage-place.ts'),
  ]);
  const bucket = createBucket(readStoragePlace(settings.storage, processEnvironment()), { onRequest });
  return {
    bucket,
    files: createBucketFiles(bucket, createFileStorage(settings.home)),
    uploads: createBucketUploads(bucket),
    shareCache: (local, onAway) =>
      createSharedCache(local, {
        bucket,
        root: workRoot(settings.home),
        monotonicMs: () => performance.now(),
        onAway,
      }),
  };
}

/**
 * Runs `work` with the bucket that a setting names, or null, and the result files of a server: those in the bucket,
 * else those in the data folder.
 */
export async function withStorage<T>(
  settings: Pick<Settings, 'home' | 'storage'>,
  work: (storage: Storage | null, files: FileStorage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage(settings);
  try {
    return await work(storage, storage?.files ?? createFileStorage(settings.home));
  } finally {
    // An idle connection keeps the process for seconds.
    await storage?.bucket.close();
  }
}

/** For a server that renders nothing, and for a worker, whose data folder has the results without a bucket. */
export function warnOfLocalFiles(
  { storage, home }: Pick<Settings, 'home' | 'storage'>,
  logger: Logger,
): void {
  if (storage !== undefined) return;
  logger.warn(
    { home },
    'without --storage, videos stay in the data folder of the worker that made them: set the same --storage on all API servers ' +
      'and workers, or let them share one data folder; uploads are not offered',
  );
}

/** Whether the bucket can be written now. Logs when it goes away and comes back. */
export async function probeStorage({ bucket }: Storage, logger: Logger): Promise<BucketProbe> {
  const { createBucketProbe } = await import('../../video/bucket/probe-bucket.ts');
  return createBucketProbe(bucket, {
    monotonicMs: () => performance.now(),
    onChange: (error) => {
      if (error === null) logger.info({ storage: bucket.name }, 'the bucket can be written again');
      else logger.warn({ storage: bucket.name, error }, 'the bucket cannot be written');
    },
  });
}

/** Tries the bucket of the setting. @throws {@link ListingVideoError} `setting_invalid`, `storage_unavailable`. */
export async function checkStorage(
  settings: Pick<Settings, 'home' | 'storage'>,
  signal: AbortSignal,
): Promise<void> {
  const storage = await openStorage(settings);
  if (storage === null) return;
  const { checkBucket } = await import('../../video/bucket/check-bucket.ts');
  await checkBucket(storage.bucket, signal).finally(() => storage.bucket.close());
}

/** Bounds the cache in the bucket of the setting. @throws {@link ListingVideoError} `setting_invalid`, `storage_unavailable`. */
export async function pruneSharedCache(
  settings: Pick<Settings, 'home' | 'storage'>,
  bounds: CacheBounds,
): Promise<CachePrune> {
  const { pruneCache } = await import('../../video/bucket/prune-cache.ts');
  return withStorage(settings, (storage) => pruneCache(storage!.bucket, bounds));
}
