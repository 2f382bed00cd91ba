/** The header `Idempotency-Key`, and the hash that shows whether a repeated request has the same body. Pure. */
import { createHash, type Hash } from 'node:crypto';
import { type ApiProblem, problem } from '../answers/api-problem.ts';

const MAX_LENGTH = 255;

/** The error for a key that is empty or too long; null when it is valid or absent. */
export function checkIdempotencyKey(key: string | undefined): ApiProblem | null {
  if (key === undefined || (key !== '' && [...key].length <= MAX_LENGTH)) return null;
  return problem('invalid_idempotency_key', `an Idempotency-Key has 1 to ${MAX_LENGTH} characters`);
}

/**
 * SHA-256, hex, of a JSON value. Equal values have equal hashes: white space and the order of keys do not matter.
 *
 * @param value - From `JSON.parse`, with the depth limit of the JSON reader.
 */
export function hashJson(value: unknown): string {
  const hash = createHash('sha256');
  update(hash, value);
  return hash.digest('hex');
}

function update(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) {
    hash.update('[');
    for (const item of value) {
      update(hash, item);
      hash.update(',');
    }
    hash.update(']');
  } else if (typeof value === 'object' && value !== null) {
    hash.update('{');
    for (const key of Object.keys(value).sort()) {
      hash.update(`${JSON.stringify(key)}:`);
      update(hash, (value as Record<string, unknown>)[key]);
      hash.update(',');
    }
    hash.update('}');
  } else if (typeof value === 'number') {
    // JSON.parse reads 1e999 as Infinity, which JSON.stringify would write as null.
    hash.update(String(value));
  } else {
    hash.update(JSON.stringify(value));
  }
}
