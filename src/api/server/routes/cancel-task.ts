/** Cancels a task: ends a waiting one, and stops a running one. */
import { nullOn } from '../../../platform/errors.ts';
import { isTerminal } from '../../../task/task-transition.ts';
import type { VideoTask } from '../../video-task.ts';
import { problem } from '../answers/api-problem.ts';
import { toPublicTask } from '../answers/public-task.ts';
import { type AppContext, answerJson, answerProblem } from '../context.ts';
import { TASK_EXAMPLES } from '../openapi/answer-schemas.ts';
import { BETA_ANSWER_HEADERS, betaParameter, jsonResponse, RETRY_AFTER } from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { ServerDeps } from '../server-deps.ts';
import { requireTask, TASK_ID_PARAMETER } from './find-task.ts';
import type { Route } from './route.ts';

/** The process that runs the task sees the request within a second. */
const RETRY_AFTER_SEC = 1;

const CANCELLED = {
  id: TASK_EXAMPLES.failed.value.id,
  state: 'FAILED',
  failure_message: 'cancelled',
  results: [],
  dropped_assets: [],
};

export const CANCEL_TASK: Route<Pick<ServerDeps, 'engine' | 'config'>> = {
  method: 'POST',
  path: '/v1/tasks/{task_id}/cancel',
  access: 'write',
  beta: 'task-cancel',
  operation: {
    operationId: 'cancelTask',
    tags: ['Tasks'],
    summary: 'Cancel a task (beta)',
    description:
      'Ends a waiting task at once, and stops a running one within about a second. A cancelled task is FAILED with the ' +
      '`failure_message` `cancelled`, and its credits are given back. A repeated request has the same answer. The request needs no body.',
    parameters: [TASK_ID_PARAMETER, betaParameter('task-cancel')],
    responses: {
      200: jsonResponse('The task, which is cancelled.', BETA_ANSWER_HEADERS, 'Task', {
        cancelled: { value: CANCELLED },
      }),
      202: jsonResponse(
        'The task, which still runs. Read it again to see that it has stopped.',
        { ...BETA_ANSWER_HEADERS, 'Retry-After': RETRY_AFTER },
        'Task',
        { stopping: { value: { id: CANCELLED.id, state: 'RUNNING', results: [], dropped_assets: [] } } },
      ),
      ...referRefusals([401, 403, 405, 409, 422, 429, 500, 503], 'BetaTaskNotFound'),
    },
  },
  handle: cancelTask,
};

/** A repeat has the same answers; a task that ended by itself has 409. */
function cancelTask({ engine, config }: Pick<ServerDeps, 'engine' | 'config'>) {
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
