/** Runs the ready listings of a `create` as tasks, a few at a time. */
import { findErrorRow, ListingVideoError } from '../../platform/errors.ts';
import type { TaskProgress } from '../../task/task.ts';
import { freeIfGone, removeTornFolders } from '../../video/publish/free-lock.ts';
import type { ReportVideo } from '../../video/publish/report.ts';
import { pauseBetweenLooks } from '../../video/publish/wait-for-folder.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { toListingVideoError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { logValidation } from '../listings/format-validation.ts';
import {
  failureOf,
  type ListingResult,
  type ReadyListing,
  type RejectedListing,
  type ResultVideo,
} from '../listings/listing-result.ts';
import { placeViolations } from '../listings/place-findings.ts';
import { textOf } from '../listings/read-listing.ts';
import { logEndedTask, logError, logWarning, printEndedTask, readReport } from '../tasks/log-task.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import type { BatchEvents } from './batch-events.ts';
import { type BatchView, createBatchView } from './reporters/progress-views.ts';
import { BatchWarnings } from './batch-warnings.ts';
import { createTaker, describeWait } from './next-listing.ts';

export interface BatchRequest {
  /** Validated, in the order of the command line. */
  readonly listings: readonly ListingResult[];
  readonly isFailFast: boolean;
  /** Several listings, or a shard of them. */
  readonly isBatch: boolean;
  readonly events: BatchEvents;
  /** Called when a listing starts and when it has ended. */
  readonly onChange: (index: number, result: ListingResult | 'running') => void;
}

/**
 * Listings that another process renders into the same folders come last. Then this one waits, and finds the work done.
 *
 * Continues after a listing that fails. With `isFailFast`, after a failure that would repeat for every listing, and after
 * Ctrl-C no other listing starts, and the running ones end first.
 *
 * @returns One result per listing, in their order. Never throws for a listing.
 */
export async function runBatch(run: CommandRun, request: BatchRequest): Promise<ListingResult[]> {
  const { listings, events, isFailFast } = request;
  const results = [...listings];
  for (const result of results) if (result.kind === 'invalid') events.ended(result, null);
  const waiting = listings.flatMap((ready, index) => (ready.kind === 'ready' ? [{ ready, index }] : []));
  if (waiting.length === 0 || (isFailFast && waiting.length < listings.length)) return results;

  const { tasksAtOnce } = await run.backend();
  const { out } = await run.settings();
  await removeTornFolders(out);
  const { nowMs } = run.host;
  const isQuiet = run.output.quiet;
  const view = await createBatchView(run.terminal, { total: waiting.length, isQuiet, nowMs });
  const release = onInterrupt(run, () => view.stop());
  const warnings = request.isBatch && !run.output.verbose ? new BatchWarnings() : null;
  let isStopped = false;
  const isEnding = (): boolean => isStopped || run.signal.aborted;
  const take = createTaker(waiting, { isEnding, signal: run.signal, log: (line) => view.log(line) });
  const lanes: Promise<void>[] = [];
  const start = (): void => {
    const started = lane();
    // It can fail before its turn to be awaited.
    started.catch(() => {});
    lanes.push(started);
  };
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = await take();
      if (next === undefined) return;
      request.onChange(next.index, 'running');
      // Another process was quicker to take this folder. Its wait needs no lane.
      let isReplaced = false;
      const onLocked = (): void => {
        if (isReplaced) return;
        isReplaced = true;
        start();
        const { outputDir } = next.ready.payload;
        void freeIfGone(outputDir)
          .catch(() => null)
          .then((holder) => holder !== null && view.log(describeWait(next.ready, holder)));
      };
      const result = await runListing(run, next.ready, view, { ...request, warnings, onLocked });
      if (result === 'locked') {
        request.onChange(next.index, next.ready);
        waiting.push(next);
        await pauseBetweenLooks(run.signal).catch(() => {});
        continue;
      }
      results[next.index] = result;
      request.onChange(next.index, result);
      const failure = failureOf(result);
      if (failure !== null && (isFailFast || findErrorRow(failure.code)?.endsBatch === true))
        isStopped = true;
      if (isReplaced) return;
    }
  };
  try {
    for (let count = Math.min(tasksAtOnce, waiting.length); count > 0; count -= 1) start();
    for (let next = lanes.shift(); next !== undefined; next = lanes.shift()) await next;
  } finally {
    release();
    view.stop();
    for (const sentence of warnings?.sentences() ?? []) logWarning(run, sentence);
  }
  return results;
}

