/**
 * A bounded cache of files on disk, safe for several processes. Removing any of it at any time only costs time.
 *
 * Entries are files in flat folders (namespaces) below one root: `segments/<key>.segment`, `audio/…`, `photos/…`. It
 * knows nothing of what is in them.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface DiskCacheOptions {
  /** What all namespaces together may take. */
  readonly maxBytes: number;
  /**
   * Namespaces whose files are read where they lie instead of being taken. These stay for an hour after their last use,
   * even if that exceeds `maxBytes`.
   */
  readonly readInPlace?: readonly string[];
  /** Clock, ms since the epoch. */
  readonly now?: () => number;
}

export interface Eviction {
  readonly removedFiles: number;
  readonly freedBytes: number;
  /** What is left. */
  readonly keptBytes: number;
}

export interface DiskCache {
  /** Folder of a namespace, for those that read in place and write their own files. */
  folderOf(namespace: string): string;
  /**
   * Makes an entry appear as `path`, as a hard link or a copy: from then on it is the caller's, whatever is evicted.
   *
   * @param isSound - Asked about `path` before it is handed on; a damaged entry is removed and counts as absent.
   * @returns Whether there was one. Trouble of any kind with the cache counts as none.
   */
  take(
    namespace: string,
    fileName: string,
    path: string,
    isSound?: (path: string) => Promise<boolean>,
  ): Promise<boolean>;
  /**
   * Adds the file at `path`, which must not be changed afterwards; the entry appears complete or not at all.
   *
   * @returns Whether it is in the cache now; trouble of any kind, such as a full disk, counts as no.
   */
  put(namespace: string, fileName: string, path: string): Promise<boolean>;
  /** Marks an entry of a `readInPlace` namespace as used now. */
  touch(namespace: string, fileName: string): Promise<void>;
  /** Removes the entries that were not used for longest until the rest fits, and what crashed writers left. */
  evict(): Promise<Eviction>;
}

/** Evicting a little more than needed keeps each run from having to. */
const FILL_AFTER_EVICTION = 0.9;
const IN_USE_MS = 3_600_000;
/** No writer holds a file under a temporary name for so long. */
const ABANDONED_MS = 3_600_000;
const PART_SUFFIX = '.part';

/**
 * @param root - Created when needed.
 */
export function createDiskCache(root: string, options: DiskCacheOptions): DiskCache {
  const now = options.now ?? Date.now;
  const readInPlace = new Set(options.readInPlace);
  const pathOf = (namespace: string, fileName: string) => join(root, namespace, fileName);
  const touch = async (path: string) => {
    const seconds = now() / 1000;
    await utimes(path, seconds, seconds).catch(() => {});
  };
  return {
    folderOf: (namespace) => join(root, namespace),
    async take(namespace, fileName, path, isSound = async () => true) {
      const entry = pathOf(namespace, fileName);
      try {
        await rm(path, { force: true });
        await linkOrCopy(entry, path);
      } catch {
        return false;
      }
      if (!(await isSound(path).catch(() => false))) {
        await Promise.all([rm(path, { force: true }), rm(entry, { force: true })]).catch(() => {});
        return false;
      }
      await touch(entry);
      return true;
    },
    async put(namespace, fileName, path) {
      const entry = pathOf(namespace, fileName);
      try {
        await mkdir(dirname(entry), { recursive: true });
        await flush(path);
        await linkOrCopy(path, entry);
        await touch(entry);
        return true;
      } catch (error) {
        // Keys are of content: what is there already is as good.
        return (error as NodeJS.ErrnoException).code === 'EEXIST';
      }
    },
    touch: (namespace, fileName) => touch(pathOf(namespace, fileName)),
    evict: () => evict(root, options.maxBytes, readInPlace, now()),
  };
}

/**
 * @throws EEXIST when `to` is there.
 */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOENT') throw error;
    // Another file system, or one without links.
    const aside = `${to}.${randomUUID()}${PART_SUFFIX}`;
    try {
      await copyFile(from, aside);
      await flush(aside);
      await rename(aside, to);
    } catch (copyError) {
      await rm(aside, { force: true });
      throw copyError;
    }
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

interface CachedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly usedMs: number;
  readonly isInUse: boolean;
}

async function evict(
  root: string,
  maxBytes: number,
  readInPlace: ReadonlySet<string>,
  nowMs: number,
): Promise<Eviction> {
  const files = await listFiles(root, readInPlace, nowMs);
  const totalBytes = files.reduce((total, file) => total + file.sizeBytes, 0);
  let keptBytes = totalBytes;
  let removedFiles = 0;
  if (totalBytes > maxBytes) {
    const oldestFirst = files.filter((file) => !file.isInUse).sort((a, b) => a.usedMs - b.usedMs);
    for (const { path, sizeBytes } of oldestFirst) {
      if (keptBytes <= maxBytes * FILL_AFTER_EVICTION) break;
      await rm(path, { force: true }).catch(() => {});
      keptBytes -= sizeBytes;
      removedFiles++;
    }
  }
  return { removedFiles, freedBytes: totalBytes - keptBytes, keptBytes };
}

/** Entries of all namespaces; abandoned temporary files are removed on the way. */
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
      // It may have gone since: another process evicts too.
      const info = await stat(path).catch(() => undefined);
      if (!info?.isFile()) continue;
      const ageMs = nowMs - info.mtimeMs;
      if (name.endsWith(PART_SUFFIX)) {
        if (ageMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => {});
        continue;
      }
      const isInUse = readInPlace.has(folder.name) && ageMs < IN_USE_MS;
      files.push({ path, sizeBytes: info.size, usedMs: info.mtimeMs, isInUse });
    }
  }
  return files;
}
