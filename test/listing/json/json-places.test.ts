import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault, locateInSource, locateSpan, placeAt } from '../../../src/listing/json/json-places.ts';
import { validateListing } from '../../../src/listing/rules/validate-listing.ts';
import { randomListing } from '../random-listing.ts';

const TEXT = [
  '{',
  '  "id": "old",',
  '  "assets": [{ "url": 3 }, {}],',
  '  "id": true,',
  '  "🏠": { "a/b~c": "日本", "0": [] },',
  '  "m": { "a[": "x", "[key]": 1 }',
  '}',
].join('\r\n');

describe('the place of a loc', () => {
  it.each<[(string | number)[], number, number, number]>([
    [[], 1, 1, 1],
    [['assets'], 3, 13, 18],
    [['assets', 0, 'url'], 3, 23, 1],
    [['assets', 1], 3, 28, 2],
    // Absent: the bracket of the parent.
    [['assets', 1, 'url'], 3, 28, 1],
    [['agents'], 1, 1, 1],
    // Of duplicate keys the last, as in JSON.parse.
    [['id'], 4, 9, 4],
    [['🏠', 'a/b~c'], 5, 20, 4],
    [['🏠', '0'], 5, 31, 2],
    [['m', 'a[', '[key]'], 6, 10, 4],
    [['m', 'a['], 6, 16, 3],
    [['m', '[key]'], 6, 30, 1],
    [['m', '[key]', '[key]'], 6, 21, 7],
  ])('%j', (path, line, column, length) => {
    expect(locateInSource(TEXT, ['body', ...path])).toEqual({ line, column, length });
  });

  it.each([[['assets', 9]], [['assets', '0']], [['assets', 0, 'url', 'x']], [['zz', 'yy']], [['id', 0]]])(
    '%j is nowhere',
    (path) => {
      expect(locateInSource(TEXT, ['body', ...path])).toBeNull();
    },
  );

  it('is also a span of the text, which can run over several lines', () => {
    expect(locateSpan('{"a": 1, "a": [\n2]}', ['body', 'a'])).toEqual({ start: 14, end: 18 });
    expect(locateSpan('{"m": {"[key]": {}}}', ['body', 'm', '[key]', 'x'])).toEqual({ start: 16, end: 17 });
  });

  it('is found in any JSON, whatever its white space', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(3), (json, indent) => {
        const text = ` ${JSON.stringify(JSON.parse(json), null, indent)}\n`;
        expect(findJsonFault(text)).toBeNull();
        expect(locateSpan(text, ['body'])).toEqual({ start: 1, end: text.length - 1 });
      }),
    );
  });

  it('of a text that is not JSON is nowhere', () => {
    expect(locateInSource('{"a":', ['body', 'a'])).toBeNull();
  });

  it('exists for every violation of any listing, and covers its input', () => {
    fc.assert(
      fc.property(randomListing, fc.constantFrom(undefined, 2), (input, indent) => {
        const text = JSON.stringify(input, null, indent);
        const result = validateListing(JSON.parse(text), { allowLocalFiles: false });
        if (result.ok) return;
        const lines = text.split('\n');
        for (const { loc, type, input: value } of result.violations) {
          const place = locateInSource(text, loc);
          expect(place, JSON.stringify(loc)).not.toBeNull();
          const shown = lines[place!.line - 1]!.slice(place!.column - 1, place!.column - 1 + place!.length);
          const expected = type === 'missing' ? '{' : JSON.stringify(value, null, indent).split('\n')[0]!;
          expect(shown.startsWith(expected.slice(0, shown.length)), `${shown} is not ${expected}`).toBe(true);
          expect(shown.length).toBe(type === 'missing' ? 1 : expected.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a place in a text', () => {
  it.each<[string, number, number, [number, number, number]]>([
    ['', 0, 1, [1, 1, 1]],
    ['abc', 1, 5, [1, 2, 2]],
    ['a\nb\r\nc\rd', 2, 1, [2, 1, 1]],
    ['a\nb\r\nc\rd', 5, 1, [3, 1, 1]],
    ['a\nb\r\nc\rd', 7, 1, [4, 1, 1]],
    ['ab\ncd', 1, 4, [1, 2, 1]],
    ['ab\n', 3, 1, [2, 1, 1]],
    ['🏠x', 2, 1, [1, 3, 1]],
  ])('%j at %i', (text, offset, length, [line, column, shown]) => {
    expect(placeAt(text, offset, length)).toEqual({ line, column, length: shown });
  });
});
