/** The sockets: listens, limits slow, large and too many requests, and closes in order. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLoopbackAddress, plainAddress } from './client-address.ts';
import { ConnectionGate, type GateLimits } from './connection-gate.ts';
import { holdContinue } from './expect-continue.ts';
import { closeSlowly, LINGER_LIMITS, type LingerLimits } from './lingering-close.ts';
import { cannotListen } from './listen-host.ts';
import { readInTurns } from './read-turns.ts';
import { RequestOrder } from './request-order.ts';
import { type BodyLimits, SlowBodies } from './slow-bodies.ts';
import { endUnread } from './unread-answers.ts';
import { type OnUnreadable, refuseUnreadable } from './unreadable-request.ts';

export interface ConnectionLimits extends GateLimits, BodyLimits {
  /** For the head of a request, from its first byte. */
  readonly headersTimeoutMs: number;
  /** For a connection on which nothing moves while it is being answered. */
  readonly idleTimeoutMs: number;
  /** Between two requests. Longer than the 60 s of load balancers, so that they never use a closed connection. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Of all answers that clients have not read yet. */
  readonly maxUnreadBytes: number;
  /** How often these times are checked, and the unread answers. */
  readonly checkIntervalMs: number;
  /** For what a client still sends after its answer. */
  readonly linger: LingerLimits;
}

const DEFAULT_CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  minUploadBytesPerSec: 16 * 1024,
  idleTimeoutMs: 120_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 1_000,
  maxConnectionsPerAddress: 100,
  maxUnreadBytes: 128 * 1024 * 1024,
  checkIntervalMs: 1_000,
  linger: LINGER_LIMITS,
};

const TOO_SLOW_LINGER_MS = 1_000;
/** Minimum time for open answers to finish when a server stops, however short its grace is. */
export const CLOSE_MS = 2_000;

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
  /** Called for every connection that was closed because there were too many, or too many unread answers. */
  readonly onClosed?: (reason: 'connections' | 'unread answers', address: string | undefined) => void;
  /** True for the address of a trusted proxy, which stands for many clients. */
  readonly isProxy?: (address: string) => boolean;
  /** True for a request whose body is a file. Default: none is. */
  readonly isUpload?: (request: IncomingMessage) => boolean;
  readonly limits?: Partial<ConnectionLimits>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { onUnreadable = () => {}, onClosed = () => {}, isProxy = () => false } = options;
  const limits = { ...DEFAULT_CONNECTION_LIMITS, ...options.limits };
  const answering = new Set<ServerResponse>();
  const gate = new ConnectionGate({
    ...limits,
    // A proxy on this machine is usually not named as one.
    isShared: (address) => isLoopbackAddress(address) || isProxy(address),
    monotonicMs: () => performance.now(),
  });
  /** The last request of each connection. */
  const latest = new WeakMap<Socket, IncomingMessage>();
  const lingering = new Set<Socket>();
  const slowBodies = new SlowBodies(limits, options.isUpload ?? (() => false));
  let isDraining = false;
  const linger = (socket: Socket, request?: IncomingMessage, own: Partial<LingerLimits> = {}): void => {
    if (socket.destroyed) return;
    lingering.add(socket);
    socket.once('close', () => lingering.delete(socket));
    gate.setState(socket, 'idle');
    closeSlowly(socket, request, { ...limits.linger, ...own });
  };
  const order = new RequestOrder((request, response) => {
    const { socket } = request;
    answering.add(response);
    followState(gate, request, response);
    response.once('close', () => {
      answering.delete(response);
      // A client can send the next request before it has the answer.
      if (latest.get(socket) === request) gate.setState(socket, 'idle');
      if (isDraining) setImmediate(() => server.closeIdleConnections());
    });
    if (isDraining) response.setHeader('connection', 'close');
    closeIfAnsweredEarly(request, response);
    options.listener(request, response);
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, request);
    if (hasBody(request)) slowBodies.add(request);
    order.add(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      // `SlowBodies` has the limits of bodies.
      requestTimeout: 0,
      connectionsCheckingInterval: limits.checkIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // `admit.ts` checks the Host header, so that the answer has the usual body.
      requireHostHeader: false,
    },
    answer,
  );
  // Node drops all headers after the first thousand: a stranger could hide that the request came through a proxy.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined) {
      // The client has already left.
      socket.destroy();
      return;
    }
    if (!gate.enter(socket, address)) {
      onClosed('connections', plainAddress(address));
      return;
    }
    // Node calls this when it has written an answer after which the connection closes.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      const request = latest.get(socket);
      if (request === undefined || request.complete) destroySoon();
      else linger(socket, request);
    };
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    holdContinue(request, response);
    answer(request, response);
  });
  // An unknown expectation can be ignored (RFC 9110, 10.1.1). Node's own 417 would lack our headers.
  server.on('checkExpectation', answer);
  server.setTimeout(limits.idleTimeoutMs);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (lingering.has(socket) && error.code !== 'ECONNRESET') return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error);
      return;
    }
    order.afterAnswers(socket, () => {
      const isAnswering = [...answering].some(
        (response) => response.headersSent && response.socket === socket,
      );
      refuseUnreadable(error, socket, isAnswering, onUnreadable);
      // A client that was too slow has had its time, and the body that it holds has its place until the end.
      linger(
        socket,
        undefined,
        error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? { maxMs: TOO_SLOW_LINGER_MS } : {},
      );
    });
  });

  let checking: NodeJS.Timeout | undefined;

  return {
    listen(port, host) {
      const { maxUnreadBytes, checkIntervalMs } = limits;
      checking = setInterval(() => {
        for (const { socket } of slowBodies.takeLate()) server.emit('clientError', tooSlow(), socket);
        endUnread(answering, maxUnreadBytes, (address) => onClosed('unread answers', address));
      }, checkIntervalMs).unref();
      return listen(server, port, host);
    },
    beginDrain() {
      isDraining = true;
      for (const response of answering) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
      server.closeIdleConnections();
    },
    async close(timeoutMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => {
        server.closeAllConnections();
        // Node does not know those whose request could not be parsed.
        for (const socket of lingering) socket.destroy();
      }, timeoutMs);
      await closed;
      clearTimeout(timer);
      clearInterval(checking);
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, port, host));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve(server.address() as AddressInfo);
    });
  });
}

function tooSlow(): NodeJS.ErrnoException {
  return Object.assign(new Error('request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

/** Tells the gate what the connection of a request waits for, until the answer is complete. */
function followState(gate: ConnectionGate, request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  gate.setState(socket, hasBody(request) ? 'receiving' : 'working');
  const onEnd = (): void => gate.setState(socket, response.headersSent ? 'sending' : 'working');
  request.once('end', onEnd);
  response.once('close', () => request.off('end', onEnd));
  beforeHead(response, () => {
    if (request.complete) gate.setState(socket, 'sending');
  });
}

/**
 * Closes the connection after an answer that does not wait for the body (RFC 9110, 9.3): a client that goes on sending
 * would hold the connection for as long as a request can take.
 */
function closeIfAnsweredEarly(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  beforeHead(response, () => {
    if (request.complete) return;
    response.setHeader('connection', 'close');
    readInTurns(request);
    request.resume();
  });
}

/** Calls `act` before the head of the answer is written. */
function beforeHead(response: ServerResponse, act: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    act();
    return writeHead(...head);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
