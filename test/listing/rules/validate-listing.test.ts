import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Violation } from '../../../src/listing/listing.ts';
import { validateListing } from '../../../src/listing/rules/validate-listing.ts';
import { aFullListing, aListing, anAgent, type Json, withValue } from '../a-listing.ts';

function violationsOf(input: unknown, allowLocalFiles = false): Violation[] {
  const result = validateListing(input, { allowLocalFiles });
  return result.ok ? [] : result.violations;
}

type Path = readonly (string | number)[];

/** The violations of a full listing with one value changed. */
function violationsWith(path: Path, value: unknown, allowLocalFiles = false): Violation[] {
  return violationsOf(withValue(aFullListing(), path, value), allowLocalFiles);
}

/** A full listing with this value has one violation, there. */
function expectOne(path: Path, input: unknown, type: string, msg: string, ctx?: object): void {
  const violation = { loc: ['body', ...path], msg, type, input, ...(ctx && { ctx }) };
  expect(violationsWith(path, input), JSON.stringify(input)).toEqual([violation]);
}

const STRING = ['string_type', 'Input should be a valid string'] as const;
const LIST = ['list_type', 'Input should be a valid list'] as const;
const DICT = ['dict_type', 'Input should be a valid dictionary'] as const;
const BOOL = ['bool_type', 'Input should be a valid boolean'] as const;
const INT = ['int_type', 'Input should be a valid integer'] as const;
const FLOAT = ['float_type', 'Input should be a valid number'] as const;

const AGENT: Path = ['agents', 0];
const OPTIONS: Path = [...AGENT, 'video_options'];
const OFFICE: Path = [...AGENT, 'offices', 0];

describe('a listing that breaks no rule', () => {
  it.each([
    ['the least there can be', aListing()],
    ['every property', aFullListing()],
  ])('is accepted: %s', (_, listing) => {
    expect(validateListing(listing, { allowLocalFiles: false })).toEqual({ ok: true, listing });
  });

  it('is returned as a copy without unknown properties', () => {
    const input = { ...aFullListing(), $schema: '../schema.json', mls: 1 };
    input.agents[0].nickname = 'J';
    input.agents[0].offices[0].address.country = 'US';
    const result = validateListing(input, { allowLocalFiles: false });
    expect(result).toEqual({ ok: true, listing: aFullListing() });
    if (!result.ok) return;
    input.agents[0].first_name = 'changed';
    expect(result.listing.agents[0]?.first_name).toBe('June');
  });

  it('can hold the maximum of everything', () => {
    const listing = aListing();
    listing.assets = Array.from({ length: 100 }, () => ({ url: `https://example.com/${'x'.repeat(2063)}` }));
    expect(listing.assets[0].url).toHaveLength(2083);
    listing.agents = Array.from({ length: 20 }, (_, index) => ({
      id: String(index),
      first_name: '🏠'.repeat(255),
      last_name: '',
      designation: 'd'.repeat(255),
      licenses: [{ number: 'n'.repeat(100), state: 's'.repeat(64) }],
      video_options: {
        metadata: Object.fromEntries(
          Array.from({ length: 50 }, (__, key) => [`${key}`.padEnd(40, 'k'), 'v'.repeat(500)]),
        ),
      },
    }));
    expect(violationsOf(listing)).toEqual([]);
  });
});

