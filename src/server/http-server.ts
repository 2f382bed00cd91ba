/** The sockets: listens, limits slow, large and too many requests, and closes in order. Only this file uses @hono/node-server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ListingVideoError } from '../errors.ts';
import { type ApiProblem, problem } from './api-problem.ts';
import type { App } from './app.ts';
import { answerProblem } from './context.ts';
import type { AnsweredRequest } from './log-request.ts';
import { chooseRequestId } from './request-id.ts';
import { SAFETY_HEADERS } from './safety-headers.ts';
import { endWithProblem } from './send-problem.ts';
import type { StaticFiles } from './static-files.ts';

/** Time and size limits of connections. */
export interface ConnectionLimits {
  /** For the head of a request, from its first byte. */
  readonly headersTimeoutMs: number;
  /** For a whole request, from its first byte. */
  readonly requestTimeoutMs: number;
  /** For a connection on which nothing moves while it is being answered. */
  readonly idleTimeoutMs: number;
  /** Between two requests. Longer than the 60 s of common load balancers, so that they never use a closed connection. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** How often Node checks the first two. */
  readonly checkIntervalMs: number;
}

const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 1_000,
  checkIntervalMs: 1_000,
};

export interface HttpServer {
  /** @throws {@link ListingVideoError} `cannot_listen`. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** From now on every answer closes its connection. Idle connections are closed at once. */
  beginDrain(): void;
  /** Accepts no more connections and resolves when the last has ended. After `timeoutMs` it closes the rest. */
  close(timeoutMs: number): Promise<void>;
}

export interface HttpServerOptions {
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called for every answer to a request that could not be read, which no other code sees. */
  readonly onUnreadable?: OnUnreadable;
  readonly limits?: Partial<ConnectionLimits>;
}

type OnUnreadable = (facts: AnsweredRequest) => void;

/**
 * App and files as one listener of `node:http`.
 *
 * @param staticFiles - Sees every request first; see `createStaticFiles`.
 * @param onUnreadable - As {@link HttpServerOptions.onUnreadable}.
 */
export function toRequestListener(
  app: App,
  staticFiles: StaticFiles,
  onUnreadable: OnUnreadable,
): HttpServerOptions['listener'] {
  const toApp = getRequestListener(app.fetch, {
    // The adapter must not replace the runtime's Request and Response, which the routes use.
    overrideGlobalObjects: false,
    errorHandler: (error) => answerUnreadable(error, onUnreadable),
  });
  return (request, response) => {
    if (!staticFiles(request, response)) void toApp(request, response);
  };
}

/** Creates the server. It does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { onUnreadable = () => {} } = options;
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  const answering = new Set<ServerResponse>();
  let isDraining = false;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      if (isDraining) setImmediate(() => server.closeIdleConnections());
    });
    if (isDraining) response.setHeader('connection', 'close');
    options.listener(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // `admit.ts` checks the Host header, so that the answer has the usual body.
      requireHostHeader: false,
    },
    answer,
  );
  // An unknown expectation can be ignored (RFC 9110, 10.1.1). Node's own 417 would lack our headers.
  server.on('checkExpectation', answer);
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeoutMs);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswering = [...answering].some((response) => response.headersSent && response.socket === socket);
    refuseUnreadable(error, socket, isAnswering, onUnreadable);
  });

  return {
    listen: (port, host) => listen(server, port, host),
    beginDrain() {
      isDraining = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
      server.closeIdleConnections();
    },
    async close(timeoutMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const [message, hint] =
        error.code === 'EADDRINUSE'
          ? [
              `port ${port} of ${host} is in use`,
              'stop the program that uses it, or choose another port; --port 0 picks a free one',
            ]
          : [
              `cannot listen on port ${port} of ${host} (${error.code ?? error.message})`,
              'Choose another --host or --port.',
            ];
      const context = { host, port, errno: error.code ?? null };
      reject(new ListingVideoError('cannot_listen', message, { cause: error, hint, context }));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve(server.address() as AddressInfo);
    });
  });
}

/** Answers a request that is valid HTTP but has no valid URL: the Host header is missing or invalid. */
function answerUnreadable(error: unknown, onUnreadable: OnUnreadable): Response {
  const requestId = chooseRequestId(null);
  const isOurs = !(error instanceof Error) || error.name !== 'RequestError';
  const refusal = isOurs
    ? problem('internal_error', 'something went wrong here', { request_id: requestId })
    : problem('invalid_request', 'the request has no usable Host header or target');
  const response = answerProblem(refusal);
  response.headers.set('x-request-id', requestId);
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.headers.set(name, value);
  onUnreadable({ ...unreadable(requestId, refusal), ...(isOurs ? { fault: error } : {}) });
  return response;
}

/** @param isAnswering - The head of an answer is already sent: more bytes would damage that answer. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  isAnswering: boolean,
  onUnreadable: OnUnreadable,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const requestId = chooseRequestId(null);
  const refusal = toConnectionProblem(error.code);
  if (isAnswering) socket.destroy();
  else endWithProblem(socket, refusal, requestId);
  onUnreadable(unreadable(requestId, refusal));
}

/** A request that cannot be read: only its answer is known. */
function unreadable(requestId: string, { status, body }: ApiProblem): AnsweredRequest {
  return { requestId, method: '', pathname: '', status, code: body.code, durationMs: 0 };
}

function toConnectionProblem(code: string | undefined): ApiProblem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problem('request_header_too_large', 'the head of the request is too large');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problem('request_timeout', 'the request took too long to arrive');
  }
  return problem('invalid_request', 'this is not a request of HTTP/1.1');
}
