/**
 * The makers of violations: one for every rule that can be broken, in the vocabulary of pydantic 2. They only word what
 * others have judged; listing, query parameters and path parameters share them.
 */
import type { Violation } from '../listing.ts';

/** Where a value stands: `"body"`, `"query"` or `"path"`, then keys and array indexes. */
export type Loc = readonly (string | number)[];

/**
 * A required property is absent.
 *
 * @param loc - Place of the absent property, its name last.
 * @param parent - The object it is missing from; echoed as `input`.
 */
export function missing(loc: Loc, parent: unknown): Violation {
  return { loc, msg: 'Field required', type: 'missing', input: parent };
}

/** Not a string. */
export function stringType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid string', type: 'string_type', input };
}

/** Not an array. */
export function listType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid list', type: 'list_type', input };
}

/** Not an object. */
export function dictType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid dictionary', type: 'dict_type', input };
}

/** Not `true` or `false`. */
export function boolType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid boolean', type: 'bool_type', input };
}

/** Not a number, where an integer is wanted. */
export function intType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid integer', type: 'int_type', input };
}

/** A number, but with a fraction, where an integer is wanted. */
export function intFromFloat(loc: Loc, input: unknown): Violation {
  return {
    loc,
    msg: 'Input should be a valid integer, got a number with a fractional part',
    type: 'int_from_float',
    input,
  };
}

/** Not a number. */
export function floatType(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a valid number', type: 'float_type', input };
}

/** A number beyond what a double can hold (`1e999` in JSON text reads as Infinity). */
export function finiteNumber(loc: Loc, input: unknown): Violation {
  return { loc, msg: 'Input should be a finite number', type: 'finite_number', input };
}

/** What a length rule counts. */
export type SizedKind = 'List' | 'Dictionary';

/** Fewer items than the minimum. */
export function tooShort(
  loc: Loc,
  input: unknown,
  fieldType: SizedKind,
  minLength: number,
  actualLength: number,
): Violation {
  return {
    loc,
    msg: `${fieldType} should have at least ${count(minLength, 'item')} after validation, not ${actualLength}`,
    type: 'too_short',
    input,
    ctx: { field_type: fieldType, min_length: minLength, actual_length: actualLength },
  };
}

/** More items than the maximum. */
export function tooLong(
  loc: Loc,
  input: unknown,
  fieldType: SizedKind,
  maxLength: number,
  actualLength: number,
): Violation {
  return {
    loc,
    msg: `${fieldType} should have at most ${count(maxLength, 'item')} after validation, not ${actualLength}`,
    type: 'too_long',
    input,
    ctx: { field_type: fieldType, max_length: maxLength, actual_length: actualLength },
  };
}

/** A string with fewer code points than the minimum. */
export function stringTooShort(loc: Loc, input: unknown, minLength: number): Violation {
  return {
    loc,
    msg: `String should have at least ${count(minLength, 'character')}`,
    type: 'string_too_short',
    input,
    ctx: { min_length: minLength },
  };
}

/** A string with more code points than the maximum. */
export function stringTooLong(loc: Loc, input: unknown, maxLength: number): Violation {
  return {
    loc,
    msg: `String should have at most ${count(maxLength, 'character')}`,
    type: 'string_too_long',
    input,
    ctx: { max_length: maxLength },
  };
}

/** A number below the minimum. */
export function greaterThanEqual(loc: Loc, input: unknown, minimum: number): Violation {
  return {
    loc,
    msg: `Input should be greater than or equal to ${minimum}`,
    type: 'greater_than_equal',
    input,
    ctx: { ge: minimum },
  };
}

/** A number above the maximum. */
export function lessThanEqual(loc: Loc, input: unknown, maximum: number): Violation {
  return {
    loc,
    msg: `Input should be less than or equal to ${maximum}`,
    type: 'less_than_equal',
    input,
    ctx: { le: maximum },
  };
}

/**
 * None of the allowed values, whatever its kind.
 *
 * @param allowed - In the order in which they are to be named.
 */
export function literalError(loc: Loc, input: unknown, allowed: readonly string[]): Violation {
  const expected = oneOf(allowed);
  return { loc, msg: `Input should be ${expected}`, type: 'literal_error', input, ctx: { expected } };
}

/** Text of a query or path parameter that is not an integer. */
export function intParsing(loc: Loc, input: unknown): Violation {
  return {
    loc,
    msg: 'Input should be a valid integer, unable to parse string as an integer',
    type: 'int_parsing',
    input,
  };
}

/** Not a URL. `error` says why, and ends the message. */
export function urlParsing(loc: Loc, input: unknown, error: string): Violation {
  return { loc, msg: `Input should be a valid URL, ${error}`, type: 'url_parsing', input, ctx: { error } };
}

/** A URL of a scheme that is not among `schemes`. */
export function urlScheme(loc: Loc, input: unknown, schemes: readonly string[]): Violation {
  const expected = oneOf(schemes);
  return {
    loc,
    msg: `URL scheme should be ${expected}`,
    type: 'url_scheme',
    input,
    ctx: { expected_schemes: expected },
  };
}

/** A URL with more code points than the maximum. */
export function urlTooLong(loc: Loc, input: unknown, maxLength: number): Violation {
  return {
    loc,
    msg: `URL should have at most ${count(maxLength, 'character')}`,
    type: 'url_too_long',
    input,
    ctx: { max_length: maxLength },
  };
}

/** Not an e-mail address. */
export function emailInvalid(loc: Loc, input: unknown): Violation {
  const reason = 'Expected an address that mail can reach, such as name@example.com.';
  return {
    loc,
    msg: `value is not a valid email address: ${reason}`,
    type: 'value_error',
    input,
    ctx: { reason },
  };
}

/** A rule of its own kind, such as `agent id is used by an earlier agent` or `no such task`. */
export function valueError(loc: Loc, input: unknown, error: string): Violation {
  return { loc, msg: `Value error, ${error}`, type: 'value_error', input, ctx: { error } };
}

/** `1 item`, `5 items`. */
function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`. */
function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
