/**
 * The output folder of one attempt at a task whose files go to a bucket. They are written on this disk, and published
 * under a prefix that no other attempt has: a bucket has no rename. Only the outcome that the task store accepts makes
 * them the result.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { hashFile, md5OfFile } from '../../platform/disk/hash-file.ts';
import type { OutputFolder } from '../publish/output-folder.ts';
import type { Bucket } from './bucket.ts';
import { retryStorage } from './retry-storage.ts';

export interface BucketAttemptOptions {
  readonly bucket: Bucket;
  /** Ends with a slash. */
  readonly keyPrefix: string;
  /** Where the files are written. Closed with this folder. */
  readonly staging: OutputFolder;
  /** Rejects when another process has taken the task. */
  readonly assertOwned: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** How long an upload waits for a bucket that is away. Default: 90 s. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 90_000;
const UPLOADS_AT_ONCE = 4;
/** For the removal of files that nobody needs; `tasks prune` and a rule of the bucket remove what it leaves. */
const TIDY_LIMITS = { silenceMs: 5_000, totalMs: 10_000 };

/** The page for a browser beside the videos; a server never sends it. */
const LOCAL_ONLY = 'report.html';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
};

export function openBucketAttempt(options: BucketAttemptOptions): OutputFolder {
  const { bucket, keyPrefix, staging, assertOwned, signal, patienceMs = PATIENCE_MS } = options;
  const uploaded: string[] = [];
  const upload = async (name: string): Promise<void> => {
    const file = staging.stagedPath(name);
    const { size } = await stat(file);
    const headers = {
      'content-type': CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
      // As the server answers for files on its disk: a file never changes, but its task can be removed at any time.
      'cache-control': 'public, no-cache',
      // The bucket refuses bytes that do not match.
      'content-md5': await md5OfFile(file),
      'x-amz-meta-sha256': (await hashFile(file)).sha256,
    };
    const key = keyPrefix + name;
    uploaded.push(key);
    await retryStorage(
      () => bucket.put({ key, sizeBytes: size, open: () => createReadStream(file), headers }, { signal }),
      { patienceMs, signal },
    );
  };
  const removeUploaded = async (): Promise<void> => {
    const removals = uploaded.splice(0).map((key) => bucket.remove(key, { limits: TIDY_LIMITS }));
    await Promise.allSettled(removals);
  };
  return {
    ...staging,
    async publish(names) {
      const wanted = names.filter((name) => name !== LOCAL_ONLY);
      const limit = pLimit(UPLOADS_AT_ONCE);
      try {
        await staging.assertHeld();
        // The last name marks the set as complete.
        await settleAll(wanted.slice(0, -1).map((name) => limit(() => upload(name))));
        await settleAll(wanted.slice(-1).map(upload));
        await staging.assertHeld();
        await assertOwned();
      } catch (error) {
        await removeUploaded();
        throw error;
      }
    },
  };
}

/** Waits for all, also after a failure, so that none is running when the files are removed. @throws The first error. */
async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((end) => end.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
