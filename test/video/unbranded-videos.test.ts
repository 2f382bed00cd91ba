/**
 * Extra videos: in the other ratio, for places, and without branding. Their number, their names, and that the latter
 * name no agent.
 */
import { describe, expect, it } from 'vitest';
import type { Agent, AspectRatio, Listing } from '../../src/listing/listing.ts';
import { toNeutralData } from '../../src/video/plan/neutral-data.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import type { VideoTaskOptions } from '../../src/video/video-task.ts';
import { samplePhotos } from '../design/storyboard/sample.ts';
import { preparedOf } from '../media/assets/prepare-in.ts';

const JUNE: Agent = {
  id: 'june',
  first_name: 'June',
  last_name: 'Takemori',
  phones: [{ number: '(503) 555-0128' }],
  emails: [{ address: 'june@harborpine.example' }],
  licenses: [{ number: '201250128', state: 'OR' }],
  offices: [{ name: 'Harbor & Pine Realty', phone_number: { number: '(503) 555-0100' } }],
  video_options: {
    template_id: 'luxury',
    template_data: {
      headline: 'The Garden House',
      caption_02: 'Presented by  JUNE Takemori',
      caption_03: 'Call 503 555 0128',
      caption_04: 'The kitchen',
      accent: '#FF0000',
      cta: 'Call June',
      website: 'harborpine.example',
      music: 'luxury',
    },
    metadata: { campaign: 'spring' },
  },
};
const photos = samplePhotos(6);
const LISTING: Listing = {
  id: 'L',
  address: { street: '12 Garden Way', city: 'Portland', state: 'OR' },
  bedrooms: 3,
  assets: photos.map(({ url }) => ({ url })),
  agents: [
    JUNE,
    { ...JUNE, id: 'unbranded-1080x1920' },
    { ...JUNE, id: 'tall', video_options: { ratio: '1080:1920' } },
  ],
};

function plan(alsoUnbranded: boolean, listing = LISTING, alsoRatio?: AspectRatio) {
  return planVideos({
    listing,
    options: { quality: 'standard', minAssets: 1, force: false, alsoUnbranded, alsoRatio },
    assets: preparedOf(photos),
    fingerprint: () => 'test',
  });
}

it('are one for each ratio after the agents’, whose own stay as they are', async () => {
  const [without, plans] = await Promise.all([plan(false), plan(true)]);
  expect(plans.slice(0, 3)).toEqual(without);
  expect(plans.slice(3).map(({ agent, options, names }) => [agent, options.ratio, names.video])).toEqual([
    [null, '1920:1080', 'unbranded-1920x1080.mp4'],
    // An agent has the name already.
    [null, '1080:1920', 'unbranded-1080x1920-2.mp4'],
  ]);
});

it('show and say nothing of agent and office, in no scene, colour, warning or metadata', async () => {
  const [video] = (await plan(true)).slice(3);
  const { timeline, options, music, notes } = video!;
  expect(options.metadata).toEqual({});
  const { scenes, title, comment } = timeline.storyboard;
  const words = JSON.stringify([scenes, title, comment]);
  expect(words).toMatch(/The Garden House/);
  expect(words).toMatch(/The kitchen/);
  expect(words).not.toMatch(
    /june|takemori|harbor ?&|pine realty|555 ?0128|201250128|harborpine|spring|FF0000/i,
  );
  expect(title).toBe('12 Garden Way, Portland, OR');
  expect(music.name).toMatch(/^neutral/);
  expect(notes).toEqual([]);
  expect(timeline.storyboard.warnings).toEqual([
    'template data "caption_02" names "JUNE Takemori"; a video without branding leaves the text out',
    'template data "caption_03" names "503 555 0128"; a video without branding leaves the text out',
  ]);
});

