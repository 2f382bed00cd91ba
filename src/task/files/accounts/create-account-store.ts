/** The accounts in `<home>/accounts`, shared by every process of this machine. */
import type { AccountStoreOptions } from '../../accounts/account-deps.ts';
import { DEFAULT_ORGANIZATION_ID } from '../../accounts/account-rules.ts';
import type { AccountStore, CreditReservations, Organization } from '../../accounts/account-store.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit-log.ts';
import { Credits } from './credits.ts';
import { toFileDeps } from './file-deps.ts';
import type { HomeFilesOptions } from './home-files.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import type { OrganizationDocument } from './organization-document.ts';
import { Organizations, readEach } from './organizations.ts';

export type FileAccountStore = AccountStore & CreditReservations;

/** Touches no file until it is used. */
export function createFileAccountStore(options: HomeFilesOptions & AccountStoreOptions): FileAccountStore {
  const deps = toFileDeps(options);
  const audit = new AuditLog(deps);
  const organizations = new Organizations(deps, audit);
  const keys = new ApiKeys(deps, organizations, audit);
  const credits = new Credits(deps, organizations, audit);
  const idempotency = new IdempotencyKeys(deps);
  const getOrganization = async (id: string) => toOrganization(await organizations.get(id));
  return {
    defaultOrganizationId: DEFAULT_ORGANIZATION_ID,
    createOrganization: async ({ name } = {}) => toOrganization(await organizations.create(name)),
    listOrganizations: async () => {
      const { data, warnings } = await readEach(await organizations.ids(), async (id) => {
        if (id === DEFAULT_ORGANIZATION_ID) return getOrganization(id);
        // One that is being made has a folder, and no document yet.
        const document = await organizations.find(id);
        return document === null ? null : toOrganization(document);
      });
      return { data: [...data].sort(byAge), warnings };
    },
    getOrganization,
    defaultOrganization: () => getOrganization(DEFAULT_ORGANIZATION_ID),
    grant: async (id, amount, note) => {
      await organizations.get(id);
      await credits.grant(id, amount, note);
      return getOrganization(id);
    },
    createKey: async (options) => {
      await organizations.get(options.organizationId);
      return keys.create(options);
    },
    listKeys: (organizationId) => keys.list(organizationId),
    revokeKey: (idOrKey) => keys.revoke(idOrKey),
    hasEverHadKeys: () => keys.gate.hasEverHadKeys(),
    areKeysLost: () => keys.areLost(),
    authenticate: (presentedKey) => keys.gate.authenticate(presentedKey),
    reserve: (key, amount) => credits.reserve(key, amount),
    release: (key) => credits.release(key),
    settle: (key, end) => credits.settle(key, end),
    reconcile: ({ limit = 1_000 } = {}) => credits.reconcile(limit),
    // The document of an organization has open reservations only.
    prune: async () => 0,
    beginIdempotent: (id, key, bodyHash) => idempotency.begin(id, key, bodyHash),
    close: async () => {
      await Promise.all([keys.gate.idle(), idempotency.idle()]);
      await organizations.idle();
    },
  };
}

function toOrganization(document: OrganizationDocument): Organization {
  const { id, name, balance, isMetered, createdAt } = document;
  return { id, name, balance, isMetered, createdAt };
}

/** The default one first, then the oldest. */
function byAge(a: Organization, b: Organization): number {
  const rank = ({ id, createdAt }: Organization) =>
    id === DEFAULT_ORGANIZATION_ID ? '' : `${createdAt} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}
