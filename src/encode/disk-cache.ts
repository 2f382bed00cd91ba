/**
 * A bounded cache of files on disk, safe for several processes. Removing any of it at any time only costs time.
 *
 * Entries lie in flat folders (namespaces) below one root, as `<name>~<size>-<checksum>`: what is in a file can be held
 * against its name, so damage is noticed whatever the file holds. It knows nothing of what that is.
 */

import { copyFile, link, mkdir, open, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAside, replaceFile } from '../disk/atomic-write.ts';
import { errnoOf } from '../disk/disk-error.ts';
import { checksumFile } from '../disk/hash-file.ts';

export interface DiskCacheOptions {
  /** What all namespaces together may take. */
  readonly maxBytes: number;
  /**
   * Namespaces whose files their owner writes, names and reads where they lie, such as decoded photos. These count and
   * are removed as the others are, but stay for an hour after their last use (mtime), even if that exceeds `maxBytes`.
   */
  readonly readInPlace?: readonly string[];
  /** Clock, ms since the epoch. */
  readonly now?: () => number;
}

/** What a {@link DiskCache.trim} did. */
export interface Trimming {
  readonly removedFiles: number;
  readonly freedBytes: number;
  /** What is left. */
  readonly keptBytes: number;
}

export interface DiskCache {
  /**
   * Makes an entry appear as `<folder>/<name>`, by a hard link or a copy: from then on it is the caller's, whatever is
   * trimmed. A damaged entry is removed and counts as absent, and so does trouble of any kind with the cache.
   *
   * @param folder - Existing; a file of that name in it is taken to be the entry, pinned before.
   * @returns That path, or undefined when there is no such entry.
   */
  pin(namespace: string, name: string, folder: string): Promise<string | undefined>;
  /**
   * Adds the file at `path`, which must not be changed afterwards; the entry appears complete or not at all.
   *
   * @returns Whether it is in the cache now: trouble of any kind, such as a full disk, must not fail a finished piece.
   */
  put(namespace: string, name: string, path: string): Promise<boolean>;
  /** Removes the entries that were not used for longest until the rest fits, and what crashed writers left. */
  trim(): Promise<Trimming>;
}

/** Removing a little more than needed keeps each run from having to. */
const FILL_AFTER_TRIMMING = 0.9;
const IN_USE_MS = 3_600_000;
/** No writer holds a file under a temporary name for so long. */
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
    trim: () => trim(root, options.maxBytes, readInPlace, now()),
  };
}

async function pinEntry(entry: string, path: string, nowMs: number): Promise<boolean> {
  try {
    await linkOrCopy(entry, path);
  } catch (error) {
    return errnoOf(error) === 'EEXIST';
  }
  try {
    // Under its new name, since nobody can take that away meanwhile.
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
  // Same key, other bits: encoders may differ a little from run to run. The newest is enough.
  await Promise.all(others.map((other) => rm(other, { force: true })));
}

/** The end of an entry's name: `~<size>-<CRC-32>`, hexadecimal. */
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
}

async function trim(
  root: string,
  maxBytes: number,
  readInPlace: ReadonlySet<string>,
  nowMs: number,
): Promise<Trimming> {
  const files = await listFiles(root, readInPlace, nowMs);
  const totalBytes = files.reduce((total, file) => total + file.sizeBytes, 0);
  let keptBytes = totalBytes;
  let removedFiles = 0;
  if (totalBytes > maxBytes) {
    const oldestFirst = files.filter((file) => !file.isInUse).sort((a, b) => a.usedMs - b.usedMs);
    for (const { path, sizeBytes } of oldestFirst) {
      if (keptBytes <= maxBytes * FILL_AFTER_TRIMMING) break;
      await rm(path, { force: true }).catch(() => {});
      keptBytes -= sizeBytes;
      removedFiles++;
    }
  }
  return { removedFiles, freedBytes: totalBytes - keptBytes, keptBytes };
}

/** Files of all namespaces; abandoned temporary ones are removed on the way. */
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
      // It may have gone since: another process trims too.
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) continue;
      const ageMs = nowMs - info.mtimeMs;
      if (isAside(name)) {
        if (ageMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
        continue;
      }
      const isInUse = readInPlace.has(folder.name) && ageMs < IN_USE_MS;
      files.push({ path, sizeBytes: info.size, usedMs: info.mtimeMs, isInUse });
    }
  }
  return files;
}
