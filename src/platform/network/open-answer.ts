/**
 * One HTTP request whose answer is read piece by piece, or as a whole: no redirects, no retries, nothing unpacked.
 *
 * The pieces wait in memory until they are read, up to a limit. undici 7 ends the whole process when a server
 * hangs up while its parser is paused (nodejs/undici#5360, fixed in undici 8, which needs Node 22), so a reader that is
 * slower than the network cannot hold the server up: its connection ends, and it can ask for the rest.
 */
import type { Readable } from 'node:stream';
import type { HttpController, HttpHandler, Sender } from './http-client.ts';

export const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;

export interface AnswerRequest {
  readonly sender: Sender;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** User name and password in it are not sent. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream needs a `content-length` among the headers. */
  readonly body?: Buffer | Readable | undefined;
  /** Ends request and body; both then reject with its reason. */
  readonly signal: AbortSignal;
  /** Limit of the bytes that have arrived and are not read. Default: 64 MiB. */
  readonly maxWaitingBytes?: number | undefined;
  /** Called when headers or parts of the body arrive, at most once per turn of the event loop. */
  readonly onData?: (() => void) | undefined;
  /** Called once, when all has arrived or the connection has ended. */
  readonly onEnd?: (() => void) | undefined;
}

export interface Answer {
  readonly status: number;
  /** Of a repeated header, its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names of the headers that came more than once. */
  readonly repeated: readonly string[];
  /**
   * The body in pieces, which belong to the caller. Can be read once. It throws errors of the network and the reason of
   * the signal, after what arrived before. Leaving the loop ends the connection.
   */
  readonly body: AsyncIterable<Buffer>;
  /** The body once all of it has arrived, in place of `body`. It throws at the first error. */
  whole(): Promise<Buffer>;
  /** Ends the connection without reading the body. */
  discard(): void;
}

/** Thrown in place of bytes that found no room: more than `maxWaitingBytes`. */
export class SlowReader extends Error {}

/** @throws undici's errors, `ProxyFailure`, `NetworkRefusal`, and the reason of the signal. */
export function openAnswer(request: AnswerRequest): Promise<Answer> {
  const { sender, method, url, headers, body, signal, onData, onEnd } = request;
  const { maxWaitingBytes = MAX_WAITING_BYTES } = request;
  return new Promise((resolve, reject) => {
    const pieces = new WaitingPieces();
    let controller: HttpController | null = null;
    let isEnded = false;
    const end = (error: Error | null): void => {
      if (isEnded) return;
      isEnded = true;
      signal.removeEventListener('abort', onAbort);
      onEnd?.();
      pieces.end(error);
      if (error === null) return;
      reject(error);
      controller?.abort(error);
    };
    const onAbort = (): void => {
      end(signal.reason as Error);
      // What has arrived is not wanted any more either.
      pieces.drop();
    };
    if (signal.aborted) return onAbort();
    const discard = (): void => end(new Error('not needed'));
    let isReported = false;
    const report = (): void => {
      if (isReported || onData === undefined) return;
      isReported = true;
      setImmediate(() => {
        isReported = false;
      });
      onData();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const handler: HttpHandler = {
      onRequestStart: (started) => {
        controller = started;
        // It waited for a connection while it failed.
        if (isEnded) started.abort(new Error('not needed'));
      },
      onResponseStart: (_, status, found) => {
        // A 1xx answer precedes the real one. It does not count as data: a server can send them for ever.
        if (status < 200 || isEnded) return;
        report();
        resolve({
          status,
          headers: firstValues(found),
          repeated: Object.keys(found).filter((name) => Array.isArray(found[name])),
          body: pieces.read(discard),
          whole: () => pieces.whole(),
          discard,
        });
      },
      onResponseData: (_, piece) => {
        if (isEnded) return;
        report();
        if (pieces.sizeBytes + piece.length > maxWaitingBytes) end(new SlowReader());
        else pieces.add(piece);
      },
      onResponseEnd: () => end(null),
      onResponseError: (_, error) => end(error),
    };
    try {
      const { origin, pathname, search } = url;
      sender.dispatch(
        { origin, path: pathname + search, method, headers, ...(body === undefined ? {} : { body }) },
        handler,
      );
    } catch (error) {
      end(error as Error);
    }
  });
}

function firstValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | undefined> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
}

/** Bytes that have arrived, in blocks: the pieces of a body can be single bytes, and each buffer costs a hundred. */
class WaitingPieces {
  #blocks: Buffer[] = [];
  /** Bytes in use of the last block. */
  #used = 0;
  #isEnded = false;
  #error: Error | null = null;
  #wake: () => void = () => undefined;
  sizeBytes = 0;

  add(piece: Buffer): void {
    this.sizeBytes += piece.length;
    for (let rest = piece; rest.length > 0; ) {
      if (this.#blocks.length === 0 || this.#used === BLOCK_BYTES) {
        this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
        this.#used = 0;
      }
      const copied = rest.copy(this.#blocks.at(-1)!, this.#used);
      this.#used += copied;
      rest = rest.subarray(copied);
    }
    this.#wake();
  }

  end(error: Error | null): void {
    this.#isEnded = true;
    this.#error = error;
    this.#wake();
  }

  drop(): void {
    this.#blocks = [];
    this.sizeBytes = 0;
  }

  /** @param leave - Called when the reader is done, also early. */
  async *read(leave: () => void): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const piece = this.#take();
        if (piece !== null) yield piece;
        else if (this.#isEnded) break;
        else await this.#change();
      }
      if (this.#error !== null) throw this.#error;
    } finally {
      leave();
    }
  }

  async whole(): Promise<Buffer> {
    while (!this.#isEnded) await this.#change();
    if (this.#error !== null) throw this.#error;
    return Buffer.concat(this.#blocks.splice(0), this.sizeBytes);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(): Buffer | null {
    const block = this.#blocks.shift();
    if (block === undefined) return null;
    const piece = this.#blocks.length === 0 ? block.subarray(0, this.#used) : block;
    this.sizeBytes -= piece.length;
    return piece;
  }
}
