/** The task of a path, of the caller's organization only. */

import type { JsonSchema } from '../../../listing/rules/schema.ts';
import { stringTooShort } from '../../../listing/rules/violation.ts';
import { nullOn } from '../../../platform/errors.ts';
import type { VideoTask } from '../../video-task.ts';
import { problem } from '../answers/api-problem.ts';
import { type AppContext, answerProblem, answerViolations } from '../context.ts';
import { TASK_EXAMPLES } from '../openapi/answer-schemas.ts';
import type { ServerDeps } from '../server-deps.ts';

const TASK_ID_MIN_LENGTH = 8;

/** The parameter of every path below a task. */
export const TASK_ID_PARAMETER: JsonSchema = {
  name: 'task_id',
  in: 'path',
  required: true,
  description: 'Identifier of the task.',
  schema: { type: 'string', minLength: TASK_ID_MIN_LENGTH },
  example: TASK_EXAMPLES.succeeded.value.id,
};

type Engine = Pick<ServerDeps['engine'], 'get'>;

/** The task that `task_id` in the path names, or the answer without one: 422 or 404. */
export async function requireTask(c: AppContext, engine: Engine): Promise<VideoTask | Response> {
  const id = c.req.param('task_id') ?? '';
  if ([...id].length < TASK_ID_MIN_LENGTH) {
    return answerViolations([stringTooShort(['path', 'task_id'], id, TASK_ID_MIN_LENGTH)]);
  }
  const task = await findTask(engine, id, c.get('caller').organizationId);
  return task ?? answerProblem(problem('task_not_found', 'no such task'));
}

/** Null also for a task of another organization: the API does not reveal that it exists. */
export async function findTask(
  engine: Engine,
  id: string,
  organizationId: string,
): Promise<VideoTask | null> {
  const task = await engine.get(id).catch(nullOn('task_not_found'));
  return task?.organizationId === organizationId ? task : null;
}
