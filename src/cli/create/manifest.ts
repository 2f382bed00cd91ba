/**
 * `manifest.json` beside the results of a batch: every listing, what became of it, and its files with their digests.
 * Described by `batch-manifest.schema.json`. Pure.
 */
import path from 'node:path';
import { formatTimestamp } from '../../video/publish/report.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import {
  countResults,
  failureOf,
  isUnchanged,
  type ListingResult,
  type ResultVideo,
} from './listing-result.ts';
import { formatShard, type Shard } from './shard.ts';

/** Raised when a field changes its meaning; new fields may come without. */
export const MANIFEST_VERSION = 1;

export interface ManifestFacts {
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly shard: Shard | null;
  readonly exitCode: number;
  /** Absolute folder of all results, in which the manifest lies. */
  readonly out: string;
}

/** `manifest.json`; of a shard `manifest-2-of-5.json`, so that shards that share a folder keep each their own. */
export function manifestName(shard: Shard | null): string {
  return shard === null ? 'manifest.json' : `manifest-${shard.index}-of-${shard.total}.json`;
}

/** The document. Paths are relative to the folder it lies in, with slashes: it stays true when the folder is moved. */
export function toManifest(ends: readonly ListingResult[], facts: ManifestFacts): Record<string, unknown> {
  return {
    $schema: 'listing-video/dist/cli/batch/batch-manifest.schema.json',
    version: MANIFEST_VERSION,
    generator: facts.generator,
    started_at: formatTimestamp(facts.startedAt),
    ended_at: formatTimestamp(facts.endedAt),
    shard: facts.shard === null ? null : formatShard(facts.shard),
    exit_code: facts.exitCode,
    counts: countResults(ends),
    listings: ends.map((end) => toEntry(end, facts.out)),
  };
}

function toEntry(end: ListingResult, out: string): Record<string, unknown> {
  const folder = end.outputDir === null ? null : toRelative(out, end.outputDir);
  return {
    listing_file: end.file,
    listing_id: end.listingId,
    state: end.state,
    task_id: end.task?.id ?? null,
    folder,
    report: end.state === 'SUCCEEDED' ? `${folder}/report.json` : null,
    is_unchanged: isUnchanged(end),
    videos: (end.videos ?? []).map((video) => toVideo(video, `${folder}`)),
    dropped_assets: end.task === null ? [] : toTaskDocument(end.task).dropped_assets,
    error: failureOf(end),
    detail: end.invalid?.detail ?? [],
    duration_sec: Math.round(end.durationSec * 1000) / 1000,
  };
}

function toVideo({ agent_id, video, poster, preview, durationSec }: ResultVideo, folder: string) {
  const files = { video, poster, preview };
  const described = Object.entries(files).map(([key, file]) => [
    key,
    file && { file: `${folder}/${file.file}`, size_bytes: file.sizeBytes, sha256: file.sha256 },
  ]);
  return { agent_id, duration_sec: durationSec, ...Object.fromEntries(described) };
}

function toRelative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}
