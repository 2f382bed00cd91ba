/** A server's task in the form of a local task. Fields that the API does not have are empty. Pure. */
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { TaskRecord, TaskSummary } from '../task/task.ts';
import { isTaskId, taskIdTimeMs } from '../task/task-id.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import type { ApiTask } from '../api/client/parse-answer.ts';

/** A task that makes videos. */
export type VideoTask = TaskRecord<VideoTaskOutcome>;

/** The engine of such tasks. */
export type VideoTaskEngine = TaskEngine<VideoTaskPayload, VideoTaskOutcome>;

const NOBODY: ProcessIdentity = { pid: 0, host: '', boot: '', space: '', started: null };

/** Facts that this machine adds. */
export interface LocalFacts {
  /** Time of creation when the id contains none. */
  readonly nowMs: number;
  readonly summary?: TaskSummary | null;
  /** Outcome with local files; absent: the server's. */
  readonly outcome?: VideoTaskOutcome;
  /** From when to when this command followed the task. */
  readonly span?: { readonly fromMs: number; readonly toMs: number };
}

export function toTaskRecord(task: ApiTask, local: LocalFacts): VideoTask {
  const { id, state, results, droppedAssets, failureMessage } = task;
  const createdAt = new Date(isTaskId(id) ? taskIdTimeMs(id) : local.nowMs).toISOString();
  const outcome = local.outcome ?? { results, dropped_assets: droppedAssets, report: null };
  return {
    id,
    origin: 'api',
    organizationId: null,
    state,
    createdAt,
    updatedAt:
      local.span === undefined ? lastOf(createdAt, results) : new Date(local.span.toMs).toISOString(),
    startedAt: local.span === undefined ? null : new Date(local.span.fromMs).toISOString(),
    summary: local.summary ?? null,
    outcome: state === 'SUCCEEDED' ? outcome : null,
    failure:
      state === 'FAILED'
        ? {
            code: 'task_failed',
            message: failureMessage ?? 'failed',
            hint: 'fix the cause, then create the task again',
            context: { dropped_assets: droppedAssets.map(({ url, reason }) => ({ url, reason })) },
          }
        : null,
    progress: task.progress,
    attempts: 1,
    maxAttempts: 1,
    retries: 0,
    cancelRequested: false,
    fence: 0,
    worker: null,
    submitter: NOBODY,
  };
}

/** The newest time of the results. */
function lastOf(createdAt: string, results: ApiTask['results']): string {
  const times = results.map(({ created_at: at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? createdAt : new Date(Math.max(...times)).toISOString();
}
