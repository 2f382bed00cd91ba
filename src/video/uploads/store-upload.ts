/**
 * Stores one uploaded photo, after the check that a photo from the network gets: it is decoded in a separate process
 * with limits. The decoded photo stays in the cache, so its task does not decode it again.
 */
import path from 'node:path';
import { prepareAssets } from '../../media/assets/prepare-assets.ts';
import { writeNewFile } from '../../platform/disk/atomic-write.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { openWorkFolder } from '../work-folder.ts';
import type { Turns } from './turns.ts';
import type { UploadPlace } from './upload-store.ts';

export interface StoreUploadDeps {
  /** The data folder. */
  readonly home: string;
  readonly cache: DiskCache;
  readonly place: UploadPlace;
  readonly decodeTurns: Turns;
  /** Asked before the decoding. */
  readonly isWanted: () => boolean;
}

/** Thrown when nobody waits for the upload any more. */
export class ClientLeft extends Error {}

/** The photo of an upload, upright. */
export interface StoredUpload {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * @returns The upload; or why the bytes are no usable photo, `<code>: <detail>` as for a dropped asset.
 * @throws {@link ClientLeft}; {@link ListingVideoError} `disk_full`, `store_unwritable`, `internal_error` when nothing
 *   can be decoded here, and the errors of the place.
 */
export async function storeUpload(
  organizationId: string,
  bytes: Uint8Array,
  { home, cache, place, decodeTurns, isWanted }: StoreUploadDeps,
): Promise<StoredUpload | string> {
  // Decoding has limits of its own.
  const { signal } = new AbortController();
  const work = await openWorkFolder(home);
  try {
    const file = path.join(work.path, 'upload');
    await writeNewFile(file, bytes, false).catch((error: unknown) => {
      throw toStoreError(error, file);
    });
    // As a portrait: whether it is large enough depends on its use, so its task decides that.
    const { pictures, dropped } = await prepareAssets({
      assets: [],
      pictures: [{ url: file }],
      logos: [],
      baseDir: work.path,
      policy: { allowPrivate: false, allowFrom: [], denyFrom: [] },
      cache,
      workDir: path.join(work.path, 'photo'),
      concurrency: 1,
      limitDecode: (decode) =>
        decodeTurns.run(organizationId, () => {
          if (!isWanted()) throw new ClientLeft('the client has left');
          return decode();
        }),
      signal,
    });
    const photo = pictures.get(file);
    if (photo === undefined) return dropped[0]?.reason ?? 'corrupt: the picture cannot be decoded';
    const { sourceWidthPx, sourceHeightPx } = photo;
    await place.store(file);
    return { widthPx: sourceWidthPx, heightPx: sourceHeightPx };
  } finally {
    // An upload is stored whatever happens here: the next run removes what stays of the work folder.
    await work.close().catch(() => {});
    // What the work folder held can be removed now.
    await cache.trim().catch(() => {});
  }
}
