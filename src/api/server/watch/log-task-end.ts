/** Counts and logs the end of a task. A failure that the caller can remove is information; any other is an error. */
import { findErrorRow } from '../../../platform/errors.ts';
import type { TaskRecord } from '../../../task/task.ts';
import type { ServerDeps } from '../server-deps.ts';

/** Call it with every ended task. A repeated settlement of the same task is ignored. */
export function logTaskEnd(
  { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>,
  task: TaskRecord<unknown>,
): void {
  if (!metrics.observeEnd(task)) return;
  const { id, organizationId, state, attempts, failure } = task;
  const facts = {
    task: id,
    ...(organizationId === null ? {} : { organization: organizationId }),
    state,
    attempts,
    ...(failure === null ? {} : { code: failure.code, failure: failure.message }),
  };
  if (failure !== null && findErrorRow(failure.code)?.fault !== 'caller')
    logger.error({ ...facts, detail: failure.context.detail }, 'task failed');
  else logger.info(facts, 'task ended');
}
