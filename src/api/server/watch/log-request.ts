/** Logs and measures every answered request. */
import { routeOf, toLoggedPath } from '../route-names.ts';
import type { ServerDeps } from '../server-deps.ts';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly pathname: string;
  readonly status: number;
  readonly durationMs: number;
  readonly clientAddress?: string | undefined;
  readonly organizationId?: string | undefined;
  /** Id of the API key, which is no secret. */
  readonly keyId?: string | undefined;
  /** The task that the request created, or repeated; later log lines name this task. */
  readonly taskId?: string | undefined;
  /** The error code, when the request was refused before the app saw it. */
  readonly code?: string | undefined;
  /** The thrown error of a 5xx. */
  readonly fault?: unknown;
}

/** Probes come every few seconds, so they are logged at level debug only. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics']);

export function logRequest(
  { logger, metrics }: Pick<ServerDeps, 'logger' | 'metrics'>,
  request: AnsweredRequest,
): void {
  const { requestId, method, pathname, status, durationMs, taskId, code, fault } = request;
  const { clientAddress, organizationId, keyId } = request;
  const route = routeOf(pathname);
  metrics.observeRequest({ method, route, status, durationSec: durationMs / 1000 });
  const facts = {
    request_id: requestId,
    method: method.slice(0, 40),
    path: toLoggedPath(pathname),
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(clientAddress === undefined ? {} : { client: clientAddress }),
    ...(keyId === undefined ? {} : { key_id: keyId }),
    ...(organizationId === undefined ? {} : { organization: organizationId }),
    ...(taskId === undefined ? {} : { task: taskId }),
    ...(code === undefined ? {} : { code }),
    ...(fault === undefined ? {} : { error: fault }),
  };
  if (status >= 500 && fault !== undefined) logger.error(facts, 'request failed');
  else if (QUIET_ROUTES.has(route)) logger.debug(facts, 'request');
  else logger.info(facts, 'request');
}
