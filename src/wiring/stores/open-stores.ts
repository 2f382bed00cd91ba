/** The stores of tasks, accounts and webhooks: in files of the data folder, or in the database of a setting. */

import type { Settings } from '../../platform/settings/setting-table.ts';
import { createAccountHooks } from '../../task/accounts/account-hooks.ts';
import type { FileAccountStore } from '../../task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../task/files/tasks/file-task-store.ts';
import type { OpenedWebhooks } from '../../task/webhooks/opened-webhooks.ts';
import { summarizePayload } from '../../video/video-task-summary.ts';
import { openAccounts, priceOfTask } from './open-accounts.ts';
import type { Stores, StoresOptions } from './stores.ts';

/** @throws ListingVideoError `database_unavailable`, `database_version`. */
export async function openStores(settings: Settings, options: StoresOptions = {}): Promise<Stores> {
  if (settings.database === undefined) return openFileStores(settings.home, options);
  const { openDatabaseStores } = await import('./open-database-stores.ts');
  return openDatabaseStores(settings.database);
}

function openFileStores(home: string, options: StoresOptions): Stores {
  const store = createFileTaskStore({
    home,
    summarize: summarizePayload,
    ...options,
    beforeEnd: async (task) => {
      // Tasks of the command line have no organization, so webhooks usually stay closed.
      if (task.organizationId !== null) await (await webhooks()).store.addDeliveries(task);
    },
  });
  let openedWebhooks: Promise<OpenedWebhooks> | undefined;
  const webhooks = (): Promise<OpenedWebhooks> => {
    openedWebhooks ??= import('../server/open-webhooks.ts').then(({ openWebhooks }) =>
      openWebhooks(home, store),
    );
    return openedWebhooks;
  };
  let opened: Promise<FileAccountStore> | undefined;
  const accounts = (): Promise<FileAccountStore> => {
    opened ??= openAccounts(home, store);
    return opened;
  };
  const hooks = createAccountHooks(
    {
      reserve: async (key, credits) => (await accounts()).reserve(key, credits),
      release: async (key) => (await accounts()).release(key),
      settle: async (key, end) => (await accounts()).settle(key, end),
    },
    priceOfTask,
  );
  const close = async () => (await opened)?.close();
  return {
    store,
    accounts,
    hooks,
    webhooks,
    checkDatabase: null,
    readQueue: null,
    openQueue: null,
    openChanges: null,
    uploads: null,
    close,
  };
}
