/** The dependencies that all steps of making videos share within one run. */
import type { Graphic, Photo } from '../../design/photo.ts';
import type { FoundFfmpeg } from '../../media/encode/ffmpeg/find-ffmpeg.ts';
import type { RenderPool } from '../../media/render/render-pool.ts';
import type { CacheKind } from '../../platform/disk/cache/cache-entry.ts';
import type { DiskCache } from '../../platform/disk/cache/disk-cache.ts';

export interface MakeDeps {
  /** By digest, portraits included. */
  readonly photos: ReadonlyMap<string, Photo>;
  /** By digest. */
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly pool: RenderPool;
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  /** Existing folder for segments, soundtracks and stills; they are good until it is removed. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** A file's bytes from the cache; a missing file is made and put there. */
export async function provideBytes(
  { cache }: Pick<MakeDeps, 'cache'>,
  { kind, key }: { readonly kind: CacheKind; readonly key: string },
  make: () => Promise<Uint8Array>,
): Promise<Buffer> {
  const cached = await cache.read(kind, key);
  if (cached) return cached;
  const bytes = Buffer.from(await make());
  await cache.putBytes(kind, key, bytes);
  return bytes;
}
