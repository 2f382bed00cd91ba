/** Random listings: mostly right, with wrong values, holes and strangers strewn in. */
import fc from 'fast-check';
import { aFullListing, type Json, withValue } from './a-listing.ts';
import { EMAILS, URLS } from './reading-of-the-rules.ts';

/**
 * Anything JSON can hold, in the wrong place. Its strings are ones the oracle's tables know, or it would be asked about
 * others.
 */
const stray = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 3, 2.5, 0.5, -0, 1e21, [], {}, [null], { id: 'x' }, [[]]),
  fc.constant(''),
);

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '',
    'US',
    'a',
    '🏠',
    '🏠🏠',
    '\u0301',
    'x'.repeat(255),
    '🏠'.repeat(256),
    'y'.repeat(101),
    'z'.repeat(65),
  ),
);
const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    '[key]',
    'a[0]',
    '0',
    '',
    'a/b~c',
    'k'.repeat(41),
    'logo',
  ),
);
const url = fc.constantFrom(...Object.keys(URLS));
const share = fc.constantFrom(0, 0.5, 1, -0.1, 1.01, '0.5');
const email = fc.constantFrom(...Object.keys(EMAILS));

function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: stray });
}

/** An object of which any property can be absent or wrong, with or without unknown ones. */
function record(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const members = fc.record(
    Object.fromEntries(Object.entries(shape).map(([name, arbitrary]) => [name, sometimes(arbitrary)])),
    { requiredKeys: [] },
  );
  const complete = fc.record(
    Object.fromEntries(Object.entries(shape).map(([name, arbitrary]) => [name, sometimes(arbitrary)])),
  );
  return fc
    .tuple(fc.oneof({ weight: 1, arbitrary: members }, { weight: 3, arbitrary: complete }), fc.boolean())
    .map(([own, hasStranger]) => (hasStranger ? { stranger: { id: 1 }, ...own } : own));
}

/** By entries, so that `__proto__` is a key like any other. */
function dictionary(value: fc.Arbitrary<unknown>, maxLength: number): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(key, value), { maxLength }).map((entries) => {
    // The oracle knows few URLs, and `logo` is one.
    return Object.fromEntries(entries.filter(([name, text]) => name !== 'logo' || (text as string) in URLS));
  });
}

const phone = record({
  number: word,
  type: fc.constantFrom('office', 'mobile', 'direct', 'fax', null),
  region: fc.constantFrom('US', 'gb', '🏠🏠', 'U', 'USA', null),
});
const address = record({ street: word, city: word, state: word, postal_code: word });

const agent = record({
  id: fc.constantFrom('a', 'b', 'c', ''),
  first_name: word,
  last_name: word,
  picture: url,
  designation: word,
  phones: fc.array(sometimes(phone), { maxLength: 3 }),
  emails: fc.array(sometimes(record({ address: email })), { maxLength: 2 }),
  licenses: fc.array(sometimes(record({ number: word, state: word })), { maxLength: 2 }),
  video_options: record({
    ratio: fc.constantFrom('1920:1080', '1080:1920', '16:9'),
    template_id: word,
    template_data: dictionary(sometimes(word), 3),
    create_preview: fc.boolean(),
    metadata: fc.oneof(
      { weight: 5, arbitrary: dictionary(sometimes(word), 3) },
      {
        weight: 1,
        arbitrary: fc
          .integer({ min: 49, max: 52 })
          .map((length) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 'v']))),
      },
    ),
  }),
  offices: fc.array(sometimes(record({ name: word, address, phone_number: phone })), { maxLength: 2 }),
});

const strewnListing: fc.Arbitrary<unknown> = sometimes(
  record({
    id: word,
    assets: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.array(
          sometimes(
            record({
              ...{ url, type: fc.constant('image'), caption: word },
              ...{ altered: fc.oneof(word, fc.boolean()), original: url },
              kind: fc.constantFrom('photo', 'floor_plan'),
              focus: record({ x: share, y: share }),
              emphasis: fc.constantFrom('normal', 'high', 'low', 'none'),
            }),
          ),
          { minLength: 3, maxLength: 7 },
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .integer({ min: 99, max: 102 })
          .map((length) => new Array(length).fill({ url: 'https://example.com/a.jpg' })),
      },
    ),
    agents: fc.oneof(
      { weight: 8, arbitrary: fc.array(sometimes(agent), { maxLength: 3 }) },
      {
        weight: 1,
        arbitrary: fc
          .integer({ min: 19, max: 22 })
          .map((length) =>
            Array.from({ length }, (_, index) => ({ id: `${index}`, first_name: 'A', last_name: 'B' })),
          ),
      },
    ),
    address,
    bedrooms: fc.constantFrom(0, 3, -1, 2.5, null),
    bathrooms: fc.constantFrom(0, 1, -7, null),
    half_bathrooms: fc.constantFrom(0, 1, 0.5, null),
    interior_square_footage: fc.constantFrom(1, 2840.5, 0.99, null),
  }),
);

/** A full listing whose URLs and addresses the oracle knows. */
function aKnownListing(): Json {
  const text = JSON.stringify(aFullListing());
  return JSON.parse(
    text
      .replace(/https:[^"]*/g, 'https://example.com/a.jpg')
      .replace(/[\w.]+@example\.com/g, 'june@example.com'),
  );
}

function pathsIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = steps.flatMap((step) => pathsIn((value as Json)[step], [...path, step]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** A full listing with up to two changes: many are valid, the others nearly. */
const bentListing: fc.Arbitrary<unknown> = fc
  .array(
    fc.tuple(fc.constantFrom(...pathsIn(aKnownListing())), fc.oneof(stray, word, fc.constant(undefined))),
    {
      maxLength: 2,
    },
  )
  .map((changes) => {
    const listing = aKnownListing();
    for (const [path, value] of changes) {
      const last = path.at(-1);
      const isAddress =
        last === 'url' ||
        last === 'original' ||
        last === 'picture' ||
        last === 'logo' ||
        path.at(-3) === 'emails';
      if (isAddress && typeof value === 'string' && value !== '') continue;
      try {
        withValue(listing, path, value);
      } catch {
        // An earlier change took the parent away.
      }
    }
    // Holes in arrays are not JSON.
    return JSON.parse(JSON.stringify(listing));
  });

/** A would-be listing. */
export const randomListing: fc.Arbitrary<unknown> = fc.oneof(strewnListing, bentListing);
