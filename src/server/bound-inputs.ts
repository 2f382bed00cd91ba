/** Keeps a 422 from saying a large body back many times over. Pure. */
import type { Violation } from '../listing/listing.ts';

/**
 * What all echoed inputs of one answer may weigh together, in characters. A listing's own parts fit many times; 4 MB of
 * text below an agent that lacks three fields, in a listing that lacks two, would else be an answer of 20 MB.
 */
const MAX_ECHO_CHARS = 1024 * 1024;

/** The violations, without those inputs that do not fit any more; each is still told, with its place. */
export function boundInputs(violations: readonly Violation[]): readonly Violation[] {
  let left = MAX_ECHO_CHARS;
  return violations.map((violation) => {
    const after = weigh(violation.input, left);
    if (after >= 0) {
      left = after;
      return violation;
    }
    const { input: _, ...rest } = violation;
    return rest;
  });
}

/**
 * What is left of `room` after a value from `JSON.parse`; negative when it does not fit. Stops as soon as that is known.
 * Depth is bounded where JSON is read.
 */
function weigh(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 2;
  const items: Iterable<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  for (const [key, item] of items) {
    left = weigh(item, typeof key === 'string' ? left - key.length - 4 : left - 1);
    if (left < 0) break;
  }
  return left;
}
