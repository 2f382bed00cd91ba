/** GET /v1/tasks/{task_id}/events: the state and the progress of a task, as they change. */
import { isTerminal } from '../../../task/task-transition.ts';
import { problem } from '../answers/api-problem.ts';
import { networkOf } from '../sockets/client-address.ts';
import { type AppContext, answerProblem } from '../context.ts';
import { createEventFormat, eventIdOf } from '../events/task-event.ts';
import { MAX_STREAMS_PER_CLIENT, type StreamLimit } from '../events/task-streams.ts';
import type { ServerDeps } from '../server-deps.ts';
import { requireTask } from './find-task.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx and others collect an answer before they pass it on, unless this header says otherwise.
  'x-accel-buffering': 'no',
};

/** The handler, behind `admit`. */
export function followTask({ engine, config, streams }: Pick<ServerDeps, 'engine' | 'config' | 'streams'>) {
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
