/** Limits how much of the request a 422 answer repeats. Pure. */
import type { Violation } from '../listing/listing.ts';

/**
 * Characters of all `input` values in one answer. Without a limit, 4 MB of text in an agent that lacks three fields would
 * give an answer of 20 MB.
 */
const MAX_ECHO_CHARS = 1024 * 1024;

/** Every violation with its place; `input` is left out where the limit is reached. */
export function limitInputs(violations: readonly Violation[]): readonly Violation[] {
  let left = MAX_ECHO_CHARS;
  return violations.map((violation) => {
    const after = subtractSize(violation.input, left);
    if (after >= 0) {
      left = after;
      return violation;
    }
    const { input: _, ...rest } = violation;
    return rest;
  });
}

/**
 * What is left of `room` after a value from `JSON.parse`; negative when it does not fit. Stops at the limit. The JSON
 * reader has already limited the depth.
 */
function subtractSize(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  const items: Iterable<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [key, item] of items) {
    left = subtractSize(item, typeof key === 'string' ? left - key.length - 4 : left - 1);
    if (left < 0) break;
  }
  return left;
}
