import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../../src/listing/json/json-places.ts';
import { findUtf8Fault, parseListingText } from '../../../src/listing/json/parse-json.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function errorOf(bytes: Uint8Array): ListingVideoError {
  try {
    parseListingText(bytes, 'listing.json');
  } catch (error) {
    if (error instanceof ListingVideoError) return error;
    throw error;
  }
  throw new Error('it parsed');
}

describe('text that is JSON', () => {
  it('gives its value and its text', () => {
    const text = '{"a": [1, 2.50, "é\\u00e9", null, true]}\n';
    expect(parseListingText(bytesOf(text), 'x')).toEqual({ value: { a: [1, 2.5, 'éé', null, true] }, text });
  });

  it('can begin with a byte order mark', () => {
    expect(parseListingText(bytesOf('\ufeff{"a":1}'), 'x')).toEqual({ value: { a: 1 }, text: '{"a":1}' });
  });

  it('can repeat a key: the last counts', () => {
    expect(parseListingText(bytesOf('{"a":1,"b":2,"a":3}'), 'x').value).toEqual({ a: 3, b: 2 });
  });

  it('can name prototypes without changing any', () => {
    const { value } = parseListingText(bytesOf('{"__proto__":{"polluted":true},"constructor":1}'), 'x');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('can be nested 200 levels deep', () => {
    const text = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(JSON.stringify(parseListingText(bytesOf(text), 'x').value)).toBe(text);
  });
});

describe('text that is not JSON', () => {
  /** Text, line, column, message, hint. */
  it.each<[string, number, number, string, string | undefined]>([
    ['', 1, 1, 'there is nothing in it', undefined],
    [' \n ', 2, 2, 'there is nothing in it', undefined],
    ['{"a":1,}', 1, 7, 'one comma too many before }', 'remove the comma'],
    ['[1,\n 2,\n]', 2, 3, 'one comma too many before ]', 'remove the comma'],
    [
      '{"a":1\r\n "b":2}',
      2,
      2,
      'expected a comma or } after the value, found “"”',
      'put a comma between the two',
    ],
    ['[1 2]', 1, 4, 'expected a comma or ] after the value, found “2”', 'put a comma between the two'],
    [
      '{a:1}',
      1,
      2,
      'expected a property name in double quotes or }, found “a”',
      'put the name in double quotes',
    ],
    [
      "{'a':1}",
      1,
      2,
      "expected a property name in double quotes or }, found “'”",
      'use straight double quotes',
    ],
    [
      '{“a”:1}',
      1,
      2,
      'expected a property name in double quotes or }, found ““”',
      'use straight double quotes',
    ],
    ['{"a" 1}', 1, 6, 'expected a colon after the property name, found “1”', undefined],
    ['{"a": tru}', 1, 7, 'expected a value, found “tru”', 'put text in double quotes'],
    ['{"a": truest}', 1, 7, 'expected a value, found “truest”', 'put text in double quotes'],
    ['{"a": NaN}', 1, 7, 'expected a value, found “NaN”', 'put text in double quotes'],
    ['{"a": Infinity}', 1, 7, 'expected a value, found “Infinity”', 'put text in double quotes'],
    ['{"a": -Infinity}', 1, 7, 'expected a value, found “-Infinity”', undefined],
    [
      '{"a": 01}',
      1,
      7,
      '“01” is not a number',
      'a number cannot begin with 0; put it in quotes if it is not a quantity',
    ],
    ['{"a": 1.}', 1, 7, '“1.” is not a number', 'put it in double quotes if it is text'],
    ['{"a": 97205-1234}', 1, 7, '“97205-1234” is not a number', 'put it in double quotes if it is text'],
    ['{"a": .5}', 1, 7, 'expected a value, found “.5”', undefined],
    ['{"a": +1}', 1, 7, 'expected a value, found “+1”', undefined],
    ['{} // done', 1, 4, 'expected nothing more after the value, found “/”', 'JSON has no comments'],
    [
      '{ # note\n}',
      1,
      3,
      'expected a property name in double quotes or }, found “#”',
      'JSON has no comments',
    ],
    ['{}{}', 1, 3, 'expected nothing more after the value, found “{”', undefined],
    ['{"a": "x\n"}', 1, 7, 'the string that begins here has no closing quote', undefined],
    ['{"a": "x', 1, 7, 'the string that begins here has no closing quote', undefined],
    ['{"a": "x\ty"}', 1, 9, 'a string cannot hold the control character U+0009 as it is', 'write it as \\t'],
    [
      '{"a": "x\u0001y"}',
      1,
      9,
      'a string cannot hold the control character U+0001 as it is',
      'write it as \\u0001',
    ],
    ['{"a": "C:\\photos"}', 1, 10, 'a string cannot hold the escape “\\p”', 'write a backslash as \\\\'],
    ['{"a": "\\u12g4"}', 1, 8, 'a string cannot hold the escape “\\u”', 'write a backslash as \\\\'],
    [
      '{\n"a": [1, 2',
      2,
      11,
      'it ends before the [ of line 2 is closed',
      'expected a comma or ] after the value; perhaps the file was cut off',
    ],
    [
      '{"a":',
      1,
      6,
      'it ends before the { of line 1 is closed',
      'expected a value; perhaps the file was cut off',
    ],
    ['[1}', 1, 3, 'expected a comma or ] after the value, found “}”', undefined],
    [
      '{"🏠": "日本", x}',
      1,
      14,
      'expected a property name in double quotes, found “x”',
      'put the name in double quotes',
    ],
    ['[\u00a01]', 1, 2, 'expected a value or ], found U+00A0', undefined],
  ])('%j', (text, line, column, reason, hint) => {
    const error = errorOf(bytesOf(text));
    expect(error.message).toBe(`listing.json:${line}:${column}: not JSON: ${reason}`);
    expect(error.code).toBe('json_invalid');
    expect(error.hint).toBe(hint);
    expect(error.context).toMatchObject({ file: 'listing.json', line, column });
    expect(error.context?.frame).toContain('^');
  });

  it('nested deeper than 200 levels is refused at the first bracket beyond them', () => {
    for (const depth of [201, 100_000, 2_000_000]) {
      const error = errorOf(bytesOf('['.repeat(depth)));
      expect(error.message).toBe('listing.json:1:201: not JSON: nested deeper than 200 levels');
    }
    expect(errorOf(bytesOf('{"a":'.repeat(100_000))).message).toContain('nested deeper than 200 levels');
  });

  it('takes time in proportion to its length, however it is made', () => {
    const MANY = 1_000_000;
    for (const text of [
      '['.repeat(MANY),
      '[[],'.repeat(MANY),
      `[${'[],'.repeat(MANY)}]`,
      `[1${' '.repeat(MANY)}`,
      `"${'\\n'.repeat(MANY)}`,
      `${'1'.repeat(MANY)}x`,
      `[${','.repeat(MANY)}`,
      `${'\n'.repeat(MANY)}[`,
    ]) {
      expect(findJsonFault(text)).not.toBeNull();
    }
  });

  it('shows the place under a caret', () => {
    const error = errorOf(bytesOf('{\n  "id": "x",\n  "assets": [,]\n}\n'));
    expect(error.context?.frame).toBe(
      [' 1 | {', ' 2 |   "id": "x",', ' 3 |   "assets": [,]', '   |              ^', ' 4 | }', ' 5 |'].join(
        '\n',
      ),
    );
  });

  it('is what JSON.parse refuses, and nothing else', () => {
    const fragment = fc.constantFrom(
      ...'{}[]:,"\\ \n\t-+.0123eE/ux'.split(''),
      ...[
        '"a"',
        '"b":',
        'true',
        'false',
        'null',
        '1',
        '-0',
        '1e5',
        '\\u00e9',
        '\\n',
        'é',
        '🏠',
        '\u2028',
        '{"a":1}',
        '[1,2]',
        '\u0000',
      ],
    );
    const text = fc.oneof(
      fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
      // Valid JSON with one piece taken out or put in.
      fc
        .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.oneof(fragment, fc.constant('')))
        .map(([json, at, cut, piece]) => {
          const start = at % (json.length + 1);
          return json.slice(0, start) + piece + json.slice(start + cut);
        }),
    );
    let valid = 0;
    fc.assert(
      fc.property(text, (candidate) => {
        let isJson = true;
        try {
          JSON.parse(candidate);
          valid++;
        } catch {
          isJson = false;
        }
        const fault = findJsonFault(candidate);
        expect(fault === null).toBe(isJson);
        if (fault === null) return;
        expect(fault.offset).toBeGreaterThanOrEqual(0);
        expect(fault.offset).toBeLessThanOrEqual(candidate.length);
        expect(fault.length).toBeGreaterThan(0);
      }),
      { numRuns: 5000 },
    );
    expect(valid).toBeGreaterThan(300);
  });
});

describe('bytes that are not UTF-8', () => {
  it.each<[string, number[], number, number, string]>([
    ['Latin-1', [0x7b, 0x22, 0xe9, 0x22, 0x7d], 2, 3, 'save it as UTF-8'],
    ['a cut sequence', [0x22, 0xe2, 0x82], 1, 2, 'save it as UTF-8'],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1, 2, 'save it as UTF-8'],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1, 2, 'save it as UTF-8'],
    ['beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1, 2, 'save it as UTF-8'],
    ['UTF-16 LE', [0xff, 0xfe, 0x7b, 0x00], 0, 1, 'it looks like UTF-16: save it as UTF-8'],
    ['UTF-16 BE', [0xfe, 0xff, 0x00, 0x7b], 0, 1, 'it looks like UTF-16: save it as UTF-8'],
    ['after wide characters', [0x22, 0xf0, 0x9f, 0x8f, 0xa0, 0xff], 5, 4, 'save it as UTF-8'],
    ['after a byte order mark', [0xef, 0xbb, 0xbf, 0x22, 0xff], 4, 2, 'save it as UTF-8'],
  ])('%s', (_, bytes, byteOffset, column, hint) => {
    const error = errorOf(Uint8Array.from(bytes));
    const byte = bytes[byteOffset]!.toString(16).toUpperCase();
    expect(error.message).toBe(
      `listing.json:1:${column}: not JSON: not UTF-8 at byte ${byteOffset} (0x${byte})`,
    );
    expect(error.hint).toBe(hint);
    expect(error.context).toMatchObject({ line: 1, column, byte_offset: byteOffset });
  });

  it('are what TextDecoder refuses, and nothing else', () => {
    const byte = fc.oneof(
      fc.nat(255),
      fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 8 }), (values) => {
        const bytes = Uint8Array.from(values);
        let isUtf8 = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        } catch {
          isUtf8 = false;
        }
        const fault = findUtf8Fault(bytes);
        expect(fault === null).toBe(isUtf8);
        if (fault === null) return;
        // All before the fault is valid.
        expect(() =>
          new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, fault)),
        ).not.toThrow();
      }),
      { numRuns: 5000 },
    );
  });
});
