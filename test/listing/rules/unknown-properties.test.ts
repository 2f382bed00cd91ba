import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnknownProperties } from '../../../src/listing/rules/unknown-properties.ts';
import { aFullListing, aListing, withValue } from '../a-listing.ts';
import { randomListing } from '../random-listing.ts';

describe('unknown properties', () => {
  it('are none in a full listing, nor is $schema one', () => {
    expect(findUnknownProperties({ $schema: '../listing.schema.json', ...aFullListing() })).toEqual([]);
  });

  it.each<[(string | number)[], string | undefined]>([
    [['bedroom'], 'bedrooms'],
    [['Bedrooms'], 'bedrooms'],
    [['half-bathrooms'], 'half_bathrooms'],
    [['asset'], 'assets'],
    [['adress'], 'address'],
    [['interior_sqare_footage'], 'interior_square_footage'],
    [['squareFootage'], 'interior_square_footage'],
    [['price'], undefined],
    [['$Schema'], '$schema'],
    [['assets', 0, 'uri'], 'url'],
    [['agents', 0, 'firstName'], 'first_name'],
    [['agents', 0, 'Last Name'], 'last_name'],
    [['agents', 0, 'email'], 'emails'],
    [['agents', 0, 'videoOptions'], 'video_options'],
    [['agents', 0, 'phones', 0, 'nubmer'], 'number'],
    [['agents', 0, 'emails', 0, 'adress'], 'address'],
    [['agents', 0, 'licenses', 0, 'stat'], 'state'],
    [['agents', 0, 'offices', 0, 'phone'], 'phone_number'],
    [['agents', 0, 'offices', 0, 'address', 'zip'], undefined],
    [['agents', 0, 'offices', 0, 'phone_number', 'regoin'], 'region'],
    [['agents', 0, 'video_options', 'template'], 'template_id'],
    [['agents', 0, 'video_options', 'preview'], 'create_preview'],
    [['address', 'postalCode'], 'postal_code'],
    [['__proto__'], undefined],
    [['constructor'], undefined],
  ])('%j suggests %s', (path, suggestion) => {
    const found = findUnknownProperties(withValue(aFullListing(), path, 'x'));
    expect(found).toHaveLength(1);
    expect(found[0]?.loc).toEqual(['body', ...path]);
    expect(found[0]?.suggestion).toBe(suggestion);
    expect(found[0]?.message).toBe(
      `unknown property ${JSON.stringify(path.at(-1))} is ignored${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`,
    );
  });

  it('are found in invalid listings too, in document order', () => {
    const found = findUnknownProperties({
      bedroms: 3,
      agents: [{ frist_name: 'x', phones: [{ ext: 1 }] }, 3],
      id: 3,
      x: 1,
    });
    expect(found.map(({ loc }) => loc.join('.'))).toEqual([
      'body.bedroms',
      'body.agents.0.frist_name',
      'body.agents.0.phones.0.ext',
      'body.x',
    ]);
  });

  it('are not the keys of metadata and template data', () => {
    const listing = withValue(aFullListing(), ['agents', 0, 'video_options', 'metadata'], {
      ratio: 'x',
      anything: 'y',
    });
    expect(findUnknownProperties(listing)).toEqual([]);
  });

  it('of another document are counted after a hundred', () => {
    const found = findUnknownProperties(
      Object.fromEntries(Array.from({ length: 1234 }, (_, index) => [`qqq${index}`, index])),
    );
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toEqual({ loc: ['body'], message: '1134 more unknown properties' });
  });

  it('with names of any length and any characters make short, harmless messages', () => {
    for (const name of ['x'.repeat(1_000_000), '\u001b[31m', 'a"b', '\n']) {
      const [warning] = findUnknownProperties({ ...aListing(), [name]: 1 });
      expect(warning?.message.length).toBeLessThan(120);
      expect(warning?.message).not.toMatch(/[\u0000-\u001f]/);
      expect(warning?.loc).toEqual(['body', name]);
    }
  });

  it('are found in any value without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), randomListing), (input) => {
        for (const { loc } of findUnknownProperties(input)) expect(loc[0]).toBe('body');
      }),
      { numRuns: 500 },
    );
  });
});
