/** The API keys of a store: a document each, `keys/<id>.json`, never removed, and its last use, `last-use/<id>.json`. */

import { documentCorrupt } from '../platform/disk/json-document.ts';
import { nullOn } from '../platform/errors.ts';
import { type AccountDeps, isRecent, stamp } from './account-options.ts';
import { keyExpiry, keyNotFound } from '../task/accounts/account-rules.ts';
import type { StoragePath } from './account-storage.ts';
import type { AccountList, ApiKey, Caller, ExpiredKey, NewApiKey, NewKeyOptions } from '../task/accounts/account-store.ts';
import { isKeyId, keyIdOf, makeApiKey, verifyKey } from '../task/accounts/api-key.ts';
import type { AuditLog } from './audit-log.ts';
import { isWithinInterval, KeyUses } from '../task/accounts/key-uses.ts';
import { readEach } from './read-each.ts';
import { areKeysRequired, requireKeys } from './required-keys.ts';

const MAX_CACHED = 1_000;

interface KeyDocument {
  readonly id: string;
  readonly hash: string;
  readonly organizationId: string;
  readonly readOnly: boolean;
  /** Absent in keys of version 0.1.0: false. */
  readonly operator?: boolean;
  readonly createdAt: string;
  /** Absent in keys of version 0.1.0: null. */
  readonly expiresAt?: string | null;
  readonly revokedAt: string | null;
}

/** A key with the hash of its secret. */
export interface ExportedKey extends ApiKey {
  readonly hash: string;
}

