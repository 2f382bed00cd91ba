/** Finishes a remote task: follows it to its end, and puts its files into the output folder. */
import { ListingVideoError } from '../../platform/errors.ts';
import { LONG_PATIENCE } from '../../platform/network/retry.ts';
import type { RunTaskOptions } from '../../task/engine/task-engine.ts';
import type { VideoTaskOutcome } from '../../video/video-task.ts';
import { summarizePayload } from '../../video/video-task-summary.ts';
import type { VideoTask } from '../video-task.ts';
import type { TaskChange } from './api-client.ts';
import { fetchResults, keepResults } from './fetch-results.ts';
import type { ApiTask } from './parse-answer.ts';
import { type FollowedTask, NEW_TASK, type RemoteContext } from './remote-context.ts';
import { toTaskRecord } from './task-record.ts';

/** Between two polls when the server requests no wait. */
const POLL_MS = 2_000;
/** A longer wait would make the progress look stuck. */
const MAX_POLL_MS = 10_000;
/** After so many streams without an event only polls follow: a proxy can hold events back. */
const MAX_EMPTY_STREAMS = 3;
/** Share of the progress that is the server's work; the rest is downloading. */
const SERVER_SHARE = 0.95;

/** @throws {@link ListingVideoError} `cancelled` when it is interrupted, but the task goes on; errors of its parts. */
export async function finishTask(
  id: string,
  follow: FollowedTask,
  context: RemoteContext,
  run: RunTaskOptions,
): Promise<VideoTask> {
  const { payload, resumeState, earlier, folder, startedMs } = follow;
  const { network, server } = context;
  const signals = [context.signal, folder.lost, ...(run.signal === undefined ? [] : [run.signal])];
  const signal = AbortSignal.any(signals);
  const record = (task: ApiTask, outcome?: VideoTaskOutcome): VideoTask =>
    toTaskRecord(task, { nowMs: network.nowMs(), startedMs, summary: summarizePayload(payload), outcome });
  const onProgress = (fraction: number): void => {
    const percent = Math.min(100, 100 * (SERVER_SHARE + (1 - SERVER_SHARE) * fraction));
    run.onProgress?.({ percent, stage: 'fetch', etaSeconds: null });
  };
  let hasEnded = false;
  try {
    if (earlier?.isUpToDate)
      return record({ ...NEW_TASK, id, state: 'SUCCEEDED' }, await keepResults(earlier, follow));
    const nameOf = await namesOfUploads(follow);
    const ended = await waitForTask(id, context, { ...run, signal, donePercent: follow.donePercent });
    hasEnded = true;
    // Dropped assets have the names that the user gave them.
    const droppedAssets = ended.droppedAssets.map(({ url, reason }) => ({
      url: nameOf.get(url) ?? url,
      reason,
    }));
    const task = { ...ended, droppedAssets };
    if (task.state === 'FAILED') {
      await resumeState.clear();
      return record(task);
    }
    return record(task, await fetchResults(task, follow, { ...context, signal, onProgress }));
  } catch (error) {
    await folder.assertHeld();
    throw signal.aborted ? stopped(id, server, hasEnded, error) : error;
  }
}

/** Follows the events of the task, or polls where there are none, until the task has ended. */
async function waitForTask(
  id: string,
  { client, network }: RemoteContext,
  run: RunTaskOptions & { signal: AbortSignal; donePercent: number },
): Promise<ApiTask> {
  const { signal, onProgress, donePercent } = run;
  let percent = donePercent;
  let isPending = true;
  let emptyStreams = 0;
  const report = ({ state, progress }: TaskChange): void => {
    isPending = state === undefined ? isPending : state === 'PENDING';
    const { percent: done = 0, stage = null, etaSeconds = null } = progress ?? {};
    percent = Math.max(percent, donePercent + done * (SERVER_SHARE - donePercent / 100));
    onProgress?.({ percent, stage: isPending ? 'wait' : stage, etaSeconds });
  };
  for (;;) {
    const { task, retryAfterMs, hasEvents } = await client.getTask(id, signal, LONG_PATIENCE);
    if (isEnded(task)) return task;
    report(task);
    if (hasEvents && emptyStreams < MAX_EMPTY_STREAMS) {
      emptyStreams += 1;
      const onChange = (change: TaskChange): void => {
        emptyStreams = 0;
        report(change);
      };
      const ended = await client.followTask(id, onChange, signal);
      if (ended !== null && isEnded(ended)) return ended;
    }
    const waitMs = Math.min(MAX_POLL_MS, Math.max(500, retryAfterMs ?? POLL_MS));
    await network.delay(waitMs, signal);
  }
}

function isEnded({ state }: ApiTask): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED';
}

async function namesOfUploads({
  request,
  resumeState,
}: Pick<FollowedTask, 'request' | 'resumeState'>): Promise<ReadonlyMap<string, string | undefined>> {
  const bySha256 = new Map([...request.images].map(([url, { sha256 }]) => [sha256, url] as const));
  const { uploads } = await resumeState.read();
  return new Map(uploads.map(({ url, sha256 }) => [url, bySha256.get(sha256)] as const));
}

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
