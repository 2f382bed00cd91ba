import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPhone } from '../../../src/listing/words/phone.ts';

/** Number, region (undefined: absent), E.164, display, country; null when it cannot be read. */
type Row = [string, string | null | undefined, string | null, string?, string?];

const ROWS: Row[] = [
  // National, in every punctuation.
  ['(503) 555-0128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['(503) 555-0128', undefined, '+15035550128', '(503) 555-0128', 'US'],
  ['(503) 555-0128', null, '+15035550128', '(503) 555-0128', 'US'],
  ['503.555.0128', 'us', '+15035550128', '(503) 555-0128', 'US'],
  ['5035550128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['1-503-555-0128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['９０３５５５０１２８', 'US', '+19035550128', '(903) 555-0128', 'US'],
  ['020 7946 0958', 'GB', '+442079460958', '020 7946 0958', 'GB'],
  ['030 123456', 'DE', '+4930123456', '030 123456', 'DE'],
  ['06 12 34 56 78', 'FR', '+33612345678', '06 12 34 56 78', 'FR'],
  ['٠٥٠١٢٣٤٥٦٧', 'AE', '+971501234567', '050 123 4567', 'AE'],
  ['०९८१२३४५६७८', 'IN', '+919812345678', '098123 45678', 'IN'],
  // International: the region does not matter.
  ['+1 503 555 0128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['+1 503 555 0128', 'DE', '+15035550128', '+1 503 555 0128', 'US'],
  ['+1 503 555 0128', 'ZZ', '+15035550128', '+1 503 555 0128', 'US'],
  ['+44 20 7946 0958', undefined, '+442079460958', '+44 20 7946 0958', 'GB'],
  ['+44 20 7946 0958', 'GB', '+442079460958', '020 7946 0958', 'GB'],
  ['＋44 20 7946 0958', 'US', '+442079460958', '+44 20 7946 0958', 'GB'],
  ['011 44 20 7946 0958', 'US', '+442079460958', '+44 20 7946 0958', 'GB'],
  ['+81 3-1234-5678', 'JP', '+81312345678', '03-1234-5678', 'JP'],
  ['tel:+1-503-555-0128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  // One numbering plan of several countries: written as it is dialled.
  ['(604) 555-0123', 'US', '+16045550123', '(604) 555-0123', 'CA'],
  ['+1 604 555 0123', 'US', '+16045550123', '(604) 555-0123', 'CA'],
  // Vanity.
  ['1-800-FLOWERS', 'US', '+18003569377', '(800) 356-9377', 'US'],
  ['1.800.got.junk', 'US', '+18004685865', '(800) 468-5865', 'US'],
  ['1-503-555-PINE', 'US', '+15035557463', '(503) 555-7463', 'US'],
  ['+1 (888) CALL-NOW', 'US', '+18882255669', '(888) 225-5669', 'US'],
  ['1-800-MATTRESS', 'US', '+18006288737', '(800) 628-8737', 'US'],
  ['0800 FLOWERS', 'GB', '+448003569377', '0800 356 9377', 'GB'],
  ['503 555 QZQZ', 'US', '+15035557979', '(503) 555-7979', 'US'],
  // Extensions, also behind vanity numbers.
  ['(503) 555-0128 ext. 9', 'US', '+15035550128', '(503) 555-0128 ext. 9', 'US'],
  ['503-555-0128x44', 'US', '+15035550128', '(503) 555-0128 ext. 44', 'US'],
  ['503 555 0128 #5', 'US', '+15035550128', '(503) 555-0128 ext. 5', 'US'],
  ['+1 503 555 0128;ext=7', 'US', '+15035550128', '(503) 555-0128 ext. 7', 'US'],
  ['1-800-555-CARE extension 12', 'US', '+18005552273', '(800) 555-2273 ext. 12', 'US'],
  // Words around the number.
  ['Cell: 503-555-0128', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['503-555-0128 (mobile)', 'US', '+15035550128', '(503) 555-0128', 'US'],
  ['Tel. +49 30 123456', 'US', '+4930123456', '+49 30 123456', 'DE'],
  ['503-555-0128 or 503-555-0142', 'US', '+15035550128', '(503) 555-0128', 'US'],
  // An area code newer than the metadata.
  ['457-555-0128', 'US', '+14575550128', '(457) 555-0128', 'US'],
  // Not numbers.
  ['', 'US', null],
  ['   ', 'US', null],
  ['junk', 'US', null],
  ['call me!', 'US', null],
  ['+', 'US', null],
  ['555-0128', 'US', null],
  ['123', 'US', null],
  ['0000000000', 'US', null],
  ['1234567890', 'US', null],
  ['503 555 0128', 'ZZ', null],
  ['5'.repeat(100_000), 'US', null],
  ['\u0000\u202e', 'US', null],
];

describe('a phone number', () => {
  it.each<Row>(ROWS)('%j of region %s is %s', (number, region, e164, display, country) => {
    const phone = readPhone(region === undefined ? { number } : { number, region });
    if (e164 === null) return expect(phone).toBeNull();
    expect(phone).toMatchObject({ e164, display, region: country });
  });

  it('keeps its extension apart from E.164', () => {
    expect(readPhone({ number: '503-555-0128 x44' })).toEqual({
      e164: '+15035550128',
      extension: '44',
      display: '(503) 555-0128 ext. 44',
      region: 'US',
    });
  });

  it('of any text and region is read or refused, without an exception', () => {
    const text = fc.oneof(
      fc
        .tuple(
          fc.constantFrom('+1', '', '0', '+44', '+49 '),
          fc.bigInt({ min: 2_000_000_000n, max: 9_999_999_999n }),
          fc.constantFrom('', ' x12', 'FLOWERS'),
        )
        .map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(...'0123456789+-()ext .#;FLOWx'.split('')), { maxLength: 25 })
        .map((parts) => parts.join('')),
    );
    let read = 0;
    fc.assert(
      fc.property(
        text,
        fc.option(fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('US', 'GB', 'DE'))),
        (number, region) => {
          const phone = readPhone({ number, region });
          if (phone === null) return;
          read++;
          expect(phone.e164).toMatch(/^\+[1-9]\d{2,16}$/);
          expect(phone.display).toMatch(/\d/);
          // The display reads back as the same number.
          expect(readPhone({ number: phone.display, region })?.e164).toBe(phone.e164);
        },
      ),
      { numRuns: 1500 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
