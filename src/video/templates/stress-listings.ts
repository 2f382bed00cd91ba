/** Variations of a plain listing that are hard to lay out; a template must handle all of them. Pure. */
import type { ListingPhoto } from '../../design/photo.ts';
import type { DataLayer } from '../../design/template/template.ts';
import type { Agent, Listing } from '../../listing/listing.ts';

/** One video to lay out. */
export interface LayoutCase {
  readonly name: string;
  readonly listing: Listing;
  readonly agent: Agent;
  readonly data: Readonly<Record<string, string>>;
  readonly photos: readonly ListingPhoto[];
  readonly hasPortrait: boolean;
}

const LONG_NAME = 'Maximiliana Alexandrina Konstantinopoulou-Featherstonehaugh '.repeat(5).slice(0, 255);
const STATES = ['OR', 'WA', 'CA', 'ID', 'NV', 'AZ', 'UT', 'CO', 'MT', 'WY'];
const LICENSES = Array.from({ length: 20 }, (_, index) => ({
  number: String(201250142 + index * 7919),
  state: STATES[index % STATES.length]!,
}));
/** Each part as long as a card meets it; all of them together. */
const LONG_AGENT = {
  first_name: 'Maximilian Bartholomew',
  last_name: 'Featherstonehaugh-Cholmondeley',
  designation: 'Associate Broker, Certified Residential Specialist, Accredited Buyer’s Representative',
  licenses: LICENSES.slice(0, 5),
  phones: [
    { number: '+1 503 555 0142', type: 'mobile' },
    { number: '+1 503 555 0143', type: 'office' },
  ],
  emails: [{ address: 'maximilian.featherstonehaugh-cholmondeley@residential.example.com' }],
  offices: [
    {
      name: 'Windermere Harbor & Pine International Realty Group of Greater Portland',
      address: {
        street: '40 Wharf Street, Suite 210, Building C',
        city: 'Portland',
        state: 'OR',
        postal_code: '97205',
      },
      phone_number: { number: '+1 503 555 0100' },
    },
  ],
} satisfies Partial<Agent>;
const LONG_LABEL = 'Digitally altered: sky replaced, lawn and pool added by hand';
const LONG_ADDRESS = {
  street: '12345 Saint Bartholomew-Featherstonehaugh Boulevard, Apartment 1204',
  city: 'Rancho Santa Margarita',
  state: 'CA',
  postal_code: '92688-1234',
};
const LONG_DATA = {
  headline:
    'An estate of a generation above the valley, with a guest house, an old vineyard and a library that reaches two floors',
  open_house: 'Saturday 12 and Sunday 13 December, 10.30 am to 4.30 pm',
  link: 'https://www.harborpine.example/homes/128-harbor-pine-lane',
  cta: 'Private showings by appointment, also in the evening',
  website: 'harborpine.example',
  disclosure:
    'Some photos are virtually staged or digitally altered; each original is shown right after its photo, and prints of all of them are kept at the house and office.'.slice(
      0,
      160,
    ),
};
const NO_FACTS = { bedrooms: null, bathrooms: null, half_bathrooms: null, interior_square_footage: null };

/** As phones, cameras and an MLS hand them out, px. */
const MIXED_SIZES = [
  [4032, 3024],
  [1024, 683],
  [3024, 4032],
  [1020, 764],
  [683, 1024],
  [1920, 1080],
] as const;
const CAPTIONS = [
  'The kitchen, with a marble waterfall island',
  'The entry',
  'A study over the garden, with oak shelves',
];

const CORNERS = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
] as const;
const EMPHASES = ['high', 'low', 'normal', 'low', 'normal'] as const;

/**
 * @param plain - With a portrait, or without; at least one photo.
 * @param layers - Of the template: its own examples are what its layers are filled with.
 */
