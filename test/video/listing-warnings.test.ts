/** Which texts of a listing are read for words that get agents fined, and that each is named once. */
import { expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { warnOfListing } from '../../src/video/plan/listing-warnings.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { agentVideos } from '../../src/video/plan/requested-videos.ts';
import { openTemplates } from '../../src/video/templates/template-fonts.ts';
import { samplePhotos } from '../design/storyboard/sample.ts';
import { preparedOf } from '../media/assets/prepare-in.ts';

const photos = samplePhotos(5);
const options = { quality: 'standard', minAssets: 1, force: false } as const;

function listingOf(data: Record<string, string>, rest: Partial<Listing> = {}): Listing {
  return {
    id: 'L',
    assets: photos.map(({ url }) => ({ url })),
    agents: ['june', 'marcus'].map((id) => ({
      ...{ id, first_name: id, last_name: 'Lee' },
      video_options: { template_id: 'classic', template_data: data },
    })),
    ...rest,
  };
}

async function warningsOf(listing: Listing, more: { templateData?: Record<string, string> } = {}) {
  const videos = await agentVideos(
    { listing, options: { ...options, ...more } },
    openTemplates({ templatesDirs: [] }),
  );
  return warnOfListing(videos).map(({ loc, code, message }) => [
    loc.join('.'),
    code,
    message.slice(0, message.indexOf(':')),
  ]);
}

it.each(['status', 'headline', 'open_house', 'disclosure', 'cta', 'label_beds', 'caption_02'])(
  'template data "%s" is read, at the first agent that has it',
  async (name) => {
    expect(await warningsOf(listingOf({ [name]: 'Adults only' }))).toEqual([
      [
        `body.agents.0.video_options.template_data.${name}`,
        'fair_housing',
        `template data "${name}" says "Adults only"`,
      ],
    ]);
  },
);

it('a price is read, too, and warned of once where it is none', async () => {
  const place = 'body.agents.0.video_options.template_data.price';
  expect(await warningsOf(listingOf({ price: 'Adults only' }))).toEqual([
    [place, 'fair_housing', 'template data "price" says "Adults only"'],
    [place, undefined, 'the price is "Adults only", which has no digit'],
  ]);
});

it.each<[Record<string, string>, string | null]>([
  [{ price: '450' }, 'the price is "450", which is little for a sale'],
  [{ price: '$450.00' }, 'the price is "$450.00", which is little for a sale'],
  [{ price: '450.000' }, 'the price is "450.000", with a point for thousands'],
  [{ price: '$1.250.000' }, 'the price is "$1.250.000", with a point for thousands'],
  [{ price: '450', status: 'For rent' }, null],
  [{ price: '950', label_price: 'leased for' }, null],
  [{ price: '450', headline: 'Auction on Friday' }, null],
  [{ price: '$450 a week' }, null],
  [{ price: '450000' }, null],
  [{ price: '$1,000' }, null],
  [{ price: '€ 450.000' }, null],
])('a price that a sale can hardly have is warned of once: %j', async (data, found) => {
  const place = 'body.agents.0.video_options.template_data.price';
  const expected = found === null ? [] : [[place, undefined, found]];
  expect(await warningsOf(listingOf(data))).toEqual(expected);
});

it('a living area of 2.840, which is 2.84 square feet, is warned of', async () => {
  const area = { interior_square_footage: 2.84 };
  expect(await warningsOf(listingOf({}, area))).toEqual([
    [
      'body.interior_square_footage',
      undefined,
      'the living area is 2.84 square feet, which is less than a home has',
    ],
  ]);
  expect(await warningsOf(listingOf({}, { interior_square_footage: 240 }))).toEqual([]);
});

it.each(['website', 'link', 'music'])('template data "%s" is not', async (name) => {
  expect(await warningsOf(listingOf({ [name]: 'adults-only.example' }))).toEqual([]);
});

it('captions, labels of altered photos and designations are read', async () => {
  const [first, second, third, ...others] = listingOf({}).assets;
  const assets = [
    { ...first!, caption: 'No kids' },
    { ...second!, altered: 'No kids in the pool' },
    { ...third!, caption: 'Bachelor pad' },
    ...others,
  ];
  const agents = listingOf({ caption_03: 'The studio' }).agents.map((agent) => ({
    ...agent,
    designation: 'Christian homes specialist',
  }));
  expect(await warningsOf(listingOf({}, { assets, agents }))).toEqual([
    ['body.assets.0.caption', 'fair_housing', 'the caption of photo 1 says "No kids"'],
    ['body.assets.1.altered', 'fair_housing', 'the label of photo 2 says "No kids"'],
    ['body.agents.0.designation', 'fair_housing', 'the designation of an agent says "Christian homes"'],
  ]);
});

it('coming soon is a matter of status and headline', async () => {
  expect(await warningsOf(listingOf({ status: 'Coming soon', caption_02: 'Sneak peek' }))).toEqual([
    [
      'body.agents.0.video_options.template_data.status',
      'coming_soon',
      'template data "status" says "Coming soon"',
    ],
  ]);
});

it('data of the command line has no place in the listing', async () => {
  const templateData = { status: 'Coming soon' };
  expect(await warningsOf(listingOf({ status: 'Just listed' }), { templateData })).toEqual([
    ['body', 'coming_soon', 'template data "status" says "Coming soon"'],
  ]);
});

it('dry run and report say each sentence once, whatever number of videos shows the text', async () => {
  const listing = listingOf(
    { headline: 'Coming soon' },
    { address: { street: '1 Main', state: 'Californa' } },
  );
  const plans = await planVideos({
    listing,
    options: { ...options, alsoUnbranded: true, alsoRatio: '1080:1920' },
    assets: preparedOf(photos),
    fingerprint: () => 'test',
  });
  expect(plans[0]!.listingNotes).toEqual([
    expect.stringContaining(
      'template data "headline" says "Coming soon": public marketing can start a deadline',
    ),
    'the state of the address is "Californa"; did you mean "California"?',
  ]);
  for (const { notes, timeline } of plans)
    expect(
      [...notes, ...timeline.storyboard.warnings].filter((note) => /says "|did you mean/.test(note)),
    ).toEqual([]);
});
