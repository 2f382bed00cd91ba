/** API keys in a database. A key is never removed, and its secret is never stored. */
import { type AccountDeps, isRecent, stamp } from '../account/account-options.ts';
import { keyExpiry, keyNotFound } from '../task/accounts/account-rules.ts';
import type { ApiKey, Caller, ExpiredKey, NewApiKey, NewKeyOptions } from '../task/accounts/account-store.ts';
import { isKeyId, keyIdOf, makeApiKey, verifyKey } from '../task/accounts/api-key.ts';
import { KeyUses, USE_INTERVAL_MS } from '../task/accounts/key-uses.ts';
import { type Database, QUICK_COMMIT } from '../task/postgres/database.ts';
import type { PostgresAudit } from './postgres-audit.ts';

const MAX_CACHED = 1_000;

interface KeyRow {
  readonly id: string;
  readonly hash: string;
  readonly organization_id: string;
  readonly read_only: boolean;
  readonly is_operator: boolean;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

const COLUMNS =
  'id, hash, organization_id, read_only, is_operator, created_at, expires_at, revoked_at, last_used_at';

type KeyDeps = Pick<AccountDeps, 'clock'> & { readonly database: Database };

export class PostgresApiKeys {
  readonly #deps: KeyDeps;
  readonly #audit: PostgresAudit;
  readonly #uses: KeyUses;
  readonly #cached = new Map<string, { readonly row: KeyRow; readonly atMs: number }>();
  #hasKeys = false;
  #noKeysMs = Number.NEGATIVE_INFINITY;

  constructor(deps: KeyDeps, audit: PostgresAudit) {
    this.#deps = deps;
    this.#audit = audit;
    this.#uses = new KeyUses(deps.clock, (id) => this.#writeUse(id));
  }

  /** Makes a key of an existing organization. Only the returned value contains its secret. @throws `usage`. */
  async create(options: NewKeyOptions): Promise<NewApiKey> {
    const { organizationId, readOnly = false, isOperator = false, expiresInMs } = options;
    const { clock, database } = this.#deps;
    const expiresAt = keyExpiry(clock.nowMs(), expiresInMs);
    const { id, key, hash } = makeApiKey();
    const row = await database.transaction(async (tx) => {
      await tx.query(
        'insert into listing_video.keys_required (is_required) values (true) on conflict do nothing',
      );
      const [made] = await tx.query<KeyRow>(
        `insert into listing_video.api_keys
           (id, hash, organization_id, read_only, is_operator, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
        [id, hash, organizationId, readOnly, isOperator, stamp(clock), expiresAt],
      );
      await this.#audit.record(tx, {
        event: 'key.created',
        key_id: id,
        organization_id: organizationId,
        read_only: readOnly,
        operator: isOperator,
        expires_at: expiresAt,
      });
      return made!;
    });
    this.#hasKeys = true;
    return { ...toApiKey(row), key };
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<ApiKey[]> {
    const rows = await this.#deps.database.query<KeyRow>(
      `select ${COLUMNS} from listing_video.api_keys
       where $1::text is null or organization_id = $1 order by created_at, id`,
      [organizationId ?? null],
    );
    return rows.map(toApiKey);
  }

  /** @throws `key_not_found`. */
  async revoke(idOrKey: string): Promise<ApiKey> {
    const id = keyIdOf(idOrKey) ?? idOrKey;
    if (!isKeyId(id)) throw keyNotFound(id);
    const row = await this.#deps.database.transaction(async (tx) => {
      const [found] = await tx.query<KeyRow>(
        `select ${COLUMNS} from listing_video.api_keys where id = $1 for update`,
        [id],
      );
      if (found === undefined) throw keyNotFound(id);
      if (found.revoked_at !== null) return found;
      const [revoked] = await tx.query<KeyRow>(
        `update listing_video.api_keys set revoked_at = $2 where id = $1 returning ${COLUMNS}`,
        [id, stamp(this.#deps.clock)],
      );
      const organization = { organization_id: found.organization_id };
      await this.#audit.record(tx, { event: 'key.revoked', key_id: id, ...organization });
      return revoked ?? found;
    });
    this.#cached.delete(id);
    return toApiKey(row);
  }

  /** True once a key was made. A true result is final. */
  async hasEverHadKeys(): Promise<boolean> {
    if (this.#hasKeys) return true;
    const nowMs = this.#deps.clock.nowMs();
    if (isRecent(this.#noKeysMs, nowMs)) return false;
    const { isRequired, hasKeys } = await this.#findKeys();
    this.#hasKeys = isRequired || hasKeys;
    if (!this.#hasKeys) this.#noKeysMs = nowMs;
    return this.#hasKeys;
  }

  /** True if keys are required and there is none, also none that is revoked. */
  async areLost(): Promise<boolean> {
    const { isRequired, hasKeys } = await this.#findKeys();
    return isRequired && !hasKeys;
  }

  /** See `AccountStore.authenticate`. */
  async authenticate(presented: string): Promise<Caller | ExpiredKey | null> {
    const id = keyIdOf(presented);
    if (id === null) return null;
    const row = await this.#findCached(id);
    const stored = row === null ? null : { hash: row.hash, key: toApiKey(row) };
    const caller = verifyKey(presented, stored, this.#deps.clock.nowMs());
    if (caller !== null && 'keyId' in caller) this.#uses.note(id);
    return caller;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#uses.idle();
  }

  async #findKeys(): Promise<{ readonly isRequired: boolean; readonly hasKeys: boolean }> {
    const [row] = await this.#deps.database.query<{ isRequired: boolean; hasKeys: boolean }>(
      `select exists (select from listing_video.keys_required) as "isRequired",
              exists (select from listing_video.api_keys) as "hasKeys"`,
    );
    return row!;
  }

  async #findCached(id: string): Promise<KeyRow | null> {
    const nowMs = this.#deps.clock.nowMs();
    const cached = this.#cached.get(id);
    if (cached !== undefined && isRecent(cached.atMs, nowMs)) return cached.row;
    const [row = null] = await this.#deps.database.query<KeyRow>(
      `select ${COLUMNS} from listing_video.api_keys where id = $1`,
      [id],
    );
    // Only existing keys are cached, so that guesses cost no memory.
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    if (row === null) this.#cached.delete(id);
    else this.#cached.set(id, { row, atMs: nowMs });
    return row;
  }

  /** Another process can have written a minute that this one did not see. A time in the future is of a clock that was set back. */
  async #writeUse(id: string): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    await this.#deps.database.query(
      `with quick as (${QUICK_COMMIT})
       update listing_video.api_keys set last_used_at = $2 from quick
       where id = $1 and (last_used_at is null or last_used_at > $2 or last_used_at <= $3)`,
      [id, new Date(nowMs), new Date(nowMs - USE_INTERVAL_MS)],
    );
  }
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    readOnly: row.read_only,
    isOperator: row.is_operator,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
