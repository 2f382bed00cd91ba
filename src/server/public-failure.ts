/**
 * The message of a failed task, as clients see it. The error's own message is for the operator and can name files and
 * folders of this machine, so it stays in the task's record (`listing-video tasks get`) and in the log. Pure.
 */
import { findErrorRow } from '../platform/errors.ts';
import type { TaskFailure } from '../task/task.ts';

/** `failure_message` of the API. */
export function publicFailureMessage(failure: TaskFailure | null): string {
  if (failure === null) return 'failed';
  const message = findErrorRow(failure.code)?.failureMessage ?? 'internal error';
  return message === 'own' ? failure.message : message;
}