describe('the kind of a value', () => {
  /** Place, whether null is allowed, type and message. */
  const PLACES: [Path, boolean, string, string][] = [
    [['id'], false, ...STRING],
    [['assets'], false, ...LIST],
    [['assets', 2], false, ...DICT],
    [['assets', 2, 'url'], false, ...STRING],
    [['agents'], false, ...LIST],
    [AGENT, false, ...DICT],
    [[...AGENT, 'id'], false, ...STRING],
    [[...AGENT, 'first_name'], false, ...STRING],
    [[...AGENT, 'last_name'], false, ...STRING],
    [[...AGENT, 'picture'], true, ...STRING],
    [[...AGENT, 'designation'], true, ...STRING],
    [[...AGENT, 'phones'], false, ...LIST],
    [[...AGENT, 'phones', 0], false, ...DICT],
    [[...AGENT, 'phones', 0, 'number'], false, ...STRING],
    [[...AGENT, 'phones', 0, 'region'], true, ...STRING],
    [[...AGENT, 'emails'], false, ...LIST],
    [[...AGENT, 'emails', 0], false, ...DICT],
    [[...AGENT, 'emails', 0, 'address'], false, ...STRING],
    [[...AGENT, 'licenses'], false, ...LIST],
    [[...AGENT, 'licenses', 0], false, ...DICT],
    [[...AGENT, 'licenses', 0, 'number'], false, ...STRING],
    [[...AGENT, 'licenses', 0, 'state'], false, ...STRING],
    [[...AGENT, 'offices'], false, ...LIST],
    [OFFICE, false, ...DICT],
    [[...OFFICE, 'name'], true, ...STRING],
    [[...OFFICE, 'address'], true, ...DICT],
    [[...OFFICE, 'address', 'street'], false, ...STRING],
    [[...OFFICE, 'address', 'city'], true, ...STRING],
    [[...OFFICE, 'phone_number'], true, ...DICT],
    [[...OFFICE, 'phone_number', 'number'], false, ...STRING],
    [[...OFFICE, 'phone_number', 'region'], true, ...STRING],
    [OPTIONS, false, ...DICT],
    [[...OPTIONS, 'template_id'], true, ...STRING],
    [[...OPTIONS, 'template_data'], false, ...DICT],
    [[...OPTIONS, 'template_data', 'headline'], false, ...STRING],
    [[...OPTIONS, 'template_data', 'logo'], false, ...STRING],
    [[...OPTIONS, 'create_preview'], false, ...BOOL],
    [[...OPTIONS, 'metadata'], false, ...DICT],
    [[...OPTIONS, 'metadata', 'campaign'], false, ...STRING],
    [['address'], false, ...DICT],
    [['address', 'street'], false, ...STRING],
    [['address', 'state'], true, ...STRING],
    [['address', 'city'], true, ...STRING],
    [['address', 'postal_code'], true, ...STRING],
    [['bedrooms'], true, ...INT],
    [['bathrooms'], true, ...INT],
    [['half_bathrooms'], true, ...INT],
    [['interior_square_footage'], true, ...FLOAT],
  ];
  const VALUES: unknown[] = ['text', 7, true, [], {}, null];

  function isOfKind(value: unknown, type: string): boolean {
    if (type === 'string_type') return typeof value === 'string';
    if (type === 'list_type') return Array.isArray(value);
    if (type === 'dict_type') return typeof value === 'object' && value !== null && !Array.isArray(value);
    if (type === 'bool_type') return typeof value === 'boolean';
    return typeof value === 'number';
  }

  it.each(PLACES)('%j (null allowed: %s) is %s', (path, isNullable, type, msg) => {
    for (const value of VALUES) {
      const found = violationsWith(path, value);
      if (value === null ? isNullable : isOfKind(value, type)) {
        expect(found.filter((violation) => violation.type === type)).toEqual([]);
        continue;
      }
      expect(found, `value ${JSON.stringify(value)}`).toEqual([
        { loc: ['body', ...path], msg, type, input: value },
      ]);
    }
  });

  it.each([[null], ['text'], [3], [true], [[]]])('the body itself: %j', (input) => {
    expect(violationsOf(input)).toEqual([
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type', input },
    ]);
  });

  it('of an undefined body is wrong too', () => {
    expect(violationsOf(undefined)).toEqual([
      { loc: ['body'], msg: 'Input should be a valid dictionary', type: 'dict_type', input: undefined },
    ]);
  });
});

