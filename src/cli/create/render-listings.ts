/** Renders the ready listings of a `create` as tasks, a few at a time. */
import { findErrorRow, ListingVideoError } from '../../platform/errors.ts';
import { freeIfGone, removeTornFolders } from '../../video/publish/folder-lock.ts';
import { pauseBetweenLooks } from '../../video/publish/output-folder.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import type { Report, ReportVideo } from '../../video/publish/report.ts';
import type { BackendEngine, VideoTask } from '../../wiring/backend.ts';
import { toListingVideoError } from '../cli-error.ts';
import {
  failureOf,
  type ListingResult,
  type ReadyListing,
  type ResultVideo,
} from '../listings/listing-result.ts';
import { placeViolations } from '../listings/place-findings.ts';
import { textOf } from '../listings/read-listing.ts';
import type { CreateDeps, CreateRequest } from './create-request.ts';
import { createTaker } from './next-listing.ts';
import type { ListingChange, PlacedListing } from './reporters/reporter.ts';

interface RenderDeps extends Pick<CreateDeps, 'backend' | 'signal' | 'nowMs'> {
  readonly report: (change: ListingChange) => Promise<void>;
}

/**
 * Listings that another process renders into the same folders come last. Then this one finds the work done.
 *
 * Continues after a listing that fails. With `isFailFast`, after a failure that would repeat for every listing, and
 * after Ctrl-C no other listing starts, and the running ones end first.
 *
 * @returns One result per listing, in their order. Never throws for a listing.
 */
export async function renderListings(
  listings: readonly ListingResult[],
  { isFailFast, settings: { out } }: Pick<CreateRequest, 'isFailFast' | 'settings'>,
  deps: RenderDeps,
): Promise<ListingResult[]> {
  const { report, signal } = deps;
  const results = [...listings];
  for (const [index, result] of listings.entries())
    if (result.kind === 'invalid') await report({ kind: 'ended', index, result, taskId: null });
  const waiting = listings.flatMap((listing, index) =>
    listing.kind === 'ready' ? [{ listing, index }] : [],
  );
  if (waiting.length === 0 || (isFailFast && waiting.length < listings.length)) return results;

  const { engine, tasksAtOnce } = await deps.backend();
  await removeTornFolders(out);
  let isStopped = false;
  const take = createTaker(waiting, {
    isEnding: () => isStopped || signal.aborted,
    signal,
    onWait: (next, holder) => void report({ ...next, kind: 'waiting', holder }),
  });
  const lanes: Promise<void>[] = [];
  const start = (): void => {
    const started = lane();
    // It can fail before its turn to be awaited.
    started.catch(() => {});
    lanes.push(started);
  };
  const lane = async (): Promise<void> => {
    for (let next = await take(); next !== undefined; next = await take()) {
      const { index, listing } = next;
      await report({ ...next, kind: 'started' });
      // Another process took the folder between the look and the start of the task. Its wait needs no lane.
      let isReplaced = false;
      const onLocked = (): void => {
        if (isReplaced) return;
        isReplaced = true;
        start();
        void freeIfGone(listing.payload.outputDir)
          .catch(() => null)
          .then((holder) => holder && report({ index, listing, kind: 'waiting', holder }));
      };
      const result = await renderListing(next, engine, deps, onLocked);
      if (result === 'locked') {
        await report({ ...next, kind: 'postponed' });
        waiting.push(next);
        await pauseBetweenLooks(signal).catch(() => {});
        continue;
      }
      results[index] = result;
      const failure = failureOf(result);
      if (failure !== null && (isFailFast || findErrorRow(failure.code)?.endsBatch)) isStopped = true;
      if (isReplaced) return;
    }
  };
  for (let count = Math.min(tasksAtOnce, waiting.length); count > 0; count -= 1) start();
  for (let next = lanes.shift(); next !== undefined; next = lanes.shift()) await next;
  return results;
}

/** @returns `locked` when another process holds the folder and no task was made. */
async function renderListing(
  { listing, index }: PlacedListing,
  engine: BackendEngine,
  { report, signal, nowMs }: RenderDeps,
  onLocked: () => void,
): Promise<ListingResult | 'locked'> {
  const { payload } = listing;
  const startedMs = nowMs();
  let taskId: string | null = null;
  const runTask = async (): Promise<VideoTask> => {
    const { id } = await engine.submit(
      { origin: 'cli', organizationId: null, payload },
      { onProgress: (progress) => void report({ listing, index, kind: 'sending', progress }) },
    );
    taskId = id;
    await report({ listing, index, kind: 'accepted', taskId: id });
    return engine.runTask(id, {
      signal,
      onProgress: (progress) => {
        if (progress.stage === 'lock') onLocked();
        void report({ listing, index, kind: 'progress', taskId: id, progress });
      },
    });
  };
  const task = await runTask().catch(toListingVideoError);
  const durationSec = Math.max(0, nowMs() - startedMs) / 1000;
  if (task instanceof ListingVideoError) {
    if (task.code === 'output_locked' && taskId === null) return 'locked';
    const result = await toFailure(listing, task, durationSec);
    await report({ kind: 'ended', index, result, taskId });
    return result;
  }
  // The videos exist: a report that was moved meanwhile is no failure.
  const file = task.outcome?.report ?? null;
  const found = file === null ? {} : await readReportFile(file);
  const ended = { ...listing, task, durationSec };
  const result: ListingResult =
    task.state === 'SUCCEEDED'
      ? { ...ended, kind: 'succeeded', ...toResultVideos(found) }
      : { ...ended, kind: 'task-failed' };
  await report({ kind: 'ended', index, result, taskId, report: found });
  return result;
}

/** The server can be stricter than this machine, or know newer rules. */
async function toFailure(
  { source, payload }: ReadyListing,
  error: ListingVideoError,
  durationSec: number,
): Promise<ListingResult> {
  const { violations } = error.context ?? {};
  if (error.code !== 'invalid_listing' || !Array.isArray(violations))
    return { kind: 'failed', source, payload, error, durationSec };
  const text = await textOf(source);
  return {
    kind: 'rejected',
    source: { ...source, text },
    payload,
    detail: placeViolations(violations, text),
  };
}

function toResultVideos({ videos = [], also_ratio: alsoRatio, also_for: alsoFor }: Partial<Report>) {
  const withRatio = (video: ReportVideo) => ({ ...toResultVideo(video), ratio: video.ratio });
  return {
    videos: videos.map(toResultVideo),
    ...(alsoRatio && { alsoRatio: alsoRatio.map(withRatio) }),
    ...(alsoFor && { alsoFor: alsoFor.map(withRatio) }),
  };
}

function toResultVideo(entry: ReportVideo): ResultVideo {
  const { agent_id, video, poster, preview, duration_sec, is_unchanged } = entry;
  const { small_video, destinations, length } = entry;
  return {
    ...{ agent_id, video, poster, preview, duration_sec, is_unchanged },
    ...(small_video && { small_video }),
    ...(destinations && { destinations }),
    ...(length && { length }),
  };
}
