/** The body of an answer as bytes or JSON, up to a size limit. */
import { ListingVideoError } from '../errors.ts';
import type { Answer } from './transport.ts';

/**
 * @param maxBytes - A longer body ends the connection.
 * @throws {@link ListingVideoError} `server_answer_invalid`; what the transport throws.
 */
export async function readBytes(answer: Answer, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of answer.body) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) {
      throw new ListingVideoError(
        'server_answer_invalid',
        `the server's answer is larger than ${maxBytes} bytes`,
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Undefined for invalid JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