it('leave out captions of assets that name an agent, an office or a way to reach them', async () => {
  const captions = [
    'The front',
    'With june takemori',
    'Harbor & Pine Realty',
    'Call (503) 555-0128',
    'The kitchen',
  ];
  const listing = {
    ...LISTING,
    assets: LISTING.assets.map((asset, index) => ({ ...asset, caption: captions[index] ?? '' })),
    agents: [{ ...JUNE, video_options: {} }],
  };
  const [video] = (await plan(true, listing)).slice(1);
  const words = JSON.stringify(video!.timeline.storyboard.scenes);
  expect(words).toMatch(/The kitchen/);
  expect(words).not.toMatch(/takemori|realty|0128/i);
  expect(video!.timeline.storyboard.warnings).toEqual([
    expect.stringContaining('photo 2 names "june takemori"'),
    expect.stringContaining('photo 3 names "Harbor & Pine Realty"'),
    expect.stringContaining('photo 4 names "(503) 555-0128"'),
  ]);
});

it('keep price and status, and more only when asked: then they are rendered again, and nothing else is', async () => {
  const data = {
    price: '500000',
    status: 'New',
    open_house: 'Saturday, 1 to 4 pm',
    link: 'harbor.example/12',
  };
  const agents = [{ ...JUNE, video_options: { template_id: 'classic', template_data: data } }];
  const planKept = (unbrandedKeep?: readonly ('open_house' | 'link')[]) =>
    planVideos({
      listing: { ...LISTING, agents },
      options: { quality: 'standard', minAssets: 1, force: false, alsoUnbranded: true, unbrandedKeep },
      assets: preparedOf(photos),
      fingerprint: () => 'test',
    });
  const [[own, usual], [sameOwn, more]] = await Promise.all([planKept(), planKept(['open_house', 'link'])]);
  const words = ({ timeline }: NonNullable<typeof usual>) => JSON.stringify(timeline.storyboard.scenes);
  expect(words(usual!)).toMatch(/\$500,000/);
  expect(words(usual!)).not.toMatch(/Saturday|harbor/);
  expect(words(more!)).toMatch(/Saturday/);
  expect(words(more!)).not.toMatch(/\$500,000/);
  expect(sameOwn).toEqual(own);
  expect(more!.timeline.segments).not.toEqual(usual!.timeline.segments);
});

it('keep the data about the house', () => {
  const data = {
    price: '$1',
    label_beds: 'Zimmer',
    disclosure: 'Virtually staged',
    logo: 'l.png',
    tagline: 'x',
  };
  expect(toNeutralData(data)).toEqual({ price: '$1', label_beds: 'Zimmer', disclosure: 'Virtually staged' });
});

it('in the other ratio differ in nothing else, have its name, and come before those without branding', async () => {
  const [without, plans] = await Promise.all([plan(false), plan(true, LISTING, '1080:1920')]);
  expect(plans.slice(0, 3)).toEqual(without);
  expect(
    plans.slice(3).map(({ agent, isOtherShape, names }) => [agent?.id, isOtherShape, names.video]),
  ).toEqual([
    // The third agent has an upright video already. The second has the name of the last.
    ['june', true, 'june-1080x1920.mp4'],
    ['unbranded-1080x1920', true, 'unbranded-1080x1920-1080x1920.mp4'],
    [undefined, false, 'unbranded-1920x1080.mp4'],
    [undefined, false, 'unbranded-1080x1920-2.mp4'],
  ]);
  const { options, timeline, music } = plans[3]!;
  expect(options).toEqual({ ...without[0]!.options, ratio: '1080:1920' });
  expect(timeline.storyboard).toMatchObject({ widthPx: 1080, heightPx: 1920 });
  expect(music).toEqual(without[0]!.music);
});

