/** Reads all accounts of a data folder, for a database that takes them over. Changes nothing. */
import type { StoreWarning } from '../task/task-store.ts';
import { type AccountStoreOptions, toAccountDeps } from './account-options.ts';
import { ApiKeys, type ExportedKey } from './api-keys.ts';
import { AuditLog } from './audit-log.ts';
import { createFileAccountStorages } from './file-account-storage.ts';
import { type ExportedClaim, exportClaims } from '../task/files/accounts/idempotency-keys.ts';
import { Ledger } from './ledger.ts';
import type { OpenReservation } from './ledger-state.ts';
import { type OrganizationDocument, Organizations, organizationPath } from './organizations.ts';
import { readEach } from './read-each.ts';
import { areKeysRequired } from './required-keys.ts';

/** An organization with its credits and its idempotency keys. */
export interface ExportedOrganization extends OrganizationDocument {
  readonly balance: number;
  readonly isMetered: boolean;
  /** The balance is without their credits. */
  readonly open: readonly OpenReservation[];
  /** Claims of today and yesterday whose task was made. */
  readonly claims: readonly ExportedClaim[];
}

export interface ExportedAccounts {
  readonly organizations: readonly ExportedOrganization[];
  readonly keys: readonly ExportedKey[];
  readonly areKeysRequired: boolean;
  /** Organizations and keys that cannot be read. */
  readonly warnings: readonly StoreWarning[];
}

/** The accounts in `<home>/accounts`. */
export async function exportAccounts(
  options: AccountStoreOptions & { readonly home: string },
): Promise<ExportedAccounts> {
  const deps = toAccountDeps(createFileAccountStorages(options), options);
  const audit = new AuditLog(deps);
  const organizations = new Organizations(deps, audit);
  const owners = await readEach(await organizations.ids(), async (id) => {
    const document = await organizations.stored(id);
    if (document === null) return null;
    const ledger = new Ledger({ ...deps, folder: organizationPath(id) });
    const { balance, isMetered, open } = await ledger.look();
    const claims = await exportClaims(id, deps);
    return { ...document, balance, isMetered, open: [...open.values()], claims };
  });
  const keys = await new ApiKeys(deps, audit).export();
  return {
    organizations: owners.data,
    keys: keys.data,
    areKeysRequired: await areKeysRequired(deps.homeStorage),
    warnings: [...owners.warnings, ...keys.warnings],
  };
}
