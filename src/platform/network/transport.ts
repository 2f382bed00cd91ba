/** Requests over HTTP and HTTPS to a server: redirects are not followed, silent and endless answers are ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ListingVideoError } from '../errors.ts';
import { packingOf, unpackWithin } from './content-encoding.ts';
import {
  type AddressPolicy,
  isAddressAllowed,
  isPublicAddress,
  METADATA_ADDRESSES,
  parseLiteralAddress,
} from './guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from './guarded-connector.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { NetworkFailure, toNetworkFailure } from './network-failure.ts';
import { NetworkRefusal } from './network-refusal.ts';
import { type Answer, MAX_WAITING_BYTES, openAnswer, SlowReader } from './open-answer.ts';
import type { Proxies } from './proxies.ts';
import { type TimeLimits, watchRequest } from './watch-request.ts';

/** Clock, waits and randomness, which tests replace, with timers and name look-up. */
export interface ClientDeps extends Pick<NetworkDeps, 'lookup' | 'setTimer' | 'clearTimer'> {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Waits between two requests; rejects when aborted. */
  delay(durationMs: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1, 1 excluded: spreads the retries of many clients. */
  random(): number;
}

export const systemClientDeps: ClientDeps = {
  ...systemNetworkDeps,
  nowMs: Date.now,
  delay: (durationMs, signal) => sleep(durationMs, undefined, { signal }),
  random: Math.random,
};

/** A connection without a byte for this long is ended. Also limits name look-up and connecting. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 8;
/** Streams keep theirs for as long as a task takes, so they have others. A server opens 50 with one key. */
const MAX_STREAMS = 50;
/** For the server that the user names. */
const ANY_ADDRESS: AddressPolicy = { allowPrivate: true, allowFrom: [] };
/** The same for its streams. */
const ANY_STREAM: AddressPolicy = { ...ANY_ADDRESS };

/** The silence is by default 30 s. */
export interface HttpRequest extends Pick<TimeLimits, 'totalMs'>, Partial<Pick<TimeLimits, 'silenceMs'>> {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The answer goes on for a long time. Only for the server of the user. */
  readonly isStream?: boolean;
  /** Where the host can be; absent: anywhere, as for the server of the user. */
  readonly policy?: AddressPolicy;
  /** Limit of `whole()`, which throws {@link SlowReader} beyond it. */
  readonly maxWaitingBytes?: number;
  /** Also gzip is accepted. `whole()` unpacks it, with the same limit. */
  readonly canBePacked?: boolean;
  readonly signal: AbortSignal;
}

export interface Transport {
  /**
   * @returns An answer whose body throws {@link NetworkFailure} when it ends too early.
   * @throws {@link NetworkFailure}; {@link ListingVideoError} `server_answer_invalid` for an unexpected encoding or a
   *   private address; the abort reason.
   */
  send(request: HttpRequest): Promise<Answer>;
  close(): void;
}

export interface TransportDeps extends Pick<NetworkDeps, 'lookup' | 'setTimer' | 'clearTimer'> {
  /** Absent: every connection is direct. */
  readonly proxies?: Proxies | null | undefined;
}

/** Keeps connections open for reuse. */
export function createTransport(deps: TransportDeps): Transport {
  const clients = new Map<AddressPolicy, HttpClient>();
  const clientFor = (policy: AddressPolicy): HttpClient => {
    const found = clients.get(policy) ?? openClient(policy, deps);
    clients.set(policy, found);
    return found;
  };
  return {
    send: async (request) => {
      const { url, signal, isStream, policy = isStream ? ANY_STREAM : ANY_ADDRESS } = request;
      const { canBePacked = false, maxWaitingBytes = MAX_WAITING_BYTES } = request;
      signal.throwIfAborted();
      const fail = (error: unknown): never => {
        signal.throwIfAborted();
        if (error instanceof SlowReader) throw error;
        const isBlocked = error instanceof NetworkRefusal && error.code === 'blocked_address';
        // The user named any other address.
        throw isBlocked && request.policy !== undefined ? privateAddress(url) : toNetworkFailure(error);
      };
      try {
        const sender = clientFor(policy).senderFor(url);
        const watch = watchRequest({ silenceMs: SILENCE_MS, ...request }, signal, toTimeout, deps);
        const answer = await openAnswer({
          ...request,
          sender,
          headers: {
            ...request.headers,
            // Lengths count sent bytes, and a decompression bomb is impossible.
            'accept-encoding': canBePacked ? 'gzip' : 'identity',
            'user-agent': 'listing-video',
          },
          signal: watch.signal,
          onData: watch.onData,
          onEnd: watch.stop,
        });
        const packing = packingOf(answer);
        if (packing !== 'plain' && !(packing === 'gzip' && canBePacked)) throw refuseEncoding(answer);
        const readWhole = async (): Promise<Buffer> => {
          const sent = await answer.whole();
          return packing === 'plain' ? sent : unpackWithin(sent, maxWaitingBytes, () => new SlowReader());
        };
        return { ...answer, body: readPieces(answer, fail), whole: () => readWhole().catch(fail) };
      } catch (error) {
        return fail(error);
      }
    },
    close: () => {
      for (const client of clients.values()) void client.close();
    },
  };
}

function toTimeout(detail: string): NetworkFailure {
  return new NetworkFailure(detail, true);
}

function openClient(policy: AddressPolicy, deps: TransportDeps): HttpClient {
  return createHttpClient({
    policy,
    proxies: deps.proxies ?? null,
    connectTimeoutMs: SILENCE_MS,
    maxConnections: policy === ANY_STREAM ? MAX_STREAMS : MAX_CONNECTIONS,
    network: deps,
  });
}

function refuseEncoding(answer: Answer): ListingVideoError {
  answer.discard();
  const encoding = answer.headers['content-encoding'] ?? '';
  return new ListingVideoError(
    'server_answer_invalid',
    `the server sent content encoding ${encoding.slice(0, 40)}, but the request does not allow it`,
  );
}

async function* readPieces(answer: Answer, fail: (error: unknown) => never): AsyncGenerator<Buffer> {
  try {
    yield* answer.body;
  } catch (error) {
    const isSlow = error instanceof SlowReader;
    fail(isSlow ? new NetworkFailure('the disk of this machine is slower than the network', true) : error);
  }
}

function privateAddress(url: URL): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `the server's files are at ${url.origin}, an address in a private network`,
    {
      hint: 'start the server with --public-url and the address that clients use; if its bucket is there, also with --proxy-files',
    },
  );
}

/** Addresses inside a home or office. */
const INSIDE = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7'],
];

/**
 * Where the files that a server names can be: at public addresses and at the host of `server`. An answer must not
 * direct the client to other machines of its private network. A server inside that network is trusted to name them.
 */
export function filePolicy(server: URL): AddressPolicy {
  const isInside = (address: string): boolean =>
    !isPublicAddress(address) && isAddressAllowed('', address, { allowPrivate: false, allowFrom: INSIDE });
  const literal = parseLiteralAddress(server.hostname);
  const isNear = server.hostname === 'localhost' || (literal !== null && isInside(literal));
  return {
    allowPrivate: false,
    allowFrom: [server.hostname, ...(isNear ? INSIDE : [])],
    denyFrom: METADATA_ADDRESSES,
  };
}
