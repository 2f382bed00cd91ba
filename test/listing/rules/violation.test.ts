import { describe, expect, it } from 'vitest';
import * as violation from '../../../src/listing/rules/violation.ts';

describe('violations of query and path parameters', () => {
  it('text that is not an integer', () => {
    expect(violation.intParsing(['query', 'limit'], 'abc')).toEqual({
      loc: ['query', 'limit'],
      msg: 'Input should be a valid integer, unable to parse string as an integer',
      type: 'int_parsing',
      input: 'abc',
    });
  });

  it('beyond a bound', () => {
    expect(violation.lessThanEqual(['query', 'limit'], '101', 100)).toEqual({
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 100',
      type: 'less_than_equal',
      input: '101',
      ctx: { le: 100 },
    });
    expect(violation.greaterThanEqual(['query', 'limit'], '0', 1)).toEqual({
      loc: ['query', 'limit'],
      msg: 'Input should be greater than or equal to 1',
      type: 'greater_than_equal',
      input: '0',
      ctx: { ge: 1 },
    });
  });

  it('none of the states', () => {
    const expected = "'PENDING', 'RUNNING', 'FAILED' or 'SUCCEEDED'";
    expect(
      violation.literalError(['query', 'state'], 'DONE', ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED']),
    ).toEqual({
      loc: ['query', 'state'],
      msg: `Input should be ${expected}`,
      type: 'literal_error',
      input: 'DONE',
      ctx: { expected },
    });
  });

  it('an unknown cursor', () => {
    expect(violation.valueError(['query', 'starting_after'], '', 'no such task')).toEqual({
      loc: ['query', 'starting_after'],
      msg: 'Value error, no such task',
      type: 'value_error',
      input: '',
      ctx: { error: 'no such task' },
    });
  });

  it('a task id that is too short', () => {
    expect(violation.stringTooShort(['path', 'task_id'], 'abc', 8)).toEqual({
      loc: ['path', 'task_id'],
      msg: 'String should have at least 8 characters',
      type: 'string_too_short',
      input: 'abc',
      ctx: { min_length: 8 },
    });
  });

  it('counts of one are in the singular', () => {
    expect(violation.stringTooLong([], 'ab', 1).msg).toBe('String should have at most 1 character');
    expect(violation.tooLong([], [], 'List', 1, 2).msg).toBe(
      'List should have at most 1 item after validation, not 2',
    );
  });
});
