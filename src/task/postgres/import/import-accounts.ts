/** Takes the accounts of a data folder over into a database that has none of them. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { DEFAULT_ORGANIZATION_ID } from '../../accounts/account-rules.ts';
import type { ExportedAccounts, ExportedOrganization } from '../../files/accounts/export-accounts.ts';
import { requireKeys } from '../accounts/postgres-api-keys.ts';
import type { Queries } from '../database.ts';
import { insertInto, raw, type Sql, sql } from '../sql.ts';

/** How much there was in the data folder, how much of it was added to the database, and how much of it is there now. */
export interface ImportCount {
  readonly found: number;
  readonly imported: number;
  readonly present: number;
}

export interface AccountImport {
  readonly organizations: ImportCount;
  readonly ledgers: ImportCount;
  readonly reservations: ImportCount;
  readonly keys: ImportCount;
  readonly idempotencyKeys: ImportCount;
}

/** @throws {@link ListingVideoError} `task_state_conflict` if the database has one of them. Then roll back. */
export async function importAccounts(tx: Queries, accounts: ExportedAccounts): Promise<AccountImport> {
  const { organizations, keys } = accounts;
  for (const organization of organizations) await addOrganization(tx, organization);
  if (accounts.areKeysRequired || keys.length > 0) await requireKeys(tx);
  let addedKeys = 0;
  for (const { createdAt, expiresAt, revokedAt, lastUsedAt, ...rest } of keys) {
    const { id, hash, organizationId, readOnly, isOperator } = rest;
    const key = { id, hash, organizationId, readOnly, isOperator };
    addedKeys += await addRow(tx, 'api_keys', { ...key, createdAt, expiresAt, revokedAt, lastUsedAt });
  }
  const metered = organizations.filter(({ isMetered }) => isMetered);
  const reserved = metered.flatMap(({ open }) => open.map(({ task, retries }) => `${task}.${retries}`));
  const claimed = organizations.flatMap(({ claims }) => claims.map(({ taskId }) => taskId));
  return {
    organizations: await countOf(tx, 'organizations', idsOf(organizations)),
    ledgers: await countOf(tx, 'organizations', idsOf(metered), { where: sql`is_metered and id = any` }),
    reservations: await countOf(tx, 'ledger_entries', reserved, {
      where: sql`state = 'reserved' and task_id || '.' || retries = any`,
    }),
    keys: await countOf(tx, 'api_keys', idsOf(keys), { imported: addedKeys }),
    idempotencyKeys: await countOf(tx, 'idempotency_keys', claimed, { where: sql`task_id = any` }),
  };
}

export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** @param where - The condition, up to the ids. */
export async function countOf(
  tx: Queries,
  table: string,
  ids: readonly string[],
  { imported = ids.length, where = sql`id = any` }: { readonly imported?: number; readonly where?: Sql } = {},
): Promise<ImportCount> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from listing_video.${raw(table)} where ${where}(${ids})`,
  );
  return { found: ids.length, imported, present: row?.count ?? 0 };
}

/** @returns 1, or 0 for one that is there already. */
export async function addRow(
  tx: Queries,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<number> {
  return (await tx.query(sql`${insertInto(table, row)} on conflict do nothing returning 1 as added`)).length;
}

/** All of it, or it throws. */
async function addOrganization(tx: Queries, organization: ExportedOrganization): Promise<void> {
  const { id: organizationId, name, createdAt, claims, isMetered } = organization;
  const added = await addRow(tx, 'organizations', { id: organizationId, name, createdAt });
  // Every server has the default one by itself.
  if (added === 0 && organizationId !== DEFAULT_ORGANIZATION_ID)
    throw alreadyImported(`organization ${organizationId}`);
  if (isMetered) await addLedger(tx, organization);
  for (const { keyHash, bodyHash, taskId, owner, atMs } of claims) {
    const key = { organizationId, keyHash, bodyHash, taskId, owner };
    const claim = { ...key, state: 'done', claimedAt: new Date(atMs) };
    if ((await addRow(tx, 'idempotency_keys', claim)) === 0) throw keyInUse(organizationId);
  }
}

/**
 * Adds the balance as a grant, and the open reservations. The default organization is in every data folder, and in
 * the database before the import. The moment at which a folder made it is the sign of that folder.
 */
async function addLedger(tx: Queries, organization: ExportedOrganization): Promise<void> {
  const { id: organizationId, createdAt, balance, open } = organization;
  const note = `imported from the data folder of ${createdAt}`;
  const earlier = await tx.query(
    sql`select 1 from listing_video.ledger_entries
     where organization_id = ${organizationId} and kind = 'grant' and note = ${note}`,
  );
  if (earlier.length > 0) throw alreadyImported(`the credits of organization ${organizationId}`);
  const credits = open.reduce((sum, reservation) => sum + reservation.credits, balance);
  const grant = { organizationId, kind: 'grant', credits, note, createdAt: sql`now()` };
  await tx.query(insertInto('ledger_entries', grant));
  for (const { task: taskId, retries, credits, by: reservedBy, at } of open) {
    const entry = { organizationId, kind: 'task', credits: -credits, taskId, retries };
    const reserved = { ...entry, state: 'reserved', reservedBy, createdAt: at };
    await tx.query(insertInto('ledger_entries', reserved));
  }
  await tx.query(
    sql`update listing_video.organizations set balance = balance + ${balance}, is_metered = true
     where id = ${organizationId}`,
  );
}

/** The same key would mean two tasks. */
function keyInUse(id: string): ListingVideoError {
  return refusal(`an idempotency key of organization ${id} is in use in the database too`, {
    hint: 'clients used it with two data folders; run the command 24 hours after the last task of this folder, or import into a new, empty database',
    context: { organization_id: id },
  });
}

/** The database has `what` of the data folder. */
export function alreadyImported(what: string): ListingVideoError {
  return refusal(`the database has ${what} of this data folder from an earlier import`, {
    hint: 'serve the database from now on; if the data folder changed since, import it into a new, empty database',
    context: { found: what },
  });
}

function refusal(
  problem: string,
  facts: { hint: string; context: Record<string, string> },
): ListingVideoError {
  return new ListingVideoError('task_state_conflict', `nothing was imported: ${problem}`, facts);
}
