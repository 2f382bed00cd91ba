/** The distinct segments of all videos: found in the cache, or rendered and encoded once, whoever shows them. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../assets/photo.ts';
import type { DiskCache } from '../encode/disk-cache.ts';
import { encodeSegments, segmentFileName } from '../encode/encode-segments.ts';
import type { FoundFfmpeg } from '../encode/find-ffmpeg.ts';
import type { RenderedFrame, RenderPool } from '../render/render-pool.ts';
import type { Segment, Timeline } from '../timeline/timeline.ts';
import type { Quality } from './video-task.ts';

export interface SegmentRequest {
  /** In the order of the agents. */
  readonly timelines: readonly Timeline[];
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly pool: RenderPool;
  readonly cache: DiskCache;
  readonly ffmpeg: FoundFfmpeg;
  readonly quality: Quality;
  /** Render also what the cache has. */
  readonly force: boolean;
  /** Existing folder that gets the segment files; they are good until it is removed. */
  readonly workDir: string;
  readonly signal: AbortSignal;
  onFrames(done: number, total: number): void;
}

export interface RenderedSegments {
  /** Path of each segment's file by key. */
  readonly paths: ReadonlyMap<string, string>;
  /** Keys that were rendered in this run. */
  readonly renderedKeys: ReadonlySet<string>;
  /** Frames of those. */
  readonly renderedFrames: number;
}

interface MissingSegment extends Segment {
  readonly timeline: Timeline;
}

/**
 * Frame sizes follow each other, each through an encoder process of its own; within one size all that is missing goes
 * through one process.
 *
 * @throws {@link ListingVideoError} `render_failed`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function renderSegments(request: SegmentRequest): Promise<RenderedSegments> {
  const folder = path.join(request.workDir, 'segments');
  await mkdir(folder, { recursive: true });
  const paths = new Map<string, string>();
  const missing = new Map<string, MissingSegment>();
  for (const timeline of request.timelines) {
    for (const segment of timeline.segments) {
      if (paths.has(segment.key) || missing.has(segment.key)) continue;
      const cached = request.force
        ? null
        : await request.cache.pin('segments', segmentFileName(segment.key), folder);
      if (cached) paths.set(segment.key, cached);
      else missing.set(segment.key, { ...segment, timeline });
    }
  }
  const counter = countFrames([...missing.values()], request.onFrames);
  for (const segments of groupBySize([...missing.values()])) {
    const { widthPx, heightPx, fps } = segments[0]!.timeline.storyboard;
    await encodeSegments({
      ffmpeg: request.ffmpeg.path,
      format: { widthPx, heightPx, fps, quality: request.quality },
      frames: counter(renderAll(segments, request)),
      segments,
      outDir: folder,
      signal: request.signal,
      onSegment: async (segment, file) => {
        paths.set(segment.key, file);
        await request.cache.put('segments', segmentFileName(segment.key), file);
      },
    });
  }
  const frames = [...missing.values()].map(({ startFrame, endFrame }) => endFrame - startFrame);
  return {
    paths,
    renderedKeys: new Set(missing.keys()),
    renderedFrames: frames.reduce((sum, count) => sum + count, 0),
  };
}

/** Frames of the segments in their order; neighbours in one timeline are asked for together. */
async function* renderAll(
  segments: readonly MissingSegment[],
  { pool, photos, graphics, signal }: SegmentRequest,
): AsyncGenerator<RenderedFrame> {
  let from = 0;
  while (from < segments.length) {
    const { timeline } = segments[from]!;
    let to = from;
    while (to < segments.length && segments[to]!.timeline === timeline) to += 1;
    yield* pool.renderSpans({ timeline, spans: segments.slice(from, to), photos, graphics }, signal);
    from = to;
  }
}

function groupBySize(segments: readonly MissingSegment[]): MissingSegment[][] {
  const groups = new Map<string, MissingSegment[]>();
  for (const segment of segments) {
    const { widthPx, heightPx } = segment.timeline.storyboard;
    const size = `${widthPx}x${heightPx}`;
    groups.set(size, [...(groups.get(size) ?? []), segment]);
  }
  return [...groups.values()];
}

/** Passes frames on and counts them over all groups. */
function countFrames(segments: readonly Segment[], onFrames: SegmentRequest['onFrames']) {
  const total = segments.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
  let done = 0;
  return async function* count(frames: AsyncIterable<RenderedFrame>): AsyncGenerator<RenderedFrame> {
    for await (const frame of frames) {
      yield frame;
      done += 1;
      onFrames(done, total);
    }
  };
}
