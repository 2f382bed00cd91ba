/**
 * Entries of the cache on their way to the bucket. Nobody waits for them: each has a link of its own in a folder of the
 * queue, so that neither the end of the run nor a full cache takes it away. What exceeds the bounds is not uploaded.
 */
import { createReadStream } from 'node:fs';
import { link, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contentSuffix } from '../../platform/disk/cache/cache-entry.ts';
import { checksumFile } from '../../platform/disk/hash-file.ts';
import { openTemporaryFolder, type TemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { liveWhile } from '../../platform/liveness.ts';
import type { Bucket } from './bucket.ts';

/** Header of an entry: its size and checksum, as in the name of its file on a disk. */
export const CHECKSUM_HEADER = 'x-amz-meta-checksum';

const UPLOADS_AT_ONCE = 2;
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 512 * 1024 * 1024;
const LIMITS = { silenceMs: 5_000, totalMs: 60_000 };
/** Of the end of a task: the rest is not uploaded. */
const FLUSH_MS = 10_000;

export interface UploadQueueOptions {
  readonly bucket: Bucket;
  /** Folder of temporary folders, on the disk of the cache. */
  readonly root: string;
  /** False while the bucket is away: nothing is added then. */
  readonly isOpen: () => boolean;
  readonly onFault: (error: unknown) => void;
}

export interface UploadQueue {
  /** Adds the file at `file`, which must not change. It never rejects. */
  addFile(key: string, file: string): Promise<void>;
  addBytes(key: string, bytes: Uint8Array): Promise<void>;
  /** Waits for all uploads. @returns False if something was not uploaded, since the queue was made. */
  flush(): Promise<boolean>;
  /** Waits for the uploads for ten seconds at most. @returns How many entries were uploaded and how many were not. */
  close(): Promise<UploadCounts>;
}

export interface UploadCounts {
  readonly uploaded: number;
  readonly left: number;
}

export function createUploadQueue({ bucket, root, isOpen, onFault }: UploadQueueOptions): UploadQueue {
  const stopper = new AbortController();
  const running = new Set<Promise<void>>();
  const waiting: { readonly key: string; readonly file: string; readonly sizeBytes: number }[] = [];
  let waitingBytes = 0;
  let count = 0;
  let uploaded = 0;
  let left = 0;
  let folder: Promise<TemporaryFolder> | undefined;

  const next = (): void => {
    while (running.size < UPLOADS_AT_ONCE && waiting.length > 0 && !stopper.signal.aborted) {
      const entry = waiting.shift()!;
      waitingBytes -= entry.sizeBytes;
      const work: Promise<void> = upload(entry.key, entry.file).finally(() => {
        running.delete(work);
        next();
      });
      running.add(work);
    }
  };

  async function upload(key: string, file: string): Promise<void> {
    try {
      if (!isOpen()) throw new Error('the bucket is away');
      const { suffix, sizeBytes } = await describe(file);
      const headers = { 'content-type': 'application/octet-stream', [CHECKSUM_HEADER]: suffix };
      const { signal } = stopper;
      await bucket.put(
        { key, sizeBytes, open: () => createReadStream(file), headers },
        { signal, limits: LIMITS },
      );
      uploaded += 1;
    } catch (error) {
      left += 1;
      if (isOpen() && !stopper.signal.aborted) onFault(error);
    } finally {
      await rm(file, { force: true }).catch(() => {});
    }
  }

  async function add(key: string, make: (file: string) => Promise<void>): Promise<void> {
    if (!isOpen() || waiting.length >= MAX_WAITING || waitingBytes >= MAX_WAITING_BYTES) {
      left += 1;
      return;
    }
    count += 1;
    const number = count;
    try {
      folder ??= openTemporaryFolder(root, null, () => new Error('the folder of uploads was removed'));
      const file = path.join((await folder).path, String(number));
      await make(file);
      const { size } = await stat(file);
      waiting.push({ key, file, sizeBytes: size });
      waitingBytes += size;
      next();
    } catch {
      // No links, or a full disk: the entry stays on this disk alone.
      left += 1;
    }
  }

  return {
    addFile: (key, file) => add(key, (to) => link(file, to)),
    addBytes: (key, bytes) => add(key, (to) => writeFile(to, bytes)),
    async flush() {
      // A slow upload takes as long as a server waits for a sign of life.
      while (running.size > 0) await liveWhile(Promise.race(running), LIMITS.totalMs);
      return left === 0;
    },
    async close() {
      const timer = setTimeout(() => stopper.abort(), FLUSH_MS);
      while (running.size > 0) await Promise.race(running);
      clearTimeout(timer);
      left += waiting.splice(0).length;
      await (await folder?.catch(() => undefined))?.close();
      return { uploaded, left };
    },
  };
}

async function describe(file: string): Promise<{ suffix: string; sizeBytes: number }> {
  const opened = await open(file, 'r');
  try {
    const { size } = await opened.stat();
    return { suffix: contentSuffix(size, await checksumFile(opened, size)), sizeBytes: size };
  } finally {
    await opened.close();
  }
}
