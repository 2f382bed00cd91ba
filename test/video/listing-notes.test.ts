/** What a listing of small photos is told, and that it is told once. */
import { expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { describeSmallPhotos } from '../../src/video/plan/listing-notes.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { samplePhoto, samplePhotos } from '../design/storyboard/sample.ts';
import { preparedOf } from '../media/assets/prepare-in.ts';

const mixed = [...samplePhotos(5, 800, 533), samplePhoto('wide', 960, 640), samplePhoto('upright', 640, 960)];

it('counts photos that cannot fill the width of the widest video', () => {
  const sentence = '6 of 7 photos are narrower than 960 pixels; larger ones fill the screen';
  expect(describeSmallPhotos(mixed, ['1920:1080'])).toBe(sentence);
  expect(describeSmallPhotos(mixed, ['1080:1920', '1920:1080'])).toBe(sentence);
  expect(describeSmallPhotos(mixed, ['1080:1920'])).toBeNull();
  expect(describeSmallPhotos([samplePhoto('small', 500, 400), ...mixed], ['1080:1920'])).toBe(
    '1 of 8 photos is narrower than 540 pixels; larger ones fill the screen',
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
    expect(listingNotes).toEqual(['6 of 7 photos are narrower than 960 pixels; larger ones fill the screen']);
});
