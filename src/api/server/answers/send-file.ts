/** Sends one file with ranges and validators (RFC 9110, 13 and 14). Only this file uses `send`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import send from 'send';

/** A suffix range. One longer than the file means the whole file (RFC 9110, 14.1.2), but send refuses it. */
const LONG_SUFFIX = /^ *bytes=-0*[1-9][0-9]*$/;

export interface FileToSend {
  readonly root: string;
  /** Below the root, percent-encoded. */
  readonly path: string;
  readonly headersOf: (sizeBytes: number) => Readonly<Record<string, string>>;
  /** Answers in place of the file. @param headers - `content-range` of a 416. @param error - Of a 500. */
  readonly refuse: (
    status: 404 | 412 | 416 | 500,
    detail: { readonly headers: Record<string, string>; readonly error: unknown },
  ) => void;
}

/** @returns What a handler of hono answers with, because the file has been sent past it. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: FileToSend): Response {
  // RFC 9111, 5.2.1: the header is for caches. With it, send would answer 200 to a client that has the file.
  delete request.headers['cache-control'];
  const { root, path, headersOf, refuse } = file;
  send(request, path, { root, index: false, dotfiles: 'deny', cacheControl: false })
    .on('headers', (to: ServerResponse, _path: string, stat: FileFacts) => {
      const etag = strongEtag(stat);
      for (const [name, value] of Object.entries({ etag, ...headersOf(stat.size) }))
        to.setHeader(name, value);
      compareIfRange(request, [etag, stat.mtime.toUTCString()]);
    })
    .on('directory', () => refuse(404, { headers: {}, error: null }))
    .on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
      const { status = 500 } = error;
      if (status === 416 && LONG_SUFFIX.test(request.headers.range ?? '')) {
        request.headers.range = 'bytes=0-';
        sendFile(request, response, file);
        return;
      }
      const code = status >= 500 ? 500 : status === 412 || status === 416 ? status : 404;
      refuse(code, { headers: rangeOf(error), error });
    })
    .pipe(response);
  return RESPONSE_ALREADY_SENT.clone();
}

/** What `send` reports of a file. */
interface FileFacts {
  readonly size: number;
  readonly mtimeMs: number;
  readonly mtime: Date;
}

/**
 * A strong tag, which If-Range needs (RFC 9110, 13.1.5); send's own is weak. Files appear by a rename and never change.
 */
function strongEtag({ size, mtimeMs }: FileFacts): string {
  return `"${size.toString(16)}-${Math.round(mtimeMs * 1000).toString(16)}"`;
}

/**
 * Replaces an `If-Range` that does not match exactly. send would accept a weak tag, a list or any later date, but
 * RFC 9110, 13.1.5 requires the exact validator.
 */
function compareIfRange(request: IncomingMessage, [etag, lastModified]: readonly [string, string]): void {
  const given = request.headers['if-range'];
  if (typeof given !== 'string') return;
  request.headers['if-range'] = given === etag || given === lastModified ? etag : '""';
}

/** `Content-Range: bytes *\/<size>`, as send made it. */
function rangeOf(error: { readonly headers?: Readonly<Record<string, string>> }): Record<string, string> {
  const range = error.headers?.['Content-Range'] ?? error.headers?.['content-range'];
  return range === undefined ? {} : { 'content-range': range };
}
