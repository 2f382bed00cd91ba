/** The cache of a run with `--force`. */
import type { DiskCache } from './disk-cache.ts';

/** A view of `cache` that replaces entries, and finds only those that were put through this view. */
export function freshCache(cache: DiskCache): DiskCache {
  const made = new Set<string>();
  const isMade = (kind: string, name: string) => made.has(`${kind}/${name}`);
  const note = (kind: string, name: string, isKept: boolean) => {
    if (isKept) made.add(`${kind}/${name}`);
    return isKept;
  };
  return {
    ...cache,
    pin: async (kind, name, folder) => (isMade(kind, name) ? cache.pin(kind, name, folder) : undefined),
    hold: async (kind, name, folder) => (isMade(kind, name) ? cache.hold(kind, name, folder) : undefined),
    read: async (kind, name) => (isMade(kind, name) ? cache.read(kind, name) : undefined),
    put: async (kind, name, path) => note(kind, name, await cache.put(kind, name, path)),
    putBytes: async (kind, name, bytes) => note(kind, name, await cache.putBytes(kind, name, bytes)),
  };
}
