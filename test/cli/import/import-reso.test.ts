/** `import reso`: what each field is made from, what is reported, and hostile input. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../listing-files.ts';
import { run } from '../run-cli.ts';
import { importReso, media, property, readListing } from './import-run.ts';

const dataOf = (listing: { agents: readonly { video_options?: { template_data?: object } }[] } | null) =>
  listing?.agents[0]?.video_options?.template_data;

describe('the facts of a property', () => {
  it.each([
    [
      { BathroomsFull: 2, BathroomsHalf: 1 },
      { bathrooms: 2, half_bathrooms: 1 },
    ],
    [{ BathroomsFull: 2 }, { bathrooms: 2 }],
    [
      { BathroomsFull: 2, BathroomsTotalInteger: 3 },
      { bathrooms: 2, half_bathrooms: 1 },
    ],
    [
      { BathroomsHalf: 1, BathroomsTotalInteger: 3 },
      { bathrooms: 2, half_bathrooms: 1 },
    ],
    [{ BathroomsTotalInteger: 3 }, { bathrooms: 3 }],
    [{ BathroomsTotalDecimal: 2.5 }, { bathrooms: 2, half_bathrooms: 1 }],
    [{ BathroomsTotalDecimal: '3.0' }, { bathrooms: 3, half_bathrooms: 0 }],
    [{ BathroomsTotalDecimal: 2.1 }, {}],
    // The dictionary: BathroomsFull may be the sum of full and three-quarter ones, BathroomsPartial of half and quarter
    // ones.
    [
      { BathroomsFull: 1, BathroomsThreeQuarter: 1, BathroomsTotalInteger: 2 },
      { bathrooms: 2, half_bathrooms: 0 },
    ],
    [
      { BathroomsFull: 2, BathroomsThreeQuarter: 1, BathroomsHalf: 1, BathroomsTotalInteger: 3 },
      { bathrooms: 2, half_bathrooms: 1 },
    ],
    [
      { BathroomsFull: 2, BathroomsHalf: 1, BathroomsOneQuarter: 1 },
      { bathrooms: 2, half_bathrooms: 2 },
    ],
    [{ BathroomsThreeQuarter: 1 }, { bathrooms: 1 }],
    [
      { BathroomsFull: 0, BathroomsHalf: 1 },
      { bathrooms: 0, half_bathrooms: 1 },
    ],
    [{ BathroomsFull: 0, BathroomsHalf: 0 }, {}],
    [{ BathroomsTotalInteger: 0 }, {}],
    [{ BathroomsHalf: 1 }, {}],
    [{ BathroomsFull: -1 }, {}],
    [{ BathroomsFull: 'two' }, {}],
    [
      { BedroomsTotal: '4', LivingArea: '2,840', LivingAreaUnits: 'SqFt' },
      { bedrooms: 4, interior_square_footage: 2840 },
    ],
    [{ BedroomsTotal: 2.5 }, {}],
    [{ BedroomsTotal: 0, PropertyType: 'Land' }, {}],
    [{ BedroomsTotal: 0 }, { bedrooms: 0 }],
    [{ LivingArea: 120, LivingAreaUnits: 'Square Meters' }, { interior_square_footage: 1292 }],
    [{ LivingArea: 120, LivingAreaUnits: 'm²' }, { interior_square_footage: 1292 }],
    [{ LivingArea: 2, LivingAreaUnits: 'Acres' }, {}],
    [{ LivingArea: 0 }, {}],
    [{ LivingArea: 'large' }, {}],
    [
      { LivingArea: '9'.repeat(400), BedroomsTotal: '9'.repeat(400), BathroomsTotalDecimal: '9'.repeat(400) },
      {},
    ],
  ])('of %j are %j', async (facts, expected) => {
    const { listing } = await importReso(property(facts));
    const { bedrooms, bathrooms, half_bathrooms, interior_square_footage } = listing!;
    const found = { bedrooms, bathrooms, half_bathrooms, interior_square_footage };
    expect(JSON.parse(JSON.stringify(found))).toEqual(expected);
  });

  it('that it cannot use are reported with what was found', async () => {
    const { first } = await importReso(
      property({
        BathroomsTotalDecimal: 2.1,
        BedroomsTotal: 'many',
        LivingArea: 2,
        LivingAreaUnits: 'Acres',
      }),
    );
    expect(
      first.left_out.map(({ source, reason }: Record<string, string>) => `${source}: ${reason}`),
    ).toEqual([
      'BedroomsTotal: expected a whole number, found "many"',
      expect.stringMatching(/^BathroomsTotalDecimal: 2.1 is neither whole nor a half/),
      'LivingArea: LivingAreaUnits is "Acres", expected Square Feet or Square Meters',
    ]);
  });
});

it('takes no point for thousands as a decimal point', async () => {
  const { first } = await importReso(property({ ListPrice: '450.000', LivingArea: '2.100' }));
  const reasons = first.left_out.map(({ source, reason }: Record<string, string>) => `${source}: ${reason}`);
  expect(reasons).toContain('ListPrice: expected an amount such as 450000 or 450,000, found "450.000"');
  expect(reasons).toContain('LivingArea: expected a number such as 2100 or 2,100, found "2.100"');
  const small = await importReso(property({ ListPrice: 450, LivingArea: 2.1 }));
  expect(small.first.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the price is "450", which is little for a sale/),
      expect.stringMatching(/^the living area is 2.1 square feet/),
    ]),
  );
});

describe('the address of a property', () => {
  it.each([
    [{ UnparsedAddress: '12 Main St, Portland, OR 97205' }, '12 Main St'],
    [{ UnparsedAddress: '12 Main St Portland OR 97205' }, '12 Main St'],
    [{ UnparsedAddress: '12 Main St, Portland, OR 97205, USA' }, '12 Main St'],
    [{ UnparsedAddress: '12 Main St, Portland, Oregon 97205-1234' }, '12 Main St'],
    [{ UnparsedAddress: '12 Main St, Portland, OR 97205', PostalCode: '97205-1234' }, '12 Main St'],
    [{ UnparsedAddress: '12 Main St, Portland Oregon 97205' }, '12 Main St'],
    [{ UnparsedAddress: '12 Oregon 97205' }, '12 Oregon'],
    [{ UnparsedAddress: '100 Portland' }, '100 Portland'],
    [{ UnparsedAddress: '12 Main St', UnitNumber: '4B' }, '12 Main St, #4B'],
    [{ UnparsedAddress: '12 Main St Unit 4B', UnitNumber: '4B' }, '12 Main St Unit 4B'],
    [{ UnparsedAddress: '12 Main St Apt 4', UnitNumber: 'Unit 4' }, '12 Main St Apt 4'],
    [
      {
        UnparsedAddress: null,
        StreetNumber: '12',
        StreetName: 'Main',
        StreetSuffix: 'St',
        UnitNumber: 'Suite 3',
      },
      '12 Main St, Suite 3',
    ],
    [{ UnparsedAddress: 'Portland, OR 97205', StreetNumber: '1', StreetName: 'Elm' }, '1 Elm'],
    [{ UnparsedAddress: '12 Main\u0000 St\u202e' }, '12 Main St'],
    [
      { UnparsedAddress: '12 O&#39;Farrell &amp;amp; Main&nbsp;&copy;&#9999999;&bogus;&#x202e;' },
      "12 O'Farrell & Main ©&#9999999;&bogus;",
    ],
  ])('in %j has the street %s', async (facts, street) => {
    const { listing } = await importReso(property(facts));
    expect(listing?.address?.street).toBe(street);
  });

  it.each([
    ['2210 Via Anita, Palos Verdes Estates, CA 90274', 'PalosVerdesEstates', 'Palos Verdes Estates'],
    ['2210 Via Anita Palos Verdes Estates CA 90274-1234', 'PalosVerdesEstates', 'Palos Verdes Estates'],
    ['2210 VIA ANITA, PALOS VERDES ESTATES, CALIFORNIA', 'PalosVerdesEstates', 'Palos Verdes Estates'],
    ["2210 Via Anita, Coeur d'Alene", 'CoeurdAlene', "Coeur d'Alene"],
    ['2210 Via Anita, McAllen, CA', 'McAllen', 'McAllen'],
    ['2210 Via Anita, De Kalb, CA 90274', 'DeKalb', 'De Kalb'],
  ])('in %s has the city %s as %s, and no town in its street', async (UnparsedAddress, City, city) => {
    const facts = { UnparsedAddress, City, StateOrProvince: 'CA', PostalCode: '90274' };
    const { listing, first } = await importReso(property(facts));
    expect(listing?.address?.street).toMatch(/^2210 via anita$/i);
    expect(listing?.address?.city).toBe(city);
    expect(first.notes).toEqual([]);
  });

  it.each([
    ['PalosVerdesEstates', 'Palos Verdes Estates'],
    ['LaJolla', 'La Jolla'],
    ['McAllen', 'McAllen'],
    ['DeKalb', 'DeKalb'],
    ['LakeMcDonald', 'Lake McDonald'],
    ['NYC', 'NYC'],
    ['Winston-Salem', 'Winston-Salem'],
  ])('without its city has %s as %s, with a note where it was split', async (City, city) => {
    const { listing, first } = await importReso(property({ City }));
    expect(listing?.address).toMatchObject({ street: '12 Main St', city });
    const note = `City is "${City}", one word: the video says "${city}"`;
    expect(first.notes).toEqual(city === City ? [] : [note]);
  });

  it('keeps city, state and postal code without a street, and says that there is none', async () => {
    const { listing, first } = await importReso(property({ UnparsedAddress: '', StreetNumber: 12 }));
    expect(listing?.address).toEqual({ street: '', city: 'Portland', state: 'OR', postal_code: '97205' });
    expect(first.notes).toEqual(['there is no street: the video shows only the rest of the address']);
    expect(first.missing).toContainEqual({
      field: 'address.street',
      expected: ['UnparsedAddress', 'StreetNumber', 'StreetName'],
    });
  });
});

describe('price and status of a property', () => {
  it.each([
    [{}, { price: '500000', status: 'For sale' }],
    [
      { StandardStatus: 'Closed', ClosePrice: 480000.5 },
      { price: '480000.50', status: 'Sold', label_price: 'sold for' },
    ],
    [{ StandardStatus: 'Closed' }, { status: 'Sold' }],
    [
      { StandardStatus: 'coming_soon', ListPrice: '$1,250,000' },
      { price: '1250000', status: 'Coming soon' },
    ],
    [{ StandardStatus: 'Nothing', ListPrice: 0 }, undefined],
    [{ StandardStatus: null, MlsStatus: 'Contingent', ListPrice: null }, { status: 'Under contract' }],
    [{ ListPrice: 1e30 }, { status: 'For sale' }],
    [
      { PropertyType: 'Residential Lease', LeaseAmountFrequency: 'Weekly', ListPrice: 900 },
      { price: '$900 a week', status: 'For lease' },
    ],
  ])('of %j are %j', async (facts, expected) => {
    const { listing } = await importReso(property(facts));
    expect(dataOf(listing)).toEqual(expected);
  });

  it('go to the template that --template names', async () => {
    const { listing } = await importReso(property(), ['--template', 'luxury']);
    expect(listing?.agents[0]?.video_options?.template_id).toBe('luxury');
  });

  it('decide which properties are imported', async () => {
    const all = ['Active', 'Pending', 'Withdrawn', 'Incomplete'].map((status, index) =>
      property({ ListingKey: status, ListingId: `A-${index}`, StandardStatus: status }),
    );
    const states = async (...words: string[]) => {
      const { report } = await importReso(all, words);
      return report.listings.map(({ state }: { state: string }) => state);
    };
    expect(await states()).toEqual(['written', 'written', 'skipped', 'skipped']);
    expect(await states('--status', 'pending,Withdrawn')).toEqual([
      'skipped',
      'written',
      'written',
      'skipped',
    ]);
    expect(await states('--all')).toEqual(['written', 'written', 'written', 'written']);
    const wrong = await run('import reso x.json --status Actve');
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean Active?')]);
  });

  it('are imported with --all although the seller keeps the property off the internet', async () => {
    const withheld = property({ InternetEntireListingDisplayYN: false });
    expect((await importReso(withheld)).first.state).toBe('skipped');
    expect((await importReso(withheld, ['--all'])).first.state).toBe('written');
  });
});

describe('open houses of a property', () => {
  const at = (facts: object) => ({ OpenHouseDate: '2026-11-28', OpenHouseStatus: 'Active', ...facts });
  const layerOf = async (openHouses: object[], words: string[] = [], facts: object = {}) => {
    const { listing, first } = await importReso(property({ OpenHouse: openHouses, ...facts }), words);
    const { open_house: layer } = (dataOf(listing) ?? {}) as { open_house?: string };
    return { layer, reasons: first.left_out.map(({ reason }: Record<string, string>) => reason) };
  };

  it.each([
    [{ OpenHouseStartTime: '13:00:00', OpenHouseEndTime: '16:00:00' }, 'Saturday, November 28, 1 to 4 pm'],
    [
      { OpenHouseStartTime: '10:30 AM', OpenHouseEndTime: '12:00 PM' },
      'Saturday, November 28, 10:30 am to 12 pm',
    ],
    [{ OpenHouseStartTime: '2026-11-28T13:00:00-08:00' }, 'Saturday, November 28, from 1 pm'],
    [{ OpenHouseDate: null, OpenHouseStartTime: '2026-11-29T11:00:00' }, 'Sunday, November 29, from 11 am'],
    [{}, 'Saturday, November 28'],
    [{ OpenHouseStartTime: '25:00' }, 'Saturday, November 28'],
    [{ OpenHouseStatus: 'Canceled' }, undefined],
    [{ OpenHouseType: 'Broker' }, undefined],
    [{ OpenHouseDate: '2026-11-01' }, undefined],
    [{ OpenHouseDate: '2026-13-45' }, undefined],
    [{ OpenHouseDate: 'soon' }, undefined],
  ])('with %j are %s', async (facts, expected) => {
    expect((await layerOf([at(facts)])).layer).toBe(expected);
  });

  it('in UTC have no times until a person names the zone, and none that contradict their date', async () => {
    const utc = at({ OpenHouseStartTime: '2026-11-28T21:00:00Z', OpenHouseEndTime: '2026-11-29T00:00:00Z' });
    const { layer, reasons } = await layerOf([utc]);
    expect([layer, reasons]).toEqual(['Saturday, November 28', [expect.stringContaining('--time-zone')]]);
    const zone = ['--time-zone', 'America/Los_Angeles'];
    expect((await layerOf([utc], zone)).layer).toBe('Saturday, November 28, 1 to 4 pm');
    const nextDay = at({ OpenHouseStartTime: '2026-11-29T09:00:00Z' });
    expect((await layerOf([nextDay], zone)).layer).toBe('Saturday, November 28');
    const wrong = await run('import reso x --time-zone Oregon', {
      files: { x: '' },
    });
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('unknown time zone "Oregon"'),
    ]);
  });

  it('are the next one, and none of a property that is closed', async () => {
    const two = [at({ OpenHouseDate: '2026-11-29' }), at({})];
    const { layer, reasons } = await layerOf(two);
    expect([layer, reasons]).toEqual(['Saturday, November 28', ['a video shows the next open house only']]);
    expect((await layerOf(two, [], { StandardStatus: 'Closed' })).layer).toBeUndefined();
  });

  it('are in a file beside the properties', async () => {
    const cwd = await folderOf({
      'property.json': property(),
      'OpenHouse.json': { value: [at({ ListingKey: 'K1' }), at({})] },
    });
    const { stderr } = await run(['import', 'reso', 'property.json'], { cwd });
    expect(stderr).toContain('OpenHouse.json: 1 OpenHouse record, and 1 without a key that leads to them');
    expect(dataOf(await readListing(cwd, 'A-1'))).toMatchObject({ open_house: 'Saturday, November 28' });
  });
});

describe('the photos of a property', () => {
  it('are in their order, those without one last', async () => {
    const orders = [3, null, '1', 2, 0, undefined];
    const { listing } = await importReso(
      property({ Media: media(6).map((each, index) => ({ ...each, Order: orders[index] })) }),
    );
    expect(listing?.assets.map(({ url }) => url.at(-5))).toEqual(['4', '2', '3', '0', '1', '5']);
  });

  it('are without captions that are too long, which are reported', async () => {
    const Media = media(5);
    Media[0].ShortDescription = 'x'.repeat(121);
    Media[1].ShortDescription = '🏡'.repeat(120);
    const { listing, first } = await importReso(property({ Media }));
    expect(listing?.assets.map(({ caption }) => caption)).toEqual([
      undefined,
      '🏡'.repeat(120),
      ...[undefined, undefined, undefined],
    ]);
    expect(first.left_out).toEqual([
      {
        source: 'Media[0].ShortDescription',
        reason: 'a caption has at most 120 characters, this one has 121',
      },
    ]);
  });

  it('are without the names and numbers of files in place of captions', async () => {
    const names = ['IMG_2231', 'kitchen1.jpg', '12', 'Photo 3', '42 windows'];
    const Media = media(5).map((each, index) => ({ ...each, ShortDescription: names[index] }));
    const { listing, first } = await importReso(property({ Media }));
    expect(listing?.assets.flatMap(({ caption }) => caption ?? [])).toEqual(['42 windows']);
    expect(first.left_out).toHaveLength(4);
  });

  it('are left out when they are no photos, have no URL, or are repeated', async () => {
    const Media = [
      ...media(5),
      ...[{ MediaURL: null }, { MediaURL: 'file:///etc/passwd' }, { MediaURL: '/etc/passwd' }, {}].map(
        (each) => ({
          ...media(1)[0],
          ...each,
        }),
      ),
      { MediaURL: 'https://photos.example.com/a.pdf', MediaType: 'pdf' },
      { MediaURL: 'https://photos.example.com/b.mp4', MediaCategory: 'Video' },
      { MediaURL: 'https://photos.example.com/c.jpg', MediaStatus: 'Deleted' },
    ];
    const { listing, first } = await importReso(property({ Media }));
    expect(listing?.assets).toHaveLength(5);
    expect(first.left_out.map(({ reason }: { reason: string }) => reason)).toEqual([
      'MediaURL is missing',
      'MediaURL is no http or https URL',
      'MediaURL is no http or https URL',
      'MediaType is pdf',
      'MediaCategory is Video',
      'MediaStatus is Deleted',
      'its MediaURL is that of an earlier photo',
    ]);
  });

  it('are at most 100, and at least 5 for a listing', async () => {
    const many = await importReso(property({ Media: media(103) }));
    expect([many.first.photos, many.first.left_out.length]).toEqual([100, 3]);
    const few = await importReso(property({ Media: media(4) }));
    expect([few.result.exitCode, few.first.state, few.first.reasons]).toEqual([
      2,
      'invalid',
      ['assets: 5 to 100 photos are needed, there are 4'],
    ]);
    expect(await readdir(few.cwd)).toEqual(['property.json']);
  });

  it('have their category in the words of vendors', async () => {
    const categories = [
      'Primary Photo',
      'photos',
      'Image',
      'Property Photo',
      null,
      'Agent Photo',
      'Floor Plan Image',
    ];
    const Media = media(7).map((each, index) => ({ ...each, MediaCategory: categories[index] }));
    const { first } = await importReso(property({ Media }));
    expect(first.photos).toBe(6);
    expect(first.left_out.map(({ reason }: { reason: string }) => reason)).toEqual([
      'MediaCategory is Agent Photo',
    ]);
  });

  it('keep long addresses as they are, up to the limit of a listing', async () => {
    const signed = (length: number) => `https://photos.example.com/${'s'.repeat(length - 27)}`;
    const Media = [...media(4), { MediaURL: signed(2083) }, { MediaURL: signed(2084) }];
    const { listing, first } = await importReso(property({ Media }));
    expect(listing?.assets.at(-1)?.url).toBe(signed(2083));
    expect(first.left_out).toEqual([
      { source: 'Media[5]', reason: 'MediaURL is longer than 2083 characters' },
    ]);
  });

  it('are noted when the file does not have them all', async () => {
    const link = 'https://api.example.com/Media?$skip=5';
    const { first } = await importReso(property({ PhotosCount: 30, 'Media@odata.nextLink': link }));
    expect(first.notes).toEqual([
      expect.stringContaining('Media has further pages'),
      'PhotosCount is 30, and there are 5 records of Media',
    ]);
  });

  it('that were altered have their label, and the original that the feed has beside them', async () => {
    const facts = [
      { MediaAlteration: ['None'] },
      { MediaAlteration: ['Virtual Staging - Item Addition'], ShortDescription: 'The living room' },
      { ShortDescription: 'Original photo' },
      { ShortDescription: 'Digitally altered', LongDescription: 'The garden in spring' },
      ...[{}, {}, { ShortDescription: 'Unedited' }],
    ];
    const Media = media(7).map((each, index) => ({ ...each, ...facts[index] }));
    const { first, listing } = await importReso(property({ Media }));
    const url = (index: number) => `https://photos.example.com/${index}.jpg`;
    expect(listing?.assets).toEqual([
      { url: url(0) },
      { url: url(1), caption: 'The living room', altered: 'Virtually staged', original: url(2) },
      { url: url(3), caption: 'The garden in spring', altered: 'Digitally altered' },
      { url: url(4) },
      { url: url(5) },
      { url: url(6), caption: 'Unedited' },
    ]);
    expect(first.from).toMatchObject({
      'assets.altered': 'MediaAlteration, ShortDescription',
      'assets.caption': 'ShortDescription, LongDescription',
    });
    expect(first.notes).toEqual([
      'Media[2] is shown only as the original of Media[1]',
      'Media[6] says that it is an original, but no photo beside it says that it is altered',
    ]);
  });

  it('are ordered and named by ImageOf where most have it, floor plans last', async () => {
    const shown = [
      ...['Floor Plan', 'Bedroom', 'FrontOfStructure', 'Dining Room', 'Pool', 'Kitchen', 'Living Room'],
      ...['Primary Bathroom', 'Laundry', 'Back of Structure'],
    ];
    const Media = media(shown.length).map((each, index) => ({ ...each, ImageOf: shown[index] }));
    const { first, listing } = await importReso(property({ Media }));
    const found = listing!.assets.map(({ url, caption }) => [
      shown[Number(/(\d+)\.jpg/.exec(url)![1])],
      caption,
    ]);
    expect(found).toEqual([
      ['FrontOfStructure', undefined],
      ['Living Room', 'Living room'],
      ['Kitchen', 'Kitchen'],
      ['Dining Room', 'Dining room'],
      ['Bedroom', 'Bedroom'],
      ['Primary Bathroom', 'Primary bathroom'],
      ['Laundry', 'Laundry'],
      ['Pool', 'Pool'],
      ['Back of Structure', undefined],
      ['Floor Plan', undefined],
    ]);
    expect(listing?.assets.at(-1)).toMatchObject({ kind: 'floor_plan' });
    expect(first.from.assets).toBe('MediaURL, ImageOf');
  });

  it('keep the order of the feed where few have ImageOf, but for floor plans', async () => {
    const facts = [{ MediaCategory: 'Floor Plan', PreferredPhotoYN: true }, { ImageOf: 'Bedroom' }];
    const Media = media(6).map((each, index) => ({ ...each, ...facts[index] }));
    const { listing } = await importReso(property({ Media }));
    const order = listing?.assets.map(({ url }) => Number(/(\d+)\.jpg/.exec(url)![1]));
    expect(order).toEqual([1, 2, 3, 4, 5, 0]);
  });
});

describe('the agents of a property', () => {
  it('are reported as missing when nothing names them', async () => {
    const { first } = await importReso(property({ ListAgentFirstName: null, ListAgentLastName: null }));
    expect(first).toMatchObject({
      state: 'invalid',
      reasons: [expect.stringContaining('agents')],
      missing: expect.arrayContaining([
        { field: 'agents[0]', expected: ['ListAgentFullName', 'Member of ListAgentKey'] },
      ]),
    });
  });

  it('are one when both fields name the same', async () => {
    const { first } = await importReso(property({ CoListAgentMlsId: 'ann', CoListAgentFullName: 'Ann Lee' }));
    expect(first.agents).toBe(1);
    expect(first.left_out).toEqual([{ source: 'CoListAgentMlsId', reason: 'it is the listing agent again' }]);
    expect(JSON.stringify(first)).not.toContain('agents[1]');
  });

  it.each([
    [{ MemberStateLicense: '77', MemberStateLicenseState: 'WA' }, [{ number: '42', state: 'CA' }]],
    [{ MemberStateLicense: '42', MemberStateLicenseState: 'OR' }, [{ number: '42', state: 'OR' }]],
    [{ MemberStateLicenseState: 'OR' }, [{ number: '42', state: 'OR' }]],
    [
      { MemberStateLicenses: [{ MemberStateLicense: '9', MemberStateLicenseState: 'WA' }] },
      [
        { number: '9', state: 'WA' },
        { number: '42', state: 'CA' },
      ],
    ],
  ])('have a license with its own state, else that of the property: %j', async (member, licenses) => {
    const { listing, first } = await importReso(
      property({ StateOrProvince: 'California', ListAgentStateLicense: '42', ListAgent: member }),
    );
    expect(listing?.agents[0]?.licenses).toEqual(licenses);
    const note = 'a license without a state got that of the property, CA: --license-state names another';
    expect(first.notes).toEqual(licenses.some(({ state }) => state === 'CA') ? [note] : []);
  });

  it('have no license where no state is known', async () => {
    const { listing, first } = await importReso(
      property({ StateOrProvince: null, ListAgentStateLicense: '42' }),
    );
    expect(listing?.agents[0]?.licenses).toBeUndefined();
    expect(first.left_out).toContainEqual({
      source: 'ListAgentStateLicense',
      reason: expect.stringContaining('--license-state OR'),
    });
  });

  it('are found in expanded Member and Office records by their keys', async () => {
    const { listing } = await importReso(
      property({
        ListAgentKey: 5,
        ListOfficeKey: 'o2',
        Member: [
          { MemberKey: '4', MemberEmail: 'bob@example.com' },
          { MemberKey: '5', MemberEmail: 'ann@example.com' },
        ],
        Office: [
          { OfficeKey: 'o1', OfficeName: 'Other' },
          { OfficeKey: 'o2', OfficeName: 'Ours' },
        ],
      }),
    );
    expect(listing?.agents[0]).toMatchObject({
      emails: [{ address: 'ann@example.com' }],
      offices: [{ name: 'Ours' }],
    });
  });

  it('have each phone once, and none that cannot be read', async () => {
    const { listing, first } = await importReso(
      property({
        Country: 'CA',
        ListAgentDirectPhone: '604 555 0123',
        ListAgentPreferredPhone: '+1 604-555-0123',
        ListAgentMobilePhone: 'call me',
        ListAgentOfficePhone: '604 555 0100',
        ListAgentOfficePhoneExt: 12,
      }),
    );
    expect(listing?.agents[0]?.phones).toEqual([
      { number: '604 555 0123', type: 'direct', region: 'CA' },
      { number: '604 555 0100 ext. 12', type: 'office', region: 'CA' },
    ]);
    expect(first.left_out).toEqual([
      { source: 'ListAgentMobilePhone', reason: 'expected a phone number, found "call me"' },
    ]);
  });
});

describe('the folder of an import', () => {
  it('is a batch that create takes', async () => {
    const { cwd } = await importReso([property(), property({ ListingKey: 'K2', ListingId: 'A-2' })]);
    const validated = await run(['validate', 'listings/', '--json'], { cwd });
    expect(validated.json()).toMatchObject({ valid: true, files: [{ warnings: [] }, { warnings: [] }] });
    const created = await run(['create', 'listings/', '--json'], { cwd });
    expect([created.exitCode, created.json().data.length]).toEqual([0, 2]);
  });

  it('is a batch of all that 200 properties of five statuses become', async () => {
    const statuses = ['Active', 'Pending', 'ActiveUnderContract', 'Closed', 'Coming Soon'];
    const properties = Array.from({ length: 200 }, (_, index) =>
      property({
        ListingKey: index,
        ListingId: `HP-${index}`,
        StandardStatus: statuses[index % 5],
        BathroomsTotalInteger: index % 4,
        LivingArea: 100 + index,
        LivingAreaUnits: index % 2 === 0 ? 'Square Meters' : 'Square Feet',
        Media: media(5 + (index % 96), { ShortDescription: 'A room' }),
      }),
    );
    const { report, cwd } = await importReso({ '@odata.context': 'x', value: properties });
    expect(report.counts).toMatchObject({ written: 200, invalid: 0 });
    const { valid, files } = (await run(['validate', 'listings/', '--json'], { cwd })).json();
    expect([valid, files.length]).toEqual([true, 200]);
  });

  it('keeps what people have changed, and takes what the MLS has changed', async () => {
    const cwd = await folderOf({ 'property.json': property() });
    const states = async (...words: string[]) => {
      const { json } = await run(['import', 'reso', 'property.json', '--json', ...words], { cwd });
      return json().listings.map(({ state }: { state: string }) => state);
    };
    expect(await states()).toEqual(['written']);
    expect(await states()).toEqual(['unchanged']);
    await writeFile(path.join(cwd, 'property.json'), JSON.stringify(property({ ListPrice: 450000 })));
    expect(await states()).toEqual(['written']);
    const file = path.join(cwd, 'listings/A-1/listing.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('12 Main St', '12 Main Street'));
    expect(await states()).toEqual(['kept']);
    expect((await readListing(cwd, 'A-1')).address?.street).toBe('12 Main Street');
    expect(await states('--replace')).toEqual(['written']);
  });

  it.each([
    '../../escape',
    '/etc/passwd',
    'CON',
    '..',
    'a\u0000b',
    'node_modules',
    '\u202eevil',
    'é'.repeat(300),
  ])('holds the listing %j', async (ListingId) => {
    const { cwd, first } = await importReso(property({ ListingId }));
    expect(first.state).toBe('written');
    expect(path.resolve(cwd, first.file).startsWith(path.join(cwd, 'listings') + path.sep)).toBe(true);
    expect((await run(['validate', 'listings/'], { cwd })).exitCode).toBe(0);
  });

  it('has a folder for each id, also where ids differ in case alone', async () => {
    const { report } = await importReso([
      property({ ListingKey: '1', ListingId: 'ab' }),
      property({ ListingKey: '2', ListingId: 'AB' }),
    ]);
    const files = report.listings.map(({ file }: { file: string }) => file.toLowerCase());
    expect(new Set(files).size).toBe(2);
  });

  it('leaves the listing of an earlier import alone whose folder has the same name on a disk that ignores case', async () => {
    const { cwd, first } = await importReso([property({ ListingId: 'AB' })]);
    const folder = path.dirname(path.resolve(cwd, first.file));
    // As such a disk shows it.
    await rename(folder, path.join(path.dirname(folder), 'ab'));
    await writeFile(
      path.join(cwd, 'second.json'),
      JSON.stringify({ value: [property({ ListingId: 'ab' })] }),
    );
    const { exitCode } = await run(['import', 'reso', 'second.json', '--out', 'listings'], { cwd });
    expect(exitCode).toBe(0);
    const ids = await Promise.all(
      (await readdir(path.join(cwd, 'listings'))).map(
        async (name) =>
          JSON.parse(await readFile(path.join(cwd, 'listings', name, 'listing.json'), 'utf8')).id,
      ),
    );
    expect(ids.sort()).toEqual(['AB', 'ab']);
  });
});

describe('import reso', () => {
  it('skips a ListingKey that it had, and numbers by the key where a ListingId is used twice', async () => {
    const { report, result } = await importReso([
      property(),
      property({ ListPrice: 1 }),
      property({ ListingKey: 'K2' }),
    ]);
    expect(result.exitCode).toBe(0);
    expect(
      report.listings.map(({ state, listing_id }: Record<string, string>) => [state, listing_id]),
    ).toEqual([
      ['written', 'A-1'],
      ['skipped', 'A-1'],
      ['written', 'K2'],
    ]);
    expect(report.listings[1].reasons).toEqual(['its ListingKey is that of property.json:2']);
  });

  it('goes on after records that are broken, and says where they are', async () => {
    const good = JSON.stringify(property());
    const text = `{"value":[\n{"ListingId": oops},\n${good},\nnull,\n{"ListingKey":{"a":1}},\n{"MemberKey":"5"}\n]}`;
    const { report, result } = await importReso(text);
    expect(result.exitCode).toBe(1);
    expect(
      report.listings.map(({ source, state, reasons }: Record<string, unknown>) => [source, state, reasons]),
    ).toEqual([
      ['property.json:2', 'invalid', [expect.stringMatching(/^line 2: not JSON/)]],
      ['property.json:3', 'written', []],
      ['property.json:4', 'invalid', ['expected an object in { }']],
      ['property.json:5', 'invalid', ['it has neither ListingId nor ListingKey']],
      [
        'property.json:6',
        'invalid',
        ['it is a record of Member, not a property: name its file with --member'],
      ],
    ]);
    expect(report.counts).toEqual({ written: 1, unchanged: 0, kept: 0, skipped: 0, invalid: 4 });
  });

  it('names the command for a file that is not JSON', async () => {
    const { result } = await importReso('MLS #,Address\nA-1,1 Elm\n');
    expect([result.exitCode, result.json().error.context.hint]).toEqual([
      2,
      'for CSV: listing-video import csv',
    ]);
  });

  it('imports what comes before the place where a file was cut off', async () => {
    const { report, result } = await importReso(`[${JSON.stringify(property())},{"ListingId": "A-2"`);
    expect(result.exitCode).toBe(1);
    expect(report.listings.map(({ state }: { state: string }) => state)).toEqual(['written', 'invalid']);
    expect(report.listings[1].reasons[0]).toContain('cut off');
  });

  it('ends when a file beside the properties is broken, and counts what leads nowhere', async () => {
    const cwd = await folderOf({
      'property.json': property(),
      'Media.json': [{ MediaURL: 'https://x.example/1.jpg' }],
    });
    const counted = await run(['import', 'reso', 'property.json'], { cwd });
    expect(counted.stderr).toContain('Media.json: 0 Media records, and 1 without a key that leads to them');
    await writeFile(path.join(cwd, 'Media.json'), '[{"MediaURL": oops}]');
    const broken = await run(['import', 'reso', 'property.json', '--json'], { cwd });
    expect([broken.exitCode, broken.json().error.message]).toEqual([
      2,
      expect.stringMatching(/^cannot read Media\.json:1: line 1: not JSON/),
    ]);
  });

  it('reads several pages, each once, and does not ask for more', async () => {
    const page = (key: string) => ({
      '@odata.nextLink': 'x',
      value: [property({ ListingKey: key, ListingId: key })],
    });
    const cwd = await folderOf({ 'a.json': page('A'), 'b.json': page('B') });
    const { stderr, stdout } = await run(['import', 'reso', 'a.json', 'b.json'], { cwd });
    expect(stdout).toMatch(/^written .*A\/listing\.json[\s\S]*^written .*B\/listing\.json/m);
    expect(stderr).toBe('2 records: 2 written\n');
  });

  it('takes names of prototypes for what they are', async () => {
    const text = `{"ListingKey":"__proto__","ListingId":"constructor","__proto__":{"ListPrice":9,"Media":[]},${JSON.stringify(
      property(),
    )
      .slice(1)
      .replace(/"ListingKey":"K1","ListingId":"A-1",/, '')}`;
    const { first, listing } = await importReso(text);
    expect(first).toMatchObject({ state: 'written', listing_id: 'constructor' });
    expect(dataOf(listing)).toMatchObject({ price: '500000' });
    expect({}).not.toHaveProperty('ListPrice');
  });

  it.each([
    ['a file that is not there', 'gone.json', 'file_not_found', /no such file/],
    ['a folder', '.', 'input_unreadable', /it is a folder/],
    ['an empty file', 'empty.json', 'input_unreadable', /there is no property in it/],
    ['a compressed file', 'a.gz', 'input_unreadable', /it is compressed/],
    ['a file in UTF-16', 'utf16.json', 'input_unreadable', /it is UTF-16/],
  ])('ends with 2 for %s', async (_, file, code, message) => {
    const cwd = await folderOf({
      'empty.json': ' \n',
      'a.gz': Buffer.from([0x1f, 0x8b, 8, 0]),
      'utf16.json': Buffer.from('\ufeff{"a":1}', 'utf16le'),
    });
    const { exitCode, json } = await run(['import', 'reso', file, '--json'], { cwd });
    expect([exitCode, json().error]).toEqual([
      2,
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    ]);
  });

  it('reads stdin, and writes one listing per line to stdout, which create takes', async () => {
    const stdin = [property(), property({ ListingKey: 'K2', ListingId: 'A-2' })]
      .map((each) => JSON.stringify(each))
      .join('\n');
    const { cwd, exitCode, stdout, stderr } = await run('import reso - --ndjson -', { stdin });
    expect([exitCode, stdout.trim().split('\n').length]).toEqual([0, 2]);
    expect(stderr).toContain('2 records: 2 written');
    expect((await run(['create', '-', '--json'], { cwd, stdin: stdout })).exitCode).toBe(0);
    expect(await readdir(cwd)).not.toContain('listings');
  });

  it('writes a file of lines only when it is whole', async () => {
    const cwd = await folderOf({ 'property.json': property(), 'cut.json': '{"a":1}', 'gone/x.json': {} });
    const good = await run('import reso property.json --ndjson out/new.ndjson --json', {
      cwd,
    });
    expect(good.json()).toMatchObject({ listings: [{ file: 'out/new.ndjson:1' }], counts: { written: 1 } });
    expect(await readdir(path.join(cwd, 'out'))).toEqual(['new.ndjson']);
    for (const name of ['-', 'gone']) {
      const refused = await run(['import', 'reso', 'property.json', '--ndjson', name, '--json'], { cwd });
      expect([refused.exitCode, refused.json().error.code]).toEqual([2, 'usage']);
    }
  });

  it.skipIf(process.platform === 'win32')('writes into a pipe, and does not replace it', async () => {
    const cwd = await folderOf({ 'property.json': property() });
    const pipe = path.join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    const { exitCode } = await run(['import', 'reso', 'property.json', '--ndjson', 'pipe'], { cwd });
    expect([exitCode, JSON.parse(await read).id]).toEqual([0, 'A-1']);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  it('reports to people in lines, without control characters', async () => {
    const cwd = await folderOf({
      'property.json': [
        property({ ListAgentEmail: 'no\u001b[31m' }),
        property({ ListingKey: '2', ListingId: '\u001b]0;x\u0007', Media: [] }),
      ],
    });
    const { exitCode, stdout, stderr } = await run(['import', 'reso', 'property.json'], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^written {4}listings\/A-1\/listing\.json: 5 photos, 1 agent$/m);
    expect(stdout).toMatch(/^ {2}missing {2}bedrooms, full bathrooms, square feet inside, phone, license/m);
    expect(stdout).toMatch(/^ {2}left out ListAgentEmail: expected an e-mail address, .*\ninvalid/m);
    expect(stdout).not.toMatch(/^ {2}from/m);
    expect(stdout).toMatch(
      /^invalid {4}property\.json:45 \(.*\): assets: 5 to 100 photos are needed, there are none$/m,
    );
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toBe('2 records: 1 written, 1 invalid\n');
    const verbose = await run(['import', 'reso', 'property.json', '--verbose'], { cwd });
    expect(verbose.stdout).toMatch(/^ {2}from {5}id: ListingId\n {2}from {5}address\.street: /m);
    expect(verbose.stdout).toMatch(/^ {2}missing {2}bedrooms \(BedroomsTotal\)$/m);
    const quiet = await run(['import', 'reso', 'property.json', '--quiet'], { cwd });
    expect(quiet.stdout).toMatch(/^invalid /);
    expect(quiet.stderr).toBe('');
  });

  it('sums up what many listings lack', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      property({ ListingKey: `K${index}`, ListingId: `A-${index}`, BedroomsTotal: index < 9 ? null : 3 }),
    );
    const cwd = await folderOf({ 'property.json': many });
    const { stderr } = await run(['import', 'reso', 'property.json'], { cwd });
    expect(stderr).toMatch(/^12 records: 12 written\n {2}missing {4}12 × bathrooms/);
    expect(stderr).toContain('\n  missing     9 × bedrooms\n');
    const { json } = await run(['import', 'reso', 'property.json', '--json'], { cwd });
    expect(json().missing).toMatchObject({ bedrooms: 9, 'agents[].licenses': 12 });
  });

  it('names what is invalid on stderr when stdout has the listings, also with --quiet', async () => {
    const words = ['import', 'reso', '-', '--ndjson', '-', '--quiet'];
    const stdin = JSON.stringify([property(), {}]);
    const { stdout, stderr } = await run(words, { stdin });
    expect(JSON.parse(stdout).id).toBe('A-1');
    expect(stderr).toBe('invalid    -:1: it has neither ListingId nor ListingKey\n');
  });

  it('names in its help the template that gets the data', async () => {
    const { stdout } = await run(['import', 'reso', '--help'], { cwd: '/' });
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/data layers of this template \(default: classic;/);
  });

  it('stops at Ctrl-C', async () => {
    const { result, report } = await importReso([property()], [], { interrupted: AbortSignal.abort() });
    expect([result.exitCode, report.error.code]).toEqual([130, 'cancelled']);
  });

  it('keeps its report one document when the disk refuses a listing', async () => {
    const { cwd } = await importReso(property());
    await writeFile(
      path.join(cwd, 'two.json'),
      JSON.stringify([property(), property({ ListingKey: '2', ListingId: 'B' })]),
    );
    await writeFile(path.join(cwd, 'listings', 'B'), 'in the way');
    const { exitCode, json } = await run(['import', 'reso', 'two.json', '--json'], { cwd });
    expect([exitCode, json().error.code, json().counts.unchanged]).toEqual([3, 'output_unwritable', 1]);
  });
});
