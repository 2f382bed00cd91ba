/** The operator's paths, which an API server and a worker have: is the process alive, can it work, and its metrics. */
import type { JsonSchema } from '../../../listing/rules/schema.ts';
import { problem } from '../answers/api-problem.ts';
import { answerJson, answerProblem } from '../context.ts';
import { jsonResponse, REQUEST_ID_HEADER } from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Route } from './route.ts';

export interface MonitoringDeps extends Pick<ServerDeps, 'state' | 'checkReadiness' | 'metrics'> {
  readonly engine: Pick<ServerDeps['engine'], 'health'>;
}

const GET_HEALTH: Route<MonitoringDeps> = {
  method: 'GET',
  path: '/healthz',
  access: 'open',
  operation: {
    operationId: 'getHealth',
    tags: ['Operation'],
    summary: 'Is the process alive?',
    description: 'Needs no key. Stays 200 while the service shuts down.',
    security: [],
    responses: { 200: healthResponse('ok'), ...referRefusals([403, 405, 500]) },
  },
  handle: () => () => answerJson(200, { status: 'ok' }),
};

const GET_READINESS: Route<MonitoringDeps> = {
  method: 'GET',
  path: '/readyz',
  access: 'open',
  operation: {
    operationId: 'getReadiness',
    tags: ['Operation'],
    summary: 'Is the service ready?',
    description:
      'Needs no key. 200 when the store is writable, its disk has 500 MB of free space, ffmpeg is found, the service starts tasks ' +
      'and is not shutting down. The service starts no task for a while after a fault of its machine, such as a full disk. ' +
      'The 503 says in `context.checks` which check failed: `store`, `disk`, `ffmpeg` or `worker`.',
    security: [],
    responses: { 200: healthResponse('ready'), ...referRefusals([403, 405, 500, 503]) },
  },
  handle:
    ({ state, engine, checkReadiness }) =>
    async () => {
      if (state.isDraining) return answerProblem(problem('unavailable', 'the server is shutting down'));
      const readiness = await checkReadiness();
      // No task is started because of a fault of this machine.
      const worker = engine.health.state !== 'paused';
      if (readiness.isReady && worker) return answerJson(200, { status: 'ready' });
      const checks = { ...readiness.checks, worker };
      const message = 'the server cannot do its work: `context.checks` says why';
      return answerProblem(problem('unavailable', message, { checks }));
    },
};

const GET_METRICS: Route<MonitoringDeps> = {
  method: 'GET',
  path: '/metrics',
  access: 'operator',
  handle:
    ({ metrics }) =>
    async () => {
      const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
      return new Response(await metrics.render(), { headers });
    },
};

export const MONITORING_ROUTES = [GET_HEALTH, GET_READINESS, GET_METRICS];

function healthResponse(status: 'ok' | 'ready'): JsonSchema {
  return jsonResponse('Yes, it is.', REQUEST_ID_HEADER, 'Health', { yes: { value: { status } } });
}
