/** Joins the parts of an account store over any storage. */
import { type AccountDeps, type AccountStoreOptions, toAccountDeps } from './account-options.ts';
import type {
  AccountList,
  AccountStore,
  ApiKey,
  Caller,
  IdempotencyClaim,
  NewApiKey,
  Organization,
  ReconcileReport,
  ReservationKey,
} from './account-store.ts';
import { ApiKeys } from './api-keys.ts';
import { Credits } from './credits.ts';
import { createFileAccountStorage, type FileAccountStorageOptions } from './file-account-storage.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import {
  createMemoryAccountStorage,
  type MemoryAccounts,
  newMemoryAccounts,
} from './memory-account-storage.ts';
import { DEFAULT_ORGANIZATION_ID, type OrganizationDocument, Organizations } from './organizations.ts';
import { readEach } from './read-each.ts';

/** The accounts in `<home>/accounts`, shared by every process of this machine. Touches no file until it is used. */
export function createFileAccountStore(
  options: FileAccountStorageOptions & AccountStoreOptions,
): AccountStore {
  return new JoinedAccountStore(toAccountDeps(createFileAccountStorage(options), options));
}

/** Accounts in memory, for tests; stores that are given the same `accounts` behave like processes that share a home. */
export function createMemoryAccountStore(
  options: AccountStoreOptions & { readonly accounts?: MemoryAccounts },
): AccountStore {
  const storage = createMemoryAccountStorage(options.accounts ?? newMemoryAccounts());
  return new JoinedAccountStore(toAccountDeps(storage, options));
}

class JoinedAccountStore implements AccountStore {
  readonly defaultOrganizationId = DEFAULT_ORGANIZATION_ID;
  readonly #organizations: Organizations;
  readonly #keys: ApiKeys;
  readonly #credits: Credits;
  readonly #idempotency: IdempotencyKeys;

  constructor(deps: AccountDeps) {
    this.#organizations = new Organizations(deps);
    this.#keys = new ApiKeys(deps);
    this.#credits = new Credits(deps);
    this.#idempotency = new IdempotencyKeys(deps);
  }

  async createOrganization({ name }: { readonly name?: string } = {}): Promise<Organization> {
    return this.#withBalance(await this.#organizations.create(name));
  }

  async listOrganizations(): Promise<AccountList<Organization>> {
    const { data, warnings } = await readEach(await this.#organizations.ids(), async (id) => {
      const document = await this.#organizations.find(id);
      return document === null ? null : this.#withBalance(document);
    });
    return { data: [...data].sort(byAge), warnings };
  }

  async getOrganization(id: string): Promise<Organization> {
    return this.#withBalance(await this.#organizations.get(id));
  }

  defaultOrganization(): Promise<Organization> {
    return this.getOrganization(DEFAULT_ORGANIZATION_ID);
  }

  async grant(id: string, credits: number, note?: string): Promise<Organization> {
    const document = await this.#organizations.get(id);
    await this.#credits.grant(id, credits, note);
    return this.#withBalance(document);
  }

  async createKey(options: {
    readonly organizationId: string;
    readonly readOnly?: boolean;
  }): Promise<NewApiKey> {
    const { id } = await this.#organizations.get(options.organizationId);
    return this.#keys.create(id, options.readOnly ?? false);
  }

  async listKeys(organizationId?: string): Promise<AccountList<ApiKey>> {
    return this.#keys.list(organizationId);
  }

  revokeKey(idOrKey: string): Promise<ApiKey> {
    return this.#keys.revoke(idOrKey);
  }

  hasEverHadKeys(): Promise<boolean> {
    return this.#keys.hasEverHadKeys();
  }

  authenticate(presentedKey: string): Promise<Caller | null> {
    return this.#keys.authenticate(presentedKey);
  }

  reserve(key: ReservationKey, credits: number): Promise<void> {
    return this.#credits.reserve(key, credits);
  }

  release(key: ReservationKey): Promise<void> {
    return this.#credits.release(key);
  }

  settle(key: ReservationKey, end: 'spend' | 'refund'): Promise<void> {
    return this.#credits.settle(key, end);
  }

  async reconcile({ limit = 1_000 }: { readonly limit?: number } = {}): Promise<ReconcileReport> {
    return this.#credits.reconcile(await this.#organizations.ids(), limit);
  }

  async prune({ olderThanMs }: { readonly olderThanMs: number }): Promise<number> {
    return this.#credits.prune(await this.#organizations.ids(), olderThanMs);
  }

  beginIdempotent(organizationId: string, key: string, bodyHash: string): Promise<IdempotencyClaim> {
    return this.#idempotency.begin(organizationId, key, bodyHash);
  }

  async close(): Promise<void> {
    await Promise.all([this.#credits.idle(), this.#idempotency.idle()]);
  }

  async #withBalance(document: OrganizationDocument): Promise<Organization> {
    return { ...document, ...(await this.#credits.balanceOf(document.id)) };
  }
}

/** The default one first, then the oldest. */
function byAge(a: Organization, b: Organization): number {
  const rank = ({ id, createdAt }: Organization) =>
    id === DEFAULT_ORGANIZATION_ID ? '' : `${createdAt} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}
