/** What a report says of the listing that a video was made of, and what changed since. */
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { changesSince, type FilesOfVideo, madeOf } from '../../src/video/publish/made-of.ts';
import { aPayload } from './a-payload.ts';

const LISTING: Listing = {
  id: 'house',
  address: { street: '12 Main Street' },
  bedrooms: 3,
  assets: [{ url: 'a.jpg', caption: 'Kitchen' }, { url: 'b.jpg' }],
  agents: [
    agent('ann', { price: '500000', open_house: 'Saturday' }),
    { ...agent('bob', { price: '500000' }), phones: [{ number: '5035550142' }] },
  ],
};

function agent(id: string, template_data: Record<string, string>): Listing['agents'][number] {
  return {
    id,
    first_name: id,
    last_name: 'Lee',
    video_options: { template_id: 'classic', template_data },
  };
}

const FILES = {
  photos: ['d1', 'd2'],
  images: new Map([
    ['ann.jpg', 'd3'],
    ['logo.png', 'd4'],
    ['sky.png', 'd5'],
    ['bare.jpg', 'd6'],
  ]),
  template: null,
  music: null,
};
const ofAnn = { agentId: 'ann', ratio: '1920:1080', files: FILES } as const;

type Fields = Record<string, unknown>;

/** @param edits - Values by their paths, such as `agents.0.last_name`. */
function changes(edits: Readonly<Record<string, unknown>>, video: Parameters<typeof madeOf>[1] = ofAnn) {
  const now = structuredClone(LISTING);
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    const holder = keys.reduce((at, key) => at[key] as Fields, now as unknown as Fields);
    holder[last] = value;
  }
  return changesSince(madeOf(aPayload(LISTING), video), madeOf(aPayload(now), video), 'Ann Lee');
}

const DATA = 'agents.0.video_options.template_data';

describe('a video is out of date by', () => {
  it.each([
    ['address', 'address.street', '14 Main Street'],
    ['bedrooms', 'bedrooms', 4],
    ['bathrooms', 'half_bathrooms', 1],
    ['price', `${DATA}.price`, '490000'],
    ['photos', 'assets', LISTING.assets.toReversed()],
    ['photos', 'assets.0.emphasis', 'high'],
    ['captions', 'assets.1.caption', 'Bath'],
    ['captions', `${DATA}.caption_02`, 'Bath'],
    ['length', `${DATA}.length`, '30s'],
    ['music', `${DATA}.music`, 'none'],
    ['template', 'agents.0.video_options.template_id', 'bold'],
    ['template', `${DATA}.accent`, '#123456'],
    ["agent's name", 'agents.0.last_name', 'Ng'],
    ['phone of Ann Lee', 'agents.0.phones', [{ number: '5035550199' }]],
    ['portrait of Ann Lee', 'agents.0.picture', 'ann.jpg'],
  ])('%s', (words, path, value) => {
    expect(changes({ [path]: value })).toEqual([words]);
  });

  it('nothing, when fields are empty, unknown, or those of another agent', () => {
    const empty = { 'address.city': '', bathrooms: null, 'agents.0.phones': [], 'assets.0.altered': false };
    const others = { mls: 'new', 'agents.1.phones.0.number': '5035550199' };
    expect(changes({ ...empty, ...others })).toEqual([]);
  });

  const shown = structuredClone(LISTING);
  Object.assign(shown.assets[0]!, { altered: 'Staged', original: 'bare.jpg' });
  Object.assign(shown.agents[0]!, { picture: 'ann.jpg' });
  Object.assign(shown.agents[0]!.video_options!.template_data!, { logo: 'logo.png', background: 'sky.png' });
  const since = (now: FilesOfVideo, agentId: string | null = 'ann') => {
    const video = { ...ofAnn, agentId };
    const before = madeOf(aPayload(shown), video);
    return changesSince(before, madeOf(aPayload(shown), { ...video, files: now }), 'Ann Lee');
  };
  const withImage = (url: string, digest: string | null) => ({
    ...FILES,
    images: new Map<string, string | null>([...FILES.images, [url, digest]]),
  });

  it.each([
    ['photos', { ...FILES, photos: ['d1', 'd9'] }],
    ['photos', withImage('bare.jpg', 'd9')],
    ['portrait of Ann Lee', withImage('ann.jpg', 'd9')],
    ['portrait of Ann Lee', withImage('ann.jpg', null)],
    ['logo', withImage('logo.png', 'd9')],
    ['template', withImage('sky.png', 'd9')],
    ['template', { ...FILES, template: 'd9' }],
    ['music', { ...FILES, music: 'd9' }],
  ])('%s, when the file has other contents under the same name', (words, files) => {
    expect(since(files)).toEqual([words]);
  });

  it('no file whose contents are not known yet, that is in another order, or that the video does not show', () => {
    expect([since({}), since({ ...FILES, images: undefined })]).toEqual([[], []]);
    expect(since({ ...FILES, photos: ['d2', 'd1'] })).toEqual([]);
    expect(since(withImage('ann.jpg', 'd9'), null)).toEqual([]);
  });

  it('what it shows: a video without branding neither the agent nor the open house', () => {
    const edits = {
      'agents.0.last_name': 'Ng',
      [`${DATA}.open_house`]: 'Sunday',
      [`${DATA}.price`]: '490000',
    };
    expect(changes(edits, { ...ofAnn, agentId: null })).toEqual(['price']);
  });
});

it('nothing is known of a report of an earlier version, and of an agent who left', () => {
  expect(changesSince({}, madeOf(aPayload(LISTING), ofAnn), 'Ann')).toEqual([]);
  expect(madeOf(aPayload(LISTING), { ...ofAnn, agentId: 'cid' })).toEqual({});
});
