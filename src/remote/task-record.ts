/** A task of a server in the form that the commands know: what the API does not tell is absent, not invented. Pure. */

import type { ProcessIdentity } from '../disk/process-identity.ts';
import type { TaskEngine } from '../task/engine/task-engine.ts';
import type { TaskRecord } from '../task/task.ts';
import { isTaskId, taskIdTimeMs } from '../task/task-id.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from '../video/video-task.ts';
import type { ApiTask } from './parse-answer.ts';

/** A task that makes videos. */
export type VideoTask = TaskRecord<VideoTaskPayload, VideoTaskOutcome>;

/** The engine of such tasks. */
export type VideoTaskEngine = TaskEngine<VideoTaskPayload, VideoTaskOutcome>;

const NOBODY: ProcessIdentity = { pid: 0, host: '', boot: '', space: '', started: null };

/** What this machine knows of the task besides. */
export interface KnownOfTask {
  /** Taken for the time of creation where the id tells none. */
  readonly nowMs: number;
  readonly payload?: VideoTaskPayload;
  /** What came of it here; absent: what the server says. */
  readonly outcome?: VideoTaskOutcome;
  /** When this command turned to it, and when it had ended for this command. */
  readonly span?: { readonly fromMs: number; readonly toMs: number };
}

export function toTaskRecord(task: ApiTask, known: KnownOfTask): VideoTask {
  const { id, state, results, droppedAssets, failureMessage } = task;
  const createdAt = new Date(isTaskId(id) ? taskIdTimeMs(id) : known.nowMs).toISOString();
  const outcome = known.outcome ?? { results, dropped_assets: droppedAssets, report: null };
  return {
    id,
    origin: 'api',
    organizationId: null,
    state,
    createdAt,
    updatedAt:
      known.span === undefined ? lastOf(createdAt, results) : new Date(known.span.toMs).toISOString(),
    startedAt: known.span === undefined ? null : new Date(known.span.fromMs).toISOString(),
    payload: known.payload ?? null,
    outcome: state === 'SUCCEEDED' ? outcome : null,
    failure:
      state === 'FAILED'
        ? {
            code: 'task_failed',
            message: failureMessage ?? 'failed',
            hint: 'mend the cause, then create it again',
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

/** The newest of the results' times, which are the server's like that of the id. */
function lastOf(createdAt: string, results: ApiTask['results']): string {
  const times = results.map(({ created_at: at }) => Date.parse(at)).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? createdAt : new Date(Math.max(...times)).toISOString();
}
