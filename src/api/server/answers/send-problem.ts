/** Error answers for requests that never reach the app, written directly to the response or the socket. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiProblem } from './api-problem.ts';
import { SAFETY_HEADERS } from './safety-headers.ts';

/** Ends `response` with the error body. If its head is already sent, the connection is closed. */
export function sendProblem(response: ServerResponse, refusal: ApiProblem, isHead: boolean): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(refusal.body));
  for (const name of ['last-modified', 'etag', 'accept-ranges', 'content-range', 'repr-digest'])
    response.removeHeader(name);
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...refusal.headers,
  });
  response.end(isHead ? undefined : body);
}

/** The same on a socket whose request could not be parsed. Closes the connection. */
export function endWithProblem(socket: Socket, { status, body }: ApiProblem, requestId: string): void {
  const text = JSON.stringify(body);
  const headers = {
    ...SAFETY_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`);
}
