/** `manifest.json` beside the results of a batch: every listing, its result, and its files with their digests. Pure. */
import path from 'node:path';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
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
import { formatShard, type Shard } from '../create-options.ts';

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

/** `manifest.json`; of a shard `manifest-2-of-5.json`, so that shards can share a folder. */
export function manifestName(shard: Shard | null): string {
  return shard === null ? 'manifest.json' : `manifest-${shard.index}-of-${shard.total}.json`;
}

/** The document. Paths are relative to its folder, with slashes, so that the folder can be moved. */
export function toManifest(
  { runs, listings }: Pick<Manifest, 'runs' | 'listings'>,
  shard: Shard | null,
  { generator, updated_at: updatedAt }: Pick<Manifest, 'generator' | 'updated_at'>,
): Manifest {
  const isEnded = runs.every((run) => run.ended_at !== null);
  return {
    $schema: 'listing-video/dist/cli/batch/batch-manifest.schema.json',
    schema_version: MANIFEST_VERSION,
    generator,
    started_at: runs.map((run) => run.started_at).sort()[0] ?? updatedAt,
    updated_at: updatedAt,
    ended_at: isEnded ? updatedAt : null,
    shard: formatShard(shard),
    exit_code: isEnded ? Math.max(...runs.map((run) => run.exit_code ?? 0)) : null,
    runs,
    counts: countEntries(listings),
    listings,
  };
}

function countEntries(listings: readonly ManifestEntry[]): Readonly<Record<string, number>> {
  const count = (state: EntryState): number => listings.filter((entry) => entry.state === state).length;
  return {
    listings: listings.length,
    succeeded: count('SUCCEEDED'),
    // Of those that succeeded.
    unchanged: listings.filter((entry) => entry.is_unchanged).length,
    failed: count('FAILED'),
    invalid: count('INVALID'),
    not_started: count('NOT_STARTED'),
    pending: count('PENDING'),
    running: count('RUNNING'),
  };
}

/** @param out - Absolute folder of all results, and of the manifest. */
export function toManifestEntry(
  result: ListingResult,
  { runId, out, state = stateOf(result) }: { runId: string; out: string; state?: EntryState },
): ManifestEntry & Readonly<Record<string, unknown>> {
  const task = taskOf(result);
  const folder = 'payload' in result ? toRelative(out, result.payload.outputDir) : null;
  const isDone = result.kind === 'succeeded';
  const withRatio = (video: ResultVideo & { readonly ratio: string }) => ({
    ratio: video.ratio,
    ...toVideo(video, `${folder}`),
  });
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
    ...(isDone && result.alsoRatio && { also_ratio: result.alsoRatio.map(withRatio) }),
    ...(isDone && result.alsoFor && { also_for: result.alsoFor.map(withRatio) }),
    dropped_assets: droppedAssetsOf(task),
    error: failureOf(result),
    detail: detailOf(result),
    duration_sec: Math.round(durationSecOf(result) * 1000) / 1000,
  };
}

function toVideo(
  { agent_id, video, poster, preview, small_video, duration_sec, destinations, length }: ResultVideo,
  folder: string,
) {
  const files = { video, poster, preview, ...(small_video && { small_video }) };
  const described = Object.entries(files).map(([key, file]) => [
    key,
    file && { file: `${folder}/${file.file}`, size_bytes: file.size_bytes, sha256: file.sha256 },
  ]);
  return {
    agent_id,
    duration_sec,
    ...Object.fromEntries(described),
    ...(destinations && { destinations }),
    ...(length && { length }),
  };
}

function toRelative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}
