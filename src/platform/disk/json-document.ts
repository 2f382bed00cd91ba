/** Reads and writes small JSON documents, one per file, through lowdb. A write replaces the file atomically. */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import pLimit from 'p-limit';
import { ListingVideoError } from '../errors.ts';
import { type AtomicWriteOptions, writeFileAtomically } from './atomic-write.ts';
import { errnoOf, isAbsent } from './disk-error.ts';
import { flushFolder } from './folder.ts';

/** Far larger than any document of this program. A larger file is not ours, and reading it would fill the memory. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Most documents fit into one read. A page of tasks reads a hundred of them. */
const FIRST_READ_BYTES = 32 * 1024;

/** Large documents that are read at once, so that many clients who ask for one do not fill the memory. */
const largeReads = pLimit(4);

export type ToCorruptError = (problem: string, cause?: unknown) => ListingVideoError;

/**
 * The document in a file, or null if there is no file.
 *
 * @param corrupt - By default {@link documentCorrupt}.
 * @throws `store_corrupt` if the file cannot be read or holds no JSON object.
 */
export async function readJsonDocument(
  path: string,
  corrupt: ToCorruptError = (problem, cause) => documentCorrupt(path, problem, cause),
): Promise<object | null> {
  const adapter: Adapter<object | null> = {
    async read() {
      const text = await readText(path, corrupt);
      return text === null ? null : parseObject(text, corrupt);
    },
    async write() {},
  };
  const document = new Low(adapter, null);
  await document.read();
  return document.data;
}

/** Replaces the document atomically. Its folder must exist. */
export async function writeDocument(path: string, value: object, options: AtomicWriteOptions): Promise<void> {
  // The file adapter of lowdb shares one temporary name between all writers and flushes nothing.
  const adapter: Adapter<object> = {
    read: async () => null,
    async write(document) {
      await writeFileAtomically(path, formatJsonDocument(document), options);
      if (options.durable) await flushFolder(dirname(path));
    },
  };
  await new Low(adapter, value).write();
}

export function formatJsonDocument(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

export function documentCorrupt(path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `the document ${path} cannot be read: ${problem}`, {
    cause,
    hint: 'put the file back from a backup',
    context: { path, problem },
  });
}

/** The text of a file, or null if there is none. @throws What `corrupt` makes. */
export async function readText(path: string, corrupt: ToCorruptError): Promise<string | null> {
  let file: fs.FileHandle;
  try {
    file = await fs.open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw corrupt(`it cannot be opened (${errnoOf(error)})`, error);
  }
  try {
    const start = Buffer.allocUnsafe(FIRST_READ_BYTES);
    const { bytesRead } = await file.read(start, 0, FIRST_READ_BYTES, 0);
    if (bytesRead < FIRST_READ_BYTES) return start.toString('utf8', 0, bytesRead);
    const { size } = await file.stat();
    if (size > MAX_DOCUMENT_BYTES) throw corrupt(`it is ${size} bytes long, which is too large`);
    return await largeReads(() => file.readFile('utf8'));
  } catch (error) {
    if (error instanceof ListingVideoError) throw error;
    throw corrupt(`it cannot be read (${errnoOf(error)})`, error);
  } finally {
    await file.close();
  }
}

/** @throws What `corrupt` makes, unless the text is a JSON object. */
export function parseObject(text: string, corrupt: ToCorruptError): object {
  if (text.trim() === '') throw corrupt('the file is empty');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw corrupt(`the file is not JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw corrupt('the file holds no JSON object');
}
