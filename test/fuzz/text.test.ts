/** The readers of text that people and clients send: JSON, NDJSON, durations and sizes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeNdjson, splitLines } from '../../src/cli/listings/split-ndjson.ts';
import { findJsonFault, JsonFault, locateInSource } from '../../src/listing/json/json-places.ts';
import { parseListingText } from '../../src/listing/json/parse-json.ts';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { parseDurationMs } from '../../src/platform/settings/parse-duration.ts';
import { parseSize } from '../../src/platform/settings/parse-size.ts';
import { contain } from './contained.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const LISTING =
  '{"id": "L-1", "assets": [{"url": "https://x.example/\\u00e9.jpg"}], "price": -1.5e+3, "a": null}';
const SAMPLES = [
  LISTING,
  `\ufeff${LISTING}`,
  `${LISTING}\n${LISTING}\r\n\n${LISTING}`,
  '[[["a", {"b": [true]}]]]',
].map((text) => Buffer.from(text));
/** Pieces of JSON: long runs of a few of them are what slow patterns are slow on. */
const PIECES = [
  '[',
  ']',
  '{',
  '}',
  '"',
  '\\',
  ',',
  ':',
  '1',
  '.',
  'e',
  '-',
  ' ',
  '\n',
  '\r',
  '{}',
  '[0',
  '"a":',
  '\u{1f3e0}',
  '\ufffd',
];
const runsOfPieces = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }),
    fc.nat(20_000),
    fc.string({ maxLength: 5 }),
  )
  .map(([parts, count, end]) => Buffer.from(parts.join('').repeat(count).slice(0, 100_000) + end));
const hostileText = fc.oneof(damagedFiles(...SAMPLES), runsOfPieces);

/** True if V8 accepts the text. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

describe('hostile JSON', () => {
  it('is parsed as V8 parses it, or refused at a place', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(hostileText, (bytes) => {
        const { value, error } = contain(() => parseListingText(bytes, 'x.json'));
        if (error === undefined) {
          expect(isJson(bytes)).toBe(true);
          expect(() => locateInSource(value!.text, ['body', 'assets', 0, 'url'])).not.toThrow();
          return;
        }
        expect(error).toBeInstanceOf(ListingVideoError);
        expect(error).toMatchObject({ code: 'json_invalid', context: { line: expect.any(Number) } });
        const isTooDeep = (error as Error).message.includes('nested deeper');
        expect(isJson(bytes) && !isTooDeep).toBe(false);
      }),
      fuzz(150),
    );
  });

  it('has a fault exactly if V8 refuses it, or it is nested too deeply', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(hostileText, (bytes) => {
        const text = bytes.toString();
        const { value, error } = contain(() => findJsonFault(text));
        expect(error).toBeUndefined();
        expect(value === null || value instanceof JsonFault).toBe(true);
        if (value === null) expect(isJson(Buffer.from(text))).toBe(true);
      }),
      fuzz(150),
    );
  });
});

describe('hostile NDJSON', () => {
  it('is split into its lines, with work and memory in proportion', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(hostileText, (bytes) => {
        const {
          value: lines,
          error,
          allocatedBytes,
        } = contain(() => {
          looksLikeNdjson(bytes);
          return splitLines(bytes);
        });
        expect(error).toBeUndefined();
        expect(allocatedBytes).toBeLessThan(4 * bytes.length + 1_000);
        const text = bytes.toString('latin1').split('\n');
        for (const { line, bytes: each } of lines!) {
          expect(Buffer.from(each).toString('latin1')).toBe(text[line - 1]);
        }
      }),
      fuzz(25),
    );
  });
});

describe('hostile spans and sizes', () => {
  const words = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc
      .tuple(
        fc.array(fc.constantFrom('1', '0', '.', ' ', 'd', 'h', 'min', 'GB', 'k', '-', 'e'), { maxLength: 6 }),
        fc.nat(5_000),
      )
      .map(([parts, count]) => parts.join('').repeat(count).slice(0, 20_000)),
  );

  it('are whole numbers from 0, or nothing', { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(words, (text) => {
        for (const parse of [parseDurationMs, parseSize]) {
          const { value, error } = contain(() => parse(text));
          expect(error).toBeUndefined();
          if (value !== null) expect(Number.isSafeInteger(value) && (value ?? -1) >= 0).toBe(true);
        }
      }),
      fuzz(200),
    );
  });
});
