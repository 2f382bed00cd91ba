/**
 * The makers of violations: one for every rule, in the vocabulary of pydantic 2. They only write the message of a check
 * made elsewhere. Listing, query parameters and path parameters share them.
 */
import type { Violation } from '../listing.ts';
import { countWords } from '../words/count-words.ts';

/** Where a value stands: `"body"`, `"query"` or `"path"`, then keys and array indexes. */
export type Loc = readonly (string | number)[];

/** The steps of a JSON pointer (RFC 6901): an index in an array, else a key, even when the key is `"0"`. */
export function stepsOf(pointer: string, value: unknown): (string | number)[] {
  let current = value;
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIndex = Array.isArray(current);
    current = (current as Record<string, unknown> | undefined)?.[key];
    return isIndex ? Number(key) : key;
  });
}

export type SizedKind = 'List' | 'Dictionary';

export const stringType = fixed('string_type', 'Input should be a valid string');
export const listType = fixed('list_type', 'Input should be a valid list');
export const dictType = fixed('dict_type', 'Input should be a valid dictionary');
export const boolType = fixed('bool_type', 'Input should be a valid boolean');
/** Not a number, where the rule asks for an integer. */
export const intType = fixed('int_type', 'Input should be a valid integer');
/** A number with a fraction, where the rule asks for an integer. */
export const intFromFloat = fixed(
  'int_from_float',
  'Input should be a valid integer, got a number with a fractional part',
);
/** Text of a query or path parameter that is not an integer. */
export const intParsing = fixed(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
);
export const floatType = fixed('float_type', 'Input should be a valid number');
/** A number beyond what a double can hold (`1e999` in JSON text reads as Infinity). */
export const finiteNumber = fixed('finite_number', 'Input should be a finite number');
/** The name of the absent property ends the place; `input` is the object without it. */
export const missing = fixed('missing', 'Field required');

export function tooShort(loc: Loc, input: unknown, kind: SizedKind, min: number, actual: number): Violation {
  const msg = `${kind} should have at least ${countWords(min, 'item')} after validation, not ${actual}`;
  const ctx = { field_type: kind, min_length: min, actual_length: actual };
  return { loc, msg, type: 'too_short', input, ctx };
}

export function tooLong(loc: Loc, input: unknown, kind: SizedKind, max: number, actual: number): Violation {
  const msg = `${kind} should have at most ${countWords(max, 'item')} after validation, not ${actual}`;
  const ctx = { field_type: kind, max_length: max, actual_length: actual };
  return { loc, msg, type: 'too_long', input, ctx };
}

export function stringTooShort(loc: Loc, input: unknown, min: number): Violation {
  const msg = `String should have at least ${countWords(min, 'character')}`;
  return { loc, msg, type: 'string_too_short', input, ctx: { min_length: min } };
}

export function stringTooLong(loc: Loc, input: unknown, max: number): Violation {
  const msg = `String should have at most ${countWords(max, 'character')}`;
  return { loc, msg, type: 'string_too_long', input, ctx: { max_length: max } };
}

export function greaterThanEqual(loc: Loc, input: unknown, min: number): Violation {
  const msg = `Input should be greater than or equal to ${min}`;
  return { loc, msg, type: 'greater_than_equal', input, ctx: { ge: min } };
}

export function lessThanEqual(loc: Loc, input: unknown, max: number): Violation {
  const msg = `Input should be less than or equal to ${max}`;
  return { loc, msg, type: 'less_than_equal', input, ctx: { le: max } };
}

/** None of the allowed values. */
export function literalError(loc: Loc, input: unknown, allowed: readonly string[]): Violation {
  const expected = oneOf(allowed);
  return { loc, msg: `Input should be ${expected}`, type: 'literal_error', input, ctx: { expected } };
}

/** Not a URL. `error` says why, and ends the message. */
export function urlParsing(loc: Loc, input: unknown, error: string): Violation {
  return { loc, msg: `Input should be a valid URL, ${error}`, type: 'url_parsing', input, ctx: { error } };
}

export function urlScheme(loc: Loc, input: unknown, schemes: readonly string[]): Violation {
  const expected = oneOf(schemes);
  const msg = `URL scheme should be ${expected}`;
  return { loc, msg, type: 'url_scheme', input, ctx: { expected_schemes: expected } };
}

export function urlTooLong(loc: Loc, input: unknown, max: number): Violation {
  const msg = `URL should have at most ${countWords(max, 'character')}`;
  return { loc, msg, type: 'url_too_long', input, ctx: { max_length: max } };
}

export function emailInvalid(loc: Loc, input: unknown): Violation {
  const reason = 'Expected an address that mail can reach, such as name@example.com.';
  const msg = `value is not a valid email address: ${reason}`;
  return { loc, msg, type: 'value_error', input, ctx: { reason } };
}

/** A rule of its own kind, such as `agent id is used by an earlier agent` or `no such task`. */
export function valueError(loc: Loc, input: unknown, error: string): Violation {
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
}

function fixed(type: string, msg: string): (loc: Loc, input: unknown) => Violation {
  return (loc, input) => ({ loc, msg, type, input });
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
