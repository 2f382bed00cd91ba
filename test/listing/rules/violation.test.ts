/** Violations of query and path parameters. */
import { expect, it } from 'vitest';
import type { Violation } from '../../../src/listing/listing.ts';
import * as violation from '../../../src/listing/rules/violation.ts';

const STATES = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'];
const expected = "'PENDING', 'RUNNING', 'FAILED' or 'SUCCEEDED'";
const notAnInteger = 'Input should be a valid integer, unable to parse string as an integer';

it.each<[Violation, type: string, msg: string, ctx?: object]>([
  [violation.intParsing(['query', 'x'], 'ab'), 'int_parsing', notAnInteger],
  [
    violation.lessThanEqual(['query', 'x'], 'ab', 100),
    ...(['less_than_equal', 'Input should be less than or equal to 100', { le: 100 }] as const),
  ],
  [
    violation.greaterThanEqual(['query', 'x'], 'ab', 1),
    ...(['greater_than_equal', 'Input should be greater than or equal to 1', { ge: 1 }] as const),
  ],
  [
    violation.literalError(['query', 'x'], 'ab', STATES),
    'literal_error',
    `Input should be ${expected}`,
    { expected },
  ],
  [
    violation.valueError(['query', 'x'], 'ab', 'no such task'),
    ...(['value_error', 'Value error, no such task', { error: 'no such task' }] as const),
  ],
  [
    violation.stringTooShort(['query', 'x'], 'ab', 8),
    ...(['string_too_short', 'String should have at least 8 characters', { min_length: 8 }] as const),
  ],
])('%o', (found, type, msg, ctx) => {
  expect(found).toEqual({ loc: ['query', 'x'], msg, type, input: 'ab', ...(ctx && { ctx }) });
});

it('counts of one are in the singular', () => {
  expect(violation.stringTooLong([], 'ab', 1).msg).toBe('String should have at most 1 character');
  expect(violation.tooLong([], [], 'List', 1, 2).msg).toBe(
    'List should have at most 1 item after validation, not 2',
  );
});
