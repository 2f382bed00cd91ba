import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent, Listing, Phone } from '../../../src/listing/listing.ts';
import { addressWords } from '../../../src/listing/words/address-words.ts';
import { agentCard } from '../../../src/listing/words/agent-card.ts';
import { fullName, initialsOf } from '../../../src/listing/words/agent-name.ts';
import { displayText } from '../../../src/listing/words/display-text.ts';
import { licenseWords } from '../../../src/listing/words/license-words.ts';
import { stateCode } from '../../../src/listing/words/us-states.ts';
import { aFullListing, aListing, anAgent } from '../a-listing.ts';

function cardOf(agent: Partial<Agent>, listing: Partial<Listing> = {}) {
  return agentCard({ ...anAgent(), ...agent }, { ...aListing(), ...listing });
}

describe('an agent’s card', () => {
  it('shows everything', () => {
    const listing: Listing = aFullListing();
    expect(agentCard(listing.agents[0]!, listing)).toEqual({
      name: 'June Takemori',
      initials: 'JT',
      designation: 'Listing Agent',
      phones: [{ type: 'direct', display: '(503) 555-0128', e164: '+15035550128' }],
      email: 'june.takemori@example.com',
      licenses: ['OR Lic. 201250128'],
      office: {
        name: 'Harbor & Pine Realty',
        address: {
          street: '40 Wharf Street',
          cityLine: 'Portland, OR',
          full: '40 Wharf Street, Portland, OR 97205',
          short: '40 Wharf Street, Portland, OR',
        },
        phone: { type: 'office', display: '(503) 555-0100', e164: '+15035550100' },
      },
      leftOut: [],
    });
  });

  it('can show a name only', () => {
    expect(cardOf({})).toEqual({
      name: 'June Takemori',
      initials: 'JT',
      designation: null,
      phones: [],
      email: null,
      licenses: [],
      office: null,
      leftOut: [],
    });
  });

  it('treats nulls and blanks as absent', () => {
    const blank = { name: ' ', address: { street: '\u200b', city: null }, phone_number: null };
    expect(
      cardOf({ designation: ' \n ', picture: null, offices: [{}, blank, { name: null, address: null }] }),
    ).toEqual(cardOf({}));
  });

  it('shows as many licenses as it has room for, and reports how many it leaves out', () => {
    const sixty = Array.from({ length: 60 }, (_, n) => ({ number: `20125${n}`, state: 'OR' }));
    expect(cardOf({ licenses: sixty })).toMatchObject({ licenses: { length: 60 }, leftOut: [] });
    const many = Array.from({ length: 5_000 }, (_, n) => ({
      number: `${n}`.padStart(97, '0'),
      state: 'OR',
    }));
    const { licenses, leftOut } = cardOf({ licenses: many });
    expect([licenses.length, licenses[19]]).toEqual([20, `OR ${'19'.padStart(97, '0')}`]);
    expect(leftOut).toEqual(['4980 licenses: a card has no room for more than 20']);
  });

  describe('shows two phones at most', () => {
    const direct: Phone = { number: '(503) 555-0101', type: 'direct' };
    const mobile: Phone = { number: '(503) 555-0102', type: 'mobile' };
    const office: Phone = { number: '(503) 555-0103', type: 'office' };
    const plain: Phone = { number: '(503) 555-0104' };
    const other: Phone = { number: '(503) 555-0105', type: null };
    const junk: Phone = { number: 'ask at the desk', type: 'direct' };

    it.each<[string, Phone[], string[], number]>([
      ['direct, then office', [office, mobile, direct], ['0102', '0103'], 1],
      ['the first of direct and mobile', [direct, mobile, office], ['0101', '0103'], 1],
      ['one of no type for a personal one', [office, plain], ['0104', '0103'], 0],
      ['a typed one before one of no type', [plain, other, mobile], ['0102', '0104'], 1],
      ['two personal ones without an office', [mobile, direct], ['0102', '0101'], 0],
      ['an office alone', [office], ['0103'], 0],
      ['two offices', [office, { ...office, number: '(503) 555-0106' }], ['0103', '0106'], 0],
      ['none that cannot be read', [junk, office], ['0103'], 1],
      [
        'a repeated number once',
        [direct, { number: '+15035550101', type: 'mobile' }, office],
        ['0101', '0103'],
        0,
      ],
      [
        'of eight, two',
        [
          plain,
          other,
          direct,
          mobile,
          office,
          junk,
          { ...direct, number: '503 555 0107' },
          { ...office, number: '503 555 0108' },
        ],
        ['0101', '0103'],
        6,
      ],
    ])('%s', (_, phones, shown, leftOut) => {
      const card = cardOf({ phones });
      expect(card.phones.map(({ display }) => display.slice(-4))).toEqual(shown);
      expect(card.leftOut).toHaveLength(leftOut);
      for (const sentence of card.leftOut)
        expect(sentence).toMatch(
          /^(?:phone .+: a card shows two|“.+” is not a US phone number: the video leaves it out)$/,
        );
    });

    it('but not the office’s own number twice', () => {
      const offices = [{ name: 'Office', phone_number: office }];
      expect(cardOf({ phones: [direct, office], offices }).phones.map(({ display }) => display)).toEqual([
        '(503) 555-0101',
      ]);
      // The only number stays where a caller looks for it.
      expect(cardOf({ phones: [office], offices }).phones).toHaveLength(1);
      expect(cardOf({ phones: [direct, office], offices }).leftOut).toEqual([]);
    });
  });

  it('shows the first e-mail and office that say something, and reports the others', () => {
    const card = cardOf({
      emails: [{ address: 'a@example.com' }, { address: 'b@example.com' }, { address: 'a@example.com' }],
      offices: [
        {},
        { name: 'First' },
        { name: 'Second' },
        { address: { street: '3 Road' } },
        { phone_number: { number: 'x' } },
      ],
    });
    expect(card.email).toBe('a@example.com');
    expect(card.office?.name).toBe('First');
    expect(card.leftOut).toEqual([
      `${card.name} has 4 offices; the card shows the first`,
      'e-mail b@example.com: a card shows one',
    ]);
  });

  it('leaves out an office’s phone that cannot be read, and says so', () => {
    const card = cardOf({
      offices: [{ name: 'Office', phone_number: { number: 'ring\u202e twice', region: 'GB' } }],
    });
    expect(card.office).toEqual({ name: 'Office', address: null, phone: null });
    expect(card.leftOut).toEqual(['“ring twice” is not a GB phone number: the video leaves it out']);
  });

  it('is made of any text without an exception, and holds no character that moves other text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, text, text, (first_name, last_name, designation, number, state) => {
        const card = cardOf(
          {
            first_name,
            last_name,
            designation,
            phones: [{ number }],
            licenses: [{ number, state }],
            offices: [
              {
                name: designation,
                address: { street: first_name, city: last_name, state, postal_code: number },
              },
            ],
          },
          { address: { street: 'x', state } },
        );
        expect(JSON.stringify(card)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200e\u200f]|\\u|\\n/u);
        expect([...new Intl.Segmenter('und').segment(card.initials)].length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('initials and names', () => {
  it.each([
    ['June', 'Takemori', 'JT', 'June Takemori'],
    ['june', 'takemori', 'JT', 'june takemori'],
    ['Madonna', '', 'M', 'Madonna'],
    ['', 'Cher', 'C', 'Cher'],
    ['Maria Lopez', '', 'ML', 'Maria Lopez'],
    ['', 'Maria de la Cruz', 'MC', 'Maria de la Cruz'],
    ['Jean-Luc', 'de la Cruz', 'JD', 'Jean-Luc de la Cruz'],
    ['élodie', 'ångström', 'ÉÅ', 'élodie ångström'],
    ['ßeta', 'ŉx', 'ßŉ', 'ßeta ŉx'],
    ['Ольга', 'иванова', 'ОИ', 'Ольга иванова'],
    ['"Bob"', '(O’Neil)', 'BO', '"Bob" (O’Neil)'],
    ['🏠', 'Smith', 'S', '🏠 Smith'],
    ['2Pac', 'Shakur', '2S', '2Pac Shakur'],
    ['😀', '🎉', '', '😀 🎉'],
    ['-', '.', '', '- .'],
    ['', '', '', ''],
    ['دليلة', 'الحسيني', 'ح', 'دليلة الحسيني'],
    ['דוד', 'כהן', 'כ', 'דוד כהן'],
    ['प्रिया', 'शर्मा', 'श', 'प्रिया शर्मा'],
    ['สมชาย', 'ใจดี', 'จ', 'สมชาย ใจดี'],
    ['伟', '王', '王', '王伟'],
    ['太郎', '山田', '山', '山田太郎'],
    ['민준', '김', '김', '김민준'],
    ['Wei', '王', '王', 'Wei 王'],
    ['伟', '', '伟', '伟'],
  ])('%s %s: %s', (first, last, initials, name) => {
    expect(initialsOf(first, last)).toBe(initials);
    expect(fullName(first, last)).toBe(name);
  });
});

describe('licenses', () => {
  it.each<[string, string, string | null, string[]]>([
    ['one', '201250128|OR', 'OR', ['OR Lic. 201250128']],
    ['one of elsewhere', '201250128|OR', null, ['OR Lic. 201250128']],
    ['one Californian', '01234567|CA', 'CA', ['CA DRE #01234567']],
    [
      'several, the listing’s first',
      '118034|WA; 01234567|CA; 201250142|OR',
      'OR',
      ['OR 201250142', 'WA 118034', 'CA DRE #01234567'],
    ],
    [
      'several, states by name',
      '118034|Washington; 201250142|oregon',
      ' Oregon ',
      ['OR 201250142', 'WA 118034'],
    ],
    ['several of one state', 'B|OR; A|OR; C|WA', 'WA', ['WA C', 'OR B', 'OR A']],
    [
      'without doubled words',
      'DRE# 01234567|CA; Lic. #118034|WA; OR 201250142|OR; License No. 77|NV',
      null,
      ['CA DRE #01234567', 'WA 118034', 'OR 201250142', 'NV 77'],
    ],
    [
      'with numbers that only look like words',
      'NOVA-1|VA; LIC|ID; DRESDEN 5|CA',
      null,
      ['VA NOVA-1', 'CA DRE #DRESDEN 5'],
    ],
    ['repeated', '1|OR; 1|Oregon; #1|or', 'OR', ['OR Lic. 1']],
    ['beyond the states', '12/345|Greater London', null, ['Greater London Lic. 12/345']],
    ['none', '', 'OR', []],
    ['blank', ' \u200b|OR', 'OR', []],
  ])('%s', (_, licenses, state, expected) => {
    const given = licenses.split('; ').flatMap((pair) => {
      const [number = '', of] = pair.split('|');
      return of === undefined ? [] : [{ number, state: of }];
    });
    expect(licenseWords(given, state)).toEqual(expected);
  });

  it('know every state by name and abbreviation', () => {
    for (const [name, code] of [
      ['Oregon', 'OR'],
      ['new york', 'NY'],
      ['District of Columbia', 'DC'],
      ['pr', 'PR'],
      ['wY', 'WY'],
    ]) {
      expect(stateCode(name!)).toBe(code);
    }
    expect(stateCode('Ontario')).toBe('Ontario');
    expect(stateCode('constructor')).toBe('constructor');
  });
});

describe('an address', () => {
  it.each([
    [
      { street: '128 Harbor Pine Lane', city: 'Portland', state: 'or', postal_code: '97205' },
      'Portland, OR',
      '128 Harbor Pine Lane, Portland, OR 97205',
      '128 Harbor Pine Lane, Portland, OR',
    ],
    [
      { street: '1 A', city: 'Portland', state: 'Oregon' },
      'Portland, Oregon',
      '1 A, Portland, Oregon',
      '1 A, Portland, Oregon',
    ],
    [{ street: '1 A', city: null, state: null, postal_code: null }, '', '1 A', '1 A'],
    [
      { street: '1 A', postal_code: 'E1W 2RN', city: 'London' },
      'London',
      '1 A, London, E1W 2RN',
      '1 A, London',
    ],
    [{ street: '1 A', state: 'OR' }, 'OR', '1 A, OR', '1 A, OR'],
    [{ street: ' 1\n  A\u202e ', city: ' ', state: '' }, '', '1 A', '1 A'],
    [{ street: '', city: 'Portland' }, 'Portland', 'Portland', 'Portland'],
  ])('%j', (address, cityLine, full, short) => {
    expect(addressWords(address)).toMatchObject({ cityLine, full, short });
  });
});

describe('text for display', () => {
  it.each([
    ['  a \t\r\n b\u00a0c\u3000d  ', 'a b c d'],
    ['a\u202eb\u2066c\u200ed\u061ce', 'abcde'],
    ['a\u0000b\u001bc\u009bd', 'abcd'],
    ['a\u200bb\ufeffc\u00add\u2060e', 'abcde'],
    ['a\ud800b', 'ab'],
    ['e\u0301', '\u00e9'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    [`x${'\u0322'.repeat(40)}y`, `x${'\u0322'.repeat(5)}y`],
    ['กำลัง', 'กำลัง'],
    [' \u202e ', ''],
  ])('%j is shown as %j', (text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  it('ends in an ellipsis after 1,000 characters, however long it is', () => {
    const shown = displayText('Harbor Lane '.repeat(300_000));
    expect([shown.length, shown.slice(0, 12), shown.slice(-6)]).toEqual([1_000, 'Harbor Lane ', 'e Har…']);
    expect(displayText(shown)).toBe(shown);
    const whole = 'x'.repeat(1_000);
    expect(displayText(whole)).toBe(whole);
    // Neither half a character nor a blank before the ellipsis.
    expect(displayText(`${'x'.repeat(998)}\u{1f3e1}${'x'.repeat(10)}`)).toBe(`${'x'.repeat(998)}…`);
    expect(displayText(`${'x'.repeat(998)} ${'x'.repeat(10)}`)).toBe(`${'x'.repeat(998)}…`);
    for (const junk of ['\u200b', '\ud800', ' ', '\u0322']) {
      expect(displayText(`x${junk.repeat(2_000_000)}`).length).toBeLessThan(10);
    }
  });

  it('is clean after one pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = displayText(text);
        expect(displayText(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
