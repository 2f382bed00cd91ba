/**
 * A bounded cache of files on disk, safe for several processes. Deleting any part of it at any time only costs time.
 *
 * Entries are files `<name>~<size>-<checksum>` in flat folders (namespaces) below one root. The name shows whether the
 * content is damaged, so the cache needs to know nothing about the content.
 */

import { copyFile, link, mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAside, replaceFile } from '../disk/atomic-write.ts';
import { errnoOf } from '../disk/disk-error.ts';
import { freeBytesOf } from '../disk/free-space.ts';
import { checksumFile } from '../disk/hash-file.ts';

export interface DiskCacheOptions {
  /** Maximum size of all namespaces together. */
  readonly maxBytes: number;
  /**
   * Namespaces whose owner writes, names and reads the files in place, such as decoded photos. They count and are removed
   * like the others, but not within an hour after their last use (mtime), even if that exceeds `maxBytes`.
   */
  readonly readInPlace?: readonly string[];
  /** Clock, ms since the epoch. */
  readonly now?: () => number;
}

/** The result of {@link DiskCache.trim}. */
export interface Trimming {
  readonly removedFiles: number;
  readonly freedBytes: number;
  /** The remaining size. */
  readonly keptBytes: number;
}

export interface DiskCache {
  /**
   * Makes a hard link or a copy of an entry at `<folder>/<name>`, which trimming cannot remove. A damaged entry is removed
   * and counts as absent; so does any error of the cache.
   *
   * @param folder - An existing folder. If it has a file of that name, that is the entry.
   * @returns That path, or undefined when there is no such entry.
   */
  pin(namespace: string, name: string, folder: string): Promise<string | undefined>;
  /**
   * Adds the file at `path`, which must not change afterwards. The entry appears complete or not at all.
   *
   * @returns True when it is in the cache now. An error such as a full disk returns false, because it must not fail finished
   *   work.
   */
  put(namespace: string, name: string, path: string): Promise<boolean>;
  /** Removes the least recently used entries until the rest fits, and the leftovers of crashed writers. */
  trim(): Promise<Trimming>;
  /**
   * Removes the least recently used entries until the disk has `freeBytes` of free space, also if the cache is smaller than its
   * limit. Entries that a run has linked stay, because removing them frees nothing.
   */
  makeRoom(freeBytes: number): Promise<Trimming>;
}

/** Trims to a little less than the limit, so that not every run has to trim. */
const FILL_AFTER_TRIMMING = 0.9;
const IN_USE_MS = 3_600_000;
/** A temporary file older than this has no writer any more. */
const ABANDONED_MS = 3_600_000;

/**
 * @param root - Created when needed.
 */
export function createDiskCache(root: string, options: DiskCacheOptions): DiskCache {
  const now = options.now ?? Date.now;
  const readInPlace = new Set(options.readInPlace);
  return {
    async pin(namespace, name, folder) {
      const path = join(folder, name);
      for (const entry of await findEntries(join(root, namespace), name)) {
        if (await pinEntry(entry, path, now())) return path;
      }
      return undefined;
    },
    async put(namespace, name, path) {
      try {
        await putEntry(join(root, namespace), name, path, now());
        return true;
      } catch {
        return false;
      }
    },
    trim: async () => {
      const files = await listFiles(root, readInPlace, now());
      const totalBytes = totalOf(files);
      const isOver = totalBytes > options.maxBytes;
      return removeOldest(files, isOver ? totalBytes - options.maxBytes * FILL_AFTER_TRIMMING : 0);
    },
    makeRoom: async (freeBytes) => {
      const files = (await listFiles(root, readInPlace, now())).filter((file) => !file.isLinked);
      // Without a folder there is nothing to remove.
      const found = await freeBytesOf(root).catch(() => freeBytes);
      return removeOldest(files, freeBytes - found);
    },
  };
}

/** A view of `cache` for `--force`: `put` replaces entries, and `pin` finds only entries that were put through this view. */
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
    makeRoom: (freeBytes) => cache.makeRoom(freeBytes),
  };
}

async function pinEntry(entry: string, path: string, nowMs: number): Promise<boolean> {
  try {
    await linkOrCopy(entry, path);
  } catch (error) {
    return errnoOf(error) === 'EEXIST';
  }
  try {
    // Checks the new name, which no other process removes.
    if (entry.endsWith(await describeContent(path))) {
      await setUsed(entry, nowMs);
      return true;
    }
    await rm(entry, { force: true });
  } catch {}
  await rm(path, { force: true }).catch(() => {});
  return false;
}

async function putEntry(folder: string, name: string, path: string, nowMs: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entry = join(folder, `${name}${await describeContent(path, { flush: true })}`);
  const others = (await findEntries(folder, name)).filter((other) => other !== entry);
  try {
    await linkOrCopy(path, entry);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  await setUsed(entry, nowMs);
  // The same key can have other bytes, because encoders differ a little from run to run. The newest entry is kept.
  await Promise.all(others.map((other) => rm(other, { force: true })));
}

/** The suffix of an entry's name: `~<size>-<CRC-32>`, hexadecimal. */
async function describeContent(path: string, options: { flush?: boolean } = {}): Promise<string> {
  const file = await open(path, options.flush ? 'r+' : 'r');
  try {
    if (options.flush) await file.sync();
    const { size } = await file.stat();
    return `~${size.toString(16)}-${(await checksumFile(file, size)).toString(16)}`;
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

interface CachedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly usedMs: number;
  readonly isInUse: boolean;
  /** It has a second name, in the folder of a run. */
  readonly isLinked: boolean;
}

/** Removes files that are not in use, oldest first, until `bytes` are freed. */
async function removeOldest(files: readonly CachedFile[], bytes: number): Promise<Trimming> {
  const oldestFirst = files.filter((file) => !file.isInUse).sort((a, b) => a.usedMs - b.usedMs);
  let freedBytes = 0;
  let removedFiles = 0;
  for (const { path, sizeBytes } of oldestFirst) {
    if (freedBytes >= bytes) break;
    await rm(path, { force: true }).catch(() => {});
    freedBytes += sizeBytes;
    removedFiles++;
  }
  return { removedFiles, freedBytes, keptBytes: totalOf(files) - freedBytes };
}

function totalOf(files: readonly CachedFile[]): number {
  return files.reduce((total, file) => total + file.sizeBytes, 0);
}

/** The files of all namespaces. Removes old temporary files. */
async function listFiles(
  root: string,
  readInPlace: ReadonlySet<string>,
  nowMs: number,
): Promise<CachedFile[]> {
  const files: CachedFile[] = [];
  const folders = await readdir(root, { withFileTypes: true }).catch(() => []);
  for (const folder of folders) {
    if (!folder.isDirectory()) continue;
    for (const name of await readdir(join(root, folder.name)).catch(() => [])) {
      const path = join(root, folder.name, name);
      // Another process can have trimmed it.
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) continue;
      const ageMs = nowMs - info.mtimeMs;
      if (isAside(name)) {
        if (ageMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
        continue;
      }
      const isInUse = readInPlace.has(folder.name) && ageMs < IN_USE_MS;
      files.push({ path, sizeBytes: info.size, usedMs: info.mtimeMs, isInUse, isLinked: info.nlink > 1 });
    }
  }
  return files;
}
