/** The state and the progress of a task, as they change. */
import { isTerminal } from '../../../task/task-transition.ts';
import { problem } from '../answers/api-problem.ts';
import { type AppContext, answerProblem } from '../context.ts';
import { createEventFormat, eventIdOf } from '../events/task-event.ts';
import { MAX_STREAMS_PER_CLIENT, type StreamLimit } from '../events/task-streams.ts';
import { TASK_EXAMPLES } from '../openapi/answer-schemas.ts';
import { BETA_ANSWER_HEADERS, betaParameter, parameter } from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { ServerDeps } from '../server-deps.ts';
import { networkOf } from '../sockets/client-address.ts';
import { requireTask, TASK_ID_PARAMETER } from './find-task.ts';
import type { Route } from './route.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx and others collect an answer before they pass it on, unless this header says otherwise.
  'x-accel-buffering': 'no',
};

const EXAMPLE_STREAM = [
  ['state', 'pXW9uJ0nq3Zr4t5v', TASK_EXAMPLES.running.value],
  ['progress', 'Vb2k8sLm1xQe7YcA', { percent: 62, stage: 'render', eta_seconds: 14 }],
  ['end', 'h6TgR0dWf9KzN3aP', TASK_EXAMPLES.succeeded.value],
]
  .map(([name, id, data]) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

export const FOLLOW_TASK: Route<Pick<ServerDeps, 'engine' | 'config' | 'streams'>> = {
  method: 'GET',
  path: '/v1/tasks/{task_id}/events',
  access: 'read',
  beta: 'task-events',
  operation: {
    operationId: 'followTask',
    tags: ['Tasks'],
    summary: 'Follow a task (beta)',
    description:
      'Sends the state and the progress of a task as they change, as server-sent events. The stream ends with the task, and for an ' +
      'ended task after one event. A comment is sent every 15 seconds. The stream of a client that does not read is closed, and every ' +
      'stream ends when its key is revoked or expires, or when the service shuts down: reconnect then. At most 50 streams are open with ' +
      'one key.',
    parameters: [
      TASK_ID_PARAMETER,
      betaParameter('task-events'),
      parameter(
        'header',
        'Last-Event-ID',
        'The `id` of the last event that the client has. The stream then starts with what has changed since; with another id, with the ' +
          'whole task.',
      ),
    ],
    responses: {
      200: {
        description:
          'The stream. An event `state` has a Task in its `data`: first, and at each change of the state. An event `progress` has ' +
          'a TaskProgress. The last event is `end`, with the ended Task. Each has an `id`.',
        headers: BETA_ANSWER_HEADERS,
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            examples: { stream: { value: EXAMPLE_STREAM } },
          },
        },
      },
      204: {
        description:
          'The task has ended, and `Last-Event-ID` is its last event. A browser then does not reconnect.',
        headers: BETA_ANSWER_HEADERS,
      },
      ...referRefusals([401, 403, 405, 422, 429, 500, 503], 'BetaTaskNotFound'),
    },
  },
  handle: followTask,
};

function followTask({ engine, config, streams }: Pick<ServerDeps, 'engine' | 'config' | 'streams'>) {
  return async (c: AppContext): Promise<Response> => {
    const task = await requireTask(c, engine);
    if (task instanceof Response) return task;
    const lastEventId = c.req.header('last-event-id') ?? null;
    // A browser reconnects to every stream that has ended, until it gets this answer.
    if (isTerminal(task.state) && lastEventId === eventIdOf(task)) return new Response(null, { status: 204 });
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
    const { keyId } = c.get('caller');
    const stream = streams.open({
      task,
      format: createEventFormat(config.publicUrl(), c.get('betas')),
      lastEventId,
      client: keyId ?? networkOf(c.get('clientAddress') ?? ''),
      isAdmitted: c.get('isStillAdmitted'),
      closeConnection: () => c.env?.outgoing?.destroy(),
    });
    if (typeof stream === 'string') return answerProblem(tooManyStreams(stream));
    return new Response(stream.body, { headers: HEADERS });
  };
}

function tooManyStreams(limit: StreamLimit) {
  const headers = { 'retry-after': '5' };
  if (limit === 'all') {
    return problem('unavailable', 'the server has too many event streams at the moment', null, headers);
  }
  const message = `too many event streams: at most ${MAX_STREAMS_PER_CLIENT} at a time with one API key, or from one address without a key`;
  return problem('rate_limited', message, { streams: MAX_STREAMS_PER_CLIENT }, headers);
}
