import { describe, expect, it } from 'vitest';
import { warnOfPrice } from '../../../src/listing/warnings/warn-of-price.ts';
import { formatPrice, readsAsPrice, spelledAmount } from '../../../src/listing/words/price.ts';

describe('a price', () => {
  it.each([
    ['500000', '$500,000'],
    ['500,000', '$500,000'],
    ['500000.00', '$500,000'],
    ['$500000', '$500,000'],
    [' $ 1,250,000 ', '$1,250,000'],
    ['2450.5', '$2,450.50'],
    ['950', '$950'],
    ['000500000', '$500,000'],
    ['999999999999', '$999,999,999,999'],
  ])('in digits is dollars: %j is %j', (text, shown) => expect(formatPrice(text)).toBe(shown));

  it.each([
    'Price on request',
    '€ 500.000',
    '500k',
    'From 500000',
    '1,2500',
    '500.000',
    '٥٠٠٠٠٠',
    '５０００００',
    '$1.2M – $1.4M',
  ])('in words stays as it is: %j', (text) => expect(formatPrice(text)).toBe(text));

  it.each([
    '',
    '  ',
    '0',
    '$0.00',
    '-500000',
    '−5',
    '- $5',
    '+500000',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    '5e5',
    '1'.repeat(40),
    '\u202e\u200b',
  ])('that is none is left out: %j', (text) => expect(formatPrice(text)).toBeNull());

  it('loses marks that reorder the text around it', () => {
    expect(formatPrice('\u202e500000\u202c')).toBe('$500,000');
  });
});

it.each([
  ['abc', false],
  ['TBC soon', false],
  ['Price on request', true],
  ['POA', true],
  ['Call for price', true],
  ['Preis auf Anfrage', true],
  ['面议', true],
  ['From 500k', true],
])('a text without digits is a price only if it says why there is none: %j', (text, isPrice) =>
  expect(readsAsPrice(text)).toBe(isPrice),
);

it.each([
  ['1.25m', '1250000'],
  ['$1,25 million', '1250000'],
  ['1.250m', '1250000'],
  ['950k', '950000'],
  ['949.5K', '949500'],
  ['1.250k', null],
  ['1250000', null],
  ['5 minutes', null],
])('%j in digits is %j', (text, digits) => expect(spelledAmount(text)).toBe(digits));

it('warns of a short form, unless its dollar sign says that it is wanted', () => {
  const message = 'the price is "1.25m", and is shown so: write 1250000 to show $1,250,000';
  expect(['1.25m', '$1.25M', '$500,000', 'Price on request'].map(warnOfPrice)).toEqual([
    message,
    null,
    null,
    null,
  ]);
});
