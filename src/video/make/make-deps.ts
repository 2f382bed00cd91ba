/** The dependencies that all steps of making videos share within one run. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../../assets/photo.ts';
import type { DiskCache } from '../../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../../encode/find-ffmpeg.ts';
import type { RenderPool } from '../../render/render-pool.ts';

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
  { cache, workDir }: Pick<MakeDeps, 'cache' | 'workDir'>,
  { namespace, key }: { readonly namespace: string; readonly key: string },
  make: () => Promise<Uint8Array>,
): Promise<Buffer> {
  const cached = await cache.pin(namespace, key, workDir);
  if (cached) return readFile(cached);
  const bytes = Buffer.from(await make());
  const file = path.join(workDir, `${namespace}-${key}`);
  await writeFile(file, bytes);
  await cache.put(namespace, key, file);
  return bytes;
}
