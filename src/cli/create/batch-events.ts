/** The events of one `create`: one JSON object per line, described by `batch-events.schema.json`. */
import type { TaskProgress } from '../../task/task.ts';
import { formatTimestamp } from '../../video/publish/report.ts';
import type { CommandRun } from '../command-run.ts';
import {
  countResults,
  detailOf,
  durationSecOf,
  failureOf,
  type ListingResult,
  listingIdOf,
  type ReadyListing,
  taskOf,
} from '../listings/listing-result.ts';
import { droppedAssetsOf, toTaskDocument } from '../tasks/task-document.ts';
import { escapeUnsafeJson } from '../terminal/escape-text.ts';
import { formatShard, type Shard } from './shard.ts';

/** Raised when an event or a field changes its meaning, not when new ones come. */
export const EVENTS_VERSION = 1;

/** Takes one line, without its line break. */
export type WriteLine = (line: string) => void;

/** The error in every event about a failure. */
export interface EventError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** What {@link createBatchEvents} makes. */
export type BatchEvents = ReturnType<typeof createBatchEvents>;

/** Makes the events and writes each at once. */
export function createBatchEvents({ host: { nowMs, version } }: CommandRun, write: WriteLine) {
  let seq = 0;
  let startedMs = nowMs();
  const written = new Map<string, string>();
  const emit = (type: string, facts: Readonly<Record<string, unknown>>): void => {
    seq += 1;
    const time = formatTimestamp(new Date(nowMs()));
    write(escapeUnsafeJson(JSON.stringify({ schema_version: EVENTS_VERSION, seq, time, type, ...facts })));
  };
  return {
    /** All listings are validated; the run starts. */
    started(listings: number, shard: Shard | null): void {
      startedMs = nowMs();
      emit('run.started', {
        generator: `listing-video ${version}`,
        listings,
        shard: shard && formatShard(shard),
      });
    },
    /** The task is durable. One `task.completed` or `task.failed` will follow. */
    accepted(taskId: string, { source: { file }, payload: { listing } }: ReadyListing): void {
      const agents = listing.agents.map(({ id }) => id);
      emit('task.accepted', { task_id: taskId, listing_file: file, listing_id: listing.id, agents });
    },
    /** Written for every whole percent and every stage. */
    progress(
      taskId: string,
      { source: { file } }: ReadyListing,
      { percent, stage, etaSeconds }: TaskProgress,
    ): void {
      const step = `${stage} ${Math.floor(percent)}`;
      if (written.get(taskId) === step) return;
      written.set(taskId, step);
      const facts = { percent, stage, eta_seconds: etaSeconds };
      emit('progress', { task_id: taskId, listing_file: file, ...facts });
    },
    /** `listing.rejected` without a task; else `asset.dropped`, `video.completed`, and `task.completed` or `task.failed`. */
    ended(result: ListingResult, taskId: string | null): void {
      if (taskId === null) {
        emit('listing.rejected', {
          listing_file: result.source.file,
          listing_id: listingIdOf(result),
          error: failureOf(result),
          detail: detailOf(result),
        });
        return;
      }
      written.delete(taskId);
      emitResult(result, taskId, emit);
    },
    /** The last event, always. */
    finished(exitCode: number, results: readonly ListingResult[], error: EventError | null): void {
      const counts = countResults(results);
      const durationSec = toSeconds(nowMs() - startedMs);
      emit('run.completed', { exit_code: exitCode, ...counts, duration_sec: durationSec, error });
    },
  };
}

type Emit = (type: string, facts: Readonly<Record<string, unknown>>) => void;

function emitResult(result: ListingResult, taskId: string, emit: Emit): void {
  const about = { task_id: taskId, listing_file: result.source.file };
  const task = taskOf(result);
  const made = task === null ? [] : toTaskDocument(task).results;
  const dropped = droppedAssetsOf(task);
  for (const { url, reason } of dropped) emit('asset.dropped', { ...about, url, reason });
  const duration = { duration_sec: toSeconds(durationSecOf(result) * 1000) };
  if (result.kind !== 'succeeded') {
    emit('task.failed', { ...about, error: failureOf(result), dropped_assets: dropped.length, ...duration });
    return;
  }
  for (const video of made) {
    const known = result.videos.find(({ agent_id }) => agent_id === video.agent_id);
    emit('video.completed', { ...about, ...video, is_unchanged: known?.is_unchanged === true });
  }
  const inOtherRatio = result.task.outcome?.also_ratio ?? [];
  for (const video of inOtherRatio) {
    const known = result.alsoRatio?.find(({ agent_id }) => agent_id === video.agent_id);
    emit('video.completed', { ...about, ...video, is_unchanged: known?.is_unchanged === true });
  }
  const counts = { videos: made.length + inOtherRatio.length, dropped_assets: dropped.length };
  emit('task.completed', { ...about, ...counts, report: result.task.outcome?.report ?? null, ...duration });
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}
