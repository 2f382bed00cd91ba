/**
 * What an API key looks like and how a presented one is judged. Pure, but for the randomness of a new key.
 *
 * Kept is the sha256 of the key alone. A slow hash (bcrypt, argon2) would add nothing: it protects secrets that can be
 * guessed, and 256 random bits cannot, at any speed of hashing. It would cost every request what it costs an attacker.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY = /^lv_live_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;
const KEY_CHARS = 68;

/** A key that nobody has seen yet. */
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

/** The id in a presented key; null for any text that we cannot have made. Only the id ever becomes part of a path. */
export function keyIdOf(presented: string): string | null {
  // The length first: a header of megabytes costs nothing.
  return presented.length === KEY_CHARS ? (KEY.exec(presented)?.[1] ?? null) : null;
}

/** True for the id of a key. */
export function isKeyId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/** Hex sha256 of the whole key. */
function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares in constant time. */
export function isKeyOfHash(presented: string, hash: string): boolean {
  const actual = Buffer.from(hashApiKey(presented));
  const expected = Buffer.from(hash);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
