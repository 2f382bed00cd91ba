/**
 * Answers the requests of one connection one after the other. A client can send the next requests before it has an
 * answer (pipelining); Node would start them all at once, thousands from one piece of data. No request is started
 * whose answer could not be sent any more.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type StartRequest = (request: IncomingMessage, response: ServerResponse) => void;

interface Pending {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  active: Pending | null;
  readonly held: Pending[];
  /** What to do instead of reading on, when the requests before it are answered. */
  atEnd: (() => void) | null;
}

export class RequestOrder {
  readonly #start: StartRequest;
  readonly #maxHeld: number;
  readonly #connections = new WeakMap<Socket, Connection>();
  #held = 0;

  /** @param maxHeld - Requests that wait on all connections together, each of about 5 kB. More end their connection. */
  constructor(start: StartRequest, maxHeld = 4_000) {
    this.#start = start;
    this.#maxHeld = maxHeld;
  }

  /** Starts the request, or holds it until those before it are answered. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // RFC 9112, 9.6: after an answer that closes the connection, no request of it is processed.
    if (!socket.writable) return;
    const connection = this.#connectionOf(socket);
    if (connection.active === null) {
      this.#begin(socket, connection, { request, response });
      return;
    }
    if (this.#held >= this.#maxHeld) {
      socket.destroy();
      return;
    }
    connection.held.push({ request, response });
    this.#held += 1;
    // Reading goes on when all that came is answered.
    socket.pause();
  }

  /**
   * Calls `act` when all complete requests of the connection are answered; not at all, if the connection then closes.
   * If an answer is already on its way, it calls it now.
   */
  afterAnswers(socket: Socket, act: () => void): void {
    const connection = this.#connections.get(socket);
    const active = connection?.active;
    if (connection && active?.request.complete && !active.response.headersSent) connection.atEnd ??= act;
    else act();
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { active: null, held: [], atEnd: null };
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#drop(connection));
    // Node reads on after every answer.
    socket.on('resume', () => {
      if (connection.held.length > 0) socket.pause();
    });
    return connection;
  }

  #begin(socket: Socket, connection: Connection, pending: Pending): void {
    connection.active = pending;
    pending.response.once('close', () => {
      // Requests of other connections have their turn in between.
      if (connection.held.length > 0) setImmediate(() => this.#next(socket, connection));
      else this.#next(socket, connection);
    });
    this.#start(pending.request, pending.response);
  }

  #next(socket: Socket, connection: Connection): void {
    connection.active = null;
    if (!socket.writable) this.#drop(connection);
    const next = connection.held.shift();
    if (next !== undefined) {
      this.#held -= 1;
      if (connection.held.length === 0) socket.resume();
      this.#begin(socket, connection, next);
    } else connection.atEnd?.();
  }

  #drop(connection: Connection): void {
    this.#held -= connection.held.length;
    connection.held.length = 0;
    connection.atEnd = null;
  }
}
