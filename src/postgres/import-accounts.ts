/** Takes the accounts of a data folder over into a database that has none of them. */

import { DEFAULT_ORGANIZATION_ID } from '../task/accounts/account-rules.ts';
import type { ExportedAccounts, ExportedOrganization } from '../account/export-accounts.ts';
import { ListingVideoError } from '../platform/errors.ts';
import type { Queries } from '../task/postgres/database.ts';

/** How much there was in the data folder, how much of it was added to the database, and how much of it is there now. */
export interface ImportCount {
  readonly found: number;
  readonly imported: number;
  readonly present: number;
}

export interface AccountImport {
  readonly organizations: ImportCount;
  /** Organizations with a ledger. */
  readonly ledgers: ImportCount;
  readonly reservations: ImportCount;
  readonly keys: ImportCount;
  readonly idempotencyKeys: ImportCount;
}

/** @throws {@link ListingVideoError} `task_state_conflict` if the database has one of them. Then roll back. */
export async function importAccounts(tx: Queries, accounts: ExportedAccounts): Promise<AccountImport> {
  for (const organization of accounts.organizations) await addOrganization(tx, organization);
  if (accounts.areKeysRequired || accounts.keys.length > 0) {
    await tx.query(
      'insert into listing_video.keys_required (is_required) values (true) on conflict do nothing',
    );
  }
  let addedKeys = 0;
  for (const key of accounts.keys) {
    const { id, hash, organizationId, readOnly, isOperator, createdAt, expiresAt, revokedAt, lastUsedAt } =
      key;
    const added = await tx.query(
      `insert into listing_video.api_keys
         (id, hash, organization_id, read_only, is_operator, created_at, expires_at, revoked_at, last_used_at)
       select $1, $2, organizations.id, $4, $5, $6, $7, $8, $9 from listing_video.organizations where id = $3
       on conflict (id) do nothing returning id`,
      [id, hash, organizationId, readOnly, isOperator, createdAt, expiresAt, revokedAt, lastUsedAt],
    );
    addedKeys += added.length;
  }
  const { organizations, keys } = accounts;
  const metered = organizations.filter(({ isMetered }) => isMetered);
  const reserved = metered.flatMap(({ open }) => open.map(({ task, retries }) => `${task}.${retries}`));
  const claimed = organizations.flatMap(({ claims }) => claims.map(({ taskId }) => taskId));
  const count = async (sql: string, ids: readonly string[], imported = ids.length): Promise<ImportCount> => {
    const [row] = await tx.query<{ count: number }>(`select count(*) as count from listing_video.${sql}`, [
      ids,
    ]);
    return { found: ids.length, imported, present: row?.count ?? 0 };
  };
  const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);
  return {
    organizations: await count('organizations where id = any($1)', idsOf(organizations)),
    ledgers: await count('organizations where is_metered and id = any($1)', idsOf(metered)),
    reservations: await count(
      `ledger_entries where state = 'reserved' and task_id || '.' || retries = any($1)`,
      reserved,
    ),
    keys: await count('api_keys where id = any($1)', idsOf(keys), addedKeys),
    idempotencyKeys: await count('idempotency_keys where task_id = any($1::uuid[])', claimed),
  };
}

/** All of it, or it throws. */
async function addOrganization(tx: Queries, organization: ExportedOrganization): Promise<void> {
  const { id, name, createdAt, claims, isMetered } = organization;
  const organizations = await tx.query(
    `insert into listing_video.organizations (id, name, created_at) values ($1, $2, $3)
     on conflict (id) do nothing returning id`,
    [id, name, createdAt],
  );
  // Every server has the default one by itself.
  if (organizations.length === 0 && id !== DEFAULT_ORGANIZATION_ID)
    throw alreadyImported(`organization ${id}`);
  if (isMetered) await addLedger(tx, organization);
  for (const { keyHash, bodyHash, taskId, owner, atMs } of claims) {
    const rows = await tx.query(
      `insert into listing_video.idempotency_keys
         (organization_id, key_hash, body_hash, task_id, state, owner, claimed_at)
       values ($1, $2, $3, $4, 'done', $5, $6) on conflict do nothing returning task_id`,
      [id, keyHash, bodyHash, taskId, JSON.stringify(owner), new Date(atMs)],
    );
    if (rows.length === 0) throw keyInUse(id);
  }
}

/**
 * Adds the balance as a grant, and the open reservations. The default organization is in every data folder, and in the database
 * before the import. The moment at which a folder made it is the sign of that folder.
 */
async function addLedger(tx: Queries, { id, createdAt, balance, open }: ExportedOrganization): Promise<void> {
  const note = `imported from the data folder of ${createdAt}`;
  const earlier = await tx.query(
    `select 1 from listing_video.ledger_entries where organization_id = $1 and kind = 'grant' and note = $2`,
    [id, note],
  );
  if (earlier.length > 0) throw alreadyImported(`the credits of organization ${id}`);
  const reserved = open.reduce((sum, { credits }) => sum + credits, 0);
  await tx.query(
    `insert into listing_video.ledger_entries (organization_id, kind, credits, note, created_at)
     values ($1, 'grant', $2, $3, now())`,
    [id, balance + reserved, note],
  );
  for (const { task, retries, credits, by, at } of open) {
    await tx.query(
      `insert into listing_video.ledger_entries
         (organization_id, kind, credits, task_id, retries, state, reserved_by, created_at)
       values ($1, 'task', $2, $3, $4, 'reserved', $5, $6)`,
      [id, -credits, task, retries, JSON.stringify(by), at],
    );
  }
  await tx.query(
    'update listing_video.organizations set balance = balance + $2, is_metered = true where id = $1',
    [id, balance],
  );
}

/** `task_state_conflict`: the same key would mean two tasks. */
function keyInUse(organizationId: string): ListingVideoError {
  return new ListingVideoError(
    'task_state_conflict',
    `nothing was imported: an idempotency key of organization ${organizationId} is in use in the database too`,
    {
      hint: 'clients used it with two data folders; run the command 24 hours after the last task of this folder, or import into a new, empty database',
      context: { organization_id: organizationId },
    },
  );
}

/** `task_state_conflict`: the database has `what` of the data folder. */
export function alreadyImported(what: string): ListingVideoError {
  return new ListingVideoError(
    'task_state_conflict',
    `nothing was imported: the database has ${what} of this data folder from an earlier import`,
    {
      hint: 'serve the database from now on; if the data folder changed since, import it into a new, empty database',
      context: { found: what },
    },
  );
}
