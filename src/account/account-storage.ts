/**
 * Where accounts are kept: small documents and append-only logs under names of our own making. `file-account-storage.ts`
 * keeps them on disk, `memory-account-storage.ts` in memory; everything else of this folder is written once.
 *
 * Whatever resolves is durable unless it says otherwise. Failed writes throw `store_unwritable` or `disk_full`.
 */

/** Folders and a name, each safe on every platform: nothing that a client sent is ever part of one. */
export type StoragePath = readonly string[];

/** A stretch of a log. */
export interface LogPart {
  /** Names the log: another one under the same path (restored, deleted and begun again) has another. */
  readonly generation: string;
  readonly bytes: Uint8Array;
  /** Bytes in the whole log. */
  readonly size: number;
}

export interface AccountStorage {
  /** Null when there is none. @throws {@link ListingVideoError} `store_corrupt`. */
  read(path: StoragePath): Promise<object | null>;
  /** False when the name is taken; of several who try, one succeeds. */
  create(path: StoragePath, document: object): Promise<boolean>;
  replace(path: StoragePath, document: object): Promise<void>;
  /** Not durable. Silent when there is none. */
  remove(path: StoragePath): Promise<void>;
  /** Makes an empty document, not durably; only `has` sees it. */
  mark(path: StoragePath): Promise<void>;
  has(path: StoragePath): Promise<boolean>;
  /** Names in a folder in no order; none if there is no folder. */
  names(folder: StoragePath): Promise<readonly string[]>;
  /** Not durable. */
  removeFolder(folder: StoragePath): Promise<void>;
  /** Puts `text` at the end of a log in one piece, whoever else appends; makes everything before it durable, too. */
  append(path: StoragePath, text: string): Promise<void>;
  /** At most `maxBytes` from `offset`; null when there is no log. */
  readLog(path: StoragePath, offset: number, maxBytes: number): Promise<LogPart | null>;
  /** For messages. */
  describe(path: StoragePath): string;
}
