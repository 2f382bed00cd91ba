/** A task as clients see it, with file URLs under the current public URL. Pure. */
import { findErrorRow } from '../../../platform/errors.ts';
import type { JsonValue, TaskFailure } from '../../../task/task.ts';
import {
  type TaskProgressView,
  type TaskView,
  toTaskProgressView,
  toTaskView,
} from '../../../task/task-view.ts';
import type { DroppedAsset, VideoResult } from '../../../video/video-task.ts';
import type { VideoTask } from '../../video-task.ts';

export const FILES_PATH = '/files';
/** The end of a result's URL: the folder of the attempt, which old results do not have, and the file name. */
const PLACE_IN_TASK = /(?:\/[1-9][0-9]{0,8})?\/[^/]*$/;

interface TaskDetails {
  /** Null when it is unknown, because the stored task is damaged. */
  readonly listing_id: string | null;
  /** Null when the listing has none, or an earlier version stored the task. */
  readonly listing_address: string | null;
  /** Of the agents, in the order of the listing. Empty when an earlier version stored the task. */
  readonly agent_names: readonly string[];
  readonly created_at: string;
  readonly warnings: readonly string[];
}

/** A result of the API. `poster_url` is present with the beta `task-details`. */
type PublicResult = VideoResult & { readonly poster_url?: string };

/** A Task of the API. `progress` is present with the beta `task-progress`, the details with `task-details`. */
export type PublicTask = TaskView<PublicResult, DroppedAsset | JsonValue> &
  Partial<TaskDetails> & { readonly progress?: TaskProgressView };

/** @param publicUrl - Without a slash at the end. */
export function toPublicTask(task: VideoTask, publicUrl: string, betas: ReadonlySet<string>): PublicTask {
  const view = toTaskView(task);
  const hasDetails = betas.has('task-details');
  const folder = `${publicUrl}${FILES_PATH}/${task.organizationId}/${task.id}`;
  return {
    ...view,
    ...(view.failure_message === undefined ? {} : { failure_message: publicFailureMessage(task.failure) }),
    results: view.results.map((result) => {
      const shown = withPublicUrls(result, folder);
      return hasDetails ? { ...shown, poster_url: posterUrlOf(shown.url) } : shown;
    }),
    ...(betas.has('task-progress') ? { progress: toTaskProgressView(task) } : {}),
    ...(hasDetails ? toDetails(task) : {}),
  };
}

function toDetails({ summary, createdAt, outcome }: VideoTask): TaskDetails {
  return {
    listing_id: summary?.label ?? null,
    listing_address: summary?.title ?? null,
    agent_names: summary?.resultNames ?? [],
    // The record has `Z`; every time of the API has a numeric offset.
    created_at: createdAt.replace(/Z$/, '+00:00'),
    warnings: [...(summary?.warnings ?? []), ...(outcome?.warnings ?? [])],
  };
}

/** The poster beside the video, which has its name. */
function posterUrlOf(videoUrl: string): string {
  return videoUrl.replace(/\.mp4$/, '.jpg');
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

/**
 * `failure_message` of the API. The error's own message is for the operator and can name files and folders of this
 * machine, so it stays in the task's record (`listing-video tasks get`) and in the log.
 */
function publicFailureMessage(failure: TaskFailure | null): string {
  if (failure === null) return 'failed';
  const message = findErrorRow(failure.code)?.failureMessage ?? 'internal error';
  return message === 'own' ? failure.message : message;
}

/** The body of a webhook's message, before it is written as JSON. Receivers rely on the order of its fields. */
export interface WebhookMessage {
  /** `task.succeeded` or `task.failed`. */
  readonly type: string;
  /** Time of the event: ISO 8601 with a numeric offset. */
  readonly timestamp: string;
  readonly data: PublicTask;
}

/** @param task - As it was at its end. @param publicUrl - Without a slash at the end. */
export function toWebhookMessage(type: string, task: VideoTask, publicUrl: string): WebhookMessage {
  const timestamp = task.updatedAt.replace(/Z$/, '+00:00');
  return { type, timestamp, data: toPublicTask(task, publicUrl, new Set()) };
}
