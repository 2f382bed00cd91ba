/**
 * The format of API keys, and the check of a presented key. Pure, except for the randomness of a new key.
 *
 * The store keeps only the sha256 of a key. A slow hash (bcrypt, argon2) protects secrets that can be guessed. 256
 * random bits cannot be guessed at any speed, so a slow hash would only slow down every request.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Caller, ExpiredKey } from './account-store.ts';

const KEY = /^lv_live_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;
const KEY_CHARS = 68;

/** Stands in for the hash of an unknown key, so that an unknown id takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

export interface FreshKey {
  readonly id: string;
  readonly key: string;
  readonly hash: string;
}

/** A new key of 256 random bits under an id of 64. */
export function makeApiKey(): FreshKey {
  const id = randomBytes(8).toString('hex');
  const key = `lv_live_${id}_${randomBytes(32).toString('base64url')}`;
  return { id, key, hash: hashApiKey(key) };
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

export interface StoredKey {
  readonly hash: string;
  readonly key: Pick<ApiKey, 'id' | 'organizationId' | 'readOnly' | 'isOperator' | 'expiresAt' | 'revokedAt'>;
}

/** Null for an unknown, wrong or revoked key. @param stored - The key with that id, if there is one. */
export function verifyKey(
  presented: string,
  stored: StoredKey | null,
  nowMs: number,
): Caller | ExpiredKey | null {
  const isRight = isKeyOfHash(presented, stored?.hash ?? NO_HASH);
  if (stored === null || !isRight || stored.key.revokedAt !== null) return null;
  const { id, organizationId, readOnly, isOperator, expiresAt } = stored.key;
  if (expiresAt !== null && Date.parse(expiresAt) <= nowMs) return { expiredAt: expiresAt };
  return { keyId: id, organizationId, readOnly, isOperator };
}

/** In constant time. */
function isKeyOfHash(presented: string, hash: string): boolean {
  const actual = Buffer.from(hashApiKey(presented));
  const expected = Buffer.from(hash);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
