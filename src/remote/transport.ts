/**
 * Requests over HTTP and HTTPS: redirects are not followed, bodies not decompressed, silent connections ended. It uses
 * `node:http`, because downloads pause while the disk is busy and bodies of fetch cannot (see `../assets/fetch-asset.ts`).
 */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import {
  isAddressAllowed,
  isPublicAddress,
  METADATA_ADDRESSES,
  parseLiteralAddress,
} from '../assets/guard-address.ts';
import { ListingVideoError } from '../errors.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure, toNetworkFailure } from './network-failure.ts';

/** A connection without a byte for this long is ended. Also limits name look-up and connecting. */
const SILENCE_MS = 30_000;
const MAX_CONNECTIONS = 8;

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Checks the host's addresses; absent: every address, as for the server of the user. */
  readonly isHostTrusted?: HostTrust;
  readonly signal: AbortSignal;
}

/** Whether a request to `hostname` can connect to `address`. */
export type HostTrust = (hostname: string, address: string) => boolean;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * The body in pieces; each is valid until the next. Throws {@link NetworkFailure} when it ends too early. Leaving the
   * loop ends the connection.
   */
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection without reading the body. */
  discard(): void;
}

export interface Transport {
  /** @throws {@link NetworkFailure}; {@link ListingVideoError} `server_answer_invalid` for an unexpected encoding or a private address; the abort reason. */
  send(request: HttpRequest): Promise<Answer>;
  /** Ends all connections. */
  close(): void;
}

/** Keeps connections open for reuse. */
export function createTransport(network: Pick<NetworkDeps, 'setTimer' | 'lookup'>): Transport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS }),
  };
  return {
    send: async (request) => {
      request.signal.throwIfAborted();
      try {
        return await sendOnce(request, network, agents);
      } catch (error) {
        request.signal.throwIfAborted();
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
        // Lengths and ranges count sent bytes, and a decompression bomb is impossible.
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
      `the server sent content encoding ${String(encoding).slice(0, 40)}, but the request allows none`,
    );
  }
  // Without a listener, an error of a discarded body would end the process.
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
      // Time for writing to the disk does not count as silence of the server.
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

/** Checks addresses during the look-up that is used to connect, so that a second look-up cannot change them. */
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
    `the server's files are at ${url.origin}, an address in a private network`,
    { hint: 'start the server with --public-url and the address that clients use' },
  );
}

/** Addresses inside a home or office. */
const INSIDE = [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7'],
];

/**
 * Trusts public addresses and the host of `server`: an answer must not direct the client to other machines of its private
 * network. A server inside that network is trusted to name them.
 */
export function trustFor(server: URL): HostTrust {
  const isInside = (address: string): boolean =>
    !isPublicAddress(address) && isAddressAllowed('', address, { allowPrivate: false, allowFrom: INSIDE });
  const literal = parseLiteralAddress(server.hostname);
  const isNear = server.hostname === 'localhost' || (literal !== null && isInside(literal));
  const policy = {
    allowPrivate: false,
    allowFrom: [server.hostname, ...(isNear ? INSIDE : [])],
    denyFrom: METADATA_ADDRESSES,
  };
  return (hostname, address) => isAddressAllowed(hostname, address, policy);
}
