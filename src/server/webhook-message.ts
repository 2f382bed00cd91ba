/** The body of a webhook's message: the task as `GET /v1/tasks/{task_id}` answers it. Pure. */
import { type PublicTask, toPublicTask } from '../api/server/answers/public-task.ts';
import type { VideoTask } from '../api/server/server-deps.ts';

const NO_BETAS: ReadonlySet<string> = new Set();

/** The body, before it is written as JSON. Receivers rely on the order of its fields. */
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
  return { type, timestamp, data: toPublicTask(task, publicUrl, NO_BETAS) };
}
