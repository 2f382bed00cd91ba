/**
 * A bounded cache of files on disk, safe for several processes and containers that share it. Deleting any part of it at
 * any time only costs time.
 *
 * Files are `<kind>/<shard>/<name>~<size>-<checksum>`: the name shows the size, and whether the content is damaged, so
 * the cache needs to know nothing about the content. The mtime is the time of the last use. A run holds an entry by a
 * second hard link in its work folder, so the state of the file shows to every process that it is in use.
 */

import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { asidePath, isAside, replaceFile, writeNewFile } from '../atomic-write.ts';
import { errnoOf } from '../disk-error.ts';
import { exists } from '../folder.ts';
import { freeBytesOf } from '../free-space.ts';
import { checksumFile } from '../hash-file.ts';
import {
  type CacheEntry,
  type CacheKind,
  contentSuffix,
  keyOfName,
  shardOf,
  sizeOfName,
} from './cache-entry.ts';
import { chooseEvictions } from './choose-evictions.ts';
import { type Removal, removeEntries } from './remove-entries.ts';
import { readEntries, readTotalBytes } from './scan-cache.ts';

export interface DiskCacheOptions {
  /**
   * Maximum size of all kinds together. Entries that runs hold are removed only when the run ends, so until then the
   * cache can exceed it by their size, and by {@link blindBytes} for each process. 0: nothing is kept.
   */
  readonly maxBytes: number;
  /** Called once, when the entries that runs hold exceed `maxBytes`. */
  readonly onHeldExcess?: (heldBytes: number) => void;
  /** Clock, ms since the epoch. */
  readonly now?: () => number;
}

export interface Trimming extends Removal {
  /** The remaining size. */
  readonly keptBytes: number;
}

/** An entry whose content was not read yet. */
export interface HeldEntry {
  /** Path of the hard link or the copy. */
  readonly path: string;
  /**
   * Reads the content. A damaged entry is removed from the folder and from the cache. False also when it cannot be
   * read.
   */
  isIntact(): Promise<boolean>;
}

export interface DiskCache {
  /**
   * Makes a hard link or a copy of an entry at `<folder>/<name>`, which trimming cannot remove. A damaged entry is
   * removed and counts as absent; so does any error of the cache.
   *
   * @param folder - An existing folder. If it has a file of that name, that is the entry.
   * @returns That path, or undefined when there is no such entry.
   */
  pin(kind: CacheKind, name: string, folder: string): Promise<string | undefined>;
  /** As {@link pin}, but only the size is checked, not the content: for a large entry that is perhaps not read. */
  hold(kind: CacheKind, name: string, folder: string): Promise<HeldEntry | undefined>;
  /** The content of an entry; undefined as for {@link pin}. */
  read(kind: CacheKind, name: string): Promise<Buffer | undefined>;
  /**
   * Adds the file at `path`, which must not change afterwards. The entry appears complete or not at all.
   *
   * @returns True when it is in the cache now. An error such as a full disk returns false, because it must not fail
   *   finished work.
   */
  put(kind: CacheKind, name: string, path: string): Promise<boolean>;
  /** As {@link put}, for content in memory. */
  putBytes(kind: CacheKind, name: string, bytes: Uint8Array): Promise<boolean>;
  /** Removes entries until the rest fits, and the leftovers of crashed writers. Puts do so too. */
  trim(): Promise<Trimming>;
  /**
   * Removes entries until the disk has `freeBytes` of free space, also if the cache is smaller than its limit. Entries
   * that a run holds stay, because removing them frees nothing.
   */
  makeRoom(freeBytes: number): Promise<Trimming>;
}

/** Trims to a little less than the limit, so that not every put has to trim. */
const FILL_AFTER_TRIMMING = 0.9;

/** What a process adds at most before it looks again at what the others have added. */
function blindBytes(maxBytes: number): number {
  return Math.max(1_000_000, maxBytes / 100);
}

/**
 * @param root - Created when needed.
 */
