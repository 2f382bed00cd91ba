/** Joins the parts of an account store in PostgreSQL: real tables, and a transaction for every change. */
import { type AccountStoreOptions, toAccountDefaults } from '../account/account-options.ts';
import { DEFAULT_ORGANIZATION_ID } from '../task/accounts/account-rules.ts';
import type { AccountStore } from '../task/accounts/account-store.ts';
import type { Database } from '../task/postgres/database.ts';
import { PostgresApiKeys } from './postgres-api-keys.ts';
import { PostgresAudit } from './postgres-audit.ts';
import { PostgresCredits } from './postgres-credits.ts';
import { PostgresIdempotency } from './postgres-idempotency.ts';
import { PostgresOrganizations } from './postgres-organizations.ts';

export interface PostgresAccountOptions
  extends Pick<AccountStoreOptions, 'clock' | 'self' | 'liveness' | 'newTaskId' | 'program'> {
  /** With the schema of this version; see `requireSchema`. The tasks are in it, too. */
  readonly database: Database;
  /** Filled with the ids of the tasks that are about to be created under an idempotency key. Pass it to `taskCredits`, too. */
  readonly claimedIds?: Set<string>;
}

/** The accounts in a database. */
export function createPostgresAccountStore(options: PostgresAccountOptions): AccountStore {
  const deps = {
    ...toAccountDefaults(options),
    database: options.database,
    claimedIds: options.claimedIds ?? new Set<string>(),
  };
  const audit = new PostgresAudit(deps);
  const organizations = new PostgresOrganizations(deps, audit);
  const keys = new PostgresApiKeys(deps, audit);
  const credits = new PostgresCredits(deps, audit);
  const idempotency = new PostgresIdempotency(deps);
  return {
    defaultOrganizationId: DEFAULT_ORGANIZATION_ID,
    createOrganization: ({ name } = {}) => organizations.create(name),
    listOrganizations: async () => ({ data: await organizations.list(), warnings: [] }),
    getOrganization: (id) => organizations.get(id),
    defaultOrganization: () => organizations.get(DEFAULT_ORGANIZATION_ID),
    grant: async (id, amount, note) => {
      await organizations.get(id);
      await credits.grant(id, amount, note);
      return organizations.get(id);
    },
    createKey: async (options) => {
      await organizations.get(options.organizationId);
      return keys.create(options);
    },
    listKeys: async (organizationId) => ({ data: await keys.list(organizationId), warnings: [] }),
    revokeKey: (idOrKey) => keys.revoke(idOrKey),
    hasEverHadKeys: () => keys.hasEverHadKeys(),
    areKeysLost: () => keys.areLost(),
    authenticate: (presentedKey) => keys.authenticate(presentedKey),
    reserve: (key, amount) => credits.reserve(key, amount),
    release: (key) => credits.release(key),
    settle: (key, end) => credits.settle(key, end),
    reconcile: ({ limit = 1_000 } = {}) => credits.reconcile(limit),
    prune: ({ olderThanMs }) => credits.prune(olderThanMs),
    beginIdempotent: (id, key, bodyHash) => idempotency.begin(id, key, bodyHash),
    close: async () => {
      await Promise.all([keys.idle(), idempotency.idle()]);
    },
  };
}
