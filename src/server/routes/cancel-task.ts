/** POST /v1/tasks/{task_id}/cancel: ends a waiting task, and stops a running one. */
import { nullOn } from '../../platform/errors.ts';
import { isTerminal } from '../../task/task-transition.ts';
import { problem } from '../../api/server/answers/api-problem.ts';
import { type AppContext, answerJson, answerProblem } from '../../api/server/context.ts';
import { toPublicTask } from '../../api/server/answers/public-task.ts';
import type { ServerDeps, VideoTask } from '../../api/server/server-deps.ts';
import { requireTask } from '../../api/server/routes/find-task.ts';

/** The process that runs the task sees the request within a second. */
const RETRY_AFTER_SEC = 1;

/**
 * The handler, behind `admit`. A cancelled task is FAILED with the message `cancelled`: 200. A running one is RUNNING until
 * its work has stopped: 202. A repeat has the same answers; a task that ended by itself has 409.
 */
export function cancelTask({ engine, config }: Pick<ServerDeps, 'engine' | 'config'>) {
  return async (c: AppContext): Promise<Response> => {
    const found = await requireTask(c, engine);
    if (found instanceof Response) return found;
    c.set('taskId', found.id);
    // Null: it ended in between.
    const cancelled = isTerminal(found.state)
      ? found
      : await engine.cancel(found.id).catch(nullOn('task_state_conflict'));
    const task = cancelled ?? (await engine.get(found.id));
    if (isTerminal(task.state) && !isCancelled(task)) {
      const message = `the task has already ended: ${task.state}`;
      return answerProblem(problem('task_state_conflict', message, { state: task.state }));
    }
    const body = toPublicTask(task, config.publicUrl(), c.get('betas'));
    return isTerminal(task.state)
      ? answerJson(200, body)
      : answerJson(202, body, { 'retry-after': String(RETRY_AFTER_SEC) });
  };
}

function isCancelled({ state, failure }: VideoTask): boolean {
  return state === 'FAILED' && failure?.code === 'cancelled';
}
