/** `manifest.json` beside the results of a batch: every listing, its result, and its files with their digests. Pure. */
import path from 'node:path';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { formatTimestamp } from '../../../video/publish/report.ts';
import {
  detailOf,
  durationSecOf,
  failureOf,
  isUnchanged,
  type ListingResult,
  type ListingState,
  listingIdOf,
  type ResultVideo,
  stateOf,
  taskOf,
} from '../../listings/listing-result.ts';
import { droppedAssetsOf } from '../../tasks/task-document.ts';
import { formatShard, type Shard } from '../shard.ts';

/** Raised when a field changes its meaning, not when new ones come. */
export const MANIFEST_VERSION = 1;

/** The state of a listing: `PENDING` and `RUNNING` while a run goes on, and for ever after one that was killed. */
type EntryState = ListingState | 'PENDING' | 'RUNNING';

/** One listing of the manifest. More fields follow. */
export interface ManifestEntry {
  /** The run that knows most about this listing. */
  readonly run_id: string;
  readonly listing_file: string;
  /** Relative to the manifest; null for an invalid listing. */
  readonly folder: string | null;
  readonly state: EntryState;
  readonly is_unchanged: boolean;
}

/** One command that wrote the manifest. */
export interface ManifestRun {
  readonly id: string;
  /** So that other commands can see whether it is alive. */
  readonly process: ProcessIdentity;
  readonly started_at: string;
  /** Null while it goes on, and for ever after it was killed. */
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  /** What ended the command as a whole. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The content of manifest.json. */
export interface Manifest {
  readonly $schema: string;
  readonly schema_version: number;
  readonly generator: string;
  readonly started_at: string;
  readonly updated_at: string;
  /** Null until all runs have ended, like `exit_code`. */
  readonly ended_at: string | null;
  readonly shard: string | null;
  readonly exit_code: number | null;
  readonly runs: readonly ManifestRun[];
  readonly counts: Readonly<Record<string, number>>;
  readonly listings: readonly ManifestEntry[];
}

/** `manifest.json`; of a shard `manifest-2-of-5.json`, so that shards that share a folder do not overwrite each other's. */
export function manifestName(shard: Shard | null): string {
  return shard === null ? 'manifest.json' : `manifest-${shard.index}-of-${shard.total}.json`;
}

export interface ManifestFacts {
  /** `listing-video 1.2.3`. */
  readonly generator: string;
  readonly now: Date;
  readonly shard: Shard | null;
  readonly runs: readonly ManifestRun[];
  readonly listings: readonly ManifestEntry[];
}

/** The document. Paths are relative to its folder, with slashes, so that the folder can be moved. */
export function toManifest({ generator, now, shard, runs, listings }: ManifestFacts): Manifest {
  const isEnded = runs.every((run) => run.ended_at !== null);
  const updatedAt = formatTimestamp(now);
  return {
    $schema: 'listing-video/dist/cli/batch/batch-manifest.schema.json',
    schema_version: MANIFEST_VERSION,
    generator,
    started_at: runs.map((run) => run.started_at).sort()[0] ?? updatedAt,
    updated_at: updatedAt,
    ended_at: isEnded ? updatedAt : null,
    shard: shard === null ? null : formatShard(shard),
    exit_code: isEnded ? Math.max(...runs.map((run) => run.exit_code ?? 0)) : null,
    runs,
    counts: countEntries(listings),
    listings,
  };
}

/** How many listings are in each state. */
function countEntries(listings: readonly ManifestEntry[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {
    ...{ listings: listings.length, succeeded: 0, unchanged: 0, failed: 0, invalid: 0, not_started: 0 },
    ...{ pending: 0, running: 0 },
  };
  for (const { state, is_unchanged: isUnchanged } of listings) {
    counts[state.toLowerCase()]! += 1;
    // Of those that succeeded.
    if (isUnchanged) counts.unchanged! += 1;
  }
  return counts;
}

/**
 * The entry of a listing.
 *
 * @param state - By default that of its result.
 * @param out - Absolute folder of all results, and of the manifest.
 */
export function toManifestEntry(
  result: ListingResult,
  { runId, out, state = stateOf(result) }: { runId: string; out: string; state?: EntryState },
): ManifestEntry & Readonly<Record<string, unknown>> {
  const task = taskOf(result);
  const folder = 'payload' in result ? toRelative(out, result.payload.outputDir) : null;
  const isDone = result.kind === 'succeeded';
  return {
    run_id: runId,
    listing_file: result.source.file,
    listing_id: listingIdOf(result),
    state,
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
