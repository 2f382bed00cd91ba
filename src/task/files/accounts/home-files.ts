/**
 * The small files of accounts and webhooks in a data folder. Each write is durable when its promise resolves, unless
 * its comment says otherwise, makes the folders that it needs, and fails with `store_unwritable` or `disk_full`.
 */
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFile } from '../../../platform/disk/atomic-write.ts';
import { errnoOf, isAbsent, toStoreError } from '../../../platform/disk/disk-error.ts';
import { exists, flushFolder, makeFolder, namesIn } from '../../../platform/disk/folder.ts';
import { formatJsonDocument, readJsonDocument, writeDocument } from '../../../platform/disk/json-document.ts';

export interface HomeFilesOptions {
  readonly home: string;
  /** False skips every flush to disk, for tests and benchmarks. */
  readonly durable?: boolean;
}

export class HomeFiles {
  readonly #home: string;
  readonly durable: boolean;

  constructor({ home, durable = true }: HomeFilesOptions) {
    this.#home = home;
    this.durable = durable;
  }

  /** The path of these names, which never contain text from a client. */
  at(...names: readonly string[]): string {
    return join(this.#home, ...names);
  }

  /** Names in a folder, in no order; empty if the folder does not exist. */
  names(folder: string): Promise<string[]> {
    return namesIn(folder);
  }

  has(path: string): Promise<boolean> {
    return exists(path);
  }

  /** Null if it does not exist. @throws `store_corrupt`. */
  read(path: string): Promise<object | null> {
    return readJsonDocument(path);
  }

  /** False if the name is taken. Exactly one of several concurrent callers succeeds. */
  create(path: string, document: object, durable = this.durable): Promise<boolean> {
    return this.#write(path, async () => {
      const isCreated = await createFile(path, formatJsonDocument(document), { durable });
      // Also if another process made it: a caller that relies on the document must not lose it in a power loss.
      if (durable) await this.flush(path);
      return isCreated;
    });
  }

  replace(path: string, document: object): Promise<void> {
    return this.#write(path, () => writeDocument(path, document, { durable: this.durable }));
  }

  /** Not durable. False if there is nothing at `from`. Exactly one of several concurrent callers succeeds. */
  async move(from: string, to: string): Promise<boolean> {
    try {
      await makeFolder(dirname(to), this.durable);
      await fs.rename(from, to);
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw toStoreError(error, to);
    }
  }

  /** Not durable. Does nothing if it does not exist. */
  async remove(path: string): Promise<void> {
    await fs.rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((error) => {
      throw toStoreError(error, path);
    });
  }

  /** Not durable. Does nothing if the folder has a name in it or does not exist. */
  async removeEmptyFolder(folder: string): Promise<void> {
    await fs.rmdir(folder).catch(() => {});
  }

  /** Appends to a log. Concurrent appends never mix, because with O_APPEND the kernel seeks and writes in one step. */
  append(path: string, text: string): Promise<void> {
    return this.#write(path, async () => {
      const file = await fs.open(path, 'a');
      try {
        await file.writeFile(text);
        if (this.durable) await file.datasync();
      } finally {
        await file.close();
      }
      await this.flush(path);
    });
  }

  /** The last byte of a file; null if it is empty or does not exist. @throws The file system's error. */
  async lastByte(path: string): Promise<number | null> {
    const file = await fs.open(path, 'r').catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      return size === 0 ? null : buffer[0]!;
    } finally {
      await file.close();
    }
  }

  /** Makes the name of the file durable. */
  async flush(path: string): Promise<void> {
    if (this.durable) await flushFolder(dirname(path));
  }

  async #write<T>(path: string, write: () => Promise<T>): Promise<T> {
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await write();
        } catch (error) {
          // Another process can remove the empty folder before `write` runs again.
          if (errnoOf(error) !== 'ENOENT' || tries === 10) throw error;
          await makeFolder(dirname(path), this.durable);
        }
      }
    } catch (error) {
      throw toStoreError(error, path);
    }
  }
}
