/** Reads all accounts of a data folder, for a database that takes them over. Changes nothing. */
import { type AccountStoreOptions, findTask } from '../../accounts/account-deps.ts';
import { reservationEnd } from '../../accounts/account-rules.ts';
import type { StoredApiKey } from '../../accounts/api-key.ts';
import type { StoreWarning } from '../../task-store.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditLog } from './audit-log.ts';
import { toFileDeps } from './file-deps.ts';
import { type ExportedClaim, IdempotencyKeys } from './idempotency-keys.ts';
import type { OpenReservation, OrganizationDocument } from './organization-document.ts';
import { Organizations } from './organizations.ts';

/** An organization with its credits and its idempotency keys. */
export interface ExportedOrganization
  extends Pick<OrganizationDocument, 'id' | 'name' | 'createdAt' | 'balance' | 'isMetered'> {
  /** Of tasks that have not ended. The balance is without their credits. */
  readonly open: readonly OpenReservation[];
  /** Claims of today and yesterday whose task was made. */
  readonly claims: readonly ExportedClaim[];
}

export interface ExportedAccounts {
  readonly organizations: readonly ExportedOrganization[];
  readonly keys: readonly StoredApiKey[];
  readonly areKeysRequired: boolean;
  /** Organizations and keys that cannot be read. */
  readonly warnings: readonly StoreWarning[];
}

export async function exportAccounts(
  options: AccountStoreOptions & { readonly home: string },
): Promise<ExportedAccounts> {
  const deps = toFileDeps(options);
  const audit = new AuditLog(deps);
  const organizations = new Organizations(deps, audit);
  const idempotency = new IdempotencyKeys(deps);
  const keys = new ApiKeys(deps, organizations, audit);
  const owners = await organizations.each(
    async ({ id, name, createdAt, balance, isMetered, ...document }) => {
      const claims = await idempotency.export(id);
      const open: OpenReservation[] = [];
      let back = 0;
      for (const each of Object.values(document.open)) {
        const task = await findTask(options.tasks, each.task).catch(() => undefined);
        // No process is at work: a task that does not exist will not come.
        const end = task === undefined ? null : reservationEnd(each.retries, task, true);
        if (end === null) open.push(each);
        else if (end !== 'spend') back += each.credits;
      }
      return { id, name, createdAt, balance: balance + back, isMetered, open, claims };
    },
  );
  const exported = await keys.export();
  return {
    organizations: owners.data,
    keys: exported.data,
    areKeysRequired: await keys.areRequired(),
    warnings: [...owners.warnings, ...exported.warnings],
  };
}
