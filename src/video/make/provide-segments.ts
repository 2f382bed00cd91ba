/** The distinct segments of all videos: taken from the cache, or rendered and encoded once for all videos. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { segmentFileName } from '../../media/encode/h264/segment-cutter.ts';
import type { MissingSegment, SegmentRequest } from './render-segments.ts';

/** A cache with a bucket below takes 50 ms for a segment that is missing. */
const LOOKUPS_AT_ONCE = 8;

export interface ProvidedSegments {
  readonly paths: ReadonlyMap<string, string>;
  readonly renderedKeys: ReadonlySet<string>;
  /** Frames that were rendered for those; a still stretch is rendered once. */
  readonly renderedFrames: number;
}

/**
 * @throws {@link ListingVideoError} `render_failed`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function provideSegments(request: SegmentRequest): Promise<ProvidedSegments> {
  const folder = path.join(request.workDir, 'segments');
  // Of an earlier try, which ended on a full disk.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const paths = new Map<string, string>();
  const missing = new Map<string, MissingSegment>();
  const isFound = async (key: string): Promise<boolean> => {
    const cached = await request.cache.pin('segments', segmentFileName(key), folder);
    if (cached) paths.set(key, cached);
    return cached !== undefined;
  };
  for (const timeline of request.timelines) {
    for (const segment of timeline.segments) {
      if (missing.has(segment.key) || request.wanted?.has(segment.key) === false) continue;
      missing.set(segment.key, { ...segment, timeline });
    }
  }
  const limit = pLimit(LOOKUPS_AT_ONCE);
  await Promise.all([...missing.keys()].map((key) => limit(async () => void (await isFound(key)))));
  for (const key of paths.keys()) missing.delete(key);
  const chosen = missing.size === 0 ? null : ((await request.choose?.([...missing.values()])) ?? null);
  if (chosen !== null) for (const key of missing.keys()) if (!chosen.has(key)) missing.delete(key);
  let renderedFrames = 0;
  if (missing.size > 0) {
    // Imported here: a run that finds every segment in the cache does not load renderer and encoder.
    const { renderSegments } = await import('./render-segments.ts');
    await request.limitRender(async (hasWaited) => {
      // Another task can have made some meanwhile: one listing in several files, an agent in each.
      if (hasWaited) for (const key of missing.keys()) if (await isFound(key)) missing.delete(key);
      if (missing.size === 0) return;
      renderedFrames = await renderSegments([...missing.values()], folder, request, async ({ key }, file) => {
        paths.set(key, file);
        await request.cache.put('segments', segmentFileName(key), file);
      });
    });
  }
  return { paths, renderedKeys: new Set(missing.keys()), renderedFrames };
}
