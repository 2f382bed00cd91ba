/** Finishes a remote task: waits for its end, and puts its files into the output folder. */
import { ListingVideoError } from '../platform/errors.ts';
import type { RunTaskOptions } from '../task/engine/task-engine.ts';
import type { TaskProgress } from '../task/task.ts';
import type { VideoTaskOutcome } from '../video/video-task.ts';
import { summarizePayload } from '../video/video-task-summary.ts';
import { type FetchRequest, fetchResults, keepResults } from '../api/client/fetch-results.ts';
import type { ApiTask } from '../api/client/parse-answer.ts';
import { type FollowedTask, NEW_TASK, type RemoteContext } from '../api/client/remote-context.ts';
import { toTaskRecord, type VideoTask } from './task-record.ts';
import { SERVER_SHARE, waitForTask } from './wait-for-task.ts';

/** @throws {@link ListingVideoError} `cancelled` when it is interrupted: the task goes on; errors of the client and of the folder. */
export async function finishTask(
  id: string,
  follow: FollowedTask,
  context: RemoteContext,
  run: RunTaskOptions,
): Promise<VideoTask> {
  const { payload, resumeState, earlier, folder } = follow;
  const signals = [context.signal, folder.lost, ...(run.signal === undefined ? [] : [run.signal])];
  const signal = AbortSignal.any(signals);
  const { network, transport, policy, warn, server } = context;
  const record = (task: ApiTask, outcome?: VideoTaskOutcome): VideoTask =>
    toTaskRecord(task, {
      nowMs: follow.startedMs,
      summary: summarizePayload(payload),
      span: { fromMs: follow.startedMs, toMs: network.nowMs() },
      ...(outcome === undefined ? {} : { outcome }),
    });
  const fetchRequest: FetchRequest = {
    ...follow,
    warnings: follow.isResumed ? [`this is task ${id}, which an earlier command began`] : [],
    server,
    generator: context.generator,
    download: {
      transport,
      network,
      resumeState,
      signal,
      warn,
      policy,
      onProgress: (fraction) => run.onProgress?.(fetching(fraction)),
    },
  };
  let hasEnded = false;
  try {
    if (earlier?.taskId === id && earlier.isLatest && earlier.videos.every((video) => video !== null)) {
      return record({ ...NEW_TASK, id, state: 'SUCCEEDED' }, await keepResults(earlier, follow));
    }
    const named = await namesOfUploads(follow);
    const task = withOwnNames(
      await waitForTask(id, context, { ...run, signal, donePercent: follow.donePercent }),
      named,
    );
    hasEnded = true;
    if (task.state === 'FAILED') {
      await resumeState.clear();
      return record(task);
    }
    return record(task, await fetchResults(task, earlier?.taskId === id ? earlier : null, fetchRequest));
  } catch (error) {
    await folder.assertHeld();
    throw signal.aborted ? stopped(id, server, hasEnded, error) : error;
  }
}

/** The paths in the listing by the URLs of their uploads. */
async function namesOfUploads({
  request,
  resumeState,
}: Pick<FollowedTask, 'request' | 'resumeState'>): Promise<ReadonlyMap<string, string>> {
  if (request.images.size === 0) return new Map();
  const bySha256 = new Map([...request.images].map(([url, { sha256 }]) => [sha256, url] as const));
  const uploads = await resumeState.readUploads();
  return new Map(
    uploads.flatMap(({ url, sha256 }) => {
      const name = bySha256.get(sha256);
      return name === undefined ? [] : [[url, name] as const];
    }),
  );
}

/** Dropped assets under the names that the user gave them. */
function withOwnNames(task: ApiTask, named: ReadonlyMap<string, string>): ApiTask {
  const droppedAssets = task.droppedAssets.map((asset) => ({
    ...asset,
    url: named.get(asset.url) ?? asset.url,
  }));
  return { ...task, droppedAssets };
}

function fetching(fraction: number): TaskProgress {
  const percent = 100 * (SERVER_SHARE + (1 - SERVER_SHARE) * fraction);
  return { percent: Math.min(100, percent), stage: 'fetch', etaSeconds: null };
}

/** The error of an interrupt: the task's state, and how to continue. */
function stopped(id: string, server: string, hasEnded: boolean, cause: unknown): ListingVideoError {
  const message = hasEnded
    ? `download of task ${id} stopped; its results stay at ${server}`
    : `no longer waiting for task ${id}; it continues at ${server}`;
  return new ListingVideoError('cancelled', message, {
    cause,
    hint: `run the same command again to continue, or listing-video tasks watch ${id} --server ${server} to ${hasEnded ? 'see' : 'follow'} it`,
    context: { task_id: id, server },
  });
}
