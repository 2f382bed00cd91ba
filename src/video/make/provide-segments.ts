/** The distinct segments of all videos: found in the cache, or rendered and encoded once, whoever shows them. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../../assets/photo.ts';
import type { DiskCache } from '../../encode/disk-cache.ts';
import type { FoundFfmpeg } from '../../encode/find-ffmpeg.ts';
import { segmentFileName } from '../../encode/segment-cutter.ts';
import type { RenderPool } from '../../render/render-pool.ts';
import type { Segment, Timeline } from '../../timeline/timeline.ts';
import type { Quality } from '../video-task.ts';
import type { FrameStills } from './frame-stills.ts';

export interface SegmentRequest {
  /** In the order of the agents. */
  readonly timelines: readonly Timeline[];
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly pool: RenderPool;
  /** Get the pictures of the frames that are rendered here. */
  readonly pictures: FrameStills;
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  readonly quality: Quality;
  /** Existing folder that gets the segment files; they are good until it is removed. */
  readonly workDir: string;
  readonly signal: AbortSignal;
  /** Runs the rendering in a slot that all tasks of this process share. */
  limitRender<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T>;
  onFrames(done: number, total: number): void;
}

export interface ProvidedSegments {
  /** Path of each segment's file by key. */
  readonly paths: ReadonlyMap<string, string>;
  /** Keys that were rendered in this run. */
  readonly renderedKeys: ReadonlySet<string>;
  /** Frames that were rendered for those; a picture at rest is rendered once. */
  readonly renderedFrames: number;
}

/** A segment that the cache has not, with the timeline it was first met in. */
export interface MissingSegment extends Segment {
  readonly timeline: Timeline;
}

/**
 * @throws {@link ListingVideoError} `render_failed`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function provideSegments(request: SegmentRequest): Promise<ProvidedSegments> {
  const folder = path.join(request.workDir, 'segments');
  await mkdir(folder, { recursive: true });
  const paths = new Map<string, string>();
  const missing = new Map<string, MissingSegment>();
  /** Takes what the cache has. True when it had the segment. */
  const isFound = async (key: string): Promise<boolean> => {
    const cached = await request.cache.pin('segments', segmentFileName(key), folder);
    if (cached) paths.set(key, cached);
    return cached !== undefined;
  };
  for (const timeline of request.timelines) {
    for (const segment of timeline.segments) {
      if (paths.has(segment.key) || missing.has(segment.key)) continue;
      if (!(await isFound(segment.key))) missing.set(segment.key, { ...segment, timeline });
    }
  }
  let renderedFrames = 0;
  if (missing.size > 0) {
    // What rendering and encoding take to load is not for a run that finds all made.
    const { renderSegments } = await import('./render-segments.ts');
    await request.limitRender(async (hasWaited) => {
      // Whoever had the turn before may have made some: one listing in several files, an agent in each.
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
