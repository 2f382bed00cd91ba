/** API keys in a database. A key is never removed, and its secret is never stored. */
import { isRecent } from '../../accounts/account-deps.ts';
import { keyNotFound } from '../../accounts/account-rules.ts';
import type { AccountStore } from '../../accounts/account-store.ts';
import { isKeyId, keyIdOf, makeApiKey, type StoredApiKey, withoutHash } from '../../accounts/api-key.ts';
import { KeyGate } from '../../accounts/key-gate.ts';
import { USE_INTERVAL_MS } from '../../accounts/key-uses.ts';
import type { Queries } from '../database.ts';
import { insertInto, QUICK_COMMIT, sql } from '../sql.ts';
import type { PostgresAccountDeps } from './postgres-deps.ts';

const MAX_CACHED = 1_000;

const SELECT = sql`select id, hash, organization_id, read_only, is_operator, created_at, expires_at, last_used_at, revoked_at
  from listing_video.api_keys`;

type KeyMethods = Pick<
  AccountStore,
  'createKey' | 'listKeys' | 'revokeKey' | 'hasEverHadKeys' | 'areKeysLost' | 'authenticate'
>;

/** From the first key on, every request needs one. */
export async function requireKeys(tx: Queries): Promise<void> {
  await tx.query(sql`${insertInto('keys_required', { isRequired: true })} on conflict do nothing`);
}

/** `idle` resolves when nothing is under way. */
export function postgresApiKeys(
  { clock, database, audit, now }: PostgresAccountDeps,
  getOrganization: AccountStore['getOrganization'],
): KeyMethods & { idle(): Promise<void> } {
  const cached = new Map<string, { readonly key: StoredApiKey; readonly atMs: number }>();

  const findKeys = async () => {
    const [row] = await database.query<{ areRequired: boolean; hasKeys: boolean }>(
      sql`select exists (select from listing_video.keys_required) as are_required,
         exists (select from listing_video.api_keys) as has_keys`,
    );
    return row!;
  };

  const findKey = async (queries: Queries, id: string, lock = sql``): Promise<StoredApiKey | null> =>
    (await queries.query<StoredApiKey>(sql`${SELECT} where id = ${id} ${lock}`))[0] ?? null;

  const findCached = async (id: string): Promise<StoredApiKey | null> => {
    const nowMs = clock.nowMs();
    const known = cached.get(id);
    if (known !== undefined && isRecent(known.atMs, nowMs)) return known.key;
    const key = await findKey(database, id);
    // Only existing keys are cached, so that guesses cost no memory.
    if (cached.size >= MAX_CACHED) cached.clear();
    if (key === null) cached.delete(id);
    else cached.set(id, { key, atMs: nowMs });
    return key;
  };

  // Another process can have written a minute that this one did not see. A time in the future is of a clock that was
  // set back.
  const writeUse = async (id: string): Promise<void> => {
    const at = new Date(clock.nowMs());
    const earlier = new Date(at.getTime() - USE_INTERVAL_MS);
    await database.query(
      sql`with quick as (${QUICK_COMMIT})
       update listing_video.api_keys set last_used_at = ${at} from quick
       where id = ${id} and (last_used_at is null or last_used_at > ${at} or last_used_at <= ${earlier})`,
    );
  };

  const gate = new KeyGate(clock, {
    find: findCached,
    areRequired: async () => Object.values(await findKeys()).includes(true),
    writeUse,
  });

  return {
    async createKey(options) {
      await getOrganization(options.organizationId);
      const { made, key, hash, change } = makeApiKey(options, clock);
      await database.transaction(async (tx) => {
        await requireKeys(tx);
        await tx.query(insertInto('api_keys', { ...made, hash }));
        await audit(tx, change);
      });
      gate.requireKeys();
      return { ...made, key };
    },
    async listKeys(organizationId) {
      const isOwn = organizationId === undefined ? sql`` : sql`where organization_id = ${organizationId}`;
      const keys = await database.query<StoredApiKey>(sql`${SELECT} ${isOwn} order by created_at, id`);
      return { data: keys.map(withoutHash), warnings: [] };
    },
    async revokeKey(idOrKey) {
      const id = keyIdOf(idOrKey) ?? idOrKey;
      if (!isKeyId(id)) throw keyNotFound(id);
      const key = await database.transaction(async (tx) => {
        const found = await findKey(tx, id, sql`for update`);
        if (found === null) throw keyNotFound(id);
        if (found.revokedAt !== null) return found;
        const revokedAt = now();
        await tx.query(sql`update listing_video.api_keys set revoked_at = ${revokedAt} where id = ${id}`);
        await audit(tx, { event: 'key.revoked', key_id: id, organization_id: found.organizationId });
        return { ...found, revokedAt };
      });
      cached.delete(id);
      return withoutHash(key);
    },
    hasEverHadKeys: () => gate.hasEverHadKeys(),
    async areKeysLost() {
      const { areRequired, hasKeys } = await findKeys();
      return areRequired && !hasKeys;
    },
    authenticate: (presented) => gate.authenticate(presented),
    idle: () => gate.idle(),
  };
}
