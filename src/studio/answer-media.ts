/** Answers with audio and videos, with ranges: browsers ask for parts of what they play (RFC 9110, 14). */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';

interface Span {
  /** First and last byte, both included. */
  readonly from: number;
  readonly to: number;
}

/**
 * @param file - Absolute.
 * @returns Null when the file does not exist.
 */
export async function answerMedia(
  file: string,
  contentType: string,
  rangeHeader: string | undefined,
): Promise<Response | null> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) return null;
  const { size } = found;
  const headers: Record<string, string> = {
    'content-type': contentType,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  };
  const span = readRange(rangeHeader, size);
  if (span === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
  }
  const { from, to } = span ?? { from: 0, to: size - 1 };
  headers['content-length'] = String(to - from + 1);
  if (span !== null) headers['content-range'] = `bytes ${from}-${to}/${size}`;
  const body = size === 0 ? null : Readable.toWeb(createReadStream(file, { start: from, end: to }));
  return new Response(body as ReadableStream<Uint8Array> | null, {
    status: span === null ? 200 : 206,
    headers,
  });
}

/** One range; null for the whole, also where the header asks for several or has another unit. */
function readRange(header: string | undefined, size: number): Span | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (from >= size) return 'unsatisfiable';
  return to < from ? null : { from, to };
}
