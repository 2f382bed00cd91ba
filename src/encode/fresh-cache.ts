/** A cache for `--force`: it finds only entries that this run made. */
import type { DiskCache } from './disk-cache.ts';

/** `put` stores in `cache` and replaces its entry; `find` sees only entries that were put here. */
export function freshCache(cache: DiskCache): DiskCache {
  const made = new Set<string>();
  return {
    async pin(namespace, name, folder) {
      return made.has(`${namespace}/${name}`) ? cache.pin(namespace, name, folder) : undefined;
    },
    async put(namespace, name, path) {
      const isKept = await cache.put(namespace, name, path);
      if (isKept) made.add(`${namespace}/${name}`);
      return isKept;
    },
    trim: () => cache.trim(),
  };
}
