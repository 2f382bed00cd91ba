/** Listings that are hard to lay out, listed and random; every template must keep the layout rules with all of them. */
import fc from 'fast-check';
import type { Agent } from '../../../src/listing/listing.ts';
import { type Sample, samplePhoto, samplePhotos } from './sample.ts';

const LONG_NAME = 'Maximiliana Alexandrina Konstantinopoulou-Featherstonehaugh '.repeat(5).slice(0, 255);
const LICENSES = Array.from({ length: 20 }, (_, index) => ({
  number: String(201250142 + index * 7919),
  state: ['OR', 'WA', 'CA', 'ID', 'NV', 'AZ', 'UT', 'CO', 'MT', 'WY'][index % 10]!,
}));
/** As long as a code can hold: 106 characters. */
const LONG_LINK = `https://www.harborpine.example/homes/${'128-harbor-pine-lane-'.repeat(4)}`.slice(0, 106);
const OFFICE = {
  name: 'Harbor & Pine Realty',
  address: { street: '40 Wharf Street, Suite 210', city: 'Portland', state: 'OR', postal_code: '97205' },
  phone_number: { number: '(503) 555-0100' },
};

function agent(over: Partial<Agent> = {}): Agent {
  return { id: 'a', first_name: 'June', last_name: 'Takemori', ...over };
}

