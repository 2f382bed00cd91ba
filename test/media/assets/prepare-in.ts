/** Photos that are prepared for tests without a network, and what they would be when no pixel is needed. */
import path from 'node:path';
import type { ListingPhoto, Photo } from '../../../src/design/photo.ts';
import {
  type AssetRequest,
  type PreparedAssets,
  prepareAssets,
} from '../../../src/media/assets/prepare-assets.ts';
import { createDiskCache } from '../../../src/platform/disk/cache/disk-cache.ts';

/** Prepares photos with a cache and a work folder in `folder`, in one process, which starts faster than two. */
export function prepareIn(folder: string, request: Partial<AssetRequest>): Promise<PreparedAssets> {
  return prepareAssets({
    assets: [],
    pictures: [],
    logos: [],
    baseDir: folder,
    policy: { allowPrivate: true, allowFrom: [] },
    cache: createDiskCache(path.join(folder, 'cache'), { maxBytes: 1e9 }),
    workDir: path.join(folder, 'photos'),
    concurrency: 1,
    signal: new AbortController().signal,
    ...request,
  });
}

/** As `prepareAssets` answers when it has decoded nothing. */
export function preparedOf(photos: Photo[]): PreparedAssets {
  return {
    photos: photos.map((photo, assetIndex): ListingPhoto => ({ ...photo, assetIndex })),
    pictures: new Map(),
    logos: new Map(),
    dropped: [],
    heirs: new Map(),
    sameOriginals: [],
    decodedCount: 0,
    known: [],
    share: async () => {},
    areMastersIntact: async () => true,
  };
}
