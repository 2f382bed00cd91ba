/** The page's JSON reader agrees with `JSON.parse` about what is JSON, and with the service's about where things stand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateInSource } from '../../src/listing/json/locate-in-source.ts';
import { validateListing } from '../../src/listing/rules/validate-listing.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}
interface Reader {
  readJson(text: string): { readonly root?: Span; readonly fault?: { offset: number; message: string } };
  locate(root: Span, loc: readonly (string | number)[]): Span | null;
  placeAt(text: string, offset: number): { line: number; column: number };
}
// A plain script for browsers: it has no types of its own.
const { readJson, locate, placeAt } = (await import(
  new URL('../../src/server/page/locate-json.js', import.meta.url).href
)) as Reader;

const texts = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(3)).map(([json, indent]) => {
  return JSON.stringify(JSON.parse(json), null, indent);
});

describe('readJson', () => {
  it('reads whatever JSON.parse reads', () => {
    fc.assert(fc.property(texts, (text) => readJson(` ${text}\n`).fault === undefined));
  });

  it('refuses whatever JSON.parse refuses, and says where', () => {
    const bent = fc.tuple(
      texts,
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '[', '\\', '0', '\u0001', 'tru', '-', '.'),
    );
    fc.assert(
      fc.property(bent, ([text, place, junk]) => {
        const at = place % (text.length + 1);
        const broken = text.slice(0, at) + junk + text.slice(at + (junk === '' ? 1 : 0));
        const { fault } = readJson(broken);
        expect(fault === undefined).toBe(parses(broken));
        if (fault !== undefined) expect(fault.offset).toBeLessThanOrEqual(broken.length);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{"a": 1,}', 7, 'a comma before }'],
    ['{"a" 1}', 5, ': after the property name expected, not 1'],
    ['[1 2]', 3, ', or ] is expected, not 2'],
    ['{a: 1}', 1, 'a property name in double quotes is expected, not a'],
    ['["open\n]', 1, 'this string is not closed'],
    ['', 0, 'the text ends where a value is expected'],
    ['01', 0, 'this is no number'],
    ['{} x', 3, 'there is more after the end of the listing'],
  ])('points at the fault of %j', (text, offset, message) => {
    expect(readJson(text).fault).toEqual({ offset, message });
  });

  it('does not overflow on deep nesting', () => {
    expect(readJson('['.repeat(100_000)).fault?.message).toBe('nested too deeply');
  });
});

describe('locate', () => {
  it('finds the places that the service finds', () => {
    const listing = {
      id: 1,
      id2: { '[key]': 1 },
      assets: [{ url: 'x' }, {}],
      agents: [{ id: 'a', video_options: { metadata: { 'a[b]': 'x', c: 3 } } }, null],
    };
    for (const indent of [0, 2]) {
      const text = JSON.stringify(listing, null, indent);
      const verdict = validateListing(listing, { allowLocalFiles: false });
      if (verdict.ok) throw new Error('the listing is meant to be wrong');
      expect(verdict.violations.length).toBeGreaterThan(6);
      const { root } = readJson(text);
      const locs = [...verdict.violations.map(({ loc }) => loc), ['body'], ['body', 'id2', '[key]']];
      for (const loc of locs) {
        const span = locate(root!, loc);
        const expected = locateInSource(text, loc);
        expect(span, JSON.stringify(loc)).not.toBeNull();
        expect(placeAt(text, span!.start)).toMatchObject({ line: expected!.line, column: expected!.column });
      }
    }
  });

  it('takes the last of duplicate keys', () => {
    const text = '{"a": 1, "a": 2}';
    expect(locate(readJson(text).root!, ['body', 'a'])).toEqual({ start: 14, end: 15 });
  });

  it('finds nothing where there is nothing', () => {
    const { root } = readJson('{"a": [1]}');
    expect(locate(root!, ['body', 'a', 5])).toBeNull();
    expect(locate(root!, ['body', 'b', 'c'])).toBeNull();
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
