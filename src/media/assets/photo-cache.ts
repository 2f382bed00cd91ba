/**
 * Decoded masters: in the cache that all runs share, and in the work folder of this run, which holds them while it
 * renders.
 *
 * A photo is two files of the cache: `<digest>.yuv` or `<digest>.rgba` (the master), and `<digest>.json` (its
 * description).
 */

import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { asidePath } from '../../platform/disk/atomic-write.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { DECODER_VERSION, type DecodedImage, type ImageKind } from './decode/decode-protocol.ts';

/** Identity of a decoded image, hex: a hash of its source, its kind and the decoder's version. */
export function imageDigest(sourceSha256: string, kind: ImageKind): string {
  return createHash('sha256').update(`${DECODER_VERSION} ${kind} ${sourceSha256}`).digest('hex');
}

export interface CachedImage {
  readonly digest: string;
  /** In the work folder. */
  readonly masterPath: string;
  readonly image: DecodedImage;
  /** Reads the master. False when it is damaged or cannot be read. */
  isIntact(): Promise<boolean>;
}

export interface PhotoFolders {
  /** Existing; gets the masters. */
  readonly workDir: string;
  /** Existing, on the same disk, the only folder that the decode process can write. */
  readonly decodeDir: string;
}

export class PhotoCache {
  readonly #cache: DiskCache;
  readonly #folders: PhotoFolders;

  constructor(cache: DiskCache, folders: PhotoFolders) {
    this.#cache = cache;
    this.#folders = folders;
  }

  /** The cached image, with its master in the work folder; null when absent. The master is not read yet. */
  async find(digest: string, kind: ImageKind): Promise<CachedImage | null> {
    const description = await this.#cache.read('photos', descriptionName(digest));
    const image = description && parseDescription(description);
    return image ? this.findMaster(digest, kind, image) : null;
  }

  /** As `find`, for an image whose description is known. */
  async findMaster(digest: string, kind: ImageKind, image: DecodedImage): Promise<CachedImage | null> {
    const master = await this.#cache.hold('photos', masterName(digest, kind), this.#folders.workDir);
    return master === undefined
      ? null
      : { digest, masterPath: master.path, image, isIntact: () => master.isIntact() };
  }

  temporaryPath(digest: string): string {
    return asidePath(join(this.#folders.decodeDir, digest));
  }

  /** Moves the finished master at `temporaryPath` into the work folder, and adds it to the cache. */
  async adopt(
    digest: string,
    kind: ImageKind,
    temporaryPath: string,
    image: DecodedImage,
  ): Promise<CachedImage> {
    const name = masterName(digest, kind);
    const masterPath = join(this.#folders.workDir, name);
    await rename(temporaryPath, masterPath).catch((cause) => {
      throw toStoreError(cause, masterPath);
    });
    if (await this.#cache.put('photos', name, masterPath))
      await this.#cache.putBytes('photos', descriptionName(digest), Buffer.from(JSON.stringify(image)));
    return { digest, masterPath, image, isIntact: async () => true };
  }
}

function masterName(digest: string, kind: ImageKind): string {
  return `${digest}.${kind === 'photo' ? 'yuv' : 'rgba'}`;
}

function descriptionName(digest: string): string {
  return `${digest}.json`;
}

/** Null for the description of another version. */
function parseDescription(bytes: Buffer): DecodedImage | null {
  try {
    const image = JSON.parse(bytes.toString('utf8')) as DecodedImage;
    return isDescription(image) ? image : null;
  } catch {
    return null;
  }
}

const EDGES = ['left', 'right', 'tip', 'top', 'bottom'] as const;

function isDescription(value: DecodedImage | null): value is DecodedImage {
  if (typeof value !== 'object' || value === null) return false;
  const sizes = [value.widthPx, value.heightPx, value.sourceWidthPx, value.sourceHeightPx];
  return (
    sizes.every((size) => Number.isInteger(size) && size > 0) &&
    typeof value.fingerprint === 'string' &&
    isPoint(value.focus) &&
    (value.detailCenter === undefined || isPoint(value.detailCenter)) &&
    (value.subject === undefined || EDGES.every((edge) => typeof value.subject?.[edge] === 'number')) &&
    ['number', 'undefined'].includes(typeof value.bareFrom) &&
    [undefined, 'floor_plan', 'blank'].includes(value.looksLike) &&
    /^#[0-9A-F]{6}$/.test(value.medianColor ?? '#000000')
  );
}

function isPoint(value: DecodedImage['focus'] | null | undefined): boolean {
  return typeof value?.x === 'number' && typeof value.y === 'number';
}
