/** A video has one kind of digits: that of most of the listing's own words. */
import { describe, expect, it } from 'vitest';
import { digitsLike, factInDigits } from '../../../src/design/text/digits.ts';

describe('digits', () => {
  it('are those of most words, also between the digits of a number', () => {
    const toDigits = digitsLike(['١٢ شارع الزيتون', '٢٨ نوفمبر', '4850000', '3 غرف']);
    expect(toDigits('2,840')).toBe('٢٬٨٤٠');
    expect(toDigits('3.5')).toBe('٣٫٥');
    expect(toDigits('مطبخ بمساحة 25 مترًا')).toBe('مطبخ بمساحة ٢٥ مترًا');
    expect(toDigits('Tower 12')).toBe('Tower 12');
  });

  it('become Latin where most words have those', () => {
    const toDigits = digitsLike(['شارع الزيتون 128', 'السبت 28 نوفمبر', 'مطبخ ٩']);
    expect(toDigits('مطبخ ٩')).toBe('مطبخ 9');
    expect(toDigits('٤٬٨٥٠٬٠٠٠ درهم')).toBe('4,850,000 درهم');
  });

  it('stay as they are in a listing in one kind, and without digits', () => {
    for (const texts of [['128 Harbor Pine Lane', '$500,000'], ['4850000'], []])
      expect(digitsLike(texts)('２号室, 1.5')).toBe('２号室, 1.5');
  });

  it('of a fact that has others do not count up', () => {
    const fact = {
      kind: 'sqft',
      value: '2,840',
      numeric: 2840,
      longLabel: 'قدم',
      shortLabel: 'قدم',
    } as const;
    expect(factInDigits(fact, digitsLike(['١٢']))).toMatchObject({ value: '٢٬٨٤٠', numeric: null });
    expect(factInDigits(fact, digitsLike(['12']))).toBe(fact);
  });
});