describe('a required property', () => {
  it.each<[Path]>([
    [['id']],
    [['assets']],
    [['agents']],
    [['assets', 3, 'url']],
    [[...AGENT, 'id']],
    [[...AGENT, 'first_name']],
    [[...AGENT, 'last_name']],
    [[...AGENT, 'phones', 0, 'number']],
    [[...AGENT, 'emails', 0, 'address']],
    [[...AGENT, 'licenses', 0, 'number']],
    [[...AGENT, 'licenses', 0, 'state']],
    [[...OFFICE, 'address', 'street']],
    [[...OFFICE, 'phone_number', 'number']],
    [['address', 'street']],
    [['assets', 0, 'focus', 'y']],
  ])('%j is reported as missing, with its parent as input', (path) => {
    const listing = withValue(aFullListing(), path, undefined);
    const parent = path.slice(0, -1).reduce<Json>((value, step) => value[step], listing);
    const found = violationsOf(listing);
    expect(found).toEqual([
      { loc: ['body', ...path], msg: 'Field required', type: 'missing', input: parent },
    ]);
    expect(found[0]?.input).toBe(parent);
  });

  it('is the only kind of property that must be present', () => {
    const optional: Path[] = [
      ['assets', 0, 'type'],
      ['assets', 0, 'focus'],
      ...['picture', 'designation', 'phones', 'emails', 'licenses', 'video_options', 'offices'].map(
        (name) => [...AGENT, name],
      ),
      ...['ratio', 'template_id', 'template_data', 'create_preview', 'metadata'].map((name) => [
        ...OPTIONS,
        name,
      ]),
      ...['name', 'address', 'phone_number'].map((name) => [...OFFICE, name]),
      ...['state', 'city', 'postal_code'].map((name) => ['address', name]),
      ...['type', 'region'].map((name) => [...AGENT, 'phones', 0, name]),
      ...['address', 'bedrooms', 'bathrooms', 'half_bathrooms', 'interior_square_footage'].map((name) => [
        name,
      ]),
    ];
    for (const path of optional) expect(violationsWith(path, undefined), String(path)).toEqual([]);
  });

  it('is missing all at once from an empty object, in the order of the schema', () => {
    expect(violationsOf({})).toEqual(
      ['id', 'assets', 'agents'].map((name) => ({
        loc: ['body', name],
        msg: 'Field required',
        type: 'missing',
        input: {},
      })),
    );
  });
});

describe('numbers', () => {
  const COUNTS = ['bedrooms', 'bathrooms', 'half_bathrooms'];

  it.each(COUNTS)('%s is an integer: 3.0 and 1e2 are, fractions and numeric strings are not', (name) => {
    for (const text of ['0', '3.0', '-0.0', '1e2', '9007199254740993', '1e300']) {
      expect(violationsOf({ ...aListing(), [name]: JSON.parse(text) }), text).toEqual([]);
    }
    for (const input of [2.5, -2.5, 1e-9]) {
      expectOne(
        [name],
        input,
        'int_from_float',
        'Input should be a valid integer, got a number with a fractional part',
      );
    }
    for (const input of ['3', '', true, false]) {
      expectOne([name], input, 'int_type', 'Input should be a valid integer');
    }
  });

  it.each(COUNTS)('%s is at least 0', (name) => {
    expectOne([name], -1, 'greater_than_equal', 'Input should be greater than or equal to 0', { ge: 0 });
  });

  it('square footage is any number of at least 1', () => {
    for (const value of [1, 1.0001, 2840, 1e9])
      expect(violationsWith(['interior_square_footage'], value)).toEqual([]);
    for (const input of [0.999, 0, -5]) {
      expectOne(
        ['interior_square_footage'],
        input,
        'greater_than_equal',
        'Input should be greater than or equal to 1',
        { ge: 1 },
      );
    }
  });

  it.each([...COUNTS, 'interior_square_footage'])('%s is finite: 1e999 in JSON reads as Infinity', (name) => {
    for (const input of [JSON.parse('1e999'), JSON.parse('-1e999'), Number.NaN]) {
      expectOne([name], input, 'finite_number', 'Input should be a finite number');
    }
  });
});

