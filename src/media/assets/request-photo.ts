/**
 * One HTTP request for the bytes of a photo: no redirects, no retries. The body is collected in memory, at most
 * `maxBytes`.
 */
import { packingOf, unpackWithin } from '../../platform/network/content-encoding.ts';
import type { Sender } from '../../platform/network/http-client.ts';
import { openAnswer, SlowReader } from '../../platform/network/open-answer.ts';
import { formatBytes, formatExcess } from './asset-limits.ts';
import { UnusableAsset } from './unusable-asset.ts';

export interface PhotoRequest {
  readonly sender: Sender;
  /** User name and password in it are not sent. */
  readonly url: URL;
  /** Sent beside those of every photo. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
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
  /** The header `retry-after`. */
  readonly retryAfter: string | undefined;
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

/**
 * @throws {@link UnusableAsset} `too_large`; `unreachable` for an encoding that was not asked for.
 * @throws undici's and zlib's own errors, and the reason of `signal`.
 */
export async function requestPhoto(request: PhotoRequest): Promise<PhotoAnswer> {
  const { maxBytes, signal } = request;
  const answer = await openAnswer({
    ...request,
    method: 'GET',
    headers: { ...HEADERS, ...request.headers },
    maxWaitingBytes: maxBytes,
  });
  const { status, headers, repeated } = answer;
  const location = repeated.includes('location') ? undefined : headers.location;
  const retryAfter = headers['retry-after'];
  if (status >= 300) {
    // The connection is closed: its body is not needed, and could be endless.
    answer.discard();
    return { status, location, retryAfter, body: Buffer.alloc(0) };
  }
  const packing = packingOf(answer);
  const refusal =
    refuseLength(headers['content-length'], maxBytes) ??
    (packing === 'other'
      ? new UnusableAsset('unreachable', 'sent with a content encoding that was not asked for')
      : null);
  if (refusal !== null) {
    answer.discard();
    throw refusal;
  }
  const sent = await answer.whole().catch((error: unknown) => {
    throw error instanceof SlowReader ? tooLarge(maxBytes) : error;
  });
  const body = packing === 'plain' ? sent : await unpackWithin(sent, maxBytes, () => tooLarge(maxBytes));
  signal.throwIfAborted();
  return { status, location, retryAfter, body };
}

function refuseLength(announced: string | undefined, maxBytes: number): UnusableAsset | null {
  const length = Number(announced);
  return length > maxBytes
    ? new UnusableAsset('too_large', formatExcess(length, maxBytes, formatBytes))
    : null;
}

function tooLarge(maxBytes: number): UnusableAsset {
  return new UnusableAsset('too_large', `more than ${formatBytes(maxBytes)}`);
}
