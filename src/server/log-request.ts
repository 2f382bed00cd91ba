/** The last thing that happens to a request: it is measured and logged. */
import { loggablePath, routeOf } from './route-names.ts';
import type { ServerDeps } from './server-deps.ts';

/** Facts of an answered request. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly pathname: string;
  readonly status: number;
  readonly durationMs: number;
  readonly organizationId?: string | undefined;
  /** The task that it made: from here on the log speaks of that. */
  readonly taskId?: string | undefined;
  /** Why it was refused, where that was decided before any of our own code had it. */
  readonly code?: string | undefined;
  /** What was thrown, behind a 500. */
  readonly fault?: unknown;
}

/** Probes and scrapes come every few seconds; their lines would drown the others. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics']);

export function logRequest(
  { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>,
  request: AnsweredRequest,
): void {
  const { requestId, method, pathname, status, durationMs, organizationId, taskId, code, fault } = request;
  const route = routeOf(pathname);
  metrics.observeRequest({ method, route, status, durationSec: durationMs / 1000 });
  const facts = {
    request_id: requestId,
    method: method.slice(0, 40),
    path: loggablePath(pathname),
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(organizationId === undefined ? {} : { organization: organizationId }),
    ...(taskId === undefined ? {} : { task: taskId }),
    ...(code === undefined ? {} : { code }),
    ...(fault === undefined ? {} : { error: fault }),
  };
  if (status >= 500 && fault !== undefined) logger.error(facts, 'request failed');
  else if (QUIET_ROUTES.has(route)) logger.debug(facts, 'request');
  else logger.info(facts, 'request');
}
