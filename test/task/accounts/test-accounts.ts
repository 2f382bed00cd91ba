/** Accounts and webhooks in a temporary folder, for tests that need a store and not its files. */
import type { AccountStoreOptions } from '../../../src/task/accounts/account-deps.ts';
import {
  createFileAccountStore,
  type FileAccountStore,
} from '../../../src/task/files/accounts/create-account-store.ts';
import { openFileWebhooks } from '../../../src/task/files/webhooks/create-webhook-store.ts';
import type { OpenedWebhooks } from '../../../src/task/webhooks/opened-webhooks.ts';
import { beforeRemoval, temporaryFolder } from '../../leftovers/temporary-folder.ts';

type Options = AccountStoreOptions & { readonly home?: string };

/** Stores with the same `home` behave like processes that share a data folder. By default each has its own. */
export function createTestAccounts({ home = temporaryFolder(), ...options }: Options): FileAccountStore {
  const accounts = createFileAccountStore({ ...options, home, durable: false });
  beforeRemoval(() => accounts.close());
  return accounts;
}

export function openTestWebhooks({ home = temporaryFolder(), ...options }: Options): OpenedWebhooks {
  return openFileWebhooks({ ...options, home, durable: false });
}
