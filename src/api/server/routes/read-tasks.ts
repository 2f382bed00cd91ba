/** GET /v1/tasks and GET /v1/tasks/{task_id}: the tasks of the caller's organization. */
import type { TaskPage } from '../../../task/task-store.ts';
import { isTerminal } from '../../../task/task-transition.ts';
import type { VideoTaskOutcome } from '../../../video/video-task.ts';
import { type AppContext, answerJson, answerJsonBytes, answerViolations } from '../context.ts';
import { validateListQuery } from '../requests/list-query.ts';
import { retryAfterSec, toPublicTask } from '../answers/public-task.ts';
import type { ServerDeps } from '../server-deps.ts';
import { findTask, requireTask } from './find-task.ts';

type VideoTaskPage = TaskPage<VideoTaskOutcome>;

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
    const task = await requireTask(c, engine);
    if (task instanceof Response) return task;
    return answerJson(
      200,
      toPublicTask(task, config.publicUrl(), c.get('betas')),
      isTerminal(task.state) ? {} : { 'retry-after': String(retryAfterSec(task)) },
    );
  };
}
