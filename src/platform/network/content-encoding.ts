/**
 * Compressed answers. Only one layer of gzip is ever unpacked: layers multiply, and three of them turn 42 kB into
 * gigabytes of work.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Answer } from './open-answer.ts';

const unpack = promisify(gunzip);

/** Content encodings of an answer, without `identity`. */
function encodingsOf({ headers }: Pick<Answer, 'headers'>): string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/** How the body of an answer is packed; `other` for all that was not asked for. */
export function packingOf(answer: Pick<Answer, 'headers' | 'repeated'>): 'plain' | 'gzip' | 'other' {
  const [first, ...more] = encodingsOf(answer);
  if (answer.repeated.includes('content-encoding') || more.length > 0) return 'other';
  if (first === undefined) return 'plain';
  return /^(x-)?gzip$/.test(first) ? 'gzip' : 'other';
}

/**
 * Unpacks one layer of gzip. Neither side of it exceeds `maxBytes`, so it takes at most some tenths of a second.
 *
 * @param tooLarge - Makes the error for a body that would be larger.
 * @throws Its error, and zlib's own.
 */
export function unpackWithin(sent: Buffer, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  return unpack(sent, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  });
}
