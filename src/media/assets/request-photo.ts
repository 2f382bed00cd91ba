/**
 * One HTTP request for the bytes of a photo: no redirects, no retries. The body is collected in memory, at most
 * `maxBytes`.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Sender } from '../../platform/network/http-client.ts';
import { type Answer, openAnswer, SlowReader } from '../../platform/network/open-answer.ts';
import { formatBytes, formatExcess } from './asset-limits.ts';
import { UnusableAsset } from './unusable-asset.ts';

export interface PhotoRequest {
  readonly sender: Sender;
  /** User name and password in it are not sent. */
  readonly url: URL;
  /** Largest body, as it is sent and as it is unpacked. */
  readonly maxBytes: number;
  /** Ends the request at once, whatever has arrived. */
  readonly signal: AbortSignal;
  /** Called when headers or parts of the body arrive. */
  readonly onData: () => void;
}

export interface PhotoAnswer {
  /** 200 or higher. */
  readonly status: number;
  readonly location: string | undefined;
  /** Unpacked. Empty unless the status is 2xx: other bodies are not read. */
  readonly body: Buffer;
}

const HEADERS = {
  // Some stores keep objects compressed and send them so whatever is asked for. One layer is asked for, the last
  // resort.
  'accept-encoding': 'identity, gzip;q=0.1',
  accept: 'image/jpeg,image/png,image/webp,image/avif;q=0.9,image/*;q=0.8,*/*;q=0.5',
  // Some image hosts refuse requests without a user agent.
  'user-agent': 'listing-video',
};

const unpack = promisify(gunzip);

/**
 * @throws {@link UnusableAsset} `too_large`; `unreachable` for an encoding that was not asked for.
 * @throws undici's and zlib's own errors, and the reason of `signal`.
 */
export async function requestPhoto(request: PhotoRequest): Promise<PhotoAnswer> {
  const { maxBytes, signal } = request;
  const answer = await openAnswer({ ...request, method: 'GET', headers: HEADERS, maxWaitingBytes: maxBytes });
  const { status, headers, repeated } = answer;
  const location = repeated.includes('location') ? undefined : headers.location;
  if (status >= 300) {
    // The connection is closed: its body is not needed, and could be endless.
    answer.discard();
    return { status, location, body: Buffer.alloc(0) };
  }
  const refusal = refuseLength(headers['content-length'], maxBytes) ?? refuseEncoding(answer);
  if (refusal !== null) {
    answer.discard();
    throw refusal;
  }
  const sent = await answer.whole().catch((error: unknown) => {
    throw error instanceof SlowReader ? tooLarge(maxBytes) : error;
  });
  const body = encodingsOf(answer).length === 0 ? sent : await unpackWithin(sent, maxBytes);
  signal.throwIfAborted();
  return { status, location, body };
}

/** Neither side of a single layer exceeds `maxBytes`, so it takes at most some tenths of a second. */
function unpackWithin(sent: Buffer, maxBytes: number): Promise<Buffer> {
  return unpack(sent, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error;
  });
}

function refuseLength(announced: string | undefined, maxBytes: number): UnusableAsset | null {
  const length = Number(announced);
  return length > maxBytes
    ? new UnusableAsset('too_large', formatExcess(length, maxBytes, formatBytes))
    : null;
}

/** Only one layer of gzip was asked for. Layers multiply: three of them turn 42 kB into gigabytes of work. */
function refuseEncoding(answer: Answer): UnusableAsset | null {
  const [first, ...more] = encodingsOf(answer);
  const isExpected = first === undefined || (more.length === 0 && /^(x-)?gzip$/.test(first));
  return isExpected && !answer.repeated.includes('content-encoding')
    ? null
    : new UnusableAsset('unreachable', 'sent with a content encoding that was not asked for');
}

function encodingsOf({ headers }: Answer): string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

function tooLarge(maxBytes: number): UnusableAsset {
  return new UnusableAsset('too_large', `more than ${formatBytes(maxBytes)}`);
}
