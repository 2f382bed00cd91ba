import { describe, expect, it } from 'vitest';
import { toCapitals } from '../../../src/design/text/to-capitals.ts';

describe('toCapitals', () => {
  it.each([
    ['Alder Lane 12a', 'ALDER LANE 12A'],
    ['Große Straße', 'GROSSE STRASSE'],
    ['Nguye\u0302\u0303n', 'NGUYỄN'],
    ['улица Ёлочная', 'УЛИЦА ЁЛОЧНАЯ'],
    ['Αλέξανδρος', 'ΑΛΕΞΑΝΔΡΟΣ'],
    ['გიორგი', 'გიორგი'],
    ['ليلى कृष्णा 東京', 'ليلى कृष्णा 東京'],
    ['i̇stanbul 🏡', 'İSTANBUL 🏡'.normalize('NFC')],
  ])('%s: %s', (text, capitals) => {
    expect(toCapitals(text)).toBe(capitals);
  });
});
