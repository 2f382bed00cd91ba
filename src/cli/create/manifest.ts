/** `manifest.json` beside the results of a batch: every listing, its result, and its files with their digests. */
import path from 'node:path';
import { formatTimestamp } from '../../video/publish/report.ts';
import {
  countResults,
  detailOf,
  durationSecOf,
  failureOf,
  isUnchanged,
  type ListingResult,
  listingIdOf,
  type ResultVideo,
  stateOf,
  taskOf,
} from '../listings/listing-result.ts';
import { droppedAssetsOf } from '../tasks/task-document.ts';
import { formatShard, type Shard } from './shard.ts';

/** Raised when a field changes its meaning, not when new ones come. */
export const MANIFEST_VERSION = 1;

export interface ManifestFacts {
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly shard: Shard | null;
  readonly exitCode: number;
  /** Absolute folder of all results, and of the manifest. */
  readonly out: string;
}

/** `manifest.json`; of a shard `manifest-2-of-5.json`, so that shards that share a folder do not overwrite each other's. */
export function manifestName(shard: Shard | null): string {
  return shard === null ? 'manifest.json' : `manifest-${shard.index}-of-${shard.total}.json`;
}

/** The document. Paths are relative to its folder, with slashes, so that the folder can be moved. */
export function toManifest(results: readonly ListingResult[], facts: ManifestFacts): Record<string, unknown> {
  return {
    $schema: 'listing-video/dist/cli/batch/batch-manifest.schema.json',
    schema_version: MANIFEST_VERSION,
    generator: facts.generator,
    started_at: formatTimestamp(facts.startedAt),
    ended_at: formatTimestamp(facts.endedAt),
    shard: facts.shard === null ? null : formatShard(facts.shard),
    exit_code: facts.exitCode,
    counts: countResults(results),
    listings: results.map((result) => toEntry(result, facts.out)),
  };
}

function toEntry(result: ListingResult, out: string): Record<string, unknown> {
  const task = taskOf(result);
  const folder = 'payload' in result ? toRelative(out, result.payload.outputDir) : null;
  const isDone = result.kind === 'succeeded';
  return {
    listing_file: result.source.file,
    listing_id: listingIdOf(result),
    state: stateOf(result),
    task_id: task?.id ?? null,
    folder,
    report: isDone ? `${folder}/report.json` : null,
    is_unchanged: isUnchanged(result),
    videos: isDone ? result.videos.map((video) => toVideo(video, `${folder}`)) : [],
    ...(isDone && result.alsoRatio
      ? {
          also_ratio: result.alsoRatio.map((video) => ({
            ratio: video.ratio,
            ...toVideo(video, `${folder}`),
          })),
        }
      : {}),
    dropped_assets: droppedAssetsOf(task),
    error: failureOf(result),
    detail: detailOf(result),
    duration_sec: Math.round(durationSecOf(result) * 1000) / 1000,
  };
}

function toVideo({ agent_id, video, poster, preview, duration_sec }: ResultVideo, folder: string) {
  const files = { video, poster, preview };
  const described = Object.entries(files).map(([key, file]) => [
    key,
    file && { file: `${folder}/${file.file}`, size_bytes: file.size_bytes, sha256: file.sha256 },
  ]);
  return { agent_id, duration_sec, ...Object.fromEntries(described) };
}

function toRelative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}
