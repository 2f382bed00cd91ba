/** Dependencies for use cases that tests run in this process, with the real ffmpeg of this machine. */
import path from 'node:path';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';

/** @param home - Need not exist. */
export function renderDepsIn(home: string): RenderDeps {
  return {
    home,
    cache: createDiskCache(path.join(home, 'cache'), { maxBytes: 1e9 }),
    concurrency: 2,
    renderThreads: 1,
    templatesDirs: [],
    addressPolicy: { allowPrivate: false, allowFrom: [] },
    findFfmpeg: () => findFfmpeg({ searchPath: process.env.PATH }),
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    generator: 'test',
  };
}
