/** A server's task in the form of a local task. Fields that the API does not have are empty. Pure. */
import type { TaskSummary } from '../../task/task.ts';
import { isTaskId, taskIdTimeMs } from '../../task/task-id.ts';
import { newTaskRecord } from '../../task/task-transition.ts';
import type { VideoTaskOutcome } from '../../video/video-task.ts';
import type { VideoTask } from '../video-task.ts';
import type { ApiTask } from './parse-answer.ts';

/** Facts that this machine adds. */
export interface LocalFacts {
  readonly nowMs: number;
  /** Since when this command has followed the task, to its end. */
  readonly startedMs?: number;
  readonly summary?: TaskSummary | null;
  /** Outcome with local files; absent: the server's. */
  readonly outcome?: VideoTaskOutcome | undefined;
}

export function toTaskRecord(
  task: ApiTask,
  { nowMs, startedMs, summary = null, outcome }: LocalFacts,
): VideoTask {
  const { id, state, results, droppedAssets, failureMessage, progress } = task;
  const createdMs = isTaskId(id) ? taskIdTimeMs(id) : (startedMs ?? nowMs);
  const resultTimes = results.map(({ created_at: at }) => Date.parse(at));
  const lastMs = resultTimes.length > 0 ? Math.max(...resultTimes) : createdMs;
  const submitter = { pid: 0, host: '', boot: '', space: '', started: null };
  const fields = { id, origin: 'api', organizationId: null, summary } as const;
  return {
    ...newTaskRecord(fields, new Date(createdMs).toISOString(), submitter),
    state,
    updatedAt: new Date(startedMs === undefined ? lastMs : nowMs).toISOString(),
    startedAt: startedMs === undefined ? null : new Date(startedMs).toISOString(),
    outcome: state === 'SUCCEEDED' ? (outcome ?? outcomeOf(task)) : null,
    failure:
      state === 'FAILED'
        ? {
            code: 'task_failed',
            message: failureMessage ?? 'failed',
            hint: 'fix the cause, then create the task again',
            context: { dropped_assets: droppedAssets.map(({ url, reason }) => ({ url, reason })) },
          }
        : null,
    progress,
    attempts: 1,
    maxAttempts: 1,
  };
}

/** As of a client without betas, which get no posters. */
function outcomeOf({ results, droppedAssets }: ApiTask): VideoTaskOutcome {
  const shown = results.map(({ poster_url: _, ...result }) => result);
  return { results: shown, dropped_assets: droppedAssets, report: null };
}