interface ListingRequest extends BatchRequest {
  /** Collects warnings for the end; null to log them with their listing. */
  readonly warnings: BatchWarnings | null;
  /** Another process took the folder between the look and the start of the task, which waits for it. */
  readonly onLocked: () => void;
}

/** @returns `locked` when another process holds the folder and no task was made. */
async function runListing(
  run: CommandRun,
  ready: ReadyListing,
  view: BatchView,
  { events, isBatch, warnings, onLocked }: ListingRequest,
): Promise<ListingResult | 'locked'> {
  const { source, payload } = ready;
  const { file } = source;
  const { nowMs } = run.host;
  const startedMs = nowMs();
  let taskId: string | null = null;
  const runTask = async (): Promise<VideoTask> => {
    const { engine } = await run.backend();
    // Files are sent before there is a task. A log needs no line of it, and an event has the id of its task.
    const sending = run.terminal.canAnimate ? createSendingView(file, view) : null;
    const submitted = { origin: 'cli', organizationId: null, payload } as const;
    const { id } = await engine.submit(submitted, { onProgress: sending?.onProgress });
    taskId = id;
    events.accepted(id, ready);
    await (sending?.begun() ?? view.begin(file));
    const onProgress = (progress: TaskProgress): void => {
      if (progress.stage === 'lock') onLocked();
      view.update(file, progress);
      events.progress(id, ready, progress);
    };
    return engine.runTask(id, { signal: run.signal, onProgress });
  };
  const task = await runTask().catch(toListingVideoError);
  const durationSec = Math.max(0, nowMs() - startedMs) / 1000;
  if (task instanceof ListingVideoError) {
    if (task.code === 'output_locked' && taskId === null) return 'locked';
    const { violations } = task.context ?? {};
    if (task.code === 'invalid_listing' && Array.isArray(violations)) {
      const text = await textOf(source);
      const detail = placeViolations(violations, text);
      const rejected: RejectedListing = { kind: 'rejected', source: { ...source, text }, payload, detail };
      return endRejected(run, rejected, view, events);
    }
    const failed: ListingResult = { kind: 'failed', source, payload, error: task, durationSec };
    await view.end(file, false, async () => {
      events.ended(failed, taskId);
      // The error of a single listing ends the command, which prints it then.
      if (isBatch) logError(run, file, task);
    });
    return failed;
  }
  const report = await readReport(task.outcome?.report ?? null);
  const ended = { source, payload, task, durationSec };
  const result: ListingResult =
    task.state === 'SUCCEEDED'
      ? { kind: 'succeeded', ...ended, ...toResultVideos(report) }
      : { kind: 'task-failed', ...ended };
  await view.end(file, result.kind === 'succeeded', async () => {
    events.ended(result, taskId);
    const warn = warnings === null ? undefined : (warning: string) => warnings.add(file, warning);
    await (run.output.json ? logEndedTask : printEndedTask)(run, task, file, report, warn);
  });
  return result;
}

/** Begins the view of a listing with the first file that is sent. */
function createSendingView(file: string, view: BatchView) {
  let begun: Promise<void> | null = null;
  return {
    onProgress(progress: TaskProgress): void {
      begun ??= Promise.resolve(view.begin(file));
      void begun.then(() => view.update(file, progress));
    },
    /** Null while no file was sent. */
    begun: () => begun,
  };
}

/** The server can be stricter than this machine, or know newer rules. */
async function endRejected(
  run: CommandRun,
  rejected: RejectedListing,
  view: BatchView,
  events: BatchEvents,
): Promise<ListingResult> {
  await view.end(rejected.source.file, false, async () => {
    events.ended(rejected, null);
    if (run.output.json) return;
    // Its warnings were logged before it was sent.
    await logValidation(run, { ...rejected, source: { ...rejected.source, warnings: [] } });
  });
  return rejected;
}

function toResultVideos({ videos = [], also_ratio: alsoRatio }: Awaited<ReturnType<typeof readReport>>) {
  return {
    videos: videos.map(toResultVideo),
    ...(alsoRatio && {
      alsoRatio: alsoRatio.map((video) => ({ ...toResultVideo(video), ratio: video.ratio })),
    }),
  };
}

function toResultVideo(entry: ReportVideo): ResultVideo {
  const { agent_id, video, poster, preview, duration_sec, is_unchanged } = entry;
  return { agent_id, video, poster, preview, duration_sec, is_unchanged };
}
