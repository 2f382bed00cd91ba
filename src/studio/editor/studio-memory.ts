/**
 * What the studio remembers of a listing from one run to the next, in the data folder, by the place of the listing file.
 * It is no part of the listing: losing it loses no work.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAside, writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { makeFolder, namesIn } from '../../platform/disk/folder.ts';
import { isObject } from '../document/json.ts';

const VERSION = 1;

/** `file`, `out`, `title`, `opened_at` and `look` are for the start page, which shows the listings of before. */
type Field =
  | 'left_out'
  | 'shapes'
  | 'places'
  | 'rendering'
  | 'named'
  | 'files'
  | 'port'
  | 'file'
  | 'out'
  | 'title'
  | 'opened_at'
  | 'look';

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
    const file = path.join(memoryFolder(home), `${memoryName(listingFile)}.json`);
    return new StudioMemory(file, await readMemory(file), onError);
  }

  /** Where the key of the listing's studios is. */
  get keyFile(): string {
    return this.#file.replace(/\.json$/, '.key');
  }

  /** The picture by which the start page shows the listing. A JPEG, if there is one. */
  get pictureFile(): string {
    return pictureBeside(this.#file);
  }

  /** Removes the temporary files of a process that was killed. For the process that has the lock of the listing. */
  async removeLeftovers(): Promise<void> {
    const folder = path.dirname(this.#file);
    const start = `.${path.basename(this.#file, '.json')}.`;
    const names = await namesIn(folder).catch(() => []);
    const left = names.filter((name) => name.startsWith(start) && isAside(name));
    await Promise.all(left.map((name) => rm(path.join(folder, name), { force: true })));
  }

  /** As it was written: anything can be in it. */
  get(field: Field): unknown {
    return this.#fields[field];
  }

  /** Undefined forgets it. */
  set(field: Field, value: unknown): void {
    this.remember({ [field]: value });
  }

  /** Several fields at once. */
  remember(fields: Readonly<Partial<Record<Field, unknown>>>): void {
    this.#fields = { ...this.#fields, ...fields };
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

/** Where the key of a listing's studios is. @param home - The data folder. @param listingFile - Absolute. */
export function keyFileOf(home: string, listingFile: string): string {
  return path.join(memoryFolder(home), `${memoryName(listingFile)}.key`);
}

/** Where the studio remembers listings, by the {@link memoryName} of each. */
export function memoryFolder(home: string): string {
  return path.join(home, 'studio');
}

/** @param listingFile - Absolute. */
export function memoryName(listingFile: string): string {
  return createHash('sha256').update(listingFile).digest('hex').slice(0, 32);
}

export function pictureBeside(memoryFile: string): string {
  return memoryFile.replace(/\.json$/, '.jpg');
}

/** What was remembered; empty when the file is absent or damaged. */
export function readMemory(file: string): Promise<Readonly<Record<string, unknown>>> {
  return readFile(file, 'utf8').then(parse, () => ({}));
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
