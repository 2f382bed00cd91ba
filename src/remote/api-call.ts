/** Sends one call of the /v1 API: with the key, retries, and its answer checked. Which calls there are is in `api-client.ts`. */
import { ListingVideoError } from '../platform/errors.ts';
import type { NetworkDeps } from './network-deps.ts';
import { NetworkFailure } from '../api/client/network-failure.ts';
import { toRefusalError } from '../api/client/refusal.ts';
import { type Patience, SHORT_PATIENCE, TemporaryFailure, withRetries } from '../api/client/retry.ts';
import type { Answer, Transport } from '../api/client/transport.ts';

/** A task of twenty agents with the most metadata, or the violations of the largest request with their values. */
const MAX_ANSWER_BYTES = 8 << 20;
/** For one answer: the largest page at 0.6 MB/s. */
const ANSWER_MS = 120_000;

/** The server, and how it is reached. */
export interface ApiClientOptions {
  /** Without a slash at the end; may have a path. */
  readonly server: string;
  readonly key: string | undefined;
  readonly transport: Transport;
  readonly network: NetworkDeps;
  /** Called once per series of retries. */
  readonly warn: (message: string) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly patience?: Patience;
}

/** One operation with its values. */
export interface ApiCall<T> {
  /** Below the server, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with POST; absent: a GET. Text is JSON. */
  readonly body?: string | Buffer;
  /** Of a success. Default: 200 of a GET, 202 of a POST. */
  readonly statuses?: readonly number[];
  /** For one answer. */
  readonly totalMs?: number;
  readonly maxBytes?: number;
  readonly parse: (value: unknown, headers: Answer['headers']) => T;
}

/** The headers that name the caller. */
export function authorizationOf({ key }: Pick<ApiClientOptions, 'key'>): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** Sends a call and parses its answer. */
export type SendCall = <T>(operation: ApiCall<T>, options: CallOptions) => Promise<T>;

/** @returns Sends calls; it throws what the methods of `ApiClient` throw. */
export function createSendCall(options: ApiClientOptions): SendCall {
  const { server, transport, network, warn } = options;
  const authorization = authorizationOf(options);
  let hasAnswered = false;

  const send = <T>(operation: ApiCall<T>, { signal, patience = SHORT_PATIENCE }: CallOptions): Promise<T> =>
    withRetries(() => sendOnce(operation, signal), {
      network,
      patience,
      signal,
      isHeavy: operation.body instanceof Buffer,
      onFirstRetry: ({ message }) => warn(`${message}; trying again`),
    });

  const sendOnce = async <T>(operation: ApiCall<T>, signal: AbortSignal): Promise<T> => {
    const { path, headers, body, maxBytes = MAX_ANSWER_BYTES, totalMs = ANSWER_MS } = operation;
    const { statuses = [body === undefined ? 200 : 202] } = operation;
    try {
      const answer = await transport.send({
        method: body === undefined ? 'GET' : 'POST',
        url: new URL(`${server}${path}`),
        headers: {
          accept: 'application/json',
          ...authorization,
          ...(typeof body === 'string' && body !== '' ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? Buffer.from(body) : body }),
        // While an image is sent nothing comes back.
        ...(body instanceof Buffer ? { silenceMs: totalMs } : {}),
        totalMs,
        signal,
      });
      const value = await readJson(answer, maxBytes);
      hasAnswered = true;
      if (!statuses.includes(answer.status)) throw refusalOf(answer, value);
      return operation.parse(value, answer.headers);
    } catch (error) {
      throw error instanceof NetworkFailure ? toUnreachable(error) : error;
    }
  };

  const refusalOf = ({ status, headers }: Answer, body: unknown): Error => {
    const requestId = headers['x-request-id'];
    return toRefusalError({
      status,
      body,
      server,
      retryAfter: headers['retry-after'],
      requestId,
      location: headers.location,
      nowMs: network.nowMs(),
    });
  };

  const toUnreachable = (failure: NetworkFailure): Error => {
    const final = new ListingVideoError(
      'server_unreachable',
      `${server} does not answer: ${failure.detail}`,
      {
        cause: failure,
        hint: unreachableHint(failure),
        context: { server },
      },
    );
    const isTemporary = failure.isTemporary || (failure.isNameLost && hasAnswered);
    return isTemporary ? new TemporaryFailure(final, 'unreachable') : final;
  };

  return send;
}

function unreachableHint({ isUntrusted, isAtProxy }: NetworkFailure): string {
  if (isAtProxy) return 'check the proxy, or name the host in NO_PROXY to connect directly';
  return isUntrusted
    ? 'set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that signed it'
    : 'check the address, and that the server is running';
}

/**
 * @returns Undefined for a body that is not JSON.
 * @throws {@link ListingVideoError} `server_answer_invalid` for more than `maxBytes`, which ends the connection; errors of
 *   the transport.
 */
async function readJson({ body }: Answer, maxBytes: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) {
      throw new ListingVideoError(
        'server_answer_invalid',
        `the server's answer is larger than ${maxBytes} bytes`,
      );
    }
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}
