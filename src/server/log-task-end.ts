/** The last thing that happens to a task in this process: its end is measured and logged. */
import type { ErrorCode } from '../errors.ts';
import type { TaskRecord } from '../task/task.ts';
import type { ServerDeps } from './server-deps.ts';

/** Failures that are the client's to mend, or meant; all others are ours. */
const FOR_THE_CLIENT: ReadonlySet<string> = new Set<ErrorCode>([
  'no_usable_assets',
  'template_not_found',
  'cancelled',
]);

/** To be called with every ended task; an end that is told again (its settlement was repeated) is left out. */
export function accountEnd(
  { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>,
  task: TaskRecord,
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
  if (failure !== null && !FOR_THE_CLIENT.has(failure.code))
    logger.error({ ...facts, detail: failure.context.detail }, 'task failed');
  else logger.info(facts, 'task ended');
}
