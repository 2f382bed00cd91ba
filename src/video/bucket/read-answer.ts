/** Reads the answers of a bucket that are no objects: errors and lists. */
import type { Answer } from '../../platform/network/open-answer.ts';
import type { Refusal } from './bucket-fault.ts';

/** Of an error, or of a page of a list: a thousand keys of a kilobyte each. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** The body as text. @throws Error for more than 4 MiB; errors of the network. */
export async function readText(answer: Answer): Promise<string> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of answer.body) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_TEXT_BYTES) throw new Error('the answer of the bucket is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Reads the body to its end, so that the connection can be used again. */
export async function discardBody(answer: Answer): Promise<void> {
  await readText(answer).catch(() => answer.discard());
}

/**
 * What the bucket refused. Only the word for it is read: the rest of the answer can contain the id of the key, and what
 * was signed.
 */
export async function readRefusal(answer: Answer): Promise<Refusal> {
  const text = await readText(answer).catch(() => '');
  const code = /<Code>\s*([A-Za-z][A-Za-z0-9.]{0,63})\s*<\/Code>/.exec(text)?.[1] ?? null;
  return { status: answer.status, code };
}
