/** The shapes of five vendors become listings. `fixtures/README.md` says where their documentation is. */
import { describe, expect, it } from 'vitest';
import { run } from '../run-cli.ts';
import { folderWith, readListing } from './import-run.ts';

async function importFixture(fixture: string, file = fixture, words: readonly string[] = []) {
  const cwd = await folderWith(fixture);
  const result = await run(['import', 'reso', file, '--json', ...words], { cwd });
  return { cwd, result, report: result.json() };
}

describe('import reso', () => {
  it('reads a page of Bridge: media in the property, the preferred photo first', async () => {
    const { cwd, result, report } = await importFixture('bridge.json');
    expect(result.exitCode).toBe(0);
    const listing = await readListing(cwd, 'HP-204128');
    expect(listing).toEqual({
      $schema: expect.stringContaining('listing.schema.json'),
      id: 'HP-204128',
      address: { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR', postal_code: '97205' },
      bedrooms: 4,
      bathrooms: 3,
      half_bathrooms: 1,
      interior_square_footage: 2840,
      assets: [
        { url: expect.stringContaining('/5.jpg'), caption: 'Dusk' },
        { url: expect.stringContaining('/1.jpg'), caption: 'Front' },
        { url: expect.stringContaining('/2.jpg'), caption: 'The kitchen, with a marble waterfall island' },
        ...[3, 4, 6].map((number) => ({ url: expect.stringContaining(`/${number}.jpg`) })),
        { url: expect.stringContaining('/7.jpg'), kind: 'floor_plan' },
      ],
      agents: [
        {
          id: 'JT3317',
          first_name: 'June',
          last_name: 'Takemori',
          designation: 'GRI, CRS',
          phones: [{ number: '503-555-0128', type: 'direct' }],
          emails: [{ address: 'june.takemori@example.com' }],
          licenses: [{ number: '201250128', state: 'OR' }],
          offices: [
            { name: 'Harbor & Pine Realty', phone_number: { number: '503-555-0100', type: 'office' } },
          ],
          video_options: {
            template_id: 'classic',
            template_data: { price: '1245000', status: 'For sale' },
          },
        },
      ],
    });
    expect(report.listings[0]).toMatchObject({
      source: 'bridge.json:5',
      listing_id: 'HP-204128',
      state: 'written',
      file: 'listings/HP-204128/listing.json',
      photos: 7,
      agents: 1,
      from: { bathrooms: 'BathroomsFull', 'address.street': 'UnparsedAddress', price: 'ListPrice' },
      missing: [{ field: 'agents[0].picture', expected: ['Media of Member'] }],
      left_out: [
        { source: 'Media[7]', reason: 'MediaCategory is Document' },
        { source: 'Media[8]', reason: 'MediaCategory is Unbranded Virtual Tour' },
      ],
      notes: [],
    });
    expect(report).toMatchObject({ counts: { written: 1, invalid: 0 }, is_last_page: false });
    expect(result.stderr).toContain('import the other pages too');
  });

  it('reads Trestle: media, members and offices in files beside the properties', async () => {
    const { cwd, report } = await importFixture('trestle', 'trestle/property.json');
    const listing = await readListing(cwd, '40881234');
    expect(listing).toMatchObject({
      address: { street: '77 N Alder Court #4B', city: 'Oakland' },
      bathrooms: 1,
      half_bathrooms: 1,
      interior_square_footage: 1120,
      assets: [0, 1, 2, 3, 4].map((number) => ({ url: expect.stringMatching(new RegExp(`/${number}$`)) })),
    });
    const [priya, tom] = listing.agents;
    expect(priya).toMatchObject({
      id: '159501234',
      first_name: 'Priya',
      designation: 'Broker Associate',
      picture: 'https://photos.example.com/trestle/agents/5551',
      phones: [{ type: 'direct' }, { number: '510.555.0143', type: 'mobile' }],
      licenses: [{ number: '01234567', state: 'CA' }],
      offices: [{ name: 'Bayline Homes', address: { street: '1 Jack London Square', city: 'Oakland' } }],
      video_options: {
        template_data: {
          status: 'Under contract',
          logo: 'https://photos.example.com/trestle/offices/77001',
        },
      },
    });
    expect(tom).toMatchObject({ id: '159505678', last_name: 'Okafor' });
    expect([tom?.emails, tom?.licenses]).toEqual([undefined, [{ number: '07654321', state: 'CA' }]]);
    expect(report.listings[0].left_out).toEqual([
      { source: 'CoListAgent.MemberEmail', reason: 'expected an e-mail address, found "tom.okafor@example"' },
    ]);
  });

  it('gives a license without a state the one that a person names', async () => {
    const { cwd } = await importFixture('trestle', 'trestle/property.json', ['--license-state', 'NV']);
    const [, tom] = (await readListing(cwd, '40881234')).agents;
    expect(tom?.licenses).toEqual([{ number: '07654321', state: 'NV' }]);
  });

  it('reads Spark: one record, hidden values, an area in square metres, and no price for what was sold at a hidden one', async () => {
    const { cwd, report } = await importFixture('spark.json');
    const listing = await readListing(cwd, '26-1187');
    expect(listing).toMatchObject({
      address: { street: '2210 SW Prairie Rose Drive' },
      bathrooms: 2,
      interior_square_footage: 1846,
      agents: [
        {
          id: '52001',
          picture: 'https://photos.example.com/spark/agents/52001.jpg',
          licenses: [{ number: '9921', state: 'ND' }],
          offices: [{ name: 'Red River Realty' }],
          video_options: { template_data: { status: 'Sold' } },
        },
      ],
    });
    expect(listing.assets).toHaveLength(6);
    expect(listing.agents[0]).not.toHaveProperty('emails');
    expect(JSON.stringify(listing)).not.toContain('**');
    expect(listing.agents[0]?.video_options?.template_data).not.toHaveProperty('price');
    expect(report.listings[0].missing).toContainEqual({ field: 'price', expected: ['ClosePrice'] });
  });

  it('reads MLS Grid: numbers as texts, withheld and expired records, an address that is not to be shown', async () => {
    const { cwd, result, report } = await importFixture('mls-grid', 'mls-grid/property.json');
    expect(result.exitCode).toBe(0);
    const states = report.listings.map(({ state, reasons }: Record<string, unknown>) => [state, reasons]);
    expect(states).toEqual([
      ['written', []],
      ['skipped', ['MlgCanView is false: the MLS wants the record removed']],
      ['skipped', ['it is off the market: its status is Expired']],
    ]);
    const listing = await readListing(cwd, 'ACT8412207');
    expect(listing).not.toHaveProperty('address');
    expect(listing).toMatchObject({
      interior_square_footage: 2381,
      half_bathrooms: 0,
      agents: [
        {
          first_name: 'Dana',
          last_name: 'Ruiz',
          emails: [{ address: 'dana@example.com' }],
          video_options: { template_data: { price: '525000', status: 'Pending' } },
        },
      ],
    });
    expect(report.listings[0].notes).toEqual([
      'LivingAreaUnits is missing: LivingArea was taken as square feet',
      'ListAgentFullName was divided: its last word is the last name',
      'a license without a state got that of the property, TX: --license-state names another',
    ]);
  });

  it('reads Paragon: an array, a studio for lease, the largest of each photo', async () => {
    const { cwd } = await importFixture('paragon.json');
    const listing = await readListing(cwd, '202601239');
    expect(listing).toMatchObject({
      address: { street: '51 Rue Dauphine, Apt 2' },
      bedrooms: 0,
      bathrooms: 1,
      half_bathrooms: 0,
      assets: [0, 1, 2, 3, 4].map((number) => ({ url: expect.stringContaining(`/${number}-Large.jpg`) })),
      agents: [
        {
          first_name: 'Boudreaux, Lou',
          last_name: '',
          phones: [{ number: '504-555-0133', type: 'mobile' }],
          video_options: { template_data: { price: '$2,450 a month', status: 'For lease' } },
        },
      ],
    });
  });
});