export function stressCases(plain: LayoutCase, layers: readonly DataLayer[]): LayoutCase[] {
  const { listing, agent, photos } = plain;
  const { address: _, ...nowhere } = listing;
  const make = (name: string, change: Partial<Omit<LayoutCase, 'name'>>): LayoutCase => ({
    ...plain,
    ...change,
    name,
  });
  const withPhotos = (name: string, chosen: readonly ListingPhoto[]): LayoutCase =>
    make(name, {
      photos: chosen.map((photo, assetIndex) => ({ ...photo, assetIndex })),
      listing: { ...listing, assets: chosen.map(({ url }) => ({ url })) },
    });
  const many = (count: number) => Array.from({ length: count }, (_, index) => photos[index % photos.length]!);
  return [
    make('a name of 255 letters and twenty licenses', {
      agent: {
        ...agent,
        first_name: LONG_NAME,
        last_name: LONG_NAME,
        designation: LONG_NAME,
        licenses: LICENSES,
      },
      hasPortrait: false,
    }),
    make('twenty licenses beside a portrait', { agent: { ...agent, licenses: LICENSES } }),
    ...(['with a portrait', 'without a portrait'] as const).map((words, index) =>
      make(`everything at its longest, ${words}`, {
        agent: { ...agent, ...LONG_AGENT },
        hasPortrait: index === 0,
        data: { ...plain.data, ...examplesOf(layers), ...LONG_DATA },
        listing: {
          ...listing,
          address: LONG_ADDRESS,
          assets: photos.map(({ url, original }, at) => ({
            url,
            ...(at === 1 ? { altered: 'Virtually staged' } : {}),
            ...(at === 2 ? { altered: LONG_LABEL } : {}),
            ...(at > 2 && at === photos.length - 1 ? { kind: 'floor_plan' as const } : {}),
            ...(original ? { original: original.url } : {}),
          })),
        },
        photos: photos.map((photo, at) => ({
          ...photo,
          assetIndex: at,
          ...(at === 2 ? { original: photos[0]! } : {}),
        })),
      }),
    ),
    make('words at their longest over one photo', {
      data: { ...plain.data, ...examplesOf(layers), ...LONG_DATA },
      listing: { ...listing, address: LONG_ADDRESS, assets: photos.slice(0, 1).map(({ url }) => ({ url })) },
      photos: photos.slice(0, 1),
    }),
    make('an Arabic name', {
      agent: { ...agent, first_name: 'ليلى', last_name: 'الحسيني', designation: 'وسيطة عقارية معتمدة' },
      hasPortrait: false,
    }),
    make('a name and nothing else', {
      agent: { id: agent.id, first_name: 'Bo', last_name: 'Li' },
      hasPortrait: false,
    }),
    make('no facts', { listing: { ...listing, ...NO_FACTS } }),
    make('neither address nor facts', { listing: { ...nowhere, ...NO_FACTS }, data: {} }),
    make('a studio', {
      listing: { ...listing, bedrooms: 0, bathrooms: 1, half_bathrooms: 0, interior_square_footage: 540 },
    }),
    make('a long address', {
      listing: {
        ...listing,
        address: {
          street: '1600 Pennsylvania Avenue Northwest, Apartment 1204, Building C',
          city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
          state: 'DC',
        },
      },
    }),
    make('the example of every text layer', { data: examplesOf(layers) }),
    make('other colors', { data: { ...plain.data, paper: '#12233A', ink: '#101010', accent: '#FFD400' } }),
    withPhotos('one photo', photos.slice(0, 1)),
    withPhotos('a hundred photos', many(100)),
    withPhotos(
      'upright photos',
      photos.map((photo) => resized(photo, 1280, 1920)),
    ),
    withPhotos(
      'panoramas',
      photos.map((photo) => resized(photo, 2560, 800)),
    ),
    withPhotos(
      'photos of an MLS',
      photos.map((photo) => resized(photo, 1024, 683)),
    ),
    withPhotos(
      'photos of mixed sizes',
      photos.map((photo, index) => {
        const [widthPx, heightPx] = MIXED_SIZES[index % MIXED_SIZES.length]!;
        return resized(photo, widthPx, heightPx);
      }),
    ),
    make('a caption for every photo', {
      data: {},
      listing: {
        ...listing,
        assets: photos.map(({ url }, index) => ({ url, caption: CAPTIONS[index % CAPTIONS.length]! })),
      },
    }),
    make('a focus in every corner, photos of high and low emphasis', {
      listing: {
        ...listing,
        assets: photos.map(({ url }, index) => ({
          url,
          focus: CORNERS[index % CORNERS.length]!,
          emphasis: EMPHASES[index % EMPHASES.length]!,
        })),
      },
    }),
    withPhotos(
      'small photos',
      photos.map((photo) => resized(photo, 480, 320)),
    ),
  ];
}

function examplesOf(layers: readonly DataLayer[]): Record<string, string> {
  return Object.fromEntries(
    layers
      .filter(({ name, type }) => type === 'text' && name !== 'music' && !name.startsWith('label_'))
      .map(({ name, example }) => [name, example]),
  );
}

/** The photo in another shape. It has no pixels, only a size. */
function resized(photo: ListingPhoto, widthPx: number, heightPx: number): ListingPhoto {
  const digest = `${photo.digest}-${widthPx}x${heightPx}`;
  return {
    ...photo,
    digest,
    widthPx,
    heightPx,
    sourceWidthPx: widthPx,
    sourceHeightPx: heightPx,
    masterPath: '',
  };
}