describe('numbers of items', () => {
  const many = <T>(length: number, of: (index: number) => T) =>
    Array.from({ length }, (_, index) => of(index));
  const METADATA: Path = [...OPTIONS, 'metadata'];
  const photos = (length: number) => many(length, () => ({ url: 'https://example.com/1.jpg' }));

  it.each<[Path, unknown, number, string]>([
    [['assets'], [], 0, 'List should have at least 5 items after validation, not 0'],
    [['assets'], photos(3), 3, 'List should have at least 5 items after validation, not 3'],
    [['assets'], photos(4), 4, 'List should have at least 5 items after validation, not 4'],
    [['assets'], photos(101), 101, 'List should have at most 100 items after validation, not 101'],
    [['agents'], [], 0, 'List should have at least 1 item after validation, not 0'],
    [
      ['agents'],
      many(21, (index) => anAgent(String(index))),
      ...([21, 'List should have at most 20 items after validation, not 21'] as const),
    ],
    [
      METADATA,
      Object.fromEntries(many(51, (index) => [`key${index}`, 'x'])),
      ...([51, 'Dictionary should have at most 50 items after validation, not 51'] as const),
    ],
  ])('%j: %o is refused', (path, input, actual, msg) => {
    const [, kind, word, limit] = /^(\w+) should have at (\w+) (\d+)/.exec(msg)!;
    const bound = { [word === 'least' ? 'min_length' : 'max_length']: Number(limit) };
    const type = word === 'least' ? 'too_short' : 'too_long';
    expectOne(path, input, type, msg, { field_type: kind, ...bound, actual_length: actual });
  });

  it('template data can have any number of keys', () => {
    const input = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`key[${index}]`.repeat(20), 'x']),
    );
    expect(violationsWith([...OPTIONS, 'template_data'], input)).toEqual([]);
  });

  it('are reported with the faults of the items', () => {
    const found = violationsWith(['assets'], [{ url: 3 }, null]);
    expect(found.map(({ loc, type }) => [loc, type])).toEqual([
      [['body', 'assets'], 'too_short'],
      [['body', 'assets', 0, 'url'], 'string_type'],
      [['body', 'assets', 1], 'dict_type'],
    ]);
  });
});

describe('lengths of strings', () => {
  /** Place, minimum, maximum. */
  const LENGTHS: [Path, number | null, number | null][] = [
    [[...AGENT, 'first_name'], null, 255],
    [[...AGENT, 'last_name'], null, 255],
    [[...AGENT, 'designation'], null, 255],
    [[...AGENT, 'licenses', 0, 'number'], 1, 100],
    [[...AGENT, 'licenses', 0, 'state'], 1, 64],
    [[...AGENT, 'phones', 0, 'region'], 2, 2],
    [[...OFFICE, 'phone_number', 'region'], 2, 2],
    [[...OPTIONS, 'metadata', 'campaign'], null, 500],
  ];

  it.each(LENGTHS)('%j: at least %s, at most %s, in code points', (path, minimum, maximum) => {
    // Each is two UTF-16 units; the last of them has a combining mark in place of a second letter.
    for (const letter of ['x', '🏠', '\u0301']) {
      expect(violationsWith(path, letter.repeat(maximum!))).toEqual([]);
      const input = letter.repeat(maximum! + 1);
      expectOne(path, input, 'string_too_long', `String should have at most ${maximum} characters`, {
        max_length: maximum,
      });
    }
    if (minimum === null) return expect(violationsWith(path, '')).toEqual([]);
    const input = '🏠'.repeat(minimum - 1);
    expect(violationsWith(path, input)).toEqual([
      {
        loc: ['body', ...path],
        msg:
          minimum === 1
            ? 'String should have at least 1 character'
            : `String should have at least ${minimum} characters`,
        type: 'string_too_short',
        input,
        ctx: { min_length: minimum },
      },
    ]);
  });

  it('are free elsewhere', () => {
    for (const path of [
      ['id'],
      [...AGENT, 'id'],
      ['address', 'street'],
      [...OPTIONS, 'template_id'],
      [...OFFICE, 'name'],
    ]) {
      expect(violationsWith(path, '')).toEqual([]);
      expect(violationsWith(path, 'x'.repeat(10_000))).toEqual([]);
    }
  });
});

