/** The sentences of the command line for every kind of violation. */
import { describe, expect, it } from 'vitest';
import { EXPLAINED_TYPES, explainViolation } from '../../../src/listing/rules/explain-violation.ts';
import { validateListing } from '../../../src/listing/rules/validate-listing.ts';
import { agent, listing } from '../../cli/listing-files.ts';

const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ url: `https://photos.example/${index}.jpg` }));
const withAgent = (fields: object) => ({ agents: [{ ...agent('ann'), ...fields }] });
const withPhoto = (url: unknown) => ({ assets: [...photos(5), { url }] });

/** What differs from a valid listing, and what the command line says of it. */
const CASES: readonly (readonly [type: string, fields: object, sentence: string])[] = [
  ['missing', { id: undefined }, 'required, but missing'],
  ['string_type', { id: 3 }, 'expected text in double quotes, found 3'],
  ['string_type', { id: null }, 'expected text in double quotes, found null'],
  ['list_type', { agents: 'ann' }, 'expected a list in [ ], found "ann"'],
  ['dict_type', { address: ['Main St'] }, 'expected an object in { }, found a list'],
  [
    'bool_type',
    withAgent({ video_options: { create_preview: 'yes' } }),
    'expected true or false, without quotes, found "yes"',
  ],
  ['int_type', { bedrooms: '3' }, 'expected a whole number, without quotes, found "3"'],
  ['int_from_float', { bedrooms: 2.5 }, 'expected a whole number, found 2.5'],
  ['finite_number', { bedrooms: Number.POSITIVE_INFINITY }, 'the number is too large'],
  ['too_short', { assets: photos(4) }, '5 to 100 photos are needed, there are 4'],
  ['too_short', { assets: photos(1) }, '5 to 100 photos are needed, there is 1'],
  ['too_short', { agents: [] }, '1 to 20 agents are needed, there are none'],
  ['too_long', { assets: photos(101) }, '5 to 100 photos are needed, there are 101'],
  [
    'too_long',
    withAgent({
      video_options: { metadata: Object.fromEntries(photos(51).map(({ url }, index) => [`k${index}`, url])) },
    }),
    'at most 50 entries are allowed, there are 51',
  ],
  [
    'string_too_short',
    withAgent({ phones: [{ number: '503 555 0100', region: '' }] }),
    'at least 2 characters are needed',
  ],
  [
    'string_too_long',
    withAgent({ last_name: 'é'.repeat(300) }),
    'the text can have 255 characters at most, and has 300',
  ],
  ['greater_than_equal', { bedrooms: -1 }, 'expected 0 or more, found -1'],
  [
    'literal_error',
    withAgent({ video_options: { ratio: '4:3' } }),
    'expected "1920:1080" or "1080:1920", found "4:3"',
  ],
  [
    'literal_error',
    withAgent({ phones: [{ number: '503 555 0100', type: 'mobil' }] }),
    'expected "office", "mobile" or "direct", found "mobil"; did you mean "mobile"?',
  ],
  ['url_parsing', withPhoto(''), 'the text is empty: use an http or https URL, or the path of a file'],
  [
    'url_parsing',
    withPhoto('https://me:pw@photos.example/1.jpg'),
    'not a valid address (user name and password are not allowed): use an http or https URL, or the path of a file',
  ],
  [
    'url_scheme',
    withPhoto('ftp://photos.example/1.jpg'),
    'found "ftp://photos.example/1.jpg": use an http or https URL, or the path of a file',
  ],
  [
    'url_too_long',
    withPhoto(`https://photos.example/${'x'.repeat(3000)}`),
    'the address can have 2083 characters at most, and has 3023',
  ],
  [
    'value_error',
    withAgent({ emails: [{ address: 'ann' }] }),
    'not a complete e-mail address, such as name@example.com',
  ],
  ['value_error', { agents: [agent('ann'), agent('ann')] }, 'agent id is used by an earlier agent'],
];

describe('explainViolation', () => {
  it.each(CASES)('%s: %o', (type, fields, sentence) => {
    const result = validateListing({ ...listing(), ...fields }, { allowLocalFiles: true });
    const violations = result.ok ? [] : result.violations;
    expect(violations.map((violation) => [violation.type, explainViolation(violation)])).toEqual([
      [type, sentence],
    ]);
  });

  it('has a sentence of its own for every kind', () => {
    // No field of a listing is a fraction or has a maximum today; a server of another version can report both.
    // Whether photos can be used is no rule of a listing.
    const others = ['float_type', 'less_than_equal', 'no_usable_assets'];
    expect(new Set([...CASES.map(([type]) => type), ...others])).toEqual(new Set(EXPLAINED_TYPES));
  });

  it('keeps the sentence of a kind that only a newer server knows', () => {
    const violation = { loc: ['body', 'id'], msg: 'Value error, taken', type: 'taken', input: 'x' };
    expect(explainViolation(violation)).toBe('taken');
  });

  it('shows a long value from its beginning', () => {
    const violation = { loc: ['body', 'id'], msg: 'x', type: 'list_type', input: 'x'.repeat(5000) };
    expect(explainViolation(violation).length).toBeLessThan(100);
  });
});
