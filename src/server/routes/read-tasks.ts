/** GET /v1/tasks and GET /v1/tasks/{task_id}: the tasks of the caller's organization. */
import { nullOn } from '../../errors.ts';
import { stringTooShort } from '../../listing/rules/violation.ts';
import type { TaskPage } from '../../task/task-store.ts';
import { isTerminal } from '../../task/task-transition.ts';
import type { VideoTaskOutcome } from '../../video/video-task.ts';
import { problem } from '../api-problem.ts';
import { type AppContext, answerJson, answerJsonBytes, answerProblem, answerViolations } from '../context.ts';
import { validateListQuery } from '../list-query.ts';
import { retryAfterSec, toPublicTask } from '../public-task.ts';
import type { ServerDeps, VideoTask } from '../server-deps.ts';

type VideoTaskPage = TaskPage<VideoTaskOutcome>;

export const TASK_ID_MIN_LENGTH = 8;

/** The handler of the list, behind `admit`. */
export function listTasks({ engine, config, logger }: ServerDeps) {
  // A store that caches its pages returns the same object, so its JSON is written once. Only for the last view, because
  // clients choose among many: each combination of betas is one.
  const written = new WeakMap<VideoTaskPage, { readonly view: string; readonly bytes: Buffer }>();
  return async (c: AppContext): Promise<Response> => {
    const { organizationId } = c.get('caller');
    const validation = await validateListQuery(
      new URL(c.req.url).searchParams,
      async (id) => (await findTask(engine, id, organizationId)) !== null,
    );
    if (!validation.ok) return answerViolations(validation.violations);
    const page = await engine.list({ ...validation.query, organizationId });
    const betas = c.get('betas');
    const view = `${config.publicUrl()} ${[...betas].join()}`;
    const last = written.get(page);
    if (last?.view === view) return answerJsonBytes(200, last.bytes);
    const bytes = writePage(page, betas);
    written.set(page, { view, bytes });
    return answerJsonBytes(200, bytes);
  };

  function writePage({ data, hasMore, warnings }: VideoTaskPage, betas: ReadonlySet<string>): Buffer {
    for (const { id, message } of warnings) logger.error({ task: id }, `a task is unreadable: ${message}`);
    const tasks = data.map((task) => toPublicTask(task, config.publicUrl(), betas));
    return Buffer.from(JSON.stringify({ data: tasks, has_more: hasMore }));
  }
}

/** The handler of one task, behind `admit`. */
export function getTask({ engine, config }: ServerDeps) {
  return async (c: AppContext): Promise<Response> => {
    const id = c.req.param('task_id') ?? '';
    if ([...id].length < TASK_ID_MIN_LENGTH) {
      return answerViolations([stringTooShort(['path', 'task_id'], id, TASK_ID_MIN_LENGTH)]);
    }
    const task = await findTask(engine, id, c.get('caller').organizationId);
    if (task === null) return answerProblem(problem('task_not_found', 'no such task'));
    return answerJson(
      200,
      toPublicTask(task, config.publicUrl(), c.get('betas')),
      isTerminal(task.state) ? {} : { 'retry-after': String(retryAfterSec(task)) },
    );
  };
}

/** Null also for a task of another organization: the API does not reveal that it exists. */
async function findTask(
  engine: Pick<ServerDeps['engine'], 'get'>,
  id: string,
  organizationId: string,
): Promise<VideoTask | null> {
  const task = await engine.get(id).catch(nullOn('task_not_found'));
  return task?.organizationId === organizationId ? task : null;
}