export class ApiKeys {
  readonly #deps: Pick<AccountDeps, 'storage' | 'homeStorage' | 'clock'>;
  readonly #audit: AuditLog;
  readonly #uses: KeyUses;
  readonly #cached = new Map<string, { readonly document: KeyDocument; readonly atMs: number }>();
  #hasKeys = false;
  #noKeysMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Pick<AccountDeps, 'storage' | 'homeStorage' | 'clock'>, audit: AuditLog) {
    this.#deps = deps;
    this.#audit = audit;
    this.#uses = new KeyUses(deps.clock, (id) => this.#writeUse(id));
  }

  /** Makes a key. Only the returned value contains its secret. @throws `usage`. */
  async create({
    organizationId,
    readOnly = false,
    isOperator: operator = false,
    expiresInMs,
  }: NewKeyOptions): Promise<NewApiKey> {
    const { storage, homeStorage, clock } = this.#deps;
    const createdAt = stamp(clock);
    const expiresAt = keyExpiry(clock.nowMs(), expiresInMs);
    for (;;) {
      const { id, key, hash } = makeApiKey();
      const document: KeyDocument = {
        id,
        hash,
        organizationId,
        readOnly,
        operator,
        createdAt,
        expiresAt,
        revokedAt: null,
      };
      const change = {
        event: 'key.created',
        key_id: id,
        organization_id: organizationId,
        read_only: readOnly,
        operator,
        expires_at: expiresAt,
      } as const;
      const isCreated = await this.#audit.record(change, async () => {
        // First: a key that exists must never be the only sign that keys are required.
        await requireKeys(homeStorage);
        return storage.create(pathOf(id), document);
      });
      this.#hasKeys = true;
      if (isCreated) return { ...toApiKey(document), lastUsedAt: null, key };
    }
  }

  /** Oldest first. */
  async list(organizationId: string | undefined): Promise<AccountList<ApiKey>> {
    const { data, warnings } = await readEach(await this.#ids(), (id) => this.#find(id));
    const documents = data
      .filter((document) => organizationId === undefined || document.organizationId === organizationId)
      .sort((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
    return { data: await Promise.all(documents.map((document) => this.#withLastUse(document))), warnings };
  }

  /** All keys with their hashes. */
  async export(): Promise<AccountList<ExportedKey>> {
    return readEach(await this.#ids(), async (id) => {
      const document = await this.#find(id);
      return document === null ? null : { ...(await this.#withLastUse(document)), hash: document.hash };
    });
  }

  /** @throws `key_not_found`, `store_corrupt`. */
  async revoke(idOrKey: string): Promise<ApiKey> {
    const id = keyIdOf(idOrKey) ?? idOrKey;
    const document = isKeyId(id) ? await this.#find(id) : null;
    if (document === null) throw keyNotFound(id);
    if (document.revokedAt !== null) return this.#withLastUse(document);
    const revoked = { ...document, revokedAt: stamp(this.#deps.clock) };
    const change = {
      event: 'key.revoked',
      key_id: id,
      organization_id: document.organizationId,
    } as const;
    await this.#audit.record(change, () => this.#deps.storage.replace(pathOf(id), revoked));
    this.#cached.delete(id);
    return this.#withLastUse(revoked);
  }

  /** True once a key was made. A true result is final, also when the folder `accounts` is lost later. */
  async hasEverHadKeys(): Promise<boolean> {
    if (this.#hasKeys) return true;
    const nowMs = this.#deps.clock.nowMs();
    if (isRecent(this.#noKeysMs, nowMs)) return false;
    const { homeStorage } = this.#deps;
    const [ids, isRequired] = await Promise.all([this.#ids(), areKeysRequired(homeStorage)]);
    // Version 0.1.0 made keys without the mark. A data folder that cannot be written does without it.
    if (ids.length > 0 && !isRequired) await requireKeys(homeStorage).catch(() => {});
    this.#hasKeys = ids.length > 0 || isRequired;
    if (!this.#hasKeys) this.#noKeysMs = nowMs;
    return this.#hasKeys;
  }

  /** True if keys are required and there is none, also none that is damaged or revoked. */
  async areLost(): Promise<boolean> {
    return (await this.#ids()).length === 0 && (await areKeysRequired(this.#deps.homeStorage));
  }

  /** See `AccountStore.authenticate`. */
  async authenticate(presented: string): Promise<Caller | ExpiredKey | null> {
    const id = keyIdOf(presented);
    if (id === null) return null;
    const document = await this.#findCached(id);
    const stored = document === null ? null : { hash: document.hash, key: toApiKey(document) };
    const caller = verifyKey(presented, stored, this.#deps.clock.nowMs());
    if (caller !== null && 'keyId' in caller) this.#uses.note(id);
    return caller;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#uses.idle();
  }

  async #withLastUse(document: KeyDocument): Promise<ApiKey> {
    return { ...toApiKey(document), lastUsedAt: await this.#lastUsedAt(document.id) };
  }

  /** ISO 8601 in UTC; null if the key was never used, or its document is damaged. */
  async #lastUsedAt(id: string): Promise<string | null> {
    const document = await this.#deps.storage.read(usePathOf(id)).catch(() => null);
    const { usedAt } = (document ?? {}) as { usedAt?: unknown };
    return typeof usedAt === 'string' && Number.isFinite(Date.parse(usedAt)) ? usedAt : null;
  }

  /** Writes without a flush to disk. */
  async #writeUse(id: string): Promise<void> {
    const { storage, clock } = this.#deps;
    const writtenAt = await this.#lastUsedAt(id);
    // Another server of this data folder can have written a minute that this process did not see.
    if (writtenAt !== null && isWithinInterval(Date.parse(writtenAt), clock.nowMs())) return;
    await storage.replace(usePathOf(id), { usedAt: stamp(clock) }, { isDurable: false });
  }

  async #findCached(id: string): Promise<KeyDocument | null> {
    const nowMs = this.#deps.clock.nowMs();
    const cached = this.#cached.get(id);
    if (cached !== undefined && isRecent(cached.atMs, nowMs)) return cached.document;
    // A damaged key is answered like an unknown one.
    const document = await this.#find(id).catch(nullOn('store_corrupt'));
    // Only existing keys are cached, so that guesses cost no memory.
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    if (document === null) this.#cached.delete(id);
    else this.#cached.set(id, { document, atMs: nowMs });
    return document;
  }

  async #ids(): Promise<string[]> {
    const names = await this.#deps.storage.names(['keys']);
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter(isKeyId);
  }

  async #find(id: string): Promise<KeyDocument | null> {
    const { storage } = this.#deps;
    const document = await storage.read(pathOf(id));
    if (document === null || isKeyDocument(document, id)) return document;
    throw documentCorrupt(storage.describe(pathOf(id)), 'it is no key of that id');
  }
}

function pathOf(id: string): StoragePath {
  return ['keys', `${id}.json`];
}

function usePathOf(id: string): StoragePath {
  return ['last-use', `${id}.json`];
}

function isKeyDocument(value: object, id: string): value is KeyDocument {
  const key = value as Partial<KeyDocument>;
  return (
    key.id === id &&
    typeof key.hash === 'string' &&
    typeof key.organizationId === 'string' &&
    typeof key.readOnly === 'boolean' &&
    (key.operator === undefined || typeof key.operator === 'boolean') &&
    typeof key.createdAt === 'string' &&
    // A damaged time must not become a key that never expires.
    (key.expiresAt == null ||
      (typeof key.expiresAt === 'string' && Number.isFinite(Date.parse(key.expiresAt)))) &&
    (key.revokedAt === null || typeof key.revokedAt === 'string')
  );
}

function toApiKey(document: KeyDocument): Omit<ApiKey, 'lastUsedAt'> {
  const { id, organizationId, readOnly, operator = false, createdAt, expiresAt = null, revokedAt } = document;
  return { id, organizationId, readOnly, isOperator: operator, createdAt, expiresAt, revokedAt };
}
