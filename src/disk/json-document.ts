/** A small JSON document in a file of its own, through lowdb: replaced whole or not at all, flushed before it counts. */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { ListingVideoError } from '../errors.ts';
import { flushFolder, writeFileAtomically } from './atomic-write.ts';
import { errnoOf, isAbsent } from './store-error.ts';

/** Far above any document of ours: a larger file is not ours, and reading it would cost memory. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

class JsonFile implements Adapter<unknown> {
  readonly #path: string;
  readonly #durable: boolean;

  constructor(path: string, durable: boolean) {
    this.#path = path;
    this.#durable = durable;
  }

  async read(): Promise<unknown> {
    let file: fs.FileHandle;
    try {
      file = await fs.open(this.#path, 'r');
    } catch (error) {
      if (isAbsent(error)) return null;
      throw documentCorrupt(this.#path, `it cannot be opened (${errnoOf(error)})`, error);
    }
    try {
      const { size } = await file.stat();
      if (size > MAX_DOCUMENT_BYTES) throw documentCorrupt(this.#path, `it is ${size} bytes long`);
      return parse(await file.readFile('utf8'), this.#path);
    } finally {
      await file.close();
    }
  }

  async write(value: unknown): Promise<void> {
    await writeFileAtomically(this.#path, formatJsonDocument(value), { durable: this.#durable });
    if (this.#durable) await flushFolder(dirname(this.#path));
  }
}

/** The text of a document. */
export function formatJsonDocument(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The object in the file; null when there is no such file. @throws `store_corrupt` when it holds no JSON object. */
export async function readJsonDocument(path: string): Promise<object | null> {
  const document = new Low<object | null>(new JsonFile(path, false) as Adapter<object | null>, null);
  await document.read();
  return document.data;
}

/** Replaces the document; its folder must exist. */
export async function writeJsonDocument(path: string, value: unknown, durable: boolean): Promise<void> {
  await new Low<unknown>(new JsonFile(path, durable), value).write();
}

/** The error for a document that cannot be understood. */
export function documentCorrupt(path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `the document ${path} cannot be read: ${problem}`, {
    cause,
    hint: 'Put the file back from a backup.',
    context: { path, problem },
  });
}

function parse(text: string, path: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw documentCorrupt(path, 'it is not JSON');
  }
  if (typeof value === 'object' && value !== null) return value;
  throw documentCorrupt(path, 'it holds no JSON object');
}
