/**
 * Requests over HTTP and HTTPS, one answer each: no redirect is followed, nothing is decompressed, silence ends them. On
 * `node:http` and not on fetch, whose bodies may not be paused (see `../assets/fetch-asset.ts`), and films are.
 */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isAddressAllowed, isPublicAddress, parseLiteralAddress } from '../assets/guard-address.ts';
import { ListingVideoError } from '../errors.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure, toNetworkFailure } from './network-failure.ts';

/** Without a byte for this long, an answer is given up. Covers name look-up and connecting too. */
export const SILENCE_MS = 30_000;
const MOST_CONNECTIONS = 8;

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Which addresses the host may have; absent: any, as for the server that the user named. */
  readonly isHostTrusted?: HostTrust;
  readonly signal: AbortSignal;
}

/** Whether `hostname` may stand for `address`. */
export type HostTrust = (hostname: string, address: string) => boolean;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body in pieces, each the reader's own until the next. Throws {@link NetworkFailure} when it ends too early.
   * Leaving the loop ends the connection.
   */
  readonly body: AsyncIterable<Buffer>;
  /** For an answer whose body is not wanted. */
  discard(): void;
}

export interface Transport {
  /** @throws {@link NetworkFailure}; {@link ListingVideoError} `server_answer_invalid` for what was not asked for; the abort reason. */
  send(order: HttpRequest): Promise<Answer>;
  /** Ends all connections. */
  close(): void;
}

/** Keeps connections for its life. */
export function createTransport(network: Pick<NetworkDeps, 'setTimer' | 'lookup'>): Transport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS }),
  };
  return {
    send: async (order) => {
      order.signal.throwIfAborted();
      try {
        return await sendOnce(order, network, agents);
      } catch (error) {
        order.signal.throwIfAborted();
        throw toNetworkFailure(error);
      }
    },
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

type Agents = { readonly 'http:': http.Agent; readonly 'https:': https.Agent };

function sendOnce(
  { method, url, headers, body, isHostTrusted, signal }: HttpRequest,
  network: Pick<NetworkDeps, 'setTimer' | 'lookup'>,
  agents: Agents,
): Promise<Answer> {
  const isSecure = url.protocol === 'https:';
  const literal = parseLiteralAddress(url.hostname);
  if (literal !== null && isHostTrusted?.(url.hostname, literal) === false) throw untrusted(url);
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      method,
      agent: agents[isSecure ? 'https:' : 'http:'],
      headers: {
        ...headers,
        // Lengths and ranges count what is sent, and a bomb cannot unfold.
        'accept-encoding': 'identity',
        'user-agent': 'listing-video',
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
      },
      signal,
      ...(isHostTrusted === undefined ? {} : { lookup: guardLookup(url, isHostTrusted, network) }),
    });
    const silence = watchSilence(network, (failure) => request.destroy(failure));
    silence.start();
    request.once('error', (error) => {
      silence.stop();
      reject(error);
    });
    request.once('response', (message) => {
      silence.stop();
      try {
        resolve(toAnswer(message, network, signal));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    request.end(body);
  });
}

function toAnswer(
  message: IncomingMessage,
  network: Pick<NetworkDeps, 'setTimer'>,
  signal: AbortSignal,
): Answer {
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new ListingVideoError(
      'server_answer_invalid',
      `the server sends content encoding ${String(encoding).slice(0, 40)}, which was not asked for`,
    );
  }
  // Whoever discards the body, or comes too late for it, is not to meet an unhandled error.
  message.on('error', () => undefined);
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    body: readPieces(message, network, signal),
    discard: () => message.destroy(),
  };
}

async function* readPieces(
  message: IncomingMessage,
  network: Pick<NetworkDeps, 'setTimer'>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const silence = watchSilence(network, (failure) => message.destroy(failure));
  try {
    silence.start();
    for await (const piece of message as AsyncIterable<Buffer>) {
      // Time that the reader takes for its disk is not the server's silence.
      silence.stop();
      yield piece;
      silence.start();
    }
    if (!message.complete) throw new NetworkFailure('connection closed too early', true);
  } catch (error) {
    signal.throwIfAborted();
    throw toNetworkFailure(error);
  } finally {
    silence.stop();
  }
}

function watchSilence({ setTimer }: Pick<NetworkDeps, 'setTimer'>, end: (failure: NetworkFailure) => void) {
  let cancel = (): void => undefined;
  return {
    start: () => {
      cancel = setTimer(
        () => end(new NetworkFailure(`no data for ${SILENCE_MS / 1000} s`, true)),
        SILENCE_MS,
      );
    },
    stop: () => cancel(),
  };
}

/** A name's addresses as they are looked up: a name that means another address at its second look-up gains nothing. */
function guardLookup(url: URL, isTrusted: HostTrust, { lookup }: Pick<NetworkDeps, 'lookup'>) {
  const guarded: NonNullable<http.RequestOptions['lookup']> = (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => isTrusted(url.hostname, address));
      const [first] = allowed;
      if (first === undefined) return callback(untrusted(url) as NodeJS.ErrnoException, '', 0);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  return guarded;
}

function untrusted(url: URL): ListingVideoError {
  return new ListingVideoError(
    'server_answer_invalid',
    `the server says that its files are at ${url.origin}, an address inside a private network`,
    { hint: 'start the server with --public-url, the address under which clients reach it' },
  );
}

/** What a home or an office has inside. Not link-local addresses: there clouds keep the secrets of a machine. */
const INSIDE = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7'],
];

/**
 * Trusts what is on the public internet, and the host of `server` wherever that is: an answer must not send its reader to
 * other machines of the reader's own network. A server inside of it is one of its own, and may name others.
 */
export function trustFor(server: URL): HostTrust {
  const isInside = (address: string): boolean =>
    !isPublicAddress(address) && isAddressAllowed('', address, { allowPrivate: false, allowFrom: INSIDE });
  const literal = parseLiteralAddress(server.hostname);
  const isNear = server.hostname === 'localhost' || (literal !== null && isInside(literal));
  const policy = { allowPrivate: false, allowFrom: [server.hostname, ...(isNear ? INSIDE : [])] };
  return (hostname, address) => isAddressAllowed(hostname, address, policy);
}
