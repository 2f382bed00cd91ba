/** Stores accounts in files under `<home>/accounts` and beside it: documents through lowdb, logs by appending. */

import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFile } from '../platform/disk/atomic-write.ts';
import { errnoOf, isAbsent, toStoreError } from '../platform/disk/disk-error.ts';
import { exists, flushFolder, makeFolder, namesIn } from '../platform/disk/folder.ts';
import {
  documentCorrupt,
  formatJsonDocument,
  readJsonDocument,
  writeDocument,
} from '../platform/disk/json-document.ts';
import type { AccountStorage, AccountStorages, LogPart, StoragePath } from './account-storage.ts';

export interface FileAccountStorageOptions {
  readonly home: string;
  /** False skips every flush to disk, for tests and benchmarks. */
  readonly durable?: boolean;
}

/** Opens the storages. They touch no file until their first use. */
export function createFileAccountStorages({
  home,
  durable = true,
}: FileAccountStorageOptions): AccountStorages {
  return {
    storage: new FileAccountStorage(join(home, 'accounts'), durable),
    homeStorage: new FileAccountStorage(home, durable),
  };
}

const NO_BYTES = new Uint8Array();

class FileAccountStorage implements AccountStorage {
  readonly #root: string;
  readonly #durable: boolean;
  /** Logs whose names this process knows to be durable. */
  readonly #flushedLogs = new Set<string>();

  constructor(root: string, durable: boolean) {
    this.#root = root;
    this.#durable = durable;
  }

  describe(path: StoragePath): string {
    return join(this.#root, ...path);
  }

  read(path: StoragePath): Promise<object | null> {
    return readJsonDocument(this.describe(path));
  }

  async create(path: StoragePath, document: object): Promise<boolean> {
    return this.#writing(path, async (file) => {
      const isCreated = await createFile(file, formatJsonDocument(document), { durable: this.#durable });
      // Also if another process made it: a caller that relies on the document must not lose it in a power loss.
      if (this.#durable) await flushFolder(dirname(file));
      return isCreated;
    });
  }

  async replace(path: StoragePath, document: object, { isDurable } = { isDurable: true }): Promise<void> {
    const durable = this.#durable && isDurable;
    await this.#writing(path, (file) => writeDocument(file, document, { durable }));
  }

  async remove(path: StoragePath): Promise<void> {
    const file = this.describe(path);
    await fs.rm(file, { force: true }).catch((error) => {
      throw toStoreError(error, file);
    });
  }

  async mark(path: StoragePath): Promise<void> {
    await this.#writing(path, (file) => fs.writeFile(file, ''));
  }

  has(path: StoragePath): Promise<boolean> {
    return exists(this.describe(path));
  }

  async names(folder: StoragePath): Promise<readonly string[]> {
    return namesIn(this.describe(folder));
  }

  async removeFolder(folder: StoragePath): Promise<void> {
    await fs.rm(this.describe(folder), { recursive: true, force: true, maxRetries: 3 });
  }

  async removeEmptyFolder(folder: StoragePath): Promise<void> {
    // It fails if another process writes into the folder meanwhile. The next call tries again.
    await fs.rmdir(this.describe(folder)).catch(() => {});
  }

  async append(path: StoragePath, text: string): Promise<void> {
    await this.#writing(path, async (file) => {
      // With O_APPEND the kernel seeks and writes in one step, so lines of several processes never mix.
      const handle = await fs.open(file, 'a');
      try {
        await handle.writeFile(text);
        // This also flushes the earlier lines of other processes, on which our decisions depend.
        if (this.#durable) await handle.datasync();
      } finally {
        await handle.close();
      }
      if (!this.#durable || this.#flushedLogs.has(file)) return;
      await flushFolder(dirname(file));
      this.#flushedLogs.add(file);
    });
  }

  async readLog(path: StoragePath, offset: number, maxBytes: number): Promise<LogPart | null> {
    const file = this.describe(path);
    try {
      const { dev, ino, size } = await fs.stat(file);
      const generation = `${dev}:${ino}`;
      if (size <= offset) return { generation, bytes: NO_BYTES, size };
      const handle = await fs.open(file, 'r');
      try {
        const length = Math.min(maxBytes, size - offset);
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
        return { generation, bytes: buffer.subarray(0, bytesRead), size };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isAbsent(error)) return null;
      throw documentCorrupt(file, errnoOf(error), error);
    }
  }

  /** Runs `write`, creates its folder if missing, and maps errors with `toStoreError`. */
  async #writing<T>(path: StoragePath, write: (file: string) => Promise<T>): Promise<T> {
    const file = this.describe(path);
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await write(file);
        } catch (error) {
          // Sweeping can remove the empty folder before `write` runs again.
          if (errnoOf(error) !== 'ENOENT' || tries === 10) throw error;
          await makeFolder(dirname(file), this.#durable);
        }
      }
    } catch (error) {
      throw toStoreError(error, file);
    }
  }
}
