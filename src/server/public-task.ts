/** A task as clients see it: the view of the record, its files under the service's public address of today. Pure. */
import type { JsonValue, TaskRecord } from '../task/task.ts';
import { type TaskProgressView, type TaskView, toTaskProgressView, toTaskView } from '../task/task-view.ts';
import { publicFailureMessage } from './public-failure.ts';

/** Where result files are, below the public address. */
export const FILES_PATH = '/files';

/** A Task of the specification, with progress where that beta is in force. */
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

/** Records hold `file:` URLs, of which only the name counts: the home may have moved since. */
function withPublicUrls(result: JsonValue, folder: string): JsonValue {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const fields = Object.entries(result).map(([key, value]) =>
    (key === 'url' || key === 'preview_url') && typeof value === 'string'
      ? [key, `${folder}/${value.slice(value.lastIndexOf('/') + 1)}`]
      : [key, value],
  );
  return Object.fromEntries(fields) as JsonValue;
}

/** Seconds after which it is worth looking again: soon for what may end soon, never long enough to annoy. */
export function retryAfterSec(task: TaskRecord): number {
  const eta = task.state === 'RUNNING' ? (task.progress?.etaSeconds ?? 2) : 2;
  return Math.min(10, Math.max(1, Math.ceil(eta / 2)));
}
