/** Accounts in memory, for tests. */
import type { AccountStoreOptions } from '../../src/account/account-options.ts';
import type { AccountStorage, AccountStorages, StoragePath } from '../../src/account/account-storage.ts';
import type { AccountStore } from '../../src/task/accounts/account-store.ts';
import { createAccountStore } from '../../src/account/create-account-store.ts';
import { type OpenedWebhooks, openWebhooks } from '../../src/account/webhook/create-webhook-store.ts';
import { documentCorrupt } from '../../src/platform/disk/json-document.ts';

/** The stored data. Storages with the same data behave like processes with the same data folder. */
export interface MemoryAccounts {
  readonly documents: Map<string, string>;
  readonly logs: Map<string, Uint8Array>;
}

/** Empty data for {@link createMemoryAccountStorage}. */
export function newMemoryAccounts(): MemoryAccounts {
  return { documents: new Map(), logs: new Map() };
}

/** Stores with the same `accounts` behave like processes that share a data folder. */
export function createMemoryAccountStore(
  options: AccountStoreOptions & { readonly accounts?: MemoryAccounts },
): AccountStore {
  const { accounts = newMemoryAccounts() } = options;
  return createAccountStore(openMemoryAccountStorages(accounts), options);
}

/** Storages over `accounts`: those in the folder `accounts`, and those above it. */
export function openMemoryAccountStorages(accounts: MemoryAccounts): AccountStorages {
  return {
    storage: createMemoryAccountStorage(accounts, ['accounts']),
    homeStorage: createMemoryAccountStorage(accounts, []),
  };
}

/** Webhooks with the same `accounts` behave like processes that share a data folder. */
export function openMemoryWebhooks(
  options: AccountStoreOptions & { readonly accounts?: MemoryAccounts },
): OpenedWebhooks {
  const { accounts = newMemoryAccounts() } = options;
  return openWebhooks(openMemoryAccountStorages(accounts), options);
}

/** Opens the storage of one folder. */
function createMemoryAccountStorage(kept: MemoryAccounts, root: StoragePath): AccountStorage {
  const { documents, logs } = kept;
  const nameOf = (path: StoragePath) => [...root, ...path].join('/');
  const under = (folder: StoragePath) =>
    [...documents.keys(), ...logs.keys()].filter((name) => name.startsWith(`${nameOf(folder)}/`));
  return {
    read: async (path) => {
      const text = documents.get(nameOf(path));
      return text === undefined ? null : parse(text, nameOf(path));
    },
    create: async (path, document) => {
      if (documents.has(nameOf(path))) return false;
      documents.set(nameOf(path), JSON.stringify(document));
      return true;
    },
    replace: async (path, document) => void documents.set(nameOf(path), JSON.stringify(document)),
    remove: async (path) => {
      documents.delete(nameOf(path));
      logs.delete(nameOf(path));
    },
    mark: async (path) => void documents.set(nameOf(path), ''),
    has: async (path) => documents.has(nameOf(path)),
    names: async (folder) => [
      ...new Set(under(folder).map((name) => name.split('/')[root.length + folder.length]!)),
    ],
    removeFolder: async (folder) => {
      for (const name of under(folder)) documents.delete(name);
    },
    removeEmptyFolder: async () => {},
    append: async (path, text) => {
      const before = logs.get(nameOf(path)) ?? new Uint8Array();
      logs.set(nameOf(path), Buffer.concat([before, Buffer.from(text)]));
    },
    readLog: async (path, offset, maxBytes) => {
      const log = logs.get(nameOf(path));
      if (log === undefined) return null;
      return { generation: 'memory', bytes: log.subarray(offset, offset + maxBytes), size: log.length };
    },
    describe: nameOf,
  };
}

/** As from a file: an object, or `store_corrupt`. */
function parse(text: string, name: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw documentCorrupt(name, 'it holds no JSON object');
}