export const STRESS_SAMPLES: Record<string, Sample> = {
  'a 255-character name and twenty licences': {
    agent: agent({
      first_name: LONG_NAME,
      last_name: LONG_NAME,
      designation: LONG_NAME,
      licenses: LICENSES,
      phones: [{ number: '5035550142', type: 'mobile' }],
      emails: [{ address: 'maximiliana.featherstonehaugh@residential.example.com' }],
      offices: [OFFICE],
    }),
    portrait: null,
  },
  'twenty licences beside a portrait': {
    agent: agent({
      licenses: LICENSES,
      phones: [{ number: '5035550142', type: 'mobile' }],
      offices: [OFFICE],
    }),
  },
  'no phone, no office, no licence': { agent: agent() },
  'eight phones': {
    agent: agent({
      phones: Array.from({ length: 8 }, (_, index) => ({
        number: `503555010${index}`,
        type: 'mobile' as const,
      })),
      offices: [OFFICE],
    }),
  },
  'no address': { listing: { address: undefined as never } },
  'no facts': { listing: { bedrooms: null, bathrooms: null, interior_square_footage: null } },
  'one fact': { listing: { bedrooms: null, bathrooms: null } },
  'four facts and no address': {
    listing: { address: undefined as never, bedrooms: 0, bathrooms: 0, interior_square_footage: 1 },
    data: { price: '$1,250,000' },
  },
  'much to announce in a city': {
    listing: {
      address: { street: '', city: 'Astoria', state: 'OR' } as never,
      ...{ bedrooms: 2, bathrooms: 0, interior_square_footage: 100_000 },
    },
    data: {
      headline: 'A house above the river',
      status: 'New',
      open_house: 'Saturday and Sunday, noon to four, coffee in the garden',
      price: 'Price upon request',
    },
  },
  'neither address nor facts': {
    listing: { address: undefined as never, bedrooms: null, bathrooms: null, interior_square_footage: null },
  },
  'a studio': { listing: { bedrooms: 0, bathrooms: 1, half_bathrooms: 0, interior_square_footage: 540 } },
  'a long street': {
    listing: {
      address: {
        street: '1600 Pennsylvania Avenue Northwest, Apartment 1204, Building C',
        city: 'Washington',
        state: 'DC',
      },
    },
  },
  'an Arabic name': {
    agent: agent({
      first_name: 'ليلى',
      last_name: 'الحسيني',
      designation: 'وسيطة عقارية معتمدة',
      offices: [OFFICE],
    }),
    portrait: null,
  },
  ...Object.fromEntries(
    [
      ['Hebrew', 'נועה', 'בן־דוד'],
      ['Vietnamese', 'Nguyễn Thị', 'Ánh Nguyệt'],
      ['Greek', 'Νικόλαος', 'Παπαδόπουλος'],
      ['Cyrillic', 'Юлия', 'Щербакова'],
      ['Hindi', 'प्रियंका', 'श्रीवास्तव'],
      ['Thai', 'ณัฐพงษ์', 'ศรีสุวรรณ'],
      ['Chinese', '明月', '欧阳'],
      ['Japanese', '美咲', '小鳥遊'],
      ['Korean', '서연', '남궁'],
    ].map(([script, first_name, last_name]) => [
      `a name in ${script}`,
      { agent: agent({ first_name: first_name!, last_name: last_name!, offices: [OFFICE] }) },
    ]),
  ),
  'markup and emoji in names': {
    agent: agent({ first_name: '<b>June</b> & 🏡', last_name: '"; DROP TABLE', offices: [OFFICE] }),
    data: { headline: '<script>alert(1)</script>', caption_02: '🌊 & <i>view</i>' },
  },
  'a long word': { data: { headline: 'Donaudampfschifffahrtsgesellschaftskapitänshaus' } },
  'every data layer': {
    data: {
      price: '$1,250,000',
      status: 'Just listed',
      headline: 'The Harbor Pine House',
      open_house: 'Saturday 12 December, 1 to 4 pm',
      link: 'https://harborpine.example/128-harbor-pine-lane',
      disclosure: 'Virtually staged',
      caption_02: 'The living room, with a gas fireplace and oak built-ins',
      caption_04: 'The kitchen, with a marble waterfall island',
      website: 'harborpine.example',
      cta: 'Private showings by appointment',
    },
    logo: { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 },
  },
  'an open house and a code': {
    data: {
      status: 'Just listed',
      open_house: 'Saturday 12 December, 1 to 4 pm',
      link: 'harborpine.example',
    },
  },
  'a code and no portrait': { data: { link: LONG_LINK, website: 'harborpine.example' }, portrait: null },
  'a code and much to say': {
    agent: agent({
      designation: 'Associate Broker, Certified Residential Specialist',
      licenses: LICENSES,
      phones: [
        { number: '5035550142', type: 'mobile' },
        { number: '5035550143', type: 'office' },
      ],
      emails: [{ address: 'june.takemori@residential.example.com' }],
      offices: [OFFICE],
    }),
    data: {
      link: LONG_LINK,
      website: 'harborpine.example',
      open_house: 'Saturday 12 December, 1 to 4 pm',
      cta: 'Private showings by appointment',
    },
  },
  'a code and neither address nor facts': {
    listing: { address: undefined as never, bedrooms: null, bathrooms: null, interior_square_footage: null },
    data: { link: 'harborpine.example' },
  },
  'much to announce': {
    data: {
      headline: 'An architect’s own house above the harbor, with a guest wing and a pool',
      status: 'Price improved, and open by appointment all this week',
      open_house: 'Saturday 12 and Sunday 13 December, 10.30 am to 4.30 pm, coffee in the garden',
      price: 'Price on request',
    },
  },
  ...Object.fromEntries(
    [
      ['Arabic', 'بيت مفتوح يوم السبت', 'معروض حديثا', 'السبت 12 ديسمبر، من 1 إلى 4'],
      ['Hebrew', 'בית פתוח בשבת', 'חדש בשוק', 'שבת 12 בדצמבר, 13:00–16:00'],
      ['Chinese', '周六开放参观', '新上市', '12月12日 星期六 13:00–16:00'],
    ].map(([script, headline, status, open_house]) => [
      `announcements in ${script}`,
      { data: { headline: headline!, status: status!, open_house: open_house!, label_open_house: '·' } },
    ]),
  ),
  'a code on a dark paper': { data: { paper: '#12233A', link: LONG_LINK } },
  'a dark paper': { data: { paper: '#12233A', accent: '#1F5C4D', ink: '#101010' } },
  'one photo': { photos: samplePhotos(1) },
  'two photos': { photos: samplePhotos(2) },
  ...Object.fromEntries(
    [3, 5, 14, 24, 36, 60].map((count) => [`${count} photos`, { photos: samplePhotos(count) }]),
  ),
  'a hundred photos': { photos: samplePhotos(100) },
  'portrait-format photos': { photos: samplePhotos(12, 1280, 1920) },
  panoramas: { photos: samplePhotos(12, 2560, 800) },
  'tiny photos': { photos: samplePhotos(12, 480, 320) },
  'square photos': { photos: samplePhotos(14, 1400, 1400) },
};

