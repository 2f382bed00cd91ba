/** What surrounds every route: request id, common headers, log and measurement. */
import type { IncomingMessage } from 'node:http';
import { corsHeaders } from '../access/cors.ts';
import { SAFETY_HEADERS } from '../answers/safety-headers.ts';
import type { AppMiddleware } from '../context.ts';
import type { ServerConfig, ServerDeps } from '../server-deps.ts';
import { clientAddressOf } from '../sockets/client-address.ts';
import { logRequest } from '../watch/log-request.ts';
import { chooseRequestId } from './request-id.ts';

export interface RequestMiddlewareDeps extends Pick<ServerDeps, 'logger' | 'metrics' | 'monotonicMs'> {
  readonly config: Pick<ServerConfig, 'isLocal' | 'proxies' | 'corsOrigins'>;
}

/** Around every route: sets the request id and the common headers, then logs and measures the request. */
export function requestMiddleware(deps: RequestMiddlewareDeps): AppMiddleware {
  let hasHinted = false;
  return async (c, next) => {
    const beganMs = deps.monotonicMs();
    const requestId = chooseRequestId(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    const { incoming } = c.env ?? {};
    const clientAddress = incoming && clientAddressOf(incoming, deps.config.proxies);
    if (!hasHinted && incoming !== undefined && isUnnamedProxy(deps.config, incoming)) {
      hasHinted = true;
      const message =
        'requests come with X-Forwarded-For from an address that --trust-proxy does not name: if it is your proxy, name it';
      deps.logger.warn({ peer: incoming.socket.remoteAddress }, message);
    }
    c.set('clientAddress', clientAddress);
    await next();
    const { headers } = c.res;
    headers.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(SAFETY_HEADERS))
      if (!headers.has(name)) headers.set(name, value);
    const cors = corsHeaders(deps.config, c.req.header('origin'));
    for (const [name, value] of Object.entries(cors)) headers.append(name, value);
    logRequest(deps, {
      requestId,
      method: c.req.method,
      pathname: c.req.path,
      status: c.res.status,
      durationMs: deps.monotonicMs() - beganMs,
      clientAddress,
      organizationId: c.get('caller')?.organizationId,
      keyId: c.get('caller')?.keyId ?? undefined,
      taskId: c.get('taskId'),
      fault: c.get('fault'),
    });
  };
}

/** Without `--trust-proxy` all clients of a proxy are one in the log and share a limit. Anyone can send the header. */
function isUnnamedProxy(
  config: RequestMiddlewareDeps['config'],
  { headers, socket }: IncomingMessage,
): boolean {
  if (config.isLocal || headers['x-forwarded-for'] === undefined) return false;
  return !config.proxies.has(socket.remoteAddress ?? '');
}
