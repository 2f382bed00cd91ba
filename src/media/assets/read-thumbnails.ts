/**
 * Thumbnails of photos on the user's disk, decoded under the limits of all photos. For people who choose and order
 * photos.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { usableCpuCount } from '../../platform/settings/container-limits.ts';
import { DEFAULT_ASSET_LIMITS } from './asset-limits.ts';
import { DecodePool } from './decode/decode-process.ts';
import { type ImageFingerprint, toPrint } from './duplicate.ts';
import { requireFormat } from './prepare-assets.ts';
import { readLocalAsset } from './read-local-asset.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** A photo within 320 x 320 px: upright, sRGB. */
export interface Thumbnail {
  /** RGB, 3 bytes per pixel, rows without padding. */
  readonly rgb: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Size of the photo itself, upright. */
  readonly sourceWidthPx: number;
  readonly sourceHeightPx: number;
  /** To tell copies of a photo. */
  readonly print: ImageFingerprint;
}

export interface ThumbnailRequest {
  /** Absolute. */
  readonly files: readonly string[];
  /** An existing folder for temporary files; empty again afterwards. */
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Each process costs about 100 MB. */
const MAX_PROCESSES = 2;
/** A process takes as long to start as it takes to decode more photos of 1024 x 683 pixels than this. */
const FILES_WORTH_A_PROCESS = 12;

/**
 * @returns In the order of the files, for each its thumbnail, or why the photo cannot be used.
 * @throws the signal's reason when aborted; {@link ListingVideoError} `internal_error` when nothing can be decoded
 *   here.
 */
export async function readThumbnails(request: ThumbnailRequest): Promise<(Thumbnail | UnusableAsset)[]> {
  const { files, workDir, signal } = request;
  const limits = DEFAULT_ASSET_LIMITS;
  const worthProcesses = Math.ceil(files.length / FILES_WORTH_A_PROCESS);
  const maxProcesses = Math.max(1, Math.min(MAX_PROCESSES, worthProcesses, usableCpuCount()));
  const pool = new DecodePool({
    maxProcesses,
    timeoutMs: limits.decodeTimeoutMs,
    memoryLimitBytes: limits.decodeMemoryBytes,
    folders: { readDir: workDir, writeDir: workDir },
  });
  const limit = pLimit(maxProcesses + 1);
  let done = 0;
  try {
    return await Promise.all(
      files.map((file) =>
        limit(async () => {
          signal.throwIfAborted();
          const result = await readThumbnail(file, pool, workDir, signal);
          done += 1;
          request.onProgress?.(done, files.length);
          return result;
        }),
      ),
    );
  } finally {
    limit.clearQueue();
    await pool.close();
  }
}

async function readThumbnail(
  file: string,
  pool: DecodePool,
  workDir: string,
  signal: AbortSignal,
): Promise<Thumbnail | UnusableAsset> {
  const link = join(workDir, `source-${randomUUID()}`);
  const masterPath = join(workDir, `thumbnail-${randomUUID()}`);
  const { maxBytes, maxPixels } = DEFAULT_ASSET_LIMITS;
  try {
    const source = await readLocalAsset(file, maxBytes, signal);
    const format = requireFormat(source.head);
    // The decode process can read this folder only; some file systems have no links.
    await symlink(file, link).catch(() => copyFile(file, link));
    const image = await pool.decode(
      { kind: 'thumbnail', sourcePath: link, sourceSha256: source.sha256, format, maxPixels, masterPath },
      signal,
    );
    const { widthPx, heightPx, sourceWidthPx, sourceHeightPx } = image;
    const print = toPrint(image);
    return { rgb: await readFile(masterPath), widthPx, heightPx, sourceWidthPx, sourceHeightPx, print };
  } catch (error) {
    if (error instanceof UnusableAsset) return error;
    throw error;
  } finally {
    await Promise.all([rm(link, { force: true }), rm(masterPath, { force: true })]);
  }
}
