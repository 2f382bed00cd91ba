/** What is contact in a text and what only looks like it, and what is left of a sentence without it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/listing/listing.ts';
import { createContactCheck } from '../../../src/listing/words/contact/contact.ts';

const JANE: Agent = {
  id: 'jane',
  first_name: 'Jane',
  last_name: 'Takemori',
  phones: [{ number: '(503) 555-0128' }],
  offices: [
    { name: 'Harbor & Pine Realty', phone_number: { number: '(503) 555-0100' } },
    { name: 'Compass' },
  ],
};
const OLIVER: Agent = {
  id: 'oliver',
  first_name: 'Oliver',
  last_name: 'Ng',
  phones: [{ number: '020 7946 0958', region: 'GB' }],
};
const check = createContactCheck({ agents: [JANE, OLIVER] });
const cutsOf = (text: string) => check.cutOut(text).cut;

describe('web addresses', () => {
  it.each([
    ...['JaneDoe.ca', 'janedoe.properties', 'jane-homes.app', 'jane.realtor', 'janedoe.co.uk', 'JANEDOE.COM'],
    ...[
      'Jane.Homes',
      'janedoe.us',
      'janedoe.ca/homes?id=7',
      'https://t.co/x',
      'http://10.0.0.7/tour',
      'www.janedoe.com',
    ],
    ...[
      'WWW.JaneDoe.Com',
      'маклер.рф',
      'münchen.de',
      'janedoe.xn--p1ai',
      '例え.コム',
      'ｊａｎｅｄｏｅ．ｃｏｍ',
      'janedoe . com',
    ],
    ...[
      'janedoe dot com',
      'janedoe (dot) com',
      'tours.janedoe.homes',
      'takemori.in',
      'JaneDoe.Homes',
      'janedoe.example',
    ],
    ...[
      'jane@doe.com',
      'jane.doe+mls@homes.example',
      'jane@doe.realty',
      'jane @ doe . com',
      'jane (at) doe.com',
    ],
    ...['jane [at] doe [dot] com', 'jane at doe dot com', 'jane＠doe.com', '@janedoe', '@jane.doe_homes'],
  ])('%s', (address) => {
    expect(cutsOf(address)).toEqual([address]);
    expect(cutsOf(`Views of the hills (${address}), and a garden`)).toEqual([address]);
    expect(cutsOf(`Views of the hills. Visit ${address}.`)).toEqual([address]);
  });

  it.each([
    ...[
      'St.John',
      'approx.2,400',
      'No.5',
      'Bldg.A',
      'sq.ft',
      'sq.km',
      'a.m.',
      'p.m.',
      'Mt.Hood',
      '3.5',
      'U.S.',
      'e.g.',
    ],
    ...[
      'kitchen.New roof',
      'Dr.Who',
      '4417 N.Main St',
      'Co.',
      'etc.',
      'v1.2',
      'St.Paul',
      'Denver.CO',
      'Miami.FL',
    ],
    ...[
      'Kitchen.Living.Dining',
      'views.In the back a garden',
      'a garden.it has a pool',
      '9 a.m.to 4 p.m.',
      'Main.St',
    ],
    ...[
      '3 beds @ $500,000',
      'Open @ 1:30 pm',
      'open @noon',
      'meet @ 5th St. in town',
      '2.5 ba',
      '4bd.2ba.gar',
      'cu.in',
    ],
    ...[
      'Great deal... Come and see',
      'Mr.Jones',
      'Blvd.at 5th',
      'Jr.',
      'No.in list',
      '10.am',
      'W.D. hookups',
    ],
  ])('are not: %s', (text) => {
    expect(cutsOf(text)).toEqual([]);
    expect(cutsOf(`The house: ${text}, and more`)).toEqual([]);
  });
});

describe('phone numbers', () => {
  it.each([
    ...[
      '+1 503 555 0142',
      '(503) 555-0142',
      '503.555.0142',
      '5035550142',
      '503-555-0142',
      '503 555 0142',
      '1-503-555-0142',
    ],
    ...[
      '503/555-0142',
      '503 - 555 - 0142',
      '(503)555-0142',
      '503 5550142',
      '555-0142',
      '+44 20 7946 0123',
      '020 7946 0123',
    ],
    ...[
      '06 12 34 56 78',
      '06.12.34.56.78',
      '+49 30 123456',
      '011 44 20 7946 0123',
      '00 44 20 7946 0123',
      '5 0 3 5 5 5 0 1 4 2',
    ],
    ...['1-800-FLOWERS', '800-GO-HOMES', '1-503-555-PINE', '503-555-HOME', '٠٥٠١٢٣٤٥٦٧', '०९८१२३४५६७८'],
    ...[
      '５０３－５５５－０１４２',
      '(503) 555-0142 ext. 12',
      '503-555-0142 x12',
      '503‑555‑0142',
      '503–555–0142',
    ],
    // The listing's own, however they are grouped.
    ...['50 35 55 01 28', '5550128', '0207 946 0958', '+442079460958'],
  ])('%s', (phone) => {
    expect(cutsOf(phone)).toEqual([phone]);
    expect(cutsOf(`Roof 2021, call ${phone} for a tour, 3 beds`)).toEqual([phone]);
    expect(cutsOf(`Views: ${phone}.`)).toEqual([phone]);
  });

  it.each([
    ...[
      'Roof 2018-2023',
      'MLS 20412834',
      'MLS# 2041-2834',
      'MLS #204128341',
      'Lot 1250000 sq ft',
      'Dec 12, 2025 1300-1600',
    ],
    ...[
      '$1,250,000',
      '749,000',
      '12/12/2025',
      'Saturday 12 December, 1 to 4 pm',
      '10:00-12:30',
      '2018 / 2021 / 2023',
    ],
    ...[
      'APN 123-456-789-000',
      'Parcel 1234 5678',
      'Parcel no. 123-456-7890',
      '97205-1234',
      'Portland, OR 97205-1234',
    ],
    ...[
      '4417 N Main St',
      '12345-12347 Main St',
      '2025-12-12 13:00-16:00',
      '12/12/2026, 13:00-16:00',
      '12.12.2025 13.00-16.00',
    ],
    ...[
      '€ 500.000',
      '1 250 000 €',
      '$1 250 000',
      '2,840 sq ft, 1998',
      'Built 1998 2840 sq ft',
      '900-1200',
      '850-1,400 sq ft',
    ],
    ...[
      'Lots of 850-1400',
      'License 201250128',
      'Roof 2018, HVAC 2021, windows 2023',
      'Dec 12 2025 1300-1600',
      '1998 and 2018',
    ],
    ...[
      '43560 sq ft',
      '0.25 acres',
      '1250000',
      'Tax ID 12-3456-789',
      '3 bed 2 bath 1998',
      '4 3 2840 1998',
      '6/12 1-4 pm',
    ],
    ...[
      '12 x 14, 10 x 12, 11 x 13',
      '2 1/2 baths',
      '24/7',
      '$500 503 units',
      'Lot 12 Block 4',
      '1650-1700',
      '2018-23',
    ],
    ...[
      'Sat 12/12 1300-1600',
      'Ref. 20250312-001',
      '#2041-2834',
      '1,000-2,500 sq ft',
      '12. Dezember 2025 13.00-16.00 Uhr',
    ],
  ])('are not: %s', (text) => {
    expect(cutsOf(text)).toEqual([]);
    expect(cutsOf(`The house, ${text}, and more`)).toEqual([]);
  });
});

it.each([
  ['Jane Takemori', ['Jane Takemori']],
  ['Takemori, Jane', ['Takemori, Jane']],
  ['JANE  M. TAKEMORI', ['JANE  M. TAKEMORI']],
  ['harbor and pine realty', ['harbor and pine realty']],
  ['Compass', ['Compass']],
  ['a compass rose', []],
  ['Jane Takemoridge', []],
  ['Pine floors by the harbor', []],
])('names: %s', (text, cut) => {
  expect(cutsOf(text)).toEqual(cut);
});

describe('what is left', () => {
  it.each([
    ['jane@doe.com 503-555-0142', ''],
    ['Call (503) 555-0142', ''],
    ['Call or text Jane Takemori at 503.555.0142!', ''],
    ['Presented by JANE Takemori', ''],
    ['Jane Takemori of Harbor & Pine Realty presents', ''],
    ['📞 503-555-0142', ''],
    ['The kitchen, call 503-555-0142', 'The kitchen'],
    ['The kitchen | 503-555-0142 | marble', 'The kitchen | marble'],
    ['The kitchen (503-555-0142)', 'The kitchen'],
    ['The kitchen (call Jane Takemori: 503-555-0142), marble', 'The kitchen, marble'],
    ['See more photos at janedoe.ca.', 'See more photos.'],
    ['Great views. Call 503-555-0142. Open plan.', 'Great views. Open plan.'],
    [
      'Virtually staged. See the originals at https://janedoe.ca/originals',
      'Virtually staged. See the originals',
    ],
    ['Call 503-555-0142 for a tour of the garden', 'Call for a tour of the garden'],
    ['Just listed by Compass', 'Just'],
    ['Just listed: janedoe.ca', 'Just listed'],
    ['Garden, janedoe.ca, pool', 'Garden, pool'],
    ['Tour at www.janedoe.com or call 503-555-0142 today', 'Tour or call today'],
    ['Altered, see https://janedoe.ca/o for originals', 'Altered, see for originals'],
    ['Text "HOME" to 503-555-0142 for info', 'Text "HOME" for info'],
    ['Built 1998', 'Built 1998'],
  ])('of %j: %j', (text, left) => {
    expect(check.cutOut(text).text).toBe(left);
  });

  it('by law keeps names', () => {
    const { text, cut } = check.cutOut('Virtually staged by Jane Takemori, janedoe.ca', { isByLaw: true });
    expect([text, cut]).toEqual(['Virtually staged by Jane Takemori', ['janedoe.ca']]);
  });

  it('has no contact, whatever the text is', () => {
    const contact = fc.constantFrom(
      'jane@doe.com',
      '503-555-0142',
      'JaneDoe.ca',
      '+44 20 7946 0123',
      'Harbor & Pine Realty',
      '@janedoe',
    );
    const words = fc.constantFrom(
      'the',
      'Kitchen',
      'call',
      'at',
      ', ',
      ' | ',
      '(',
      ')',
      '.',
      ': ',
      '2018',
      'é',
      '家',
      ' ',
      '"',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(contact, words, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 }),
        (parts) => {
          const { text } = check.cutOut(parts.join(' '));
          expect(check.cutOut(text)).toEqual({ text, cut: [] });
        },
      ),
    );
  });
});
