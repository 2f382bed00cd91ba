/**
 * The uploads of a server. Without a database they are in the data folder, which only this machine has. With one any
 * server takes them and any worker reads them, so they are in the bucket; without a bucket there are none.
 */
import { exists } from '../../platform/disk/folder.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { systemTaskClock } from '../../task/engine/task-clock.ts';
import {
  openUploads as openUploadsIn,
  type Uploads,
  type UploadsOptions,
} from '../../video/uploads/open-uploads.ts';
import { UploadFolder, uploadPath } from '../../video/uploads/upload-folder.ts';
import type { UploadName, UploadRecords, UploadStore } from '../../video/uploads/upload-store.ts';
import type { Storage } from '../stores/open-storage.ts';

export interface OpenUploadsOptions extends Pick<UploadsOptions, 'cache'> {
  /** Null without a database. */
  readonly records: UploadRecords | null;
  /** Null without a bucket. */
  readonly storage: Storage | null;
}

/** Null if this server cannot take any. */
export function openUploads(
  { home, concurrency }: Pick<Settings, 'home' | 'concurrency'>,
  { cache, records, storage }: OpenUploadsOptions,
): Uploads | null {
  const store: UploadStore | null =
    records === null ? new UploadFolder(home) : (storage?.uploads.keep(records) ?? null);
  if (store === null) return null;
  return openUploadsIn({
    home,
    store,
    cache,
    nowMs: systemTaskClock.nowMs,
    // Each keeps a CPU busy, and clients of the API wait for an answer.
    decodesAtOnce: Math.max(1, Math.floor(concurrency / 2)),
  });
}

export interface FindUploadOptions {
  /** The data folder. */
  readonly home: string;
  readonly storage: Pick<Storage, 'uploads'> | null;
  /** Gets an upload that is not in the data folder. */
  readonly to: string;
  readonly signal: AbortSignal;
}

/**
 * The file of an upload. If there is no such upload, there is no such file.
 *
 * @throws TypeError for ids that are none; {@link ListingVideoError} `storage_unavailable`, or the reason of the
 *   signal.
 */
export async function findUpload(
  name: UploadName,
  { home, storage, to, signal }: FindUploadOptions,
): Promise<string> {
  const file = uploadPath(home, name.organizationId, name.id);
  if (storage === null || (await exists(file))) return file;
  await storage.uploads.fetch(name, to, signal);
  return to;
}
