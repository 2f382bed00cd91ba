/**
 * The cache of all workers: the disk of this machine first, the bucket second. What the disk lacks is read from the
 * bucket; what is made here is uploaded behind the work.
 *
 * The bucket only saves time. While it is away or slow, this cache does what the disk alone does: a task never waits
 * for it for long, and never fails because of it.
 */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { asidePath } from '../../platform/disk/atomic-write.ts';
import { type CacheKind, contentSuffix, sizeOfName } from '../../platform/disk/cache/cache-entry.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { exists } from '../../platform/disk/folder.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import type { Bucket } from './bucket.ts';
import { CHECKSUM_HEADER, createUploadQueue, type UploadCounts } from './upload-queue.ts';

/**
 * The kinds that pay. A write costs as much as half a second of a CPU, so what is small and quickly made stays on the
 * disk: stills, posters and the scenes of previews take 0.1 to 0.4 s each. The photos of a listing are 80 MB, and are
 * decoded in 4 s.
 */
export const SHARED_KINDS: readonly CacheKind[] = ['segments', 'audio'];

/** The kinds that workers share while they make one listing's videos together: each is needed by others at once. */
const DIVISION_KINDS: readonly CacheKind[] = [...SHARED_KINDS, 'photos', 'stills', 'posters', 'previews'];

/** How long the bucket is left alone after it has failed or was slow. */
const AWAY_MS = 30_000;
/** A segment is there within a fraction of a second. A worker that waits for longer renders it meanwhile. */
const LIMITS = { silenceMs: 2_000, totalMs: 20_000 };
/** Of one entry. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Of an entry that is read into memory. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export interface SharedCacheOptions {
  readonly bucket: Bucket;
  /** Folder of temporary folders, on the disk of the cache. */
  readonly root: string;
  readonly kinds?: readonly CacheKind[];
  /** Milliseconds of a clock that never runs backwards. */
  readonly monotonicMs: () => number;
  /** Called when the bucket is left alone for a while, with the reason. */
  readonly onAway: (error: unknown) => void;
}

export interface SharedCache {
  readonly cache: DiskCache;
  /** From now on also shares what workers need that make the videos of one listing together. */
  widen(): void;
  /** Waits until other workers can read all that was put. False if some of it was not uploaded. */
  flush(): Promise<boolean>;
  /** Waits for uploads, ten seconds at most. Always call it. */
  close(): Promise<UploadCounts>;
}

export function createSharedCache(local: DiskCache, options: SharedCacheOptions): SharedCache {
  const { bucket, root, monotonicMs, onAway } = options;
  let { kinds = SHARED_KINDS } = options;
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  const isOpen = () => monotonicMs() >= awayUntilMs;
  const onFault = (error: unknown): void => {
    if (isOpen()) onAway(error);
    awayUntilMs = monotonicMs() + AWAY_MS;
  };
  const queue = createUploadQueue({ bucket, root, isOpen, onFault });
  const isShared = (kind: CacheKind) => kinds.includes(kind);
  const keyOf = (kind: CacheKind, name: string) => `cache/${kind}/${name}`;

  /** The content of an entry with its checksum; null when the bucket lacks it or is left alone. */
  const open = async (kind: CacheKind, name: string, maxBytes: number) => {
    if (!isShared(kind) || !isOpen()) return null;
    reportLiveness();
    const answer = await bucket.get(keyOf(kind, name), { limits: LIMITS });
    const suffix = answer?.headers[CHECKSUM_HEADER];
    if (answer === null) return null;
    if (suffix !== undefined && (sizeOfName(suffix) ?? maxBytes) < maxBytes)
      return { body: answer.body, suffix };
    answer.discard();
    return null;
  };

  /** Puts an entry of the bucket at `file`, and into the cache of the disk. */
  const fetchFile = async (kind: CacheKind, name: string, file: string): Promise<string | undefined> => {
    const aside = asidePath(file);
    try {
      const found = await open(kind, name, MAX_BYTES);
      if (found === null) return undefined;
      const sum = createSum(found.body, found.suffix);
      await pipeline(Readable.from(sum.pieces), createWriteStream(aside, { flags: 'wx' }));
      // Damaged, or written by someone else: it is made here, and replaces the one of the bucket.
      if (!sum.isIntact()) return undefined;
      await rename(aside, file);
      await local.put(kind, name, file);
      return file;
    } catch (error) {
      onFault(error);
      return undefined;
    } finally {
      await rm(aside, { force: true }).catch(() => {});
    }
  };

  const cache: DiskCache = {
    ...local,
    async pin(kind, name, folder) {
      const file = path.join(folder, name);
      return (await local.pin(kind, name, folder)) ?? (await fetchFile(kind, name, file));
    },
    async hold(kind, name, folder) {
      const held = await local.hold(kind, name, folder);
      if (held !== undefined) return held;
      const file = await fetchFile(kind, name, path.join(folder, name));
      // Its content was read just now.
      return file === undefined ? undefined : { path: file, isIntact: () => exists(file).catch(() => false) };
    },
    async read(kind, name) {
      const bytes = await local.read(kind, name);
      if (bytes !== undefined) return bytes;
      try {
        const found = await open(kind, name, MAX_READ_BYTES);
        if (found === null) return undefined;
        const sum = createSum(found.body, found.suffix);
        const pieces: Buffer[] = [];
        for await (const piece of sum.pieces) pieces.push(piece);
        if (!sum.isIntact()) return undefined;
        const fetched = Buffer.concat(pieces);
        await local.putBytes(kind, name, fetched);
        return fetched;
      } catch (error) {
        onFault(error);
        return undefined;
      }
    },
    async put(kind, name, file) {
      const isKept = await local.put(kind, name, file);
      if (isShared(kind)) await queue.addFile(keyOf(kind, name), file);
      return isKept;
    },
    async putBytes(kind, name, bytes) {
      const isKept = await local.putBytes(kind, name, bytes);
      if (isShared(kind)) await queue.addBytes(keyOf(kind, name), bytes);
      return isKept;
    },
  };
  return {
    cache,
    widen: () => {
      kinds = DIVISION_KINDS;
    },
    flush: () => queue.flush(),
    close: () => queue.close(),
  };
}

/** Passes pieces on, and says afterwards whether they were all that was stored. No more than that is read. */
function createSum(body: AsyncIterable<Buffer>, suffix: string) {
  const wantedBytes = sizeOfName(suffix) ?? 0;
  let sizeBytes = 0;
  let crc = 0;
  return {
    pieces: (async function* () {
      for await (const piece of body) {
        sizeBytes += piece.length;
        if (sizeBytes > wantedBytes) return;
        crc = crc32(piece, crc);
        yield piece;
      }
    })(),
    isIntact: () => suffix === contentSuffix(sizeBytes, crc),
  };
}
