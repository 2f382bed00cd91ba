/** The distinct segments of all videos: taken from the cache, or rendered and encoded once for all videos. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { encodedSegment } from '../../design/timeline/timeline.ts';
import { segmentFileName } from '../../media/encode/h264/segment-cutter.ts';
import { readTrackConfig } from '../../media/encode/mp4/track-file.ts';
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
 * A segment that another build of x264 made cannot be joined to ours: it counts as missing.
 *
 * @throws {@link ListingVideoError} `render_failed`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function provideSegments(request: SegmentRequest): Promise<ProvidedSegments> {
  const folder = path.join(request.workDir, 'segments');
  // Of an earlier try, which ended on a full disk.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const paths = new Map<string, string>();
  const renderedKeys = new Set<string>();
  let renderedFrames = 0;
  const all = new Map<string, MissingSegment>();
  for (const timeline of request.timelines) {
    for (const segment of timeline.segments) {
      if (all.has(segment.key) || request.wanted?.has(segment.key) === false) continue;
      const encoded = encodedSegment(timeline, segment);
      all.set(segment.key, { ...encoded.segment, timeline: encoded.timeline });
    }
  }
  const find = async (key: string): Promise<boolean> => {
    const cached = await request.cache.pin('segments', segmentFileName(key), folder);
    if (cached) paths.set(key, cached);
    return cached !== undefined;
  };
  /** Forgets the segments that cannot be joined to the others, and returns them. */
  const dropForeign = async (): Promise<MissingSegment[]> => {
    const foreign = await findForeign(all, paths, renderedKeys);
    for (const { key } of foreign) {
      await rm(paths.get(key)!, { force: true });
      paths.delete(key);
    }
    return foreign;
  };
  const render = async (missing: readonly MissingSegment[], findAgain: boolean): Promise<void> => {
    if (missing.length === 0) return;
    // Imported here: a run that finds every segment in the cache does not load renderer and encoder.
    const { renderSegments } = request.renderer ?? (await import('./render-segments.ts'));
    await request.limitRender(async (hasWaited) => {
      // Another task can have made some meanwhile: one listing in several files, an agent in each.
      if (hasWaited && findAgain) for (const { key } of missing) await find(key);
      const left = missing.filter(({ key }) => !paths.has(key));
      if (left.length === 0) return;
      renderedFrames += await renderSegments(left, folder, request, async ({ key }, file) => {
        paths.set(key, file);
        renderedKeys.add(key);
        await request.cache.put('segments', segmentFileName(key), file);
      });
    });
  };
  const limit = pLimit(LOOKUPS_AT_ONCE);
  await Promise.all([...all.keys()].map((key) => limit(async () => void (await find(key)))));
  const foreign = await dropForeign();
  const missing = [...all.values()].filter(({ key }) => !paths.has(key));
  const chosen = missing.length === 0 ? null : ((await request.choose?.(missing)) ?? null);
  const own = missing.filter(({ key }) => chosen === null || chosen.has(key));
  await render(own, foreign.length === 0);
  // Only what was rendered shows what this machine's encoder makes.
  await render(await dropForeign(), false);
  return { paths, renderedKeys, renderedFrames };
}

/**
 * Of the segments in one format, those whose parameter sets differ from the rendered ones; where none was rendered, from
 * most. A file that cannot be read is foreign too.
 */
async function findForeign(
  all: ReadonlyMap<string, MissingSegment>,
  paths: ReadonlyMap<string, string>,
  renderedKeys: ReadonlySet<string>,
): Promise<MissingSegment[]> {
  const formats = new Map<string, { readonly segment: MissingSegment; readonly config: string | null }[]>();
  for (const [key, file] of paths) {
    const segment = all.get(key)!;
    const { widthPx, heightPx, fps } = segment.timeline.storyboard;
    const format = `${widthPx}x${heightPx} ${fps}`;
    const config = await readTrackConfig(file);
    formats.set(format, [...(formats.get(format) ?? []), { segment, config }]);
  }
  return [...formats.values()].flatMap((found) => {
    const own = found.find(({ segment }) => renderedKeys.has(segment.key))?.config;
    const wanted = own ?? mostFrequent(found.flatMap(({ config }) => config ?? []));
    return found.filter(({ config }) => config === null || config !== wanted).map(({ segment }) => segment);
  });
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce<[string, number] | undefined>(
    (best, next) => (best === undefined || next[1] > best[1] ? next : best),
    undefined,
  )?.[0];
}
