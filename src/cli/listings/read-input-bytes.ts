/** Reads one input of a command: a file, a named pipe or stdin, with a size limit and without blocking for ever. */
import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { type ListingInput, unreadableBecause } from './collect-inputs.ts';

/** A listing with 100 assets and 20 agents has some 200 kB; this limits the cost of a wrong file. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024;

/**
 * @returns The bytes, or the reason why there are none.
 * @throws The abort reason of `options.signal`.
 */
export async function readInputBytes(
  input: ListingInput,
  { stdin, signal }: { readonly stdin: Readable; readonly signal: AbortSignal },
): Promise<Buffer | string> {
  try {
    if (input.path === null) return await readAll(addAbortSignal(signal, stdin));
    const found = await stat(input.path);
    if (found.isFIFO()) return await readAll(await openPipe(input.path, signal));
    if (!found.isFile() && !found.isDirectory()) return 'it is a device or a socket, not a file';
    const file = await open(input.path, 'r');
    try {
      return await readAll(file.createReadStream({ autoClose: false, signal }));
    } finally {
      await file.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return unreadableBecause(error);
  }
}

/**
 * A named pipe, also one of the shell's `<(…)`. A blocking `open(2)` of a pipe without a writer holds a thread of the
 * pool for ever, which neither an abort nor `process.exit` can end. A polled one can be left.
 */
export async function openPipe(path: string, signal: AbortSignal): Promise<Readable> {
  const { Socket } = await import('node:net');
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_LISTING_BYTES) throw new Error(`it is larger than ${MAX_LISTING_BYTES >> 20} MiB`);
  }
  return Buffer.concat(chunks);
}