describe('one of the allowed values', () => {
  const CHOICES: [Path, string, boolean][] = [
    [['assets', 1, 'type'], "'image'", false],
    [[...OPTIONS, 'ratio'], "'1920:1080' or '1080:1920'", false],
    [[...AGENT, 'phones', 0, 'type'], "'office', 'mobile' or 'direct'", true],
    [[...OFFICE, 'phone_number', 'type'], "'office', 'mobile' or 'direct'", true],
  ];

  it.each(CHOICES)('%j is %s (null allowed: %s)', (path, expected, isNullable) => {
    for (const input of ['video', '', 'Image', 5, 1.5, true, [], {}, null]) {
      const violations =
        input === null && isNullable
          ? []
          : [
              {
                loc: ['body', ...path],
                msg: `Input should be ${expected}`,
                type: 'literal_error',
                input,
                ctx: { expected },
              },
            ];
      expect(violationsWith(path, input), JSON.stringify(input)).toEqual(violations);
    }
    for (const [, value] of expected.matchAll(/'([^']+)'/g)) expect(violationsWith(path, value)).toEqual([]);
  });
});

describe('URLs', () => {
  const PLACES: [Path][] = [
    [['assets', 0, 'url']],
    [[...AGENT, 'picture']],
    [[...OPTIONS, 'template_data', 'logo']],
  ];
  const schemeFault = {
    msg: "URL scheme should be 'http' or 'https'",
    type: 'url_scheme',
    ctx: { expected_schemes: "'http' or 'https'" },
  };
  const parsing = (error: string) => ({
    msg: `Input should be a valid URL, ${error}`,
    type: 'url_parsing',
    ctx: { error },
  });

  it.each(PLACES)('%j: an http(s) URL with a host', (path) => {
    for (const url of [
      'https://example.com/a.jpg',
      'HTTP://EXAMPLE.COM',
      'https://exämple.com/Küche mit Insel.jpg?größe=1#oben',
      ' https://example.com/a.jpg ',
      'http://127.0.0.1:8080/a.jpg',
      'https://[2001:db8::1]/a.jpg',
      'https://例え.jp/写真.jpg',
    ]) {
      expect(violationsWith(path, url), url).toEqual([]);
      expect(violationsWith(path, url, true), url).toEqual([]);
    }
  });

  it.each(PLACES)('%j: everything else, one violation each, on the command line and over HTTP', (path) => {
    const faults: [string, object][] = [
      ['', parsing('input is empty')],
      ['https://', parsing('empty host')],
      ['https://example.com:99999/', parsing('invalid port number')],
      ['https://exa mple.com/', parsing('invalid international domain name')],
      ['https://1.2.3.4.5/', parsing('invalid IPv4 address')],
      ['https://[::1/', parsing('invalid IPv6 address')],
      ['https://user:secret@example.com/a.jpg', parsing('user name and password are not allowed')],
      ['https://user@example.com/a.jpg', parsing('user name and password are not allowed')],
      ['https://@example.com/a.jpg', parsing('user name and password are not allowed')],
      ['ftp://user@example.com/a.jpg', parsing('user name and password are not allowed')],
      ['ftp://example.com/a.jpg', schemeFault],
      ['data:image/png;base64,AAAA', schemeFault],
      ['javascript:alert(1)', schemeFault],
      ['mailto:june@example.com', schemeFault],
    ];
    for (const allowLocalFiles of [false, true]) {
      for (const [input, fault] of faults) {
        expect(violationsWith(path, input, allowLocalFiles), input).toEqual([
          { loc: ['body', ...path], ...fault, input },
        ]);
      }
    }
  });

  it.each(PLACES)('%j: files and paths on the command line only', (path) => {
    const local: [string, object][] = [
      ['photos/01-front.jpg', parsing('relative URL without a base')],
      ['../a b.jpg', parsing('relative URL without a base')],
      ['/srv/photos/a.jpg', parsing('relative URL without a base')],
      ['//example.com/a.jpg', parsing('relative URL without a base')],
      ['C:\\photos\\a.jpg', schemeFault],
      ['c:/photos/a.jpg', schemeFault],
      ['file:///srv/photos/a.jpg', schemeFault],
      ['FILE:///srv/photos/a.jpg', schemeFault],
    ];
    for (const [input, fault] of local) {
      expect(violationsWith(path, input, true), input).toEqual([]);
      expect(violationsWith(path, input, false), input).toEqual([
        { loc: ['body', ...path], ...fault, input },
      ]);
    }
    for (const input of ['a\0.jpg', '   ']) {
      expect(
        violationsWith(path, input, true).map(({ type }) => type),
        JSON.stringify(input),
      ).toEqual(['url_parsing']);
    }
  });

  it.each(PLACES)('%j: at most 2083 characters, checked before the rest', (path) => {
    for (const prefix of ['https://example.com/', 'ftp://user@example.com/', 'no url at all ', '🏠']) {
      const input = prefix + '🏠'.repeat(2084 - [...prefix].length);
      for (const allowLocalFiles of [false, true]) {
        expect(violationsWith(path, input, allowLocalFiles)).toEqual([
          {
            loc: ['body', ...path],
            msg: 'URL should have at most 2083 characters',
            type: 'url_too_long',
            input,
            ctx: { max_length: 2083 },
          },
        ]);
      }
    }
  });

  it('in other template data are just strings', () => {
    expect(violationsWith([...OPTIONS, 'template_data', 'website'], 'file:///x')).toEqual([]);
  });
});

