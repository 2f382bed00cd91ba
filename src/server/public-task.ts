/** A task as clients see it, with file URLs under the current public URL. Pure. */
import type { JsonValue } from '../task/task.ts';
import { type TaskProgressView, type TaskView, toTaskProgressView, toTaskView } from '../task/task-view.ts';
import type { DroppedAsset, VideoResult } from '../video/video-task.ts';
import { publicFailureMessage } from './public-failure.ts';
import type { VideoTask } from './server-deps.ts';

/** Path of the result files below the public URL. */
export const FILES_PATH = '/files';
/** The end of a result's URL: the folder of the attempt, which results of earlier versions do not have, and the file name. */
const PLACE_IN_TASK = /(?:\/[1-9][0-9]{0,8})?\/[^/]*$/;

/** A Task of the API. `progress` is present with the beta `task-progress`. */
export type PublicTask = TaskView<VideoResult, DroppedAsset | JsonValue> & {
  readonly progress?: TaskProgressView;
};

/** @param publicUrl - Without a slash at the end. */
export function toPublicTask(task: VideoTask, publicUrl: string, betas: ReadonlySet<string>): PublicTask {
  const view = toTaskView(task);
  const folder = `${publicUrl}${FILES_PATH}/${task.organizationId}/${task.id}`;
  return {
    ...view,
    ...(view.failure_message === undefined ? {} : { failure_message: publicFailureMessage(task.failure) }),
    results: view.results.map((result) => withPublicUrls(result, folder)),
    ...(betas.has('task-progress') ? { progress: toTaskProgressView(task) } : {}),
  };
}

/** Records hold `file:` URLs. Only the part after the task's folder is used, because the data folder can move. */
function withPublicUrls(result: VideoResult, folder: string): VideoResult {
  const publicUrl = (url: string) => `${folder}${PLACE_IN_TASK.exec(url)?.[0]}`;
  const { url, preview_url } = result;
  return {
    ...result,
    url: publicUrl(url),
    ...(preview_url === undefined ? {} : { preview_url: publicUrl(preview_url) }),
  };
}

/** `Retry-After` of a task: half of the time left, between 1 and 10 seconds. */
export function retryAfterSec(task: Pick<VideoTask, 'state' | 'progress'>): number {
  const eta = task.state === 'RUNNING' ? (task.progress?.etaSeconds ?? 2) : 2;
  return Math.min(10, Math.max(1, Math.ceil(eta / 2)));
}
