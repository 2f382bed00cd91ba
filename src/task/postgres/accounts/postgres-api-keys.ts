/** API keys in a database. A key is never removed, and its secret is never stored. */

import { isRecent } from '../../accounts/account-deps.ts';
import { keyExpiry, keyNotFound } from '../../accounts/account-rules.ts';
import type { AccountStore, ApiKey } from '../../accounts/account-store.ts';
import { isKeyId, keyIdOf, makeApiKey, verifyKey } from '../../accounts/api-key.ts';
import { KeyUses, USE_INTERVAL_MS } from '../../accounts/key-uses.ts';
import type { Queries } from '../database.ts';
import { insertInto, QUICK_COMMIT, sql } from '../sql.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

const MAX_CACHED = 1_000;

type Times = 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt';
interface KeyRow extends Omit<ApiKey, Times>, Record<Exclude<Times, 'createdAt'>, Date | null> {
  readonly hash: string;
  readonly createdAt: Date;
}

const COLUMNS = sql`id, hash, organization_id as "organizationId", read_only as "readOnly", is_operator as "isOperator",
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

type KeyMethods = Pick<
  AccountStore,
  'createKey' | 'listKeys' | 'revokeKey' | 'hasEverHadKeys' | 'areKeysLost' | 'authenticate'
>;

/** From the first key on, every request needs one. */
export async function requireKeys(tx: Queries): Promise<void> {
  await tx.query(sql`${insertInto('keys_required', { is_required: true })} on conflict do nothing`);
}

/** `idle` resolves when nothing is under way. */
export function postgresApiKeys(
  { clock, database, audit, now }: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): KeyMethods & { idle(): Promise<void> } {
  const cached = new Map<string, { readonly row: KeyRow; readonly atMs: number }>();
  let hasKeys = false;
  let noKeysMs = Number.NEGATIVE_INFINITY;

  // Another process can have written a minute that this one did not see. A time in the future is of a clock that was
  // set back.
  const uses = new KeyUses(clock, async (id) => {
    const at = new Date(clock.nowMs());
    const earlier = new Date(at.getTime() - USE_INTERVAL_MS);
    await database.query(
      sql`with quick as (${QUICK_COMMIT})
       update listing_video.api_keys set last_used_at = ${at} from quick
       where id = ${id} and (last_used_at is null or last_used_at > ${at} or last_used_at <= ${earlier})`,
    );
  });

  const findKeys = async () => {
    const [row] = await database.query<{ isRequired: boolean; hasKeys: boolean }>(
      sql`select exists (select from listing_video.keys_required) as "isRequired",
              exists (select from listing_video.api_keys) as "hasKeys"`,
    );
    return row!;
  };

  const findKey = async (queries: Queries, id: string, lock = sql``): Promise<KeyRow | null> => {
    const [row = null] = await queries.query<KeyRow>(
      sql`select ${COLUMNS} from listing_video.api_keys where id = ${id} ${lock}`,
    );
    return row;
  };

  const findCached = async (id: string): Promise<KeyRow | null> => {
    const nowMs = clock.nowMs();
    const known = cached.get(id);
    if (known !== undefined && isRecent(known.atMs, nowMs)) return known.row;
    const row = await findKey(database, id);
    // Only existing keys are cached, so that guesses cost no memory.
    if (cached.size >= MAX_CACHED) cached.clear();
    if (row === null) cached.delete(id);
    else cached.set(id, { row, atMs: nowMs });
    return row;
  };

  return {
    async createKey({ organizationId, readOnly = false, isOperator = false, expiresInMs }) {
      await getOrganization(organizationId);
      const expiresAt = keyExpiry(clock.nowMs(), expiresInMs);
      const { id, key, hash } = makeApiKey();
      const owner = { organization_id: organizationId, read_only: readOnly };
      const columns = {
        id,
        hash,
        ...owner,
        is_operator: isOperator,
        created_at: now(),
        expires_at: expiresAt,
      };
      const row = await database.transaction(async (tx) => {
        await requireKeys(tx);
        const [made] = await tx.query<KeyRow>(sql`${insertInto('api_keys', columns)} returning ${COLUMNS}`);
        const granted = { ...owner, operator: isOperator, expires_at: expiresAt };
        await audit(tx, { event: 'key.created', key_id: id, ...granted });
        return made!;
      });
      hasKeys = true;
      return { ...toApiKey(row), key };
    },
    async listKeys(organizationId) {
      const isOwn = organizationId === undefined ? sql`` : sql`where organization_id = ${organizationId}`;
      const rows = await database.query<KeyRow>(
        sql`select ${COLUMNS} from listing_video.api_keys ${isOwn} order by created_at, id`,
      );
      return { data: rows.map(toApiKey), warnings: [] };
    },
    async revokeKey(idOrKey) {
      const id = keyIdOf(idOrKey) ?? idOrKey;
      if (!isKeyId(id)) throw keyNotFound(id);
      const row = await database.transaction(async (tx) => {
        const found = await findKey(tx, id, sql`for update`);
        if (found === null) throw keyNotFound(id);
        if (found.revokedAt !== null) return found;
        const [revoked = found] = await tx.query<KeyRow>(
          sql`update listing_video.api_keys set revoked_at = ${now()} where id = ${id} returning ${COLUMNS}`,
        );
        await audit(tx, { event: 'key.revoked', key_id: id, organization_id: found.organizationId });
        return revoked;
      });
      cached.delete(id);
      return toApiKey(row);
    },
    async hasEverHadKeys() {
      const nowMs = clock.nowMs();
      // A true result is final.
      if (hasKeys || isRecent(noKeysMs, nowMs)) return hasKeys;
      const found = await findKeys();
      hasKeys = found.isRequired || found.hasKeys;
      if (!hasKeys) noKeysMs = nowMs;
      return hasKeys;
    },
    async areKeysLost() {
      const found = await findKeys();
      return found.isRequired && !found.hasKeys;
    },
    async authenticate(presented) {
      const id = keyIdOf(presented);
      if (id === null) return null;
      const row = await findCached(id);
      const stored = row === null ? null : { hash: row.hash, key: toApiKey(row) };
      const caller = verifyKey(presented, stored, clock.nowMs());
      if (caller !== null && 'keyId' in caller) uses.note(id);
      return caller;
    },
    idle: () => uses.idle(),
  };
}

function toApiKey({ hash: _, ...row }: KeyRow): ApiKey {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