describe('e-mail addresses', () => {
  it('are refused in the form that pydantic gives, with one reason', () => {
    const path = [...AGENT, 'emails', 0, 'address'];
    const reason = 'Expected an address that mail can reach, such as name@example.com.';
    for (const input of ['june', '', 'june@example', '@example.com', 'june@', 'june..t@example.com']) {
      expectOne(path, input, 'value_error', `value is not a valid email address: ${reason}`, { reason });
    }
  });
});

describe('metadata', () => {
  const metadata: Path = [...OPTIONS, 'metadata'];

  it('keys have no square brackets', () => {
    for (const key of ['a[b]', '[', ']', 'a]']) {
      expect(violationsWith(metadata, { [key]: 'x' })).toEqual([
        {
          loc: ['body', ...metadata, key, '[key]'],
          msg: 'Value error, metadata keys must not contain square brackets',
          type: 'value_error',
          input: key,
          ctx: { error: 'metadata keys must not contain square brackets' },
        },
      ]);
    }
  });

  it('keys have at most 40 code points, checked before their brackets', () => {
    expect(violationsWith(metadata, { ['🏠'.repeat(40)]: 'x', '': 'x' })).toEqual([]);
    for (const key of ['k'.repeat(41), '['.repeat(41)]) {
      expect(violationsWith(metadata, { [key]: 'x' })).toEqual([
        {
          loc: ['body', ...metadata, key, '[key]'],
          msg: 'String should have at most 40 characters',
          type: 'string_too_long',
          input: key,
          ctx: { max_length: 40 },
        },
      ]);
    }
  });

  it('a key and its value are two values, the key first', () => {
    const long = 'v'.repeat(501);
    expect(
      violationsWith(metadata, { fine: 'x', 'a[': 3, 'b]': long }).map(({ loc, type }) => [
        loc.slice(5),
        type,
      ]),
    ).toEqual([
      [['a[', '[key]'], 'value_error'],
      [['a['], 'string_type'],
      [['b]', '[key]'], 'value_error'],
      [['b]'], 'string_too_long'],
    ]);
  });

  it('keys that look like indexes, pointers or markers keep their spelling', () => {
    for (const key of ['0', 'a/b', '~1', '~0~1/', '', '%', '"', '\n', '日本']) {
      const found = violationsWith(metadata, { [key]: 0 });
      expect(
        found.map(({ loc }) => loc),
        key,
      ).toEqual([['body', ...metadata, key]]);
    }
    expect(violationsWith(metadata, { '[key]': 0 }).map(({ loc }) => loc.slice(4))).toEqual([
      ['metadata', '[key]', '[key]'],
      ['metadata', '[key]'],
    ]);
  });
});

