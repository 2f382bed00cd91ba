/** Finds the task of a path, of the caller's organization only. */
import { nullOn } from '../../../platform/errors.ts';
import { stringTooShort } from '../../../listing/rules/violation.ts';
import { problem } from '../answers/api-problem.ts';
import { type AppContext, answerProblem, answerViolations } from '../context.ts';
import type { ServerDeps, VideoTask } from '../server-deps.ts';

export const TASK_ID_MIN_LENGTH = 8;

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
