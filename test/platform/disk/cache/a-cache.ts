/** A cache in a folder of its own, with a clock that the test moves, and a run that holds what it pinned. */
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheKind } from '../../../../src/platform/disk/cache/cache-entry.ts';
import { createDiskCache } from '../../../../src/platform/disk/cache/disk-cache.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';

/** The clock moves on by a second with each call. */
export async function aCache(maxBytes = 1_000_000) {
  const root = join(temporaryFolder(), 'cache');
  const job = temporaryFolder();
  const excesses: number[] = [];
  let time = 1_700_000_000_000;
  const now = () => {
    time += 1000;
    return time;
  };
  const open = (limitBytes: number) =>
    createDiskCache(root, { maxBytes: limitBytes, now, onHeldExcess: (bytes) => excesses.push(bytes) });
  const cache = open(maxBytes);
  return {
    root,
    job,
    cache,
    open,
    excesses,
    time: () => time,
    advance: (ms: number) => {
      time += ms;
    },
    /** Puts a file that a run goes on to hold, as it holds a segment that it made. */
    async hold(kind: CacheKind, name: string, content: string | Buffer) {
      const path = join(job, `made-${kind}-${name}`);
      await writeFile(path, content);
      return cache.put(kind, name, path);
    },
    /** Puts a file that no run holds. */
    async add(kind: CacheKind, name: string, content: string | Buffer) {
      const path = join(job, `brief-${kind}-${name}`);
      await writeFile(path, content);
      const isKept = await cache.put(kind, name, path);
      await rm(path);
      return isKept;
    },
    names: (kind: string) => namesIn(root, kind),
  };
}

/** Names of the entries of a kind, without what shows their content; sorted. */
export function namesIn(root: string, kind: string): string[] {
  return filesIn(root, kind)
    .map((file) => file.split('/').at(-1)!.split('~')[0]!)
    .sort();
}

/** Paths of the files of a kind. */
export function filesIn(root: string, kind: string): string[] {
  try {
    return readdirSync(join(root, kind), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`);
  } catch {
    return [];
  }
}
