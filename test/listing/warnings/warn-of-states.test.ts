import { expect, test } from 'vitest';
import type { Agent } from '../../../src/listing/listing.ts';
import { misspelledState } from '../../../src/listing/warnings/misspelled-state.ts';
import { warnOfStates } from '../../../src/listing/warnings/warn-of-states.ts';

test.each([
  ['Californa', 'California'],
  ['Oregn', 'Oregon'],
  ['OREGEON', 'Oregon'],
  ['Calif.', 'California'],
  ['Massachusets', 'Massachusetts'],
  ['Texas, USA', 'Texas'],
  ['Ontarío ', null],
  ['Onterio', 'Ontario'],
  ['XX', 'TX'],
  ['RO', 'OR'],
])('%s: is meant to be %s', (text, name) => {
  expect(misspelledState(text)).toBe(name);
});

test.each([
  ...[
    'OR',
    'or',
    'Oregon',
    ' oregon ',
    'D.C.',
    'Washington, D.C.',
    'PR',
    'Puerto Rico',
    'Guam',
    'GU',
    'USVI',
  ],
  ...['U.S. Virgin Islands', 'BC', 'British Columbia', 'Québec', 'QC', 'Newfoundland and Labrador', 'AS'],
  ...['Queensland', 'NSW', 'Bayern', 'Jalisco', 'Île-de-France', '東京都', 'Greater London', 'Victoria', ''],
  'A text of a hundred characters that is no state at all, for nobody would ever write a state like this',
])('%s: is not called misspelt', (text) => {
  expect(misspelledState(text)).toBeNull();
});

test('licenses and addresses are warned of at their place', () => {
  const agent: Agent = {
    id: 'june',
    first_name: 'June',
    last_name: 'Takemori',
    licenses: [
      { number: '1', state: 'OR' },
      { number: '2', state: 'Californa' },
    ],
    offices: [{ address: { street: '1 Main', state: 'Washingtn' } }],
  };
  const warnings = warnOfStates({ address: { street: '1 Main', state: 'Oregn' }, agents: [agent] });
  expect(warnings.map(({ loc, message, suggestion }) => [loc.join('.'), message, suggestion])).toEqual([
    ['body.address.state', 'the state of the address is "Oregn"; did you mean "Oregon"?', 'Oregon'],
    [
      'body.agents.0.licenses.1.state',
      'the state of a license of June Takemori is "Californa"; did you mean "California"?',
      'California',
    ],
    [
      'body.agents.0.offices.0.address.state',
      'the state of an office of June Takemori is "Washingtn"; did you mean "Washington"?',
      'Washington',
    ],
  ]);
});

test('a code of two letters is only checked in a license', () => {
  expect(warnOfStates({ address: { street: '1 Rua', state: 'SX' }, agents: [] })).toEqual([]);
});