export function anySample(): fc.Arbitrary<Sample> {
  const name = fc.oneof(
    fc.constantFrom(
      'June',
      'O’Hara-Lindqvist',
      'Łukasz',
      'Νικόλαος',
      'Юлия',
      'ليلى',
      'נועה',
      'Nguyễn Thị Ánh',
    ),
    fc.string({ minLength: 1, maxLength: 255 }),
  );
  const word = fc.oneof(fc.constant(''), fc.lorem({ maxCount: 12 }));
  const photo = fc.constantFrom(
    [1920, 1280],
    [1600, 1200],
    [2560, 1440],
    [1280, 1920],
    [1400, 1400],
    [2560, 800],
    [640, 427],
    [480, 320],
  );
  return fc.record({
    listing: fc.record({
      bedrooms: fc.option(fc.nat(30)),
      bathrooms: fc.option(fc.nat(30)),
      half_bathrooms: fc.option(fc.nat(5)),
      interior_square_footage: fc.option(fc.double({ min: 1, max: 900_000, noNaN: true })),
      address: fc.record({
        street: fc.oneof(word, fc.string({ maxLength: 120 })),
        city: word,
        state: fc.constantFrom('OR', 'California', null),
      }),
    }),
    agent: fc.record({
      id: fc.constant('a'),
      first_name: name,
      last_name: name,
      designation: fc.option(word),
      phones: fc.array(
        fc.record({
          number: fc.constantFrom(
            '5035550101',
            '+442079460167',
            '1-800-FLOWERS',
            'call me',
            '(503) 555-0100 ext. 1234',
          ),
        }),
        { maxLength: 4 },
      ),
      emails: fc.array(
        fc.record({
          address: fc.constantFrom(
            'a@b.co',
            'maximiliana.featherstonehaugh.konstantinopoulou@residential.example.com',
          ),
        }),
        { maxLength: 2 },
      ),
      licenses: fc.array(
        fc.record({
          number: fc.stringMatching(/^[A-Z0-9.]{3,14}$/),
          state: fc.constantFrom('OR', 'CA', 'New South Wales'),
        }),
        { maxLength: 12 },
      ),
      offices: fc.array(
        fc.record({
          name: fc.option(
            fc.oneof(
              word,
              fc.constant('Windermere Harbor & Pine International Realty Group of Greater Portland'),
            ),
          ),
          phone_number: fc.option(fc.record({ number: fc.constant('5035550100') })),
        }),
        { maxLength: 2 },
      ),
    }),
    data: fc.record(
      {
        headline: word,
        status: word,
        open_house: word,
        link: fc.constantFrom('', 'harborpine.example', LONG_LINK),
        price: fc.constantFrom('', '$1,250,000', 'Price upon request'),
        caption_02: word,
        caption_05: word,
        disclosure: fc.constantFrom('', 'Virtually staged'),
        cta: word,
        website: fc.constantFrom('', 'harborpine.example'),
        pace: fc.constantFrom('0.8', '1', '1.25'),
        accent: fc.constantFrom('#FFFFFF', '#1F5C4D', '#FFD400'),
        paper: fc.constantFrom('#FFFFFF', '#12233A', '#808080'),
      },
      { requiredKeys: [] },
    ),
    photos: fc
      .array(photo, { minLength: 1, maxLength: 40 })
      .map((sizes) =>
        sizes.map(([w, h], index) =>
          samplePhoto(`photo-${index + 1}`, w, h, { x: (index * 0.37) % 1, y: (index * 0.61) % 1 }),
        ),
      ),
    portrait: fc.constantFrom(null, samplePhoto('portrait', 800, 800), samplePhoto('portrait', 120, 90)),
  }) as fc.Arbitrary<Sample>;
}
