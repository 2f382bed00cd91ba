/** The events of one `create`: one JSON object per line, described by `batch-events.schema.json`. */
import type { TaskProgress } from '../../../task/task.ts';
import { formatTimestamp } from '../../../video/publish/report.ts';
import {
  countResults,
  detailOf,
  durationSecOf,
  failureOf,
  type ListingResult,
  listingIdOf,
  type ReadyListing,
  taskOf,
} from '../../listings/listing-result.ts';
import { droppedAssetsOf, toTaskDocument } from '../../tasks/task-document.ts';
import { escapeUnsafeJson } from '../../terminal/escape-text.ts';
import { formatShard, type Shard } from '../create-options.ts';
import type { CreateDeps } from '../create-request.ts';
import type { Reporter } from './reporter.ts';

/** Raised when an event or a field changes its meaning, not when new ones come. */
const EVENTS_VERSION = 1;

type Emit = (type: string, facts: Readonly<Record<string, unknown>>) => void;

/** @param write - Takes one line, without its line break. */
export function eventsReporter(
  shard: Shard | null,
  { nowMs, version }: Pick<CreateDeps, 'nowMs' | 'version'>,
  write: (line: string) => void,
): Reporter {
  let seq = 0;
  /** Per task the last stage and percent. */
  const written = new Map<string, string>();
  const emit: Emit = (type, facts) => {
    seq += 1;
    const time = formatTimestamp(new Date(nowMs()));
    write(escapeUnsafeJson(JSON.stringify({ schema_version: EVENTS_VERSION, seq, time, type, ...facts })));
  };
  return {
    start({ listings }) {
      const generator = `listing-video ${version}`;
      emit('run.started', { generator, listings: listings.length, shard: formatShard(shard) });
    },
    change(change) {
      if (change.kind === 'accepted') emitAccepted(change.taskId, change.listing, emit);
      else if (change.kind === 'progress') {
        const step = `${change.progress.stage} ${Math.floor(change.progress.percent)}`;
        if (written.get(change.taskId) === step) return;
        written.set(change.taskId, step);
        emitProgress(change.taskId, change.listing, change.progress, emit);
      } else if (change.kind === 'ended') {
        const { taskId, result } = change;
        if (taskId === null) emitRejected(result, emit);
        else emitResult(result, taskId, emit);
        written.delete(taskId ?? '');
      }
    },
    finish({ listings, isComplete, exitCode, durationSec, error }) {
      const { code, message, hint } = error ?? {};
      emit('run.completed', {
        exit_code: exitCode,
        ...countResults(isComplete ? listings : []),
        duration_sec: toSeconds(durationSec),
        error: error && { code, message, ...(hint === undefined ? {} : { hint }) },
      });
    },
  };
}

function emitAccepted(taskId: string, { source, payload: { listing } }: ReadyListing, emit: Emit): void {
  const agents = listing.agents.map(({ id }) => id);
  emit('task.accepted', { task_id: taskId, listing_file: source.file, listing_id: listing.id, agents });
}

function emitProgress(
  taskId: string,
  { source }: ReadyListing,
  { percent, stage, etaSeconds }: TaskProgress,
  emit: Emit,
): void {
  const facts = { percent, stage, eta_seconds: etaSeconds };
  emit('progress', { task_id: taskId, listing_file: source.file, ...facts });
}

function emitRejected(result: ListingResult, emit: Emit): void {
  const about = { listing_file: result.source.file, listing_id: listingIdOf(result) };
  emit('listing.rejected', { ...about, error: failureOf(result), detail: detailOf(result) });
}

/** `asset.dropped`, `video.completed`, and `task.completed` or `task.failed`. */
function emitResult(result: ListingResult, taskId: string, emit: Emit): void {
  const about = { task_id: taskId, listing_file: result.source.file };
  const dropped = droppedAssetsOf(taskOf(result));
  for (const { url, reason } of dropped) emit('asset.dropped', { ...about, url, reason });
  const duration = { duration_sec: toSeconds(durationSecOf(result)) };
  if (result.kind !== 'succeeded') {
    emit('task.failed', { ...about, error: failureOf(result), dropped_assets: dropped.length, ...duration });
    return;
  }
  const { task, videos, alsoRatio = [], alsoFor = [] } = result;
  const { also_ratio: madeInOther = [], also_for: madeForOthers = [], report = null } = task.outcome ?? {};
  const made = toTaskDocument(task).results;
  // Both are in the order of the report: an agent can have several files in one list.
  for (const [list, known] of [
    [made, videos],
    [madeInOther, alsoRatio],
    [madeForOthers, alsoFor],
  ] as const)
    for (const [index, video] of list.entries())
      emit('video.completed', { ...about, ...video, is_unchanged: known[index]?.is_unchanged === true });
  const videoCount = made.length + madeInOther.length + madeForOthers.length;
  const counts = { videos: videoCount, dropped_assets: dropped.length };
  emit('task.completed', { ...about, ...counts, report, ...duration });
}

function toSeconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
