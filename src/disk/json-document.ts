/** A small JSON document in a file of its own, through lowdb: replaced whole or not at all, flushed before it counts. */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { ListingVideoError } from '../errors.ts';
import { type AtomicWriteOptions, writeFileAtomically } from './atomic-write.ts';
import { errnoOf, isAbsent } from './disk-error.ts';
import { flushFolder } from './folder.ts';

/** Far above any document of this program: a larger file is not ours, and reading it would cost memory. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Most documents fit into one read; a page of tasks reads a hundred of them. */
const FIRST_READ_BYTES = 32 * 1024;

/** How a kind of document is read. */
export interface DocumentFormat<T> {
  /** @throws `store_corrupt` when the text is no such document. */
  parse(text: string): T;
  /** The error for a file that cannot be read. */
  corrupt(problem: string, cause?: unknown): ListingVideoError;
}

/** The document in the file; null when there is no such file. @throws `store_corrupt` when it is damaged. */
export async function readDocument<T extends object>(
  path: string,
  format: DocumentFormat<T>,
): Promise<T | null> {
  const document = new Low<T | null>(documentFile(path, format, { durable: false }), null);
  await document.read();
  return document.data;
}

/** Replaces the document; its folder must exist. */
export async function writeDocument(path: string, value: object, options: AtomicWriteOptions): Promise<void> {
  await new Low<object | null>(documentFile(path, objectFormat(path), options), value).write();
}

/** As `readDocument`, for a document that can be any JSON object. */
export function readJsonDocument(path: string): Promise<object | null> {
  return readDocument(path, objectFormat(path));
}

/** The text of a document. */
export function formatJsonDocument(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** The error for a document that cannot be understood. */
export function documentCorrupt(path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `the document ${path} cannot be read: ${problem}`, {
    cause,
    hint: 'Put the file back from a backup.',
    context: { path, problem },
  });
}

/** lowdb's own file adapter shares one temporary name between all writers and flushes nothing. */
function documentFile<T extends object>(
  path: string,
  format: DocumentFormat<T>,
  options: AtomicWriteOptions,
): Adapter<T | null> {
  return {
    async read() {
      const text = await readText(path, format);
      return text === null ? null : format.parse(text);
    },
    async write(value) {
      if (value === null) return;
      await writeFileAtomically(path, formatJsonDocument(value), options);
      if (options.durable) await flushFolder(dirname(path));
    },
  };
}

async function readText(path: string, { corrupt }: DocumentFormat<unknown>): Promise<string | null> {
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
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof ListingVideoError) throw error;
    throw corrupt(`it cannot be read (${errnoOf(error)})`, error);
  } finally {
    await file.close();
  }
}

function objectFormat(path: string): DocumentFormat<object> {
  return {
    parse(text) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        throw documentCorrupt(path, 'it is not JSON');
      }
      if (typeof value === 'object' && value !== null) return value;
      throw documentCorrupt(path, 'it holds no JSON object');
    },
    corrupt: (problem, cause) => documentCorrupt(path, problem, cause),
  };
}
