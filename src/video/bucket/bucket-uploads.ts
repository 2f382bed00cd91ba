/**
 * The uploads of all servers in a bucket. A database has their records.
 *
 *     <prefix>/uploads/<organization>/<upload id>    the bytes as they came
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { md5OfFile } from '../../platform/disk/hash-file.ts';
import { liveWhile } from '../../platform/liveness.ts';
import type { UploadName, UploadRecords, UploadStore } from '../uploads/upload-store.ts';
import type { Bucket } from './bucket.ts';
import { isStorageFault } from './bucket-fault.ts';
import { retryStorage } from './retry-storage.ts';

export interface BucketUploads {
  keep(records: UploadRecords): UploadStore;
  /**
   * Puts the bytes of an upload at `to`, which must not exist. If there is no such upload, there is no file then.
   *
   * @throws {@link ListingVideoError} `storage_unavailable`, `disk_full`; the reason of the signal.
   */
  fetch(name: UploadName, to: string, signal: AbortSignal): Promise<void>;
}

const STORE_PATIENCE_MS = 5_000;
const STORE_LIMITS = { silenceMs: 10_000, totalMs: 60_000 };
/** As long as a task waits to store its results. */
const FETCH_PATIENCE_MS = 90_000;
const FETCH_LIMITS = { silenceMs: 10_000, totalMs: 120_000 };
const REMOVE_LIMITS = { silenceMs: 5_000, totalMs: 10_000 };

/** @param storePatienceMs - How long a client waits for a bucket that is away. */
export function createBucketUploads(bucket: Bucket, storePatienceMs = STORE_PATIENCE_MS): BucketUploads {
  return {
    keep: (records) => createUploadStore(bucket, records, storePatienceMs),
    async fetch(name, to, signal) {
      const fetchOnce = async (): Promise<void> => {
        const answer = await bucket.get(keyOf(name), { signal, limits: FETCH_LIMITS });
        if (answer === null) return;
        await pipeline(answer.body, createWriteStream(to)).catch((error: unknown) => {
          throw isStorageFault(error) ? error : toStoreError(error, to);
        });
      };
      const tryOnce = () => liveWhile(fetchOnce(), FETCH_LIMITS.totalMs);
      await retryStorage(tryOnce, { patienceMs: FETCH_PATIENCE_MS, signal });
    },
  };
}

function createUploadStore(bucket: Bucket, records: UploadRecords, patienceMs: number): UploadStore {
  const remove = async (names: readonly UploadName[]): Promise<void> => {
    for (const name of names) await bucket.remove(keyOf(name), { limits: REMOVE_LIMITS });
    // The last: a record that stays is found again.
    await records.remove(names.map(({ id }) => id));
  };
  return {
    exists: () => records.exists(),
    findMissing: (organizationId, ids, createdAfterMs) =>
      records.findMissing(organizationId, ids, createdAfterMs),
    hold: (organizationId, taskId, ids) => records.hold(organizationId, taskId, ids),
    release: (organizationId, taskId) => records.release(organizationId, taskId),
    async reserve(upload, quota) {
      const full = await records.reserve(upload, quota);
      if (full !== null) return { full };
      let isSent = false;
      let isStored = false;
      return {
        async store(file) {
          isSent = true;
          await retryStorage(await putting(bucket, keyOf(upload), file), { patienceMs });
          isStored = await records.confirm(upload.id);
          if (!isStored) throw new Error(`the record of ${upload.id} was removed while it was stored`);
        },
        async close() {
          // What stays after a failure is found by the sweep.
          if (!isStored) await (isSent ? remove([upload]) : records.remove([upload.id])).catch(() => {});
        },
      };
    },
    async sweep(limits) {
      let removed = 0;
      for (;;) {
        const names = await records.findRemovable(limits);
        if (names.length === 0) return removed;
        await remove(names);
        removed += names.length;
      }
    },
  };
}

/** The request that stores a file, which must not change. */
async function putting(bucket: Bucket, key: string, file: string): Promise<() => Promise<void>> {
  const { size } = await stat(file);
  // The bucket refuses bytes that do not match.
  const headers = { 'content-type': 'application/octet-stream', 'content-md5': await md5OfFile(file) };
  const upload = { key, sizeBytes: size, open: () => createReadStream(file), headers };
  return () => bucket.put(upload, { limits: STORE_LIMITS });
}

/** Ids are valid: they come from the records, or were checked. */
function keyOf({ organizationId, id }: UploadName): string {
  return `uploads/${organizationId}/${id}`;
}
