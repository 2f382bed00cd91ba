import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Violation } from '../../../src/listing/listing.ts';
import { withLicenseStates } from '../../../src/listing/rules/license-states.ts';
import { validateListing } from '../../../src/listing/rules/validate-listing.ts';
import type { Json } from '../a-listing.ts';
import { randomListing } from '../random-listing.ts';
import { brokenRules } from '../reading-of-the-rules.ts';

const RUNS = { numRuns: 800 };

function violationsOf(input: unknown, allowLocalFiles = false): Violation[] {
  const result = validateListing(input, { allowLocalFiles });
  return result.ok ? [] : result.violations;
}

/** The value at a loc, or the parent (for `missing`), or the key (for `[key]`). */
function valueAt(input: unknown, { loc, type }: Violation): unknown {
  if (type === 'missing') return loc.slice(1, -1).reduce<Json>((value, step) => value[step], input);
  return loc.slice(1).reduce<Json>((value, step, index, steps) => {
    const isKey =
      step === '[key]' &&
      index === steps.length - 1 &&
      !(typeof value === 'object' && value !== null && Object.hasOwn(value, step));
    return isKey ? steps[index - 1] : value[step];
  }, input);
}

describe('for any object like a listing', () => {
  it('the result is that of the rules checked by hand: the same violations at the same places', () => {
    let valid = 0;
    fc.assert(
      fc.property(randomListing, (input) => {
        const found = violationsOf(input).map(({ loc, type }) => `${JSON.stringify(loc)} ${type}`);
        if (found.length === 0) valid++;
        expect([...found].sort()).toEqual(brokenRules(input).sort());
      }),
      RUNS,
    );
    // Otherwise the test would say little about valid listings.
    expect(valid).toBeGreaterThan(100);
  });

  it('each violation echoes its own value, and no value has two', () => {
    fc.assert(
      fc.property(randomListing, (input) => {
        const found = violationsOf(input);
        for (const violation of found) expect(violation.input).toBe(valueAt(input, violation));
        const places = found.map(({ loc }) => JSON.stringify(loc));
        // A `[key]` and a key called `[key]` share a loc.
        const doubles = places.filter(
          (place, index) => places.indexOf(place) < index && !place.includes('"[key]"'),
        );
        expect(doubles).toEqual([]);
      }),
      RUNS,
    );
  });

  it('a value comes before its parts, and parts are in the order of the document', () => {
    fc.assert(
      fc.property(randomListing, (input) => {
        const order = violationsOf(input).map((violation) => positionOf(input, violation));
        expect(order).toEqual([...order].sort(compare));
      }),
      RUNS,
    );
  });

  it('an accepted listing is returned whole, and is accepted again', () => {
    fc.assert(
      fc.property(randomListing, (input) => {
        const result = validateListing(input, { allowLocalFiles: true });
        if (!result.ok) return;
        expect(validateListing(result.listing, { allowLocalFiles: true })).toEqual(result);
        expect(JSON.stringify(withoutStrangers(withLicenseStates(input)))).toBe(
          JSON.stringify(result.listing),
        );
      }),
      RUNS,
    );
  });
});

describe('for any JSON value at all', () => {
  it('validation never throws and never accepts by accident', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (input, allowLocalFiles) => {
        expect(violationsOf(input, allowLocalFiles).length).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it('nor does it for any value of JavaScript', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (input) => {
          expect(violationsOf(input).length).toBeGreaterThan(0);
        },
      ),
      RUNS,
    );
  });

  it('an asset URL of any text gets one result, the same as a portrait', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), fc.boolean(), (text, web, allowLocalFiles) => {
        for (const url of [text, web + text, `https://${text}`]) {
          const assets = Array.from({ length: 5 }, () => ({ url }));
          const agents = [{ id: 'a', first_name: '', last_name: '', picture: url }];
          const found = violationsOf({ id: '', assets, agents }, allowLocalFiles);
          expect([0, 6]).toContain(found.length);
          expect(new Set(found.map(({ msg }) => msg)).size).toBeLessThanOrEqual(1);
        }
      }),
      RUNS,
    );
  });
});

function withoutStrangers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: Json, key, child: unknown) {
    return key === 'stranger' && (child as Json)?.id === 1 ? undefined : child;
  });
}

/** Absent properties first, then the others; a key just before its value. */
function positionOf(input: unknown, { loc, type }: Violation): number[] {
  const position: number[] = [];
  let value: Json = input;
  for (const [index, step] of loc.slice(1).entries()) {
    const isLast = index === loc.length - 2;
    if (isLast && type === 'missing') position.push(-1);
    else if (typeof step === 'number') position.push(step);
    else if (typeof value === 'object' && value !== null && Object.keys(value).includes(step)) {
      position.push(Object.keys(value).indexOf(step));
    } else position[position.length - 1]! -= 0.5;
    value = value?.[step];
  }
  return position;
}

function compare(a: number[], b: number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}
