/**
 * The cache of decoded masters on disk, shared by all runs and processes with one data folder.
 *
 * One folder of flat files: `<digest>.yuv` or `<digest>.rgba` (the master) and `<digest>.json` (its description, with the
 * master's size and checksum). Files are written under a temporary name and renamed, the description last, so a process
 * that dies leaves at most a `*.tmp`. The mtime is the time of last use. Any file can be deleted at any time, oldest first;
 * a missing or damaged one is made again.
 */

import { createHash } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { asidePath, isAside, writeFileAtomically } from '../disk/atomic-write.ts';
import { errnoOf, toStoreError } from '../disk/disk-error.ts';
import { checksumFile } from '../disk/hash-file.ts';
import { DECODER_VERSION, type DecodedImage, type ImageKind } from './decode-protocol.ts';

/** Identity of a decoded image, hex: a hash of its source, its kind and the decoder's version. */
export function imageDigest(sourceSha256: string, kind: ImageKind): string {
  return createHash('sha256').update(`${DECODER_VERSION} ${kind} ${sourceSha256}`).digest('hex');
}

export interface CachedImage {
  readonly digest: string;
  readonly masterPath: string;
  readonly image: DecodedImage;
}

/** A temporary file older than this belongs to a dead process. */
const STRAY_AGE_MS = 60 * 60 * 1000;

export class PhotoCache {
  /** Holds all masters; absolute. */
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws {@link ListingVideoError} `store_unwritable` or `disk_full`. */
  static async open(cacheDir: string): Promise<PhotoCache> {
    const folder = join(cacheDir, 'photos');
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
      throw toStoreError(cause, folder);
    });
    const cache = new PhotoCache(folder);
    await cache.#removeStrays();
    return cache;
  }

  /** The cached image after a checksum test, with its time of use renewed; null when absent or damaged. */
  async find(digest: string, kind: ImageKind): Promise<CachedImage | null> {
    const masterPath = this.#masterPath(digest, kind);
    const descriptionPath = this.#descriptionPath(digest);
    try {
      const image = JSON.parse(await readFile(descriptionPath, 'utf8')) as DecodedImage;
      if (!isDescription(image) || !(await isIntact(masterPath, image))) return null;
      const now = new Date();
      // Another process can delete the file meanwhile; the link that is made later still works.
      await Promise.allSettled([utimes(masterPath, now, now), utimes(descriptionPath, now, now)]);
      return { digest, masterPath, image };
    } catch {
      return null;
    }
  }

  /** A unique temporary path beside the masters. */
  temporaryPath(digest: string): string {
    return asidePath(join(this.folder, digest));
  }

  /** Moves the finished master at `temporaryPath` into the cache. */
  async adopt(
    digest: string,
    kind: ImageKind,
    temporaryPath: string,
    image: DecodedImage,
  ): Promise<CachedImage> {
    const masterPath = this.#masterPath(digest, kind);
    const description = `${JSON.stringify(image)}\n`;
    try {
      await rename(temporaryPath, masterPath);
      await writeFileAtomically(this.#descriptionPath(digest), description, { durable: false });
    } catch (cause) {
      throw toStoreError(cause, masterPath);
    }
    return { digest, masterPath, image };
  }

  #masterPath(digest: string, kind: ImageKind): string {
    return join(this.folder, `${digest}.${kind === 'photo' ? 'yuv' : 'rgba'}`);
  }

  #descriptionPath(digest: string): string {
    return join(this.folder, `${digest}.json`);
  }

  async #removeStrays(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      if (!isAside(name)) continue;
      const path = join(this.folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats !== null && Date.now() - stats.mtimeMs > STRAY_AGE_MS) await rm(path, { force: true });
    }
  }
}

/**
 * Makes a hard link to a master in `workDir`, so that trimming the cache cannot remove it during a render. Without link
 * support (another file system) it returns the path in the cache.
 */
export async function pinMaster(cached: CachedImage, workDir: string): Promise<string> {
  const pinned = join(workDir, cached.masterPath.slice(cached.masterPath.lastIndexOf(cached.digest)));
  try {
    await link(cached.masterPath, pinned);
    return pinned;
  } catch (error) {
    return errnoOf(error) === 'EEXIST' ? pinned : cached.masterPath;
  }
}

async function isIntact(masterPath: string, { masterBytes, masterCrc32 }: DecodedImage): Promise<boolean> {
  const file = await open(masterPath, 'r');
  try {
    if ((await file.stat()).size !== masterBytes) return false;
    return (await checksumFile(file, masterBytes)) === masterCrc32;
  } finally {
    await file.close();
  }
}

function isDescription(value: DecodedImage | null): value is DecodedImage {
  if (typeof value !== 'object' || value === null) return false;
  const sizes = [value.widthPx, value.heightPx, value.sourceWidthPx, value.sourceHeightPx, value.masterBytes];
  return (
    sizes.every((size) => Number.isInteger(size) && size > 0) &&
    Number.isInteger(value.masterCrc32) &&
    typeof value.fingerprint === 'string' &&
    typeof value.focus?.x === 'number' &&
    typeof value.focus.y === 'number' &&
    /^#[0-9A-F]{6}$/.test(value.medianColor ?? '#000000')
  );
}
