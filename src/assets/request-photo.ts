/**
 * One HTTP request for the bytes of a photo: no redirects, no retries. The body is collected in memory, at most `maxBytes`.
 *
 * It takes each piece of the body the moment that it arrives. undici 7 ends the whole process when a server hangs up while
 * its parser is paused (nodejs/undici#5360, fixed in undici 8, which needs Node 22), and a stream that is never paused
 * would queue one object for every chunk that a server makes out of a single byte.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { HttpController, HttpHandler, Sender } from '../network/http-client.ts';
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
  // Some stores keep objects compressed and send them so whatever is asked for. One layer is asked for, the last resort.
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
  const { isGzip, ...answer } = await receive(request);
  if (!isGzip) return answer;
  const { maxBytes, signal } = request;
  // Neither side of this single layer exceeds `maxBytes`, so it takes at most some tenths of a second.
  const body = await unpack(answer.body, { maxOutputLength: maxBytes }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error;
    },
  );
  signal.throwIfAborted();
  return { ...answer, body };
}

function receive(request: PhotoRequest): Promise<PhotoAnswer & { readonly isGzip: boolean }> {
  const { sender, url, maxBytes, signal, onData } = request;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer();
    let controller: HttpController | null = null;
    let isSettled = false;
    let status = 0;
    let location: string | undefined;
    let isGzip = false;
    const onAbort = () => fail(signal.reason);
    // Once per turn of the event loop: a turn can bring ten thousand chunks of one byte.
    let isReported = false;
    const reportData = () => {
      if (isReported) return;
      isReported = true;
      setImmediate(() => {
        isReported = false;
      });
      onData();
    };
    const finish = () => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', onAbort);
      resolve({ status, location, isGzip, body: body.take() });
    };
    const fail = (error: Error) => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', onAbort);
      reject(error);
      controller?.abort(error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const handler: HttpHandler = {
      onRequestStart: (started) => {
        controller = started;
        // It waited for a connection while it failed.
        if (isSettled) started.abort(new Error('not needed'));
      },
      onResponseStart: (started, code, headers) => {
        // A 1xx answer precedes the real one. It does not count as data: a server can send them for ever.
        if (code < 200 || isSettled) return;
        reportData();
        status = code;
        if (typeof headers.location === 'string') location = headers.location;
        if (code >= 300) {
          // The connection is closed: its body is not needed, and could be endless.
          finish();
          started.abort(new Error('not needed'));
          return;
        }
        const refusal = refuseLength(headers['content-length'], maxBytes) ?? refuseEncoding(headers);
        if (refusal !== null) return fail(refusal);
        isGzip = encodingsOf(headers).length === 1;
      },
      onResponseData: (_, piece) => {
        if (isSettled) return;
        reportData();
        if (body.sizeBytes + piece.length > maxBytes) fail(tooLarge(maxBytes));
        else body.append(piece);
      },
      onResponseEnd: finish,
      onResponseError: (_, error) => fail(error),
    };
    try {
      const { origin, pathname, search } = url;
      sender.dispatch({ origin, path: pathname + search, method: 'GET', headers: HEADERS }, handler);
    } catch (error) {
      fail(error as Error);
    }
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function refuseLength(announced: Headers[string], maxBytes: number): UnusableAsset | null {
  const length = Number(announced);
  return length > maxBytes
    ? new UnusableAsset('too_large', formatExcess(length, maxBytes, formatBytes))
    : null;
}

/** Only one layer of gzip was asked for. Layers multiply: three of them turn 42 kB into gigabytes of work. */
function refuseEncoding(headers: Headers): UnusableAsset | null {
  const encodings = encodingsOf(headers);
  const isExpected = encodings.length === 0 || (encodings.length === 1 && /^(x-)?gzip$/.test(encodings[0]!));
  return isExpected
    ? null
    : new UnusableAsset('unreachable', 'sent with a content encoding that was not asked for');
}

function encodingsOf(headers: Headers): string[] {
  return String(headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

function tooLarge(maxBytes: number): UnusableAsset {
  return new UnusableAsset('too_large', `more than ${formatBytes(maxBytes)}`);
}

/** Bytes in few large blocks: the pieces of a body can be single bytes, and each buffer costs a hundred. */
class GrowingBuffer {
  static readonly #BLOCK_BYTES = 256 * 1024;
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;
  sizeBytes = 0;

  append(piece: Buffer): void {
    this.sizeBytes += piece.length;
    for (let rest = piece; rest.length > 0; ) {
      if (this.#used === this.#block.length) {
        if (this.#used > 0) this.#full.push(this.#block);
        this.#block = Buffer.allocUnsafeSlow(GrowingBuffer.#BLOCK_BYTES);
        this.#used = 0;
      }
      const copied = rest.copy(this.#block, this.#used);
      this.#used += copied;
      rest = rest.subarray(copied);
    }
  }

  take(): Buffer {
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)], this.sizeBytes);
  }
}
