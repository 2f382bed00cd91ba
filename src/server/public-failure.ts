/**
 * What clients are told of a failed task. Many of our errors are worded for the operator and name files, programs and
 * folders of this machine; those words stay in the record (`listing-video tasks get`) and in the log. Pure.
 */
import type { ErrorCode } from '../errors.ts';
import type { TaskFailure } from '../task/task.ts';

/** Codes whose messages speak of nothing but the client's own listing and task. */
const TOLD_AS_IT_IS: ReadonlySet<string> = new Set<ErrorCode>([
  'no_usable_assets',
  'template_not_found',
  'task_failed',
  'cancelled',
]);

const IN_OTHER_WORDS: Partial<Record<ErrorCode, string>> = {
  template_invalid: 'the template cannot be used',
  render_failed: 'the video could not be rendered',
  encode_failed: 'the video could not be encoded',
  verification_failed: 'the finished video did not pass its checks',
  ffmpeg_missing: 'the service cannot encode videos right now',
  disk_full: 'the service could not store the videos',
  store_unwritable: 'the service could not store the videos',
  store_corrupt: 'the service could not read the task',
  output_unwritable: 'the service could not store the videos',
  output_locked: 'the service could not store the videos',
};

/** `failure_message` for the API. */
export function publicFailureMessage(failure: TaskFailure | null): string {
  if (failure === null) return 'failed';
  if (TOLD_AS_IT_IS.has(failure.code)) return failure.message;
  return (IN_OTHER_WORDS as Readonly<Record<string, string>>)[failure.code] ?? 'internal error';
}
