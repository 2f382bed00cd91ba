/** Requests over HTTP and HTTPS to a server: redirects are not followed, silent and endless answers are ended. */
import { ListingVideoError } from '../../platform/errors.ts';
import {
  type AddressPolicy,
  isAddressAllowed,
  isPublicAddress,
  METADATA_ADDRESSES,
  parseLiteralAddress,
} from '../../platform/network/guard-address.ts';
import { createHttpClient, type HttpClient } from '../../platform/network/http-client.ts';
import { NetworkRefusal } from '../../platform/network/network-refusal.ts';
import { type Answer, openAnswer, SlowReader } from '../../platform/network/open-answer.ts';
import type { Proxies } from '../../platform/network/proxies.ts';
import type { NetworkDeps } from '../../remote/network-deps.ts';
import { NetworkFailure, toNetworkFailure } from './network-failure.ts';

export type { Answer };

/** A connection without a byte for this long is ended. Also limits name look-up and connecting. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 8;
/** Streams keep theirs for as long as a task takes, so they have others. A server opens 50 with one key. */
const MAX_STREAMS = 50;
/** For the server that the user names. */
const ANY_ADDRESS: AddressPolicy = { allowPrivate: true, allowFrom: [] };
/** The same for its streams. */
const ANY_STREAM: AddressPolicy = { ...ANY_ADDRESS };

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The answer goes on for a long time. Only for the server of the user. */
  readonly isStream?: boolean;
  /** Where the host can be; absent: anywhere, as for the server of the user. */
  readonly policy?: AddressPolicy;
  /** For the whole answer with its body: silence alone would let a server send a byte now and then for ever. */
  readonly totalMs: number;
  /** For the time without a byte from the server. Default: 30 s. */
  readonly silenceMs?: number;
  readonly signal: AbortSignal;
}

export interface Transport {
  /**
   * @returns An answer whose body throws {@link NetworkFailure} when it ends too early.
   * @throws {@link NetworkFailure}; {@link ListingVideoError} `server_answer_invalid` for an unexpected encoding or a private
   *   address; the abort reason.
   */
  send(request: HttpRequest): Promise<Answer>;
  /** Ends all connections. */
  close(): void;
}

export interface TransportDeps extends Pick<NetworkDeps, 'setTimer' | 'lookup'> {
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
      request.signal.throwIfAborted();
      const { url, signal, isStream, policy = isStream ? ANY_STREAM : ANY_ADDRESS } = request;
      const watch = watchAnswer(deps, request);
      try {
        const answer = await openAnswer({
          ...request,
          sender: clientFor(policy).senderFor(url),
          // Lengths and ranges count sent bytes, and a decompression bomb is impossible.
          headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': 'listing-video' },
          signal: watch.signal,
          onData: watch.resetSilence,
        });
        requirePlain(answer);
        return {
          ...answer,
          body: readPieces(answer, watch, signal),
          discard: () => {
            watch.stop();
            answer.discard();
          },
        };
      } catch (error) {
        watch.stop();
        signal.throwIfAborted();
        throw toFailure(error, url);
      }
    },
    close: () => {
      for (const client of clients.values()) void client.close();
    },
  };
}

function openClient(policy: AddressPolicy, { setTimer, lookup, proxies = null }: TransportDeps): HttpClient {
  return createHttpClient({
    policy,
    proxies,
    connectTimeoutMs: SILENCE_MS,
    maxConnections: policy === ANY_STREAM ? MAX_STREAMS : MAX_CONNECTIONS,
    network: { lookup, setTimer, clearTimer: (cancel) => (cancel as () => void)() },
  });
}

function toFailure(error: unknown, url: URL): unknown {
  return error instanceof NetworkRefusal && error.code === 'blocked_address'
    ? untrusted(url)
    : toNetworkFailure(error);
}

function requirePlain(answer: Answer): void {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return;
  answer.discard();
  throw new ListingVideoError(
    'server_answer_invalid',
    `the server sent content encoding ${encoding.slice(0, 40)}, but the request allows none`,
  );
}

async function* readPieces(answer: Answer, watch: AnswerWatch, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* answer.body;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof SlowReader
      ? new NetworkFailure('the disk of this machine is slower than the network', true)
      : toNetworkFailure(error);
  } finally {
    watch.stop();
  }
}

interface AnswerWatch {
  /** Aborted with a {@link NetworkFailure} when a timer fires, and by the caller. */
  readonly signal: AbortSignal;
  /** Restarts the timer of silence: for every piece of data. */
  resetSilence(): void;
  stop(): void;
}

/** Starts the timers of one answer. */
function watchAnswer(
  { setTimer }: TransportDeps,
  { signal, totalMs, silenceMs = SILENCE_MS }: Pick<HttpRequest, 'signal' | 'totalMs' | 'silenceMs'>,
): AnswerWatch {
  const controller = new AbortController();
  const expireAfter = (delayMs: number, detail: string) =>
    setTimer(() => controller.abort(new NetworkFailure(detail, true)), delayMs);
  const cancelTotal = expireAfter(totalMs, `not finished within ${totalMs / 1000} s`);
  let cancelSilence = (): void => undefined;
  let isStopped = false;
  const resetSilence = (): void => {
    cancelSilence();
    if (!isStopped) cancelSilence = expireAfter(silenceMs, `no data for ${silenceMs / 1000} s`);
  };
  resetSilence();
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    resetSilence,
    stop: () => {
      isStopped = true;
      cancelTotal();
      cancelSilence();
    },
  };
}

function untrusted(url: URL): ListingVideoError {
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
 * Where the files that a server names can be: at public addresses and at the host of `server`. An answer must not direct the
 * client to other machines of its private network. A server inside that network is trusted to name them.
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
