/** App and files as one listener of `node:http`. Only this file uses @hono/node-server's listener. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { clientAddressOf, type TrustedProxies } from './client-address.ts';
import type { StaticFiles } from './static-files.ts';
import { answerUnreadable, type OnUnreadable } from './unreadable-request.ts';

/** Answers one request of Node's own server. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * @param staticFiles - Sees every request first; see `createStaticFiles`.
 * @param onUnreadable - Called for every answer to a request without a valid URL.
 */
export function toRequestListener(
  app: Pick<App, 'fetch'>,
  staticFiles: StaticFiles,
  proxies: TrustedProxies,
  onUnreadable: OnUnreadable,
): RequestListener {
  let arriving: IncomingMessage | undefined;
  const toApp = getRequestListener(app.fetch, {
    // The adapter must not replace the runtime's Request and Response, which the routes use.
    overrideGlobalObjects: false,
    // `linger.ts` reads what is left of a body. The adapter would cut the connection off after 500 ms.
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      answerUnreadable(error, (facts) =>
        onUnreadable({ ...facts, ...(arriving && { clientAddress: clientAddressOf(arriving, proxies) }) }),
      ),
  });
  return (request, response) => {
    if (staticFiles(request, response)) return;
    // A request without a valid URL is refused before this call returns.
    arriving = request;
    void toApp(request, response);
    arriving = undefined;
  };
}