describe('agent ids', () => {
  const error = 'agent id is used by an earlier agent';

  it('are unique: each repeat is reported at its place', () => {
    const listing = { ...aListing(), agents: ['a', 'b', 'a', 'a', 'A', 'b '].map(anAgent) };
    expect(violationsOf(listing)).toEqual(
      [2, 3].map((index) => ({
        loc: ['body', 'agents', index, 'id'],
        msg: `Value error, ${error}`,
        type: 'value_error',
        input: 'a',
        ctx: { error },
      })),
    );
  });

  it('of another kind, or absent, are not compared', () => {
    const listing = {
      ...aListing(),
      agents: [anAgent(), { ...anAgent(), id: 3 }, { ...anAgent(), id: 3 }, {}, {}, null],
    };
    expect(violationsOf(listing).filter(({ ctx }) => ctx?.error === error)).toEqual([]);
  });

  it('are sorted among other violations', () => {
    const listing = {
      ...aListing(),
      bedrooms: -1,
      agents: [anAgent(), { ...anAgent(), last_name: null }, {}],
    };
    expect(violationsOf(listing).map(({ loc }) => loc.slice(1).join('.'))).toEqual([
      'agents.1.id',
      'agents.1.last_name',
      'agents.2.id',
      'agents.2.first_name',
      'agents.2.last_name',
      'bedrooms',
    ]);
  });
});

describe('all violations', () => {
  it('come at once, in the order of the document', () => {
    const text = readFileSync(new URL('../fixtures/everything-wrong.json', import.meta.url), 'utf8');
    const found = violationsOf(JSON.parse(text));
    expect(found.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([
      'body.id missing',
      'body.interior_square_footage float_type',
      'body.bedrooms int_from_float',
      'body.agents.0.last_name missing',
      'body.agents.0.video_options.metadata.a[b].[key] value_error',
      'body.agents.0.video_options.metadata.n string_type',
      'body.agents.0.video_options.create_preview bool_type',
      'body.agents.0.video_options.ratio literal_error',
      'body.agents.0.first_name string_too_long',
      'body.agents.0.emails.1.address value_error',
      'body.agents.0.offices.0.address.street missing',
      'body.agents.0.offices.0.phone_number.type literal_error',
      'body.agents.0.offices.1 dict_type',
      'body.agents.0.licenses.0.state string_too_short',
      'body.agents.0.phones.0.region string_too_long',
      'body.agents.1.id value_error',
      'body.assets too_short',
      'body.assets.0.url url_scheme',
      'body.assets.1.type literal_error',
      'body.assets.2.url url_parsing',
      'body.assets.3 dict_type',
      'body.address.street string_type',
      'body.bathrooms greater_than_equal',
    ]);
  });

  it('are plain JSON', () => {
    const found = violationsOf({ ...aListing(), bedrooms: 'x', assets: [{}] });
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });
});

describe('hostile values', () => {
  it('prototype names are keys like any other', () => {
    const listing = JSON.parse(
      JSON.stringify(aFullListing()).replace(
        '"metadata":{',
        '"metadata":{"__proto__":"p","constructor":"c","prototype":"q","toString":"t",',
      ),
    );
    const result = validateListing(listing, { allowLocalFiles: false });
    expect(result.ok).toBe(true);
    if (!result.ok) return;
    const metadata = result.listing.agents[0]?.video_options?.metadata ?? {};
    expect(Object.entries(metadata)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['prototype', 'q'],
      ['toString', 't'],
      ['campaign', 'spring'],
    ]);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });

  it('prototype names with bad values are violations in their place', () => {
    for (const map of ['metadata', 'template_data']) {
      const listing = withValue(
        aFullListing(),
        [...OPTIONS, map],
        JSON.parse('{"__proto__":{"x":1},"constructor":null}'),
      );
      expect(violationsOf(listing).map(({ loc, type, input }) => [loc.at(-1), type, input])).toEqual([
        ['__proto__', 'string_type', { x: 1 }],
        ['constructor', 'string_type', null],
      ]);
    }
    expect(({} as Json).x).toBeUndefined();
  });

  it('a __proto__ property of the listing has no effect', () => {
    const found = violationsOf(JSON.parse('{"__proto__":{"id":"x","assets":[],"agents":[]}}'));
    expect(found.map(({ loc, type }) => [loc[1], type])).toEqual([
      ['id', 'missing'],
      ['assets', 'missing'],
      ['agents', 'missing'],
    ]);
  });

  it('depth does no harm', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    for (const path of [
      ['id'],
      ['assets', 0],
      [...AGENT, 'phones'],
      [...OPTIONS, 'metadata', 'campaign'],
      ['unknown'],
    ]) {
      const found = violationsWith(path, deep);
      expect(found.length, String(path)).toBe(path[0] === 'unknown' ? 0 : 1);
    }
  });

  it('a flood of broken values is checked until the first of them', () => {
    const listing = withValue(aFullListing(), [...AGENT, 'phones'], new Array(1_000_000).fill(0));
    expect(violationsOf(listing)).toEqual([
      {
        loc: ['body', ...AGENT, 'phones', 0],
        msg: 'Input should be a valid dictionary',
        type: 'dict_type',
        input: 0,
      },
    ]);
  });

  it('a flood of valid values is a listing', () => {
    const phones = Array.from({ length: 30_000 }, () => ({ number: '1' }));
    expect(violationsWith([...AGENT, 'phones'], phones)).toEqual([]);
  });

  it('all of many violations are reported up to the bound', () => {
    const phones = new Array(15_000).fill(0);
    expect(violationsWith([...AGENT, 'phones'], phones)).toHaveLength(15_000);
  });

  it('lone surrogates and odd Unicode pass through unchanged', () => {
    const listing = withValue(aFullListing(), [...AGENT, 'first_name'], '\ud800\u0000\u202e\ufffe');
    expect(validateListing(listing, { allowLocalFiles: false })).toEqual({ ok: true, listing });
  });
});

