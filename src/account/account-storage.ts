/**
 * The storage interface of accounts: small documents and append-only logs. `file-account-storage.ts` implements it on disk,
 * the tests in memory; all other files of this folder work with both.
 *
 * A write is durable when its promise resolves, unless its comment says otherwise. Failed writes throw `store_unwritable`
 * or `disk_full`.
 */

/** Folders and a file name, each safe on every platform. They never contain text from a client. */
export type StoragePath = readonly string[];

/** A part of a log. */
export interface LogPart {
  /** Identity of the log file. It changes when the file at this path is restored, or deleted and created again. */
  readonly generation: string;
  readonly bytes: Uint8Array;
  /** Size of the whole log in bytes. */
  readonly size: number;
}

/** Where accounts are kept. */
export interface AccountStorages {
  /** The folder `accounts`. */
  readonly storage: AccountStorage;
  /** The folder above it, for the few files that must survive the loss of `accounts`. */
  readonly homeStorage: AccountStorage;
}

export interface AccountStorage {
  /** Null if it does not exist. @throws {@link ListingVideoError} `store_corrupt`. */
  read(path: StoragePath): Promise<object | null>;
  /** False if the name is taken. Exactly one of several concurrent callers succeeds. */
  create(path: StoragePath, document: object): Promise<boolean>;
  /** @param options - `isDurable: false` skips the flush: after a power loss the document can be the earlier one, or damaged. */
  replace(path: StoragePath, document: object, options?: { readonly isDurable: boolean }): Promise<void>;
  /** Not durable. Does nothing if the document does not exist. */
  remove(path: StoragePath): Promise<void>;
  /** Makes an empty document that only `has` sees. Not durable. */
  mark(path: StoragePath): Promise<void>;
  has(path: StoragePath): Promise<boolean>;
  /** Names in a folder, in no order; empty if the folder does not exist. */
  names(folder: StoragePath): Promise<readonly string[]>;
  /** Not durable. */
  removeFolder(folder: StoragePath): Promise<void>;
  /** Not durable. Does nothing if the folder has a name in it or does not exist. */
  removeEmptyFolder(folder: StoragePath): Promise<void>;
  /** Appends `text` to a log. Concurrent appends never mix. All earlier text becomes durable, too. */
  append(path: StoragePath, text: string): Promise<void>;
  /** Reads at most `maxBytes` from `offset`; null if the log does not exist. */
  readLog(path: StoragePath, offset: number, maxBytes: number): Promise<LogPart | null>;
  /** The path as text for messages. */
  describe(path: StoragePath): string;
}
