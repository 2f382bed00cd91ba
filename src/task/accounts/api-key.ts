/**
 * The format of API keys, and the check of a presented key. Pure, except for the randomness of a new key.
 *
 * The store keeps only the sha256 of a key. A slow hash (bcrypt, argon2) protects secrets that can be guessed. 256
 * random bits cannot be guessed at any speed, so a slow hash would only slow down every request.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AccountDeps, stamp } from './account-deps.ts';
import { keyExpiry } from './account-rules.ts';
import type { ApiKey, Caller, ExpiredKey, NewKeyOptions } from './account-store.ts';

const KEY = /^lv_live_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;
const KEY_CHARS = 68;

/** Stands in for the hash of an unknown key, so that an unknown id takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

/** A new key of 256 random bits under an id of 64, its record, and its line of the audit log. @throws `usage`. */
export function makeApiKey(
  { organizationId, readOnly = false, isOperator = false, expiresInMs }: NewKeyOptions,
  clock: AccountDeps['clock'],
) {
  const expiresAt = keyExpiry(clock.nowMs(), expiresInMs);
  const id = randomBytes(8).toString('hex');
  const key = `lv_live_${id}_${randomBytes(32).toString('base64url')}`;
  const made: ApiKey = {
    ...{ id, organizationId, readOnly, isOperator },
    createdAt: stamp(clock),
    ...{ expiresAt, lastUsedAt: null, revokedAt: null },
  };
  const rights = { read_only: readOnly, operator: isOperator, expires_at: expiresAt };
  const change = { event: 'key.created', key_id: id, organization_id: organizationId, ...rights } as const;
  return { made, key, hash: hashApiKey(key), change };
}

/** The id in a presented key; null unless the text has the format of a key. Paths contain only the id. */
export function keyIdOf(presented: string): string | null {
  // Checking the length first makes a header of megabytes cheap to refuse.
  return presented.length === KEY_CHARS ? (KEY.exec(presented)?.[1] ?? null) : null;
}

/** True for text in the format of a key id. */
export function isKeyId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/** Hex sha256. */
function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** A key with the hash of its secret. */
export interface StoredApiKey extends ApiKey {
  readonly hash: string;
}

export function withoutHash({ hash: _, ...key }: StoredApiKey): ApiKey {
  return key;
}

/** Null for an unknown, wrong or revoked key. @param stored - The key with that id, if there is one. */
export function verifyKey(
  presented: string,
  stored: StoredApiKey | null,
  nowMs: number,
): Caller | ExpiredKey | null {
  const isRight = isKeyOfHash(presented, stored?.hash ?? NO_HASH);
  if (stored === null || !isRight || stored.revokedAt !== null) return null;
  const { id, organizationId, readOnly, isOperator, expiresAt } = stored;
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return { expiredAt: expiresAt };
  return { keyId: id, organizationId, readOnly, isOperator };
}

/** In constant time. */
function isKeyOfHash(presented: string, hash: string): boolean {
  const actual = Buffer.from(hashApiKey(presented));
  const expected = Buffer.from(hash);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
