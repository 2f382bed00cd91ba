/** The list of tasks of the caller's organization, and one task. */
import type { TaskPage } from '../../../task/task-store.ts';
import { isTerminal } from '../../../task/task-transition.ts';
import type { VideoTaskOutcome } from '../../../video/video-task.ts';
import { retryAfterSec, toPublicTask } from '../answers/public-task.ts';
import { type AppContext, answerJson, answerJsonBytes, answerViolations } from '../context.ts';
import { TASK_EXAMPLES } from '../openapi/answer-schemas.ts';
import {
  ANSWER_HEADERS,
  BETA_PARAMETER,
  jsonResponse,
  parameter,
  RETRY_AFTER,
  refer,
} from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, validateListQuery } from '../requests/list-query.ts';
import type { ServerDeps } from '../server-deps.ts';
import { findTask, requireTask, TASK_ID_PARAMETER } from './find-task.ts';
import type { Route } from './route.ts';

type VideoTaskPage = TaskPage<VideoTaskOutcome>;

export const LIST_TASKS: Route<ServerDeps> = {
  method: 'GET',
  path: '/v1/tasks',
  access: 'read',
  operation: {
    operationId: 'listTasks',
    tags: ['Tasks'],
    summary: 'List tasks',
    description: 'Lists your tasks, newest first. New tasks do not change the following pages.',
    parameters: [
      parameter('query', 'state', 'Only tasks in this state.', refer('TaskState')),
      parameter(
        'query',
        'status',
        'The same as `state`. If both are given, `state` counts.',
        refer('TaskState'),
      ),
      parameter('query', 'starting_after', 'Id of a task. The page starts with the task after it.'),
      parameter(
        'query',
        'limit',
        'Maximum number of tasks in the answer. A page of large tasks has fewer: see `has_more`.',
        { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      ),
      BETA_PARAMETER,
    ],
    responses: {
      200: jsonResponse('A page of tasks.', ANSWER_HEADERS, 'TaskList', {
        page: {
          value: { data: [TASK_EXAMPLES.succeeded.value, TASK_EXAMPLES.failed.value], has_more: false },
        },
      }),
      ...referRefusals([401, 403, 405, 422, 429, 500, 503]),
    },
  },
  handle: listTasks,
};

export const GET_TASK: Route<ServerDeps> = {
  method: 'GET',
  path: '/v1/tasks/{task_id}',
  access: 'read',
  operation: {
    operationId: 'getTask',
    tags: ['Tasks'],
    summary: 'Retrieve a task',
    description: 'Returns one task. Until it has ended, `Retry-After` says when to read it again.',
    parameters: [TASK_ID_PARAMETER, BETA_PARAMETER],
    responses: {
      200: jsonResponse(
        'The task.',
        { ...ANSWER_HEADERS, 'Retry-After': RETRY_AFTER },
        'Task',
        TASK_EXAMPLES,
      ),
      ...referRefusals([401, 403, 405, 422, 429, 500, 503], 'TaskNotFound'),
    },
  },
  handle: getTask,
};

function listTasks({ engine, config, logger }: ServerDeps) {
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

function getTask({ engine, config }: ServerDeps) {
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