describe('altered photos', () => {
  const asset = ['assets', 0];
  const label = [...asset, 'altered'];

  it('have a label of 1 to 60 characters, or true', () => {
    for (const value of ['Virtually staged', 'x'.repeat(60), true]) {
      expect(violationsWith(label, value), String(value)).toEqual([]);
    }
    const found = (value: unknown) =>
      violationsWith(label, value)
        .filter(({ loc }) => loc.at(-1) === 'altered')
        .map(({ type, ctx }) => [type, ctx]);
    expect(found('')).toEqual([['string_too_short', { min_length: 1 }]]);
    expect(found('x'.repeat(61))).toEqual([['string_too_long', { max_length: 60 }]]);
    expect(found(1)).toEqual([['string_type', undefined]]);
    expect(found(null)).toEqual([['string_type', undefined]]);
  });

  it('alone have an original', () => {
    const original = 'https://example.com/original.jpg';
    const listing = (fields: object) => {
      const made = aListing();
      Object.assign(made.assets[1], fields);
      return violationsOf(made);
    };
    const msg = 'original is only allowed beside altered';
    const violation = {
      loc: ['body', 'assets', 1, 'original'],
      msg: `Value error, ${msg}`,
      type: 'value_error',
      input: original,
      ctx: { error: msg },
    };
    expect(listing({ original, altered: true })).toEqual([]);
    expect(listing({ original })).toEqual([violation]);
    expect(listing({ original, altered: false })).toEqual([violation]);
    expect(listing({ original: 'ftp://example.com/a.jpg', altered: 'Sky replaced' })).toMatchObject([
      { type: 'url_scheme', loc: violation.loc },
    ]);
  });
});

describe('a license without a state', () => {
  const place = ['agents', 0, 'licenses'];
  const licenses = [{ number: '1' }, { number: '2', state: 'WA' }];
  const listing = withValue(withValue(aFullListing(), place, licenses), ['address', 'state'], 'Oregon');

  it('has that of the house in a file, which does not change', () => {
    const result = validateListing(listing, { allowLocalFiles: true });
    expect(result.ok && result.listing.agents[0]!.licenses).toEqual([
      { number: '1', state: 'OR' },
      { number: '2', state: 'WA' },
    ]);
    expect(licenses[0]).toEqual({ number: '1' });
  });

  it('is a violation in the API, and where the house has none', () => {
    const missing = { type: 'missing', loc: ['body', ...place, 0, 'state'] };
    expect(violationsOf(listing)).toMatchObject([missing]);
    for (const address of [{ street: '1 Elm' }, { street: '1 Elm', state: ' ' }])
      expect(violationsOf(withValue(listing, ['address'], address), true)).toMatchObject([missing]);
    const wrong = withValue(listing, place, [7, null, { number: '1', state: null }]);
    expect(violationsOf(wrong, true).map(({ type }) => type)).toEqual([
      'dict_type',
      'dict_type',
      'string_type',
    ]);
  });
});
