/** A task as clients see it, with file URLs under the current public URL. Pure. */
import type { JsonValue, TaskRecord } from '../task/task.ts';
import { type TaskProgressView, type TaskView, toTaskProgressView, toTaskView } from '../task/task-view.ts';
import { publicFailureMessage } from './public-failure.ts';

/** Path of the result files below the public URL. */
export const FILES_PATH = '/files';

/** A Task of the API. `progress` is present with the beta `task-progress`. */
export type PublicTask = TaskView & { readonly progress?: TaskProgressView };

/** @param publicUrl - Without a slash at the end. */
export function toPublicTask(task: TaskRecord, publicUrl: string, betas: ReadonlySet<string>): PublicTask {
  const view = toTaskView(task);
  const folder = `${publicUrl}${FILES_PATH}/${task.organizationId}/${task.id}`;
  return {
    ...view,
    ...(view.failure_message === undefined ? {} : { failure_message: publicFailureMessage(task.failure) }),
    results: view.results.map((result) => withPublicUrls(result, folder)),
    ...(betas.has('task-progress') ? { progress: toTaskProgressView(task) } : {}),
  };
}

/** Records hold `file:` URLs. Only the file name is used, because the data folder can move. */
function withPublicUrls(result: JsonValue, folder: string): JsonValue {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const fields = Object.entries(result).map(([key, value]) =>
    (key === 'url' || key === 'preview_url') && typeof value === 'string'
      ? [key, `${folder}/${value.slice(value.lastIndexOf('/') + 1)}`]
      : [key, value],
  );
  return Object.fromEntries(fields) as JsonValue;
}

/** `Retry-After` of a task: half of the time left, between 1 and 10 seconds. */
export function retryAfterSec(task: TaskRecord): number {
  const eta = task.state === 'RUNNING' ? (task.progress?.etaSeconds ?? 2) : 2;
  return Math.min(10, Math.max(1, Math.ceil(eta / 2)));
}
