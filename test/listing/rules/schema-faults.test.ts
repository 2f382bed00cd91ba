/** The faults that a schema finds, in words for people. */
import { describe, expect, it } from 'vitest';
import { findSchemaFaults } from '../../../src/listing/rules/schema-faults.ts';

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    size: { type: 'number', minimum: 1 },
    kind: { enum: ['fade', 'rise'] },
    enter: { anyOf: [{ type: 'string' }, { type: 'object', properties: { at: { type: 'number' } } }] },
    'a/b': { type: 'array', items: { type: 'integer' } },
  },
};

describe('findSchemaFaults', () => {
  it.each<[unknown, unknown]>([
    [{ name: 'x', size: 2, enter: 'come', 'a/b': [1] }, []],
    [{ size: 2 }, [{ loc: ['name'], problem: 'is missing' }]],
    [{ name: 'x', sise: 2 }, [{ loc: ['sise'], problem: 'is not known here; did you mean "size"?' }]],
    [
      { name: 5, kind: 'drop' },
      [
        { loc: ['name'], problem: 'is not a string' },
        { loc: ['kind'], problem: 'is not one of fade, rise' },
      ],
    ],
    [
      { name: 'x', kind: 'ries' },
      [{ loc: ['kind'], problem: 'is not one of fade, rise; did you mean "rise"?' }],
    ],
    [{ name: 'x', size: 0 }, [{ loc: ['size'], problem: 'must be >= 1' }]],
    [{ name: 'x', 'a/b': [1, 'y'] }, [{ loc: ['a/b', 1], problem: 'is not an integer' }]],
    // Neither form matches; then one matches but for an inner fault.
    [{ name: 'x', enter: 5 }, [{ loc: ['enter'], problem: 'is not a string, or is not an object' }]],
    [{ name: 'x', enter: { at: 'soon' } }, [{ loc: ['enter', 'at'], problem: 'is not a number' }]],
    [null, [{ loc: [], problem: 'is not an object' }]],
  ])('%j', (value, faults) => {
    const found = findSchemaFaults(SCHEMA, value).map(({ loc, problem }) => ({ loc, problem }));
    expect(found).toEqual(faults);
  });
});
