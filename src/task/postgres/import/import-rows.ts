/** Adds the accounts and webhooks of a data folder to a database, and returns how many they are. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { DEFAULT_ORGANIZATION_ID } from '../../accounts/account-rules.ts';
import type { ExportedAccounts, ExportedOrganization } from '../../files/accounts/export-accounts.ts';
import type { ExportedWebhook } from '../../files/webhooks/export-webhooks.ts';
import { requireKeys } from '../accounts/postgres-api-keys.ts';
import type { Queries } from '../database.ts';
import { insertInto, sql } from '../sql.ts';
import { insertDeliveries } from '../webhooks/postgres-deliveries.ts';

type Row = Readonly<Record<string, unknown>>;

/** @throws {@link ListingVideoError} `task_state_conflict` if the database has a part of it. Then roll back. */
export async function importAccounts(tx: Queries, { organizations, keys, ...accounts }: ExportedAccounts) {
  if (accounts.areKeysRequired || keys.length > 0) await requireKeys(tx);
  const owners = organizations.map(({ id, name, createdAt }) => ({ id, name, createdAt }));
  const reserved = organizations.flatMap(({ id: organizationId, open }) =>
    open.map(({ task: taskId, retries, credits, at: createdAt }) => {
      const entry = { organizationId, kind: 'task', credits: -credits, taskId, retries, createdAt };
      return { ...entry, state: 'reserved' };
    }),
  );
  const claims = organizations.flatMap(({ id: organizationId, claims }) =>
    claims.map(({ keyHash, bodyHash, taskId, atMs }) => {
      return { organizationId, keyHash, bodyHash, taskId, claimedAt: new Date(atMs) };
    }),
  );
  // One that comes from a file can have further fields.
  const ownKeys = keys.map(({ id, hash, organizationId, readOnly, isOperator, ...key }) => {
    const { createdAt, expiresAt, revokedAt, lastUsedAt } = key;
    const times = { createdAt, expiresAt, revokedAt, lastUsedAt };
    return { id, hash, organizationId, readOnly, isOperator, ...times };
  });
  return {
    organizations: await addRows(tx, 'organizations', owners, ({ id }) => {
      // Every server has the default one by itself.
      if (id !== DEFAULT_ORGANIZATION_ID) throw alreadyImported(`organization ${id}`);
    }),
    ledgers: await addLedgers(tx, organizations),
    reservations: await addRows(tx, 'ledger_entries', reserved),
    keys: await addRows(tx, 'api_keys', ownKeys),
    idempotencyKeys: await addRows(tx, 'idempotency_keys', claims, ({ organizationId }) => {
      throw keyInUse(organizationId);
    }),
  };
}

/** @param tx - Has the organizations. */
export async function importWebhooks(tx: Queries, webhooks: readonly ExportedWebhook[]) {
  const rows = webhooks.map(({ id, organizationId, url, events, secrets, createdAt, disabledAt }) => {
    return { id, organizationId, url, events, createdAt, disabledAt, secrets: JSON.stringify(secrets) };
  });
  const deliveries = webhooks.flatMap((webhook) => webhook.deliveries);
  const counts = { webhooks: await addRows(tx, 'webhooks', rows), deliveries: deliveries.length };
  for (const each of deliveries) {
    const added = await insertDeliveries(tx, [each], each.nextAttemptAt);
    if (added.length === 0) throw alreadyImported(`delivery ${each.id}`);
  }
  return counts;
}

/** @param onTaken - Called for a row that the database has. @returns The number of rows. */
async function addRows<T extends Row>(
  tx: Queries,
  table: string,
  rows: readonly T[],
  onTaken = ({ id, taskId }: T): void => {
    throw alreadyImported(`${table.replaceAll('_', ' ')} ${id ?? taskId}`);
  },
): Promise<number> {
  for (const row of rows) {
    const added = await tx.query(sql`${insertInto(table, row)} on conflict do nothing returning 1 as added`);
    if (added.length === 0) onTaken(row);
  }
  return rows.length;
}

/**
 * Adds each balance as a grant, with the credits of open reservations. The default organization is in every data folder,
 * and in the database before the import. The moment at which a folder made it is the sign of that folder.
 */
async function addLedgers(tx: Queries, organizations: readonly ExportedOrganization[]): Promise<number> {
  const metered = organizations.filter(({ isMetered }) => isMetered);
  for (const { id: organizationId, createdAt, balance, open } of metered) {
    const note = `imported from the data folder of ${createdAt}`;
    const earlier = await tx.query(
      sql`select 1 from listing_video.ledger_entries
       where organization_id = ${organizationId} and kind = 'grant' and note = ${note}`,
    );
    if (earlier.length > 0) throw alreadyImported(`the credits of organization ${organizationId}`);
    const credits = open.reduce((sum, reservation) => sum + reservation.credits, balance);
    const grant = { organizationId, kind: 'grant', credits, note, createdAt: sql`now()` };
    await tx.query(insertInto('ledger_entries', grant));
    await tx.query(
      sql`update listing_video.organizations set balance = balance + ${balance}, is_metered = true
       where id = ${organizationId}`,
    );
  }
  return metered.length;
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