describe('for places', () => {
  const many = samplePhotos(14);
  const planFor = async (options: Partial<VideoTaskOptions>, ofAgent: Agent['video_options'] = {}) => {
    const plans = await planVideos({
      listing: {
        ...LISTING,
        assets: many.map(({ url }) => ({ url })),
        agents: [{ ...JUNE, video_options: ofAgent }],
      },
      options: { quality: 'standard', minAssets: 1, force: false, ...options },
      assets: preparedOf(many),
      fingerprint: () => 'test',
    });
    return plans.map(({ names, options, delivery, timeline, isFurther, length }) => ({
      ...{ file: names.video, ratio: options.ratio, ...delivery, isFurther, timeline, length },
      durationSec: timeline.totalFrames / timeline.storyboard.fps,
    }));
  };

  it('share a file where these ask for the same, are cut where one takes no longer ones, and have their names', async () => {
    const files = await planFor({
      destinations: ['web', 'google-business', 'youtube', 'instagram-reels', 'facebook', 'tiktok'],
    });
    const wide = { ratio: '1920:1080', audioBitRate: 160_000 };
    const tall = { ratio: '1080:1920' };
    expect(files).toMatchObject([
      { ...wide, file: 'june-web.mp4', hasEditLists: true, isFurther: false },
      { ...wide, file: 'june-google-business.mp4', hasEditLists: true, isFurther: true },
      { ...wide, file: 'june-youtube.mp4', hasEditLists: false },
      { ...tall, file: 'june-instagram-reels-facebook.mp4', hasEditLists: false, audioBitRate: 128_000 },
      { ...tall, file: 'june-tiktok.mp4', hasEditLists: true, audioBitRate: 160_000 },
    ]);
    const [web, google, youtube, instagram, tiktok] = files;
    expect(instagram!.places).toEqual(['instagram-reels', 'facebook']);
    expect(web!.durationSec).toBeGreaterThan(30);
    expect(google!.durationSec).toBeLessThanOrEqual(30);
    expect(google!.durationSec).toBeGreaterThan(26);
    // Only the boxes and the sound differ.
    expect(youtube!.timeline).toBe(web!.timeline);
    expect(tiktok!.timeline).toBe(instagram!.timeline);
  });

  it('have the shape and the length that the user chose; the MLS has the video without branding', async () => {
    const files = await planFor(
      {
        destinations: ['instagram-reels', 'youtube', 'mls'],
        alsoUnbranded: true,
        templateData: { length: '44s' },
      },
      { ratio: '1920:1080' },
    );
    expect(files.map(({ file, ratio, places }) => [file, ratio, places])).toEqual([
      ['june.mp4', '1920:1080', ['instagram-reels', 'youtube']],
      ['unbranded-1920x1080.mp4', '1920:1080', ['mls']],
    ]);
    expect(files[0]!.durationSec).toBeGreaterThan(40);
  });

  it('have a file for each of several lengths, whatever the listing says, the usual one without a word for it', async () => {
    const own = { template_id: 'classic', template_data: { length: '20s' } };
    const [files, [usual]] = await Promise.all([
      planFor({ lengths: ['15s', 'normal'], alsoUnbranded: true }, own),
      planFor({}, { template_id: 'classic' }),
    ]);
    expect(files.map(({ file, length, isFurther }) => [file, length, isFurther])).toEqual([
      ['june-15s.mp4', '15s', false],
      ['june.mp4', 'normal', true],
      ['unbranded-1920x1080-15s.mp4', '15s', false],
      ['unbranded-1920x1080.mp4', 'normal', true],
    ]);
    for (const { durationSec } of [files[0]!, files[2]!])
      expect(Math.abs(durationSec - 15)).toBeLessThan(0.75);
    expect(files[1]!.timeline.segments).toEqual(usual!.timeline.segments);
  });

  it('have each length in each place, and a cut of the usual one where a place takes no longer ones', async () => {
    const files = await planFor({ destinations: ['web', 'google-business'], lengths: ['normal', '15s'] });
    expect(files.map(({ file, durationSec }) => [file, durationSec <= 30])).toEqual([
      ['june-web.mp4', false],
      ['june-google-business.mp4', true],
      ['june-web-google-business-15s.mp4', true],
    ]);
  });
});
