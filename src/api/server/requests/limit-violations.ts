/** Limits the size of a 422 answer. Pure. */
import type { Violation } from '../../../listing/listing.ts';
import { valueError } from '../../../listing/rules/violation.ts';

/**
 * Characters of all `input` values in one answer. Without a limit, 4 MB of text in an agent that lacks three fields
 * would give an answer of 20 MB.
 */
const MAX_ECHO_CHARS = 1024 * 1024;
/** Characters of everything else: about 20,000 violations. 20,000 invalid names of metadata would give 14 MB. */
const MAX_TEXT_CHARS = 2 * 1024 * 1024;

/**
 * The violations with their places, as many as fit. `input` is left out where its own limit is reached. If some do not
 * fit, the last one says how many.
 */
export function limitViolations(violations: readonly Violation[]): readonly Violation[] {
  const shown: Violation[] = [];
  let echoLeft = MAX_ECHO_CHARS;
  let textLeft = MAX_TEXT_CHARS;
  for (const violation of violations) {
    const { input, ...rest } = violation;
    textLeft = subtractSize(rest, textLeft);
    if (textLeft < 0) break;
    const after = subtractSize(input, echoLeft);
    if (after >= 0) echoLeft = after;
    shown.push(after >= 0 ? violation : rest);
  }
  const hidden = violations.length - shown.length;
  if (hidden === 0) return shown;
  const { input: _, ...last } = valueError(['body'], null, `${hidden} more violations are not shown`);
  return [...shown, last];
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