export function createDiskCache(root: string, options: DiskCacheOptions): DiskCache {
  const { maxBytes, now = Date.now } = options;
  const folderOf = (kind: string, name: string) => join(root, kind, shardOf(keyOfName(name)));
  let hasReported = false;
  let trimming: Promise<Trimming> | undefined;
  /** Of the last look; unknown before it. */
  let keptBytes = Number.POSITIVE_INFINITY;
  let addedBytes = 0;

  const trimNow = async (): Promise<Trimming> => {
    addedBytes = 0;
    keptBytes = await readTotalBytes(root);
    if (keptBytes <= maxBytes) return { removedEntries: 0, freedBytes: 0, keptBytes };
    const entries = await readEntries(root, now());
    // The size in a name can be wrong, and all the rest would go for it.
    keptBytes = totalOf(entries);
    if (keptBytes <= maxBytes) return { removedEntries: 0, freedBytes: 0, keptBytes };
    const chosen = chooseEvictions(entries, keptBytes - maxBytes * FILL_AFTER_TRIMMING, now());
    const removal = await removeEntries(chosen.filter(isFree));
    keptBytes -= removal.freedBytes;
    const heldBytes = totalOf(entries.filter((entry) => !isFree(entry)));
    if (heldBytes > maxBytes && !hasReported) {
      hasReported = true;
      options.onHeldExcess?.(heldBytes);
    }
    return { ...removal, keptBytes };
  };
  const trim = (): Promise<Trimming> => {
    trimming ??= trimNow().finally(() => {
      trimming = undefined;
    });
    return trimming;
  };
  const add = async (kind: string, name: string, work: (folder: string) => Promise<string>) => {
    if (maxBytes === 0) return false;
    try {
      const folder = folderOf(kind, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const entry = await work(folder);
      await setUsed(entry, now());
      await removeOthers(folder, name, entry);
      addedBytes += sizeOfName(entry) ?? 0;
    } catch {
      return false;
    }
    // What runs hold can exceed the limit: then another look at every put would find nothing to remove.
    const isOver = keptBytes + addedBytes > maxBytes && (keptBytes <= maxBytes || keptBytes === Infinity);
    if (isOver || addedBytes > blindBytes(maxBytes)) await trim().catch(() => {});
    return true;
  };
  return {
    async pin(kind, name, folder) {
      const path = join(folder, name);
      for (const entry of await findEntries(folderOf(kind, name), name)) {
        if (await exists(path).catch(() => false)) return path;
        if (await pinEntry(entry, path, now())) return path;
      }
      return undefined;
    },
    async hold(kind, name, folder) {
      const path = join(folder, name);
      for (const entry of await findEntries(folderOf(kind, name), name)) {
        if (await holdEntry(entry, path, now())) return { path, isIntact: () => isIntact(entry, path) };
      }
      return undefined;
    },
    async read(kind, name) {
      for (const entry of await findEntries(folderOf(kind, name), name)) {
        const bytes = await readFile(entry).catch(() => undefined);
        if (bytes === undefined) continue;
        if (entry.endsWith(contentSuffix(bytes.length, crc32(bytes)))) {
          await setUsed(entry, now());
          return bytes;
        }
        await rm(entry, { force: true }).catch(() => {});
      }
      return undefined;
    },
    put: (kind, name, path) =>
      add(kind, name, async (folder) => {
        const entry = join(folder, name + (await suffixOfFile(path)));
        await linkOrCopy(path, entry).catch((error: unknown) => {
          if (errnoOf(error) !== 'EEXIST') throw error;
        });
        return entry;
      }),
    putBytes: (kind, name, bytes) =>
      add(kind, name, async (folder) => {
        const entry = join(folder, name + contentSuffix(bytes.length, crc32(bytes)));
        await replaceFile(entry, (aside) => writeNewFile(aside, bytes, false));
        return entry;
      }),
    trim,
    makeRoom: async (freeBytes) => {
      const entries = await readEntries(root, now());
      // Without a folder there is nothing to remove.
      const found = await freeBytesOf(root).catch(() => freeBytes);
      const removal = await removeEntries(chooseEvictions(entries.filter(isFree), freeBytes - found, now()));
      return { ...removal, keptBytes: totalOf(entries) - removal.freedBytes };
    },
  };
}

/** Checks a name of its own before the entry gets its name, so that a file with that name is always valid. */
async function pinEntry(entry: string, path: string, nowMs: number): Promise<boolean> {
  const aside = asidePath(path);
  try {
    await linkOrCopy(entry, aside);
    if (entry.endsWith(await suffixOfFile(aside))) {
      await rename(aside, path);
      await setUsed(entry, nowMs);
      return true;
    }
    await rm(entry, { force: true });
  } catch {
    // The entry is gone, or the disk is full: absent.
  } finally {
    // POSIX: a rename to another name of the same file leaves both names.
    await rm(aside, { force: true }).catch(() => {});
  }
  return false;
}

async function holdEntry(entry: string, path: string, nowMs: number): Promise<boolean> {
  try {
    await linkOrCopy(entry, path).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    if ((await stat(path)).size === sizeOfName(entry)) {
      await setUsed(entry, nowMs);
      return true;
    }
    await removeBoth(entry, path);
  } catch {
    // The entry is gone, or the disk is full: absent.
  }
  return false;
}

async function isIntact(entry: string, path: string): Promise<boolean> {
  const suffix = await suffixOfFile(path).catch(() => null);
  if (suffix !== null && entry.endsWith(suffix)) return true;
  // A file that cannot be read, or whose folder was removed meanwhile, says nothing about the entry.
  if (suffix === null) return false;
  await removeBoth(entry, path).catch(() => undefined);
  return false;
}

async function removeBoth(entry: string, path: string): Promise<void> {
  await Promise.all([rm(entry, { force: true }), rm(path, { force: true })]);
}

async function suffixOfFile(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return contentSuffix(size, await checksumFile(file, size));
  } finally {
    await file.close();
  }
}

async function findEntries(folder: string, name: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files
    .filter((file) => file.startsWith(`${name}~`) && !isAside(file))
    .map((file) => join(folder, file));
}

/** The same name can have other bytes, because encoders differ a little from run to run. The newest entry stays. */
async function removeOthers(folder: string, name: string, entry: string): Promise<void> {
  const others = (await findEntries(folder, name)).filter((other) => other !== entry);
  await Promise.all(others.map((other) => rm(other, { force: true })));
}

async function setUsed(path: string, nowMs: number): Promise<void> {
  await utimes(path, nowMs / 1000, nowMs / 1000).catch(() => {});
}

/**
 * @throws EEXIST when `to` is there.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error;
    // Another file system, or one without links.
    await replaceFile(to, (aside) => copyFile(from, aside));
  }
}

function isFree({ isHeld }: CacheEntry): boolean {
  return !isHeld;
}

function totalOf(entries: readonly { readonly sizeBytes: number }[]): number {
  return entries.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
}
