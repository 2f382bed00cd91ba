/**
 * Opens an object as a stream that a slow reader slows down. `open-answer.ts` has no such stream, because undici 7
 * cannot pause an answer without risk; Node's own client can.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Without a byte, while the reader wants one. */
const SILENCE_MS = 20_000;

export interface ObjectRequest {
  readonly method: 'GET' | 'HEAD';
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the stream, too. */
  readonly signal: AbortSignal;
}

/** The answer to a signed URL, of any status. @throws The error of the connection, or the reason of the signal. */
export function openObject(url: URL, { method, headers, signal }: ObjectRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    let answer: IncomingMessage | null = null;
    const request = send(url, { method, headers, signal }, (found) => {
      answer = found;
      resolve(found);
    });
    request.setTimeout(SILENCE_MS, () => {
      if (answer?.isPaused() !== true)
        request.destroy(Object.assign(new Error('no data for too long'), { code: 'ETIMEDOUT' }));
    });
    request.once('error', reject);
    request.end();
  });
}
