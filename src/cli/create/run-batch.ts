/** Runs the valid listings of a `create` as tasks, a few at a time, and says what became of each. */
import { findErrorRow, type ListingVideoError } from '../../errors.ts';
import type { JsonValue } from '../../task/task.ts';
import { toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { logValidation } from '../listings/print-validation.ts';
import { withText } from '../listings/read-listing.ts';
import type { JudgedListing, ReadyListing } from '../listings/validate-batch.ts';
import { exitCodeOf, logEndedTask, logError, printEndedTask, readReport } from '../tasks/run-task.ts';
import { reportOf } from '../tasks/task-document.ts';
import type { BatchEvents } from './batch-events.ts';
import { type BatchView, createBatchView } from './batch-view.ts';
import { type ListingResult, toResultVideos } from './listing-result.ts';

export interface BatchRequest {
  /** Of this run, in the order of the command line. */
  readonly judged: readonly JudgedListing[];
  readonly isFailFast: boolean;
  /** Several listings, or a shard of them. */
  readonly isBatch: boolean;
  readonly events: BatchEvents;
}

/**
 * Goes on after a listing that fails, unless it is told to stop at the first: those begun are then brought to their end
 * and no other is begun. The same after a failure that would meet every listing, and after Ctrl-C.
 *
 * @returns One entry per listing, in their order. Never throws for a listing.
 */
export async function runBatch(run: CommandRun, request: BatchRequest): Promise<ListingResult[]> {
  const { judged, events } = request;
  const ends = judged.map(toFirstEnd);
  for (const end of ends) if (end.state === 'INVALID') events.ended(end, null);
  const waiting = judged.flatMap(({ valid }, index) => (valid === null ? [] : [{ valid, index }]));
  if (waiting.length === 0 || (request.isFailFast && waiting.length < judged.length)) return ends;

  const { tasksAtOnce } = await run.backend();
  const view = await createBatchView(run.terminal, { total: waiting.length, isQuiet: run.output.quiet });
  const onInterrupt = (): void => {
    view.stop();
    run.info('stopping cleanly; a second Ctrl-C stops at once');
  };
  run.signal.addEventListener('abort', onInterrupt, { once: true });
  let isStopped = false;
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = isStopped || run.signal.aborted ? undefined : waiting.shift();
      if (next === undefined) return;
      const end = await runListing(run, next.valid, ends[next.index]!, view, request);
      ends[next.index] = end;
      const isBad = end.state !== 'SUCCEEDED';
      if (
        isBad &&
        (request.isFailFast ||
          findErrorRow(end.error?.code ?? end.task?.failure?.code ?? '')?.endsBatch === true)
      )
        isStopped = true;
    }
  };
  try {
    const lanes = Math.min(tasksAtOnce, waiting.length);
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    run.signal.removeEventListener('abort', onInterrupt);
    view.stop();
  }
  return ends;
}

/** Before anything has run. */
function toFirstEnd({ verdict, valid, invalid }: JudgedListing): ListingResult {
  return {
    state: invalid === null ? 'NOT_STARTED' : 'INVALID',
    file: verdict.file,
    verdict,
    listingId: verdict.listing?.id ?? null,
    outputDir: valid?.payload.outputDir ?? null,
    task: null,
    error: null,
    invalid,
    videos: null,
    durationSec: 0,
  };
}

async function runListing(
  run: CommandRun,
  valid: ReadyListing,
  waiting: ListingResult,
  view: BatchView,
  { events, isBatch }: BatchRequest,
): Promise<ListingResult> {
  const { nowMs } = run.host;
  const startedMs = nowMs();
  let taskId: string | null = null;
  let outcome: Pick<ListingResult, 'state' | 'task' | 'error'>;
  try {
    const { engine } = await run.backend();
    const payload = valid.payload as unknown as JsonValue;
    const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
    taskId = id;
    events.accepted(id, valid);
    view.begin(valid.file);
    const task = await engine.runTask(id, {
      signal: run.signal,
      onProgress: (progress) => {
        view.update(valid.file, progress);
        events.progress(id, valid, progress);
      },
    });
    outcome = { state: task.state === 'SUCCEEDED' ? 'SUCCEEDED' : 'FAILED', task, error: null };
  } catch (thrown) {
    const error = toListingVideoError(thrown);
    const rejected = toRejected(waiting, error);
    if (rejected !== null) return endRejected(run, await rejected, valid, view, events);
    outcome = { state: 'FAILED', task: null, error };
  }
  const { state, task, error } = outcome;
  const report = await readReport(task && reportOf(task));
  const end: ListingResult = {
    ...waiting,
    ...outcome,
    videos: state === 'SUCCEEDED' ? toResultVideos(report) : null,
    durationSec: Math.max(0, nowMs() - startedMs) / 1000,
  };
  await view.end(valid.file, state === 'SUCCEEDED', async () => {
    events.ended(end, taskId);
    if (task !== null) await (run.output.json ? logEndedTask : printEndedTask)(run, task, valid.file, report);
    // Of a listing alone the error ends the command, which prints it then.
    else if (error !== null && isBatch) logError(run, valid.file, error);
  });
  return end;
}

/** A server finds invalid what passed here: it may be stricter, or know other rules. Null for any other error. */
function toRejected(waiting: ListingResult, error: ListingVideoError): Promise<ListingResult> | null {
  const { violations } = error.context ?? {};
  if (error.code !== 'invalid_listing' || !Array.isArray(violations)) return null;
  const { file, verdict } = waiting;
  const invalid = { file, valid: false, detail: violations, warnings: verdict.warnings } as const;
  return withText(verdict).then((shown) => ({ ...waiting, state: 'INVALID', verdict: shown, invalid }));
}

async function endRejected(
  run: CommandRun,
  end: ListingResult,
  valid: ReadyListing,
  view: BatchView,
  events: BatchEvents,
): Promise<ListingResult> {
  await view.end(valid.file, false, async () => {
    events.ended(end, null);
    if (run.output.json) return;
    const shown = { ...end.verdict, listing: null, detail: end.invalid?.detail ?? [], warnings: [] };
    await logValidation(run, shown, true);
  });
  return end;
}

/** The exit code that the end of one listing stands for; null when it was not begun. */
export function exitCodeOfEnd({ task, error }: ListingResult, isInterrupted: boolean): number | null {
  if (error !== null) return error.exitCode;
  return task === null ? null : exitCodeOf(task, isInterrupted);
}
