/** Which pictures are floor plans: by what the listing says, by names, by their pixels. */
import { describe, expect, it } from 'vitest';
import type { ListingPhoto } from '../../../src/design/photo.ts';
import { pictureKind } from '../../../src/design/storyboard/picture-kind.ts';
import type { Asset } from '../../../src/listing/listing.ts';

const kindOf = (asset: Partial<Asset>, photo: Pick<ListingPhoto, 'looksLike'> = {}) =>
  pictureKind({ url: 'photos/12.jpg', ...asset }, photo);

describe('what the listing says', () => {
  it('wins over names and pixels, and is no guess', () => {
    const named = { url: 'floorplan.png', caption: 'Floor plan' };
    expect(kindOf({ ...named, kind: 'photo' }, { looksLike: 'floor_plan' })).toEqual({
      kind: 'photo',
      isGuess: false,
    });
    expect(kindOf({ kind: 'floor_plan' })).toEqual({ kind: 'floor_plan', isGuess: false });
  });
});

it('guesses by the pixels', () => {
  expect(kindOf({}, { looksLike: 'floor_plan' })).toEqual({ kind: 'floor_plan', isGuess: true });
  expect(kindOf({}, { looksLike: 'blank' })).toEqual({ kind: 'photo', isGuess: false });
  expect(kindOf({})).toEqual({ kind: 'photo', isGuess: false });
});

describe('the name of the file', () => {
  it.each([
    'floorplan.png',
    'photos/Floor-Plan.jpg',
    'https://cdn.example.com/a/floor%20plan%202.webp?w=2048',
    'C:\\houses\\FloorPlan_2ndFloor.jpg',
    '128-harbor-pine-lane_floor_plan_1.jpg',
    'Grundriss EG.png',
    'siteplan.jpeg',
    'site-plan-v2.png',
    'plan-2nd-floor.png',
    'level-2-plan.gif',
    'plan.png',
    'plan-3.png',
    'floorplans.tif',
  ])('names a plan: %s', (url) => {
    expect(kindOf({ url })).toEqual({ kind: 'floor_plan', isGuess: true });
  });

  it.each([
    'floor.jpg',
    'floorplank.jpg',
    'open-floor-plan-living.jpg',
    'open-plan-kitchen.jpg',
    'planter.jpg',
    'floorplans/kitchen.jpg',
    'https://example.com/photo.jpg?from=floorplan',
    'explanade-floor-2.jpg',
    'plan-b-bar.jpg',
    '%E0%A4%A.jpg',
  ])('does not: %s', (url) => {
    expect(kindOf({ url }).kind).toBe('photo');
  });
});

describe('the caption', () => {
  it.each([
    'Floor plan',
    'FLOORPLAN',
    'Floor plan, second floor',
    'First floor plan',
    'Grundriss EG',
    'Site plan.',
    'Floor plans (1 of 2)',
    'Main level floor plan with dimensions',
  ])('says only that: %s', (caption) => {
    expect(kindOf({ caption })).toEqual({ kind: 'floor_plan', isGuess: true });
  });

  it.each([
    'Open floor plan',
    'Spacious floor plan with views',
    'The open concept floor plan',
    'A floor plan made for guests',
    'Second floor',
    'Hardwood floors as planned',
  ])('is about a room: %s', (caption) => {
    expect(kindOf({ caption }).kind).toBe('photo');
  });
});
