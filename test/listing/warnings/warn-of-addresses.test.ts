import { expect, test } from 'vitest';
import type { Agent } from '../../../src/listing/listing.ts';
import { misspelledState } from '../../../src/listing/warnings/misspelled-state.ts';
import { warnOfAddresses } from '../../../src/listing/warnings/warn-of-addresses.ts';

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
  const warnings = warnOfAddresses({ address: { street: '1 Main', state: 'Oregn' }, agents: [agent] });
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

test.each([
  ['CA', '9561', true],
  ['Oregon', '97205-12', true],
  ['tx', '7520l', true],
  ['CA', '95610', false],
  ['CA', ' 95610-1234 ', false],
  ['CA', '956101234', false],
  ['CA', '', false],
  ['ON', 'K1A 0B1', false],
  ['', '9561', false],
])('a postal code of the US has 5 digits, or 5 and 4: %s %s', (state, code, isWarned) => {
  const warnings = warnOfAddresses({ address: { street: '1 Main', state, postal_code: code }, agents: [] });
  const message = `the postal code of the address is "${code}": in the US it has 5 digits, or 5 and 4, such as 97205-1234`;
  expect(warnings).toEqual(isWarned ? [{ loc: ['body', 'address', 'postal_code'], message }] : []);
});

test('a code of two letters is only checked in a license', () => {
  expect(warnOfAddresses({ address: { street: '1 Rua', state: 'SX' }, agents: [] })).toEqual([]);
});
