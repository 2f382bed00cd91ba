/** Joins the parts of an account store over any storage. */
import { type AccountStoreOptions, toAccountDeps } from './account-options.ts';
import { DEFAULT_ORGANIZATION_ID } from '../task/accounts/account-rules.ts';
import type { AccountStorages } from './account-storage.ts';
import type { AccountStore, Organization } from '../task/accounts/account-store.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit-log.ts';
import { Credits } from './credits.ts';
import { createFileAccountStorages, type FileAccountStorageOptions } from './file-account-storage.ts';
import { IdempotencyKeys } from '../task/files/accounts/idempotency-keys.ts';
import { type OrganizationDocument, Organizations } from './organizations.ts';
import { readEach } from './read-each.ts';

/** The accounts in `<home>/accounts`, shared by every process of this machine. Touches no file until it is used. */
export function createFileAccountStore(
  options: FileAccountStorageOptions & AccountStoreOptions,
): AccountStore {
  return createAccountStore(createFileAccountStorages(options), options);
}

/** The accounts in any storages; tests keep theirs in memory. */
export function createAccountStore(storages: AccountStorages, options: AccountStoreOptions): AccountStore {
  const deps = toAccountDeps(storages, options);
  const audit = new AuditLog(deps);
  const organizations = new Organizations(deps, audit);
  const keys = new ApiKeys(deps, audit);
  const credits = new Credits(deps, audit);
  const idempotency = new IdempotencyKeys(deps);
  const withBalance = async (document: OrganizationDocument): Promise<Organization> => ({
    ...document,
    ...(await credits.balanceOf(document.id)),
  });
  const getOrganization = async (id: string) => withBalance(await organizations.get(id));
  return {
    defaultOrganizationId: DEFAULT_ORGANIZATION_ID,
    createOrganization: async ({ name } = {}) => withBalance(await organizations.create(name)),
    listOrganizations: async () => {
      const { data, warnings } = await readEach(await organizations.ids(), async (id) => {
        const document = await organizations.find(id);
        return document === null ? null : withBalance(document);
      });
      return { data: [...data].sort(byAge), warnings };
    },
    getOrganization,
    defaultOrganization: () => getOrganization(DEFAULT_ORGANIZATION_ID),
    grant: async (id, amount, note) => {
      const document = await organizations.get(id);
      await credits.grant(id, amount, note);
      return withBalance(document);
    },
    createKey: async (options) => {
      const { id: organizationId } = await organizations.get(options.organizationId);
      return keys.create({ ...options, organizationId });
    },
    listKeys: async (organizationId) => keys.list(organizationId),
    revokeKey: async (idOrKey) => keys.revoke(idOrKey),
    hasEverHadKeys: async () => keys.hasEverHadKeys(),
    areKeysLost: async () => keys.areLost(),
    authenticate: async (presentedKey) => keys.authenticate(presentedKey),
    reserve: async (key, amount) => credits.reserve(key, amount),
    release: async (key) => credits.release(key),
    settle: async (key, end) => credits.settle(key, end),
    reconcile: async ({ limit = 1_000 } = {}) => credits.reconcile(await organizations.ids(), limit),
    prune: async ({ olderThanMs }) => credits.prune(await organizations.ids(), olderThanMs),
    beginIdempotent: async (id, key, bodyHash) => idempotency.begin(id, key, bodyHash),
    close: async () => {
      await Promise.all([keys.idle(), credits.idle(), idempotency.idle()]);
    },
  };
}

/** The default one first, then the oldest. */
function byAge(a: Organization, b: Organization): number {
  const rank = ({ id, createdAt }: Organization) =>
    id === DEFAULT_ORGANIZATION_ID ? '' : `${createdAt} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}
