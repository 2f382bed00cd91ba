/** Records of MLSs hold anything. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CSV_FIELDS, fieldCalled } from '../../src/listing/mls/csv-fields.ts';
import { RelatedRecords } from '../../src/listing/mls/related-records.ts';
import { toListing } from '../../src/listing/mls/to-listing.ts';

const CONTEXT = {
  templateId: 'classic',
  licenseState: null,
  clock: { today: '2026-11-20', timeZone: null },
  related: new RelatedRecords(),
  nameOf: (field: string) => field,
  adviceOn: () => '',
  localPhotos: null,
};

const scalar = fc.oneof(
  fc.constantFrom(
    'Active',
    'Closed',
    'Photo',
    '2.5',
    '-1',
    '********',
    'https://example.com/1.jpg',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const media = fc.record(
  Object.fromEntries(
    [
      'MediaURL',
      'MediaCategory',
      'Order',
      'PreferredPhotoYN',
      'ShortDescription',
      'Permission',
      'MediaObjectID',
    ].map((name) => [name, scalar]),
  ),
  { requiredKeys: [] },
);
const property = fc.record(
  {
    ...Object.fromEntries(CSV_FIELDS.map((name) => [name, scalar])),
    Media: fc.oneof(scalar, fc.array(media, { maxLength: 12 })),
    ListAgent: fc.oneof(
      scalar,
      fc.dictionary(fc.constantFrom('MemberKey', 'MemberFullName', 'Media'), scalar),
    ),
    ListOffice: scalar,
  },
  { requiredKeys: [] },
);

it('any record becomes a valid listing, or a reason why it is none', () => {
  fc.assert(
    fc.property(property, (record) => {
      const { listing, problems, findings } = toListing(record, 'A-1', CONTEXT);
      expect(listing === null).toBe(problems.length > 0);
      // What is missing or left out is text that can be printed as JSON.
      expect(JSON.parse(JSON.stringify(findings))).toEqual(findings);
      for (const asset of listing?.assets ?? []) expect(asset.url).toMatch(/^\s*https?:/i);
    }),
    { numRuns: 300 },
  );
});

it('every field of a column is called by its own name, and each other name leads to one field', () => {
  expect(CSV_FIELDS.filter((field) => fieldCalled(field) !== field)).toEqual([]);
  expect(['MLS #', 'Zip', 'sq. ft.', 'Co-List Agent Email', 'Brokerage'].map(fieldCalled)).toEqual([
    ...['ListingId', 'PostalCode', 'LivingArea', 'CoListAgentEmail', 'ListOfficeName'],
  ]);
  expect(['', '#', 'Agent 2 Email', 'constructor'].map(fieldCalled)).toEqual([null, null, null, null]);
});

it('a record of 60,000 photos, each second one an original, costs no more than a few looks at each', () => {
  let looks = 0;
  const Media = Array.from({ length: 60_000 }, (_, index) => ({
    MediaURL: `https://example.com/${index}.jpg`,
    MediaCategory: 'Photo',
    get Order() {
      looks += 1;
      return index;
    },
    LongDescription: index % 2 === 0 ? 'Virtually staged' : 'Original photo of 7',
  }));
  const { findings } = toListing({ ListingKey: 'k1', Media }, 'A-1', CONTEXT);
  expect(findings.notes).toHaveLength(30_000);
  expect(looks / Media.length).toBeLessThan(20);
});
