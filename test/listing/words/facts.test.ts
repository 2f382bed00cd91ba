import { describe, expect, it } from 'vitest';
import type { Listing } from '../../../src/listing/listing.ts';
import { type DataLayers, listingFacts } from '../../../src/listing/words/facts.ts';
import { aListing } from '../a-listing.ts';

function factsOf(facts: Partial<Listing>, layers: DataLayers = {}): string[] {
  return listingFacts({ ...aListing(), ...facts }, layers).map(
    ({ kind, value, numeric, longLabel, shortLabel }) =>
      `${kind}|${value}|${numeric}|${longLabel}|${shortLabel}`,
  );
}

describe('facts', () => {
  it('come as beds, baths, square feet', () => {
    const facts = { interior_square_footage: 2840, half_bathrooms: 1, bathrooms: 3, bedrooms: 4 };
    expect(factsOf(facts)).toEqual([
      'beds|4|4|bedrooms|beds',
      'baths|3.5|3.5|baths|baths',
      'sqft|2,840|2840|square feet|sq ft',
    ]);
  });

  it('of one are in the singular', () => {
    expect(factsOf({ bedrooms: 1, bathrooms: 1, interior_square_footage: 1.2 })).toEqual([
      'beds|1|1|bedroom|bed',
      'baths|1|1|bath|bath',
      'sqft|1|1|square foot|sq ft',
    ]);
  });

  it('of no bedroom are a studio', () => {
    expect(factsOf({ bedrooms: 0 })).toEqual(['beds||null|Studio|Studio']);
    expect(factsOf({ bedrooms: -0 })).toEqual(['beds||null|Studio|Studio']);
  });

  it('that are null or absent are left out', () => {
    expect(factsOf({})).toEqual([]);
    expect(
      factsOf({ bedrooms: null, bathrooms: null, half_bathrooms: null, interior_square_footage: null }),
    ).toEqual([]);
    expect(factsOf({ bathrooms: 2, half_bathrooms: null })).toEqual(['baths|2|2|baths|baths']);
  });

  it('add half a bath for one half bathroom, and never make a full one of two', () => {
    expect(factsOf({ bathrooms: 5, half_bathrooms: 1 })).toEqual(['baths|5.5|5.5|baths|baths']);
    expect(factsOf({ bathrooms: 0, half_bathrooms: 1 })).toEqual(['baths|0.5|0.5|baths|baths']);
    const several = { bathrooms: 5, half_bathrooms: 2 };
    expect(factsOf(several)).toEqual(['baths|5|5|baths, 2 half|baths, 2 half']);
    expect(listingFacts({ ...aListing(), ...several })[0]).toMatchObject({
      sentence: '5 full, 2 half baths',
    });
    expect(factsOf({ half_bathrooms: 1 })).toEqual([]);
  });

  it('round square feet and group digits', () => {
    expect(factsOf({ interior_square_footage: 2839.5 })).toEqual(['sqft|2,840|2840|square feet|sq ft']);
    expect(factsOf({ interior_square_footage: 12_345_678 })[0]).toContain('|12,345,678|');
  });

  it('stay short for any number', () => {
    for (const value of [1e12, 1e21, 1e300, Number.MAX_VALUE]) {
      for (const fact of listingFacts({
        ...aListing(),
        bedrooms: value,
        bathrooms: value,
        interior_square_footage: value,
      })) {
        expect(fact.value.length).toBeLessThan(12);
      }
    }
  });

  it('take price and labels from data layers', () => {
    const layers = {
      price: ' $1,245,000 ',
      label_bed: 'Zimmer',
      label_beds: 'Zimmer',
      label_bath: 'Bad',
      label_baths: 'Bäder',
      label_sqft: 'm²',
      label_studio: 'Einzimmer',
    };
    const facts = { bedrooms: 4, bathrooms: 1, interior_square_footage: 300 };
    expect(factsOf(facts, layers)).toEqual([
      'price|$1,245,000|null||',
      'beds|4|4|Zimmer|Zimmer',
      'baths|1|1|Bad|Bad',
      'sqft|300|300|m²|m²',
    ]);
    expect(factsOf({ bedrooms: 0 }, layers)[1]).toBe('beds||null|Einzimmer|Einzimmer');
  });

  it('keep their own labels where a data layer is blank or inherited', () => {
    expect(factsOf({ bedrooms: 2 }, { label_beds: ' \u200b', price: '' })).toEqual([
      'beds|2|2|bedrooms|beds',
    ]);
    expect(factsOf({ bedrooms: 2 }, Object.create({ label_beds: 'x', price: 'y' }))).toEqual([
      'beds|2|2|bedrooms|beds',
    ]);
  });
});
