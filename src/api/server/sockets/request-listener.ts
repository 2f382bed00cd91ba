/** App and files as one listener of `node:http`. Only this file uses @hono/node-server's listener. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { StaticFiles } from '../answers/static-files.ts';
import type { App } from '../app.ts';
import { clientAddressOf, plainAddress, type TrustedProxies } from './client-address.ts';
import { toUrl } from './listen-host.ts';
import { answerUnreadable, type OnUnreadable } from './unreadable-request.ts';

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
    // `lingering-close.ts` reads what is left of a body. The adapter would cut the connection off after 500 ms.
    autoCleanupIncoming: false,
    errorHandler: (error) =>
      answerUnreadable(error, (facts) =>
        onUnreadable({ ...facts, ...(arriving && { clientAddress: clientAddressOf(arriving, proxies) }) }),
      ),
  });
  return (request, response) => {
    addHost(request);
    if (staticFiles(request, response)) return;
    // A request without a valid URL is refused before this call returns.
    arriving = request;
    void toApp(request, response);
    arriving = undefined;
  };
}

/**
 * Gives a request of HTTP/1.0 that has no Host the address that it came to. RFC 9112, 3.2 requires the header in
 * HTTP/1.1 only, and the health checks of HAProxy leave it out. Browsers always send it, so that no web page gets
 * past the check of hosts.
 */
function addHost({ headers, headersDistinct, httpVersion, socket }: IncomingMessage): void {
  const { localAddress, localPort } = socket;
  if (httpVersion !== '1.0' || headers.host !== undefined || localAddress === undefined) return;
  headers.host = toUrl(plainAddress(localAddress), localPort ?? 80).slice('http://'.length);
  headersDistinct.host = [headers.host];
}
