/** The deps that the use case gets: which cache, ffmpeg, clock and address policy are in use. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDiskCache } from '../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../encode/find-ffmpeg.ts';
import { processEnvironment } from '../settings/process-environment.ts';
import type { Settings } from '../settings/setting-table.ts';
import { templatesDirsOf } from '../settings/templates-dirs.ts';
import type { RenderDeps } from '../video/render-deps.ts';

/** What tasks are done with in this process. Starts and reads nothing by itself. */
export function openRenderDeps(settings: Settings): RenderDeps {
  const cacheDir = path.join(settings.home, 'cache');
  let found: Promise<FoundFfmpeg> | undefined;
  return {
    home: settings.home,
    cacheDir,
    cache: createDiskCache(cacheDir, { maxBytes: settings.cacheSize, readInPlace: ['photos'] }),
    concurrency: settings.concurrency,
    renderThreads: toRenderThreads(settings.concurrency),
    // The user's own machine may reach what the user can reach; a server is stricter.
    addressPolicy: { allowPrivate: true, allowFrom: [] },
    templatesDirs: templatesDirsOf(settings),
    findFfmpeg: () => {
      found ??= lookForFfmpeg(settings, cacheDir).catch((error: unknown) => {
        // A server outlives the installing of one.
        found = undefined;
        throw error;
      });
      return found;
    },
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    generator: generatorName(),
  };
}

async function lookForFfmpeg(settings: Settings, cacheDir: string): Promise<FoundFfmpeg> {
  const { findFfmpeg } = await import('../encode/find-ffmpeg.ts');
  const env = processEnvironment();
  const places = { setting: settings.ffmpeg, ffmpegBin: env.FFMPEG_BIN, searchPath: env.PATH };
  return findFfmpeg(places, { cacheDir });
}

/** x264 keeps most of the CPUs busy: on two, one thread makes frames faster than they can be encoded. */
function toRenderThreads(concurrency: number): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 2)));
}

/** `listing-video 1.2.3`, as reports name what made them. */
export function generatorName(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return `listing-video ${(JSON.parse(manifest) as { version: string }).version}`;
}
