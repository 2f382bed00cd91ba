import { describe, expect, it } from 'vitest';
import { embeddingLevels, visualOrder } from '../../../src/design/text/order-runs.ts';

function order(...runs: [string, number][]): string {
  return visualOrder(runs.map(([name, level]) => ({ name, level })))
    .map((run) => run.name)
    .join('');
}

describe('embeddingLevels', () => {
  it('has nothing to say about left-to-right text', () => {
    expect(embeddingLevels('Nguyễn 42 – Яблоко')).toBeUndefined();
  });

  it('raises right-to-left letters to odd levels and their numbers above', () => {
    expect([...embeddingLevels('a אב 12')!]).toEqual([0, 0, 1, 1, 1, 2, 2]);
    expect([...embeddingLevels('אב x')!]).toEqual([1, 1, 1, 2]);
  });

  it('takes both halves of an emoji for one neutral sign', () => {
    expect([...embeddingLevels('א😀ב')!]).toEqual([1, 1, 1, 1]);
    expect([...embeddingLevels('א 😀 b')!]).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it.each([
    'טלפון +972 3 555 0123',
    'هاتف +971 50-123-4567',
    'هاتف (050) 123 4567',
    'هاتف ٠٥٠-١٢٣-٤٥٦٧',
    '+972 3 555 0123 משרד',
  ])('reads the telephone number of %s from left to right', (text) => {
    const levels = embeddingLevels(text)!;
    const start = text.search(/[+(\p{Nd}]/u);
    const end = text.search(/\p{Nd}(?!.*\p{Nd})/u) + 1;
    expect(new Set(levels.slice(start, end))).toEqual(new Set([2]));
    expect(levels[text.search(/\p{L}/u)]).toBe(1);
  });

  it.each([
    ['4,900,000 د.إ · 5 BD 4.5 BA 6,840 SQ FT', ['5 BD', '4.5 BA', '6,840 SQ FT']],
    ['שבת 28 בנובמבר, 13:00–15:00', ['13:00–15:00']],
  ])('reads numbers with their Latin words, and times of a day, in %s from left to right', (text, parts) => {
    const levels = embeddingLevels(text)!;
    for (const part of parts) {
      const start = text.indexOf(part);
      expect([...levels.slice(start, start + part.length)]).toEqual(Array(part.length).fill(2));
    }
  });

  it('keeps a telephone number apart from Latin words beside it', () => {
    const text = 'משרד: +972 3 555 0123 (Dana)';
    const [phone, bracket, name] = ['+', '(', 'D'].map((char) => embeddingLevels(text)![text.indexOf(char)]);
    expect([phone, bracket, name]).toEqual([2, 1, 2]);
  });

  it('leaves a house number and a sentence of numbers to the standard', () => {
    expect([...embeddingLevels('א 12, 14')!]).toEqual([1, 1, 2, 2, 1, 1, 2, 2]);
  });

  it('gives trailing space the level of the paragraph', () => {
    expect([...embeddingLevels('a אב  ')!].slice(-2)).toEqual([0, 0]);
  });
});

describe('visualOrder', () => {
  it('reverses what runs right to left, and inside it what does not', () => {
    expect(order(['a', 0], ['b', 0])).toBe('ab');
    expect(order(['a', 0], ['b', 1], ['c', 1], ['d', 0])).toBe('acbd');
    expect(order(['a', 1], ['b', 2], ['c', 2], ['d', 1])).toBe('dbca');
    expect(order(['a', 2], ['b', 1], ['c', 2])).toBe('cba');
  });

  it('orders a great many runs', () => {
    const runs = Array.from({ length: 200_000 }, (_, index) => ({ index, level: 1 + (index % 2) }));
    expect(visualOrder(runs)).toEqual(runs.reverse());
  });
});
