/**
 * The events of one `create` for programs that follow it while it runs: one JSON object per line, described by
 * `batch-events.schema.json`. Which events there are and when they come; where they go is next door.
 */
import type { TaskProgress, TaskRecord } from '../../task/task.ts';
import { formatTimestamp } from '../../video/publish/report.ts';
import type { ReadyListing } from '../listings/validate-batch.ts';
import { reportOf, toTaskDocument } from '../tasks/task-document.ts';
import { escapeUnsafeJson } from '../terminal/escape-text.ts';
import { type BatchCounts, countResults, failureOf, type ListingResult } from './listing-result.ts';
import { formatShard, type Shard } from './shard.ts';

/** Raised when an event or a field changes its meaning; new ones may come without. */
export const EVENTS_VERSION = 1;

/** Takes one line, without its line break. */
export type WriteLine = (line: string) => void;

export interface BatchEvents {
  /** The run has judged all its listings and begins. */
  started(listings: number, shard: Shard | null): void;
  /** The task is durable. Exactly one of `ended`'s events follows for it. */
  accepted(taskId: string, listing: ReadyListing): void;
  /** Told on for every whole percent and every stage. */
  progress(taskId: string, listing: ReadyListing, progress: TaskProgress): void;
  /** `listing.rejected` when no task was made; else what it dropped and made, and `task.completed` or `task.failed`. */
  ended(end: ListingResult, taskId: string | null): void;
  /** The last event, always. */
  finished(exitCode: number, ends: readonly ListingResult[], error: EventError | null): void;
}

/** As in every event that tells of a failure. */
export interface EventError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export interface BatchEventsOptions {
  readonly write: WriteLine;
  readonly nowMs: () => number;
  /** `listing-video 1.2.3`. */
  readonly generator: string;
}

/** Makes events and writes each at once. */
export function createBatchEvents({ write, nowMs, generator }: BatchEventsOptions): BatchEvents {
  let seq = 0;
  let startedMs = nowMs();
  const told = new Map<string, string>();
  const emit = (type: string, facts: Readonly<Record<string, unknown>>): void => {
    seq += 1;
    const time = formatTimestamp(new Date(nowMs()));
    write(escapeUnsafeJson(JSON.stringify({ version: EVENTS_VERSION, seq, time, type, ...facts })));
  };
  return {
    started(listings, shard) {
      startedMs = nowMs();
      emit('run.started', { generator, listings, shard: shard && formatShard(shard) });
    },
    accepted(taskId, { file, payload: { listing } }) {
      const agents = listing.agents.map(({ id }) => id);
      emit('task.accepted', { task_id: taskId, listing_file: file, listing_id: listing.id, agents });
    },
    progress(taskId, { file }, { percent, stage, etaSeconds }) {
      const step = `${stage} ${Math.floor(percent)}`;
      if (told.get(taskId) === step) return;
      told.set(taskId, step);
      const facts = { percent, stage, eta_seconds: etaSeconds };
      emit('progress', { task_id: taskId, listing_file: file, ...facts });
    },
    ended(end, taskId) {
      if (taskId === null) {
        const { file, listingId, invalid } = end;
        const facts = { listing_file: file, listing_id: listingId, error: failureOf(end) };
        emit('listing.rejected', { ...facts, detail: invalid?.detail ?? [] });
        return;
      }
      told.delete(taskId);
      emitEnd(end, taskId, emit);
    },
    finished(exitCode, ends, error) {
      const counts: BatchCounts = countResults(ends);
      const durationSec = toSeconds(nowMs() - startedMs);
      emit('run.completed', { exit_code: exitCode, ...counts, duration_sec: durationSec, error });
    },
  };
}

type Emit = (type: string, facts: Readonly<Record<string, unknown>>) => void;

function emitEnd(end: ListingResult, taskId: string, emit: Emit): void {
  const about = { task_id: taskId, listing_file: end.file };
  const { results, dropped_assets: dropped } = documentOf(end.task);
  for (const { url, reason } of dropped) emit('asset.dropped', { ...about, url, reason });
  const duration = { duration_sec: toSeconds(end.durationSec * 1000) };
  if (end.state !== 'SUCCEEDED') {
    emit('task.failed', { ...about, error: failureOf(end), dropped_assets: dropped.length, ...duration });
    return;
  }
  for (const result of results) {
    const made = end.videos?.find((video) => video.agent_id === result.agent_id);
    emit('video.completed', { ...about, ...result, is_unchanged: made?.isUnchanged === true });
  }
  const counts = { videos: results.length, dropped_assets: dropped.length };
  emit('task.completed', { ...about, ...counts, report: end.task && reportOf(end.task), ...duration });
}

function documentOf(
  task: TaskRecord | null,
): Pick<ReturnType<typeof toTaskDocument>, 'results' | 'dropped_assets'> {
  return task === null ? { results: [], dropped_assets: [] } : toTaskDocument(task);
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}
