/**
 * What the studio remembers of a listing from one run to the next, in the data folder, by the place of the listing file.
 * It is no part of the listing: losing it loses no work.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { makeFolder } from '../../platform/disk/folder.ts';
import { isObject } from '../document/json.ts';

const VERSION = 1;

type Field = 'left_out' | 'shapes' | 'places' | 'rendering' | 'named' | 'files' | 'port';

export class StudioMemory {
  readonly #file: string;
  readonly #onError: (error: unknown) => void;
  #fields: Readonly<Record<string, unknown>>;
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    file: string,
    fields: Readonly<Record<string, unknown>>,
    onError: (error: unknown) => void,
  ) {
    this.#file = file;
    this.#fields = fields;
    this.#onError = onError;
  }

  /**
   * @param home - The data folder.
   * @param listingFile - Absolute.
   * @param onError - Called when it cannot be written. It is kept in memory.
   */
  static async open(
    home: string,
    listingFile: string,
    onError: (error: unknown) => void,
  ): Promise<StudioMemory> {
    const name = createHash('sha256').update(listingFile).digest('hex').slice(0, 32);
    const file = path.join(home, 'studio', `${name}.json`);
    return new StudioMemory(file, await readFile(file, 'utf8').then(parse, () => ({})), onError);
  }

  /** Where the key of the listing's studios is. */
  get keyFile(): string {
    return this.#file.replace(/\.json$/, '.key');
  }

  /** As it was written: anything can be in it. */
  get(field: Field): unknown {
    return this.#fields[field];
  }

  /** Undefined forgets it. */
  set(field: Field, value: unknown): void {
    this.#fields = { ...this.#fields, [field]: value };
    this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
  }

  /** Resolves when everything is written. */
  saved(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    await makeFolder(path.dirname(this.#file), false);
    const text = JSON.stringify({ ...this.#fields, version: VERSION });
    await writeFileAtomically(this.#file, text, { durable: false });
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
