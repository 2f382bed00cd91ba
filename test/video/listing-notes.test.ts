/** What people are told about the photos of a listing, and that it is told once. */
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { withWordsOfCopies } from '../../src/video/plan/copied-photos.ts';
import { describeListing, describeSmallPhotos } from '../../src/video/plan/listing-notes.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { listed, samplePhoto, samplePhotos } from '../design/storyboard/sample.ts';
import { preparedOf } from '../media/assets/prepare-in.ts';

const mixed = [...samplePhotos(5, 800, 533), samplePhoto('wide', 960, 640), samplePhoto('upright', 640, 960)];

it('counts photos that cannot fill the width of the widest video', () => {
  const sentence = '6 of 7 photos are narrower than 960 pixels: larger ones fill the screen';
  expect(describeSmallPhotos(mixed, ['1920:1080'])).toBe(sentence);
  expect(describeSmallPhotos(mixed, ['1080:1920', '1920:1080'])).toBe(sentence);
  expect(describeSmallPhotos(mixed, ['1080:1920'])).toBeNull();
  expect(describeSmallPhotos([samplePhoto('small', 500, 400), ...mixed], ['1080:1920'])).toBe(
    '1 of 8 photos is narrower than 540 pixels: larger ones fill the screen',
  );
});

it('is said once for a listing, however many agents it has', async () => {
  const listing: Listing = {
    id: 'L',
    assets: mixed.map(({ url }) => ({ url })),
    agents: ['june', 'marcus'].map((id) => ({ id, first_name: id, last_name: 'Lee' })),
  };
  const plans = await planVideos({
    listing,
    options: { quality: 'standard', minAssets: 1, force: false, alsoUnbranded: true },
    assets: preparedOf(mixed),
    fingerprint: () => 'test',
  });
  const inVideos = plans.flatMap(({ notes, timeline }) => [...notes, ...timeline.storyboard.warnings]);
  expect(inVideos.filter((note) => note.includes('narrower'))).toEqual([]);
  expect(plans).toHaveLength(3);
  for (const { listingNotes } of plans)
    expect(listingNotes).toEqual(['6 of 7 photos are narrower than 960 pixels: larger ones fill the screen']);
});

describe('photos', () => {
  const agents = [{ id: 'june', first_name: 'June', last_name: 'Lee' }];
  const listing: Listing = {
    id: 'L',
    agents,
    assets: [
      { url: 'photos/front.jpg' },
      {
        url: 'photos/pool.jpg?w=100',
        caption: 'The pool',
        altered: 'Sky replaced',
        original: 'raw.jpg',
        focus: { x: 0, y: 1 },
        emphasis: 'low',
      },
      { url: 'photos/plan.png' },
      { url: 'photos/img_22.jpg', altered: true, original: 'img_22.jpg' },
    ],
  };
  const photos = listed([
    samplePhoto('front'),
    { ...samplePhoto('plan'), assetIndex: 2 },
    { ...samplePhoto('black'), assetIndex: 3, looksLike: 'blank' },
  ]);

  it('are named when something about them is a guess or looks like a mistake', () => {
    expect(describeListing(listing, { photos, heirs: new Map([[1, 0]]), sameOriginals: [3] })).toEqual([
      {
        path: ['assets', 0],
        message:
          'photo 2 (pool.jpg) is a copy of photo 1 (front.jpg) and is left out; its caption, label, original, focus, and emphasis went to that photo',
      },
      {
        path: ['assets', 3, 'original'],
        message:
          'photo 4 (img_22.jpg) and its original are the same image, so the original is not shown: choose the photo as it was before the change',
      },
      {
        path: ['assets', 3],
        message:
          'photo 4 (img_22.jpg) is one flat color and stays in the video: replace or remove it if that is a mistake',
      },
      {
        path: ['assets', 2, 'kind'],
        message:
          'photo 3 (plan.png) looks like a floor plan: it is shown whole and still, near the end; set "kind": "photo" to show it as a photo',
      },
    ]);
    const said = { ...listing, assets: [{ url: 'plan.png', kind: 'photo' as const }] };
    const none = { heirs: new Map<number, number>(), sameOriginals: [] };
    expect(describeListing(said, { photos: photos.slice(0, 1), ...none })).toEqual([]);
  });

  it('have the words of their copies in every video', () => {
    const options = { templateId: 'classic', ratio: '1920:1080', hasPreview: false, metadata: {} } as const;
    const video = (templateData: Record<string, string>) => ({
      listing,
      options: { ...options, templateData },
    });
    const heirs = new Map([[1, 0]]);
    const handed = withWordsOfCopies(video({ caption_02: 'Pool at night' }), heirs);
    expect(handed.options.templateData).toEqual({ caption_01: 'Pool at night', caption_02: 'Pool at night' });
    expect(handed.listing.assets[0]).toEqual({
      url: 'photos/front.jpg',
      caption: 'The pool',
      altered: 'Sky replaced',
      original: 'raw.jpg',
      focus: { x: 0, y: 1 },
      emphasis: 'low',
    });
    const own = video({ caption_01: 'The front', caption_02: 'Pool at night' });
    expect(withWordsOfCopies(own, heirs).options.templateData).toEqual(own.options.templateData);
    expect(withWordsOfCopies(own, new Map())).toBe(own);
  });
});
