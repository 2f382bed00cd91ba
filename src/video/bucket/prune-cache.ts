/**
 * Bounds the cache in a bucket that has no rules for the age of objects. Anything in it can be removed at any time:
 * a worker that misses an entry makes it again.
 */
import pLimit from 'p-limit';
import type { Bucket } from './bucket.ts';
import type { ListedObject } from './signing-client.ts';

export interface CacheBounds {
  /** Milliseconds since 1970. Entries that were stored before are removed. */
  readonly olderThanMs: number;
  /** Of all entries that stay. The oldest are removed first. */
  readonly maxBytes: number;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export interface CachePrune {
  readonly removed: number;
  readonly freedBytes: number;
  readonly kept: number;
  readonly keptBytes: number;
}

const CACHE_PREFIX = 'cache/';
const REMOVALS_AT_ONCE = 16;
const REMOVE_LIMITS = { silenceMs: 10_000, totalMs: 30_000 };

/** @throws {@link ListingVideoError} `storage_unavailable`, after as many removals as were possible. */
export async function pruneCache(
  bucket: Pick<Bucket, 'walk' | 'remove'>,
  { olderThanMs, maxBytes, isDryRun, signal }: CacheBounds,
): Promise<CachePrune> {
  const old: ListedObject[] = [];
  const young: ListedObject[] = [];
  for await (const entry of bucket.walk(CACHE_PREFIX)) {
    signal.throwIfAborted();
    (entry.storedAtMs < olderThanMs ? old : young).push(entry);
  }
  young.sort((a, b) => b.storedAtMs - a.storedAtMs);
  let keptBytes = 0;
  const kept = young.findIndex(({ sizeBytes }) => {
    keptBytes += sizeBytes;
    return keptBytes > maxBytes;
  });
  const tooMuch = kept < 0 ? [] : young.splice(kept);
  const removed = [...old, ...tooMuch];
  const limit = pLimit(REMOVALS_AT_ONCE);
  const remove = async ({ key }: ListedObject): Promise<void> => {
    signal.throwIfAborted();
    await bucket.remove(key, { limits: REMOVE_LIMITS, signal });
  };
  if (!isDryRun) await Promise.all(removed.map((entry) => limit(() => remove(entry))));
  return {
    removed: removed.length,
    freedBytes: sizeOf(removed),
    kept: young.length,
    keptBytes: sizeOf(young),
  };
}

function sizeOf(entries: readonly ListedObject[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
