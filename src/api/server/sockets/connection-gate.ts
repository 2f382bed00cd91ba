/**
 * Decides which connections stay open when there are too many: a new one takes the place of one that waits for its
 * client. It knows nothing about HTTP: `http-server.ts` says what each connection does.
 */
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

export interface GateLimits {
  readonly maxConnections: number;
  /** Of one client address; of one /64 network with IPv6. */
  readonly maxConnectionsPerAddress: number;
}

export interface ConnectionGateOptions extends GateLimits {
  /** True for an address that stands for many clients, such as a proxy: it has no limit of its own. */
  readonly isShared: (address: string) => boolean;
  readonly monotonicMs: () => number;
}

const HEAD_START_BYTES = 64 * 1024;

/**
 * What a connection waits for. `idle`: the head of a request, or the end of a closed connection. `receiving`: the body
 * of a request. `sending`: the client that reads the answer. `working`: this server.
 */
export type ConnectionState = 'idle' | 'receiving' | 'sending' | 'working';

interface SocketLike {
  /** What this server wrote to it. */
  readonly bytesWritten: number;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * All connections of one server. At a limit it closes the connection that has been idle for the longest time, else the
 * one that has been receiving for the longest time, else the one whose client reads its answer most slowly. If every
 * connection is working, it closes the new one.
 */
export class ConnectionGate<S extends SocketLike = Socket> {
  readonly #options: ConnectionGateOptions;
  readonly #networks = new Map<S, string>();
  readonly #perNetwork = new Map<string, number>();
  /** Each in the order in which its connections began to wait. */
  readonly #waiting = { idle: new Set<S>(), receiving: new Set<S>() };
  readonly #sending = new Map<S, { readonly sinceMs: number; readonly fromByte: number }>();

  constructor(options: ConnectionGateOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#networks.size;
  }

  /**
   * Adds a new connection, as idle.
   *
   * @param address - Of its client.
   * @returns False when there was no place for it; it is then destroyed.
   */
  enter(socket: S, address: string): boolean {
    const network = networkOf(address);
    const { maxConnections, maxConnectionsPerAddress, isShared } = this.#options;
    const isOwnFull = (this.#perNetwork.get(network) ?? 0) >= maxConnectionsPerAddress && !isShared(address);
    const hasPlace =
      (!isOwnFull || this.#closeWaiting((other) => this.#networks.get(other) === network)) &&
      (this.#networks.size < maxConnections || this.#closeWaiting(() => true));
    if (!hasPlace) {
      socket.destroy();
      return false;
    }
    this.#networks.set(socket, network);
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1);
    this.#waiting.idle.add(socket);
    socket.once('close', () => this.#leave(socket));
    return true;
  }

  /** Says what a connection does from now on. Does nothing for one that has been closed. */
  setState(socket: S, state: ConnectionState): void {
    if (!this.#networks.has(socket)) return;
    this.#forget(socket);
    if (state === 'sending') {
      this.#sending.set(socket, { sinceMs: this.#options.monotonicMs(), fromByte: socket.bytesWritten });
    } else if (state !== 'working') this.#waiting[state].add(socket);
  }

  #closeWaiting(isCandidate: (socket: S) => boolean): boolean {
    const { idle, receiving } = this.#waiting;
    const socket = find(idle, isCandidate) ?? find(receiving, isCandidate) ?? this.#findSlowest(isCandidate);
    if (socket === null) return false;
    // Not in its close event, which comes later: until then a further new connection would find no place.
    this.#leave(socket);
    socket.destroy();
    return true;
  }

  #findSlowest(isCandidate: (socket: S) => boolean): S | null {
    const nowMs = this.#options.monotonicMs();
    let slowest: S | null = null;
    let slowestPace = Number.POSITIVE_INFINITY;
    for (const [socket, { sinceMs, fromByte }] of this.#sending) {
      // The constants let an answer begin before its client counts as slow.
      const pace = (socket.bytesWritten - fromByte + HEAD_START_BYTES) / (nowMs - sinceMs + 1);
      if (pace >= slowestPace || !isCandidate(socket)) continue;
      slowest = socket;
      slowestPace = pace;
    }
    return slowest;
  }

  #forget(socket: S): void {
    this.#waiting.idle.delete(socket);
    this.#waiting.receiving.delete(socket);
    this.#sending.delete(socket);
  }

  #leave(socket: S): void {
    const network = this.#networks.get(socket);
    if (network === undefined) return;
    this.#networks.delete(socket);
    this.#forget(socket);
    const left = (this.#perNetwork.get(network) ?? 0) - 1;
    if (left > 0) this.#perNetwork.set(network, left);
    else this.#perNetwork.delete(network);
  }
}

function find<S>(sockets: Iterable<S>, isCandidate: (socket: S) => boolean): S | null {
  for (const socket of sockets) if (isCandidate(socket)) return socket;
  return null;
}
