/** A cache for a run that is to make everything again: it finds what this run made, and nothing older. */
import type { DiskCache } from './disk-cache.ts';

/** What is put goes to `cache`, in place of what it had; only that is found. */
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
