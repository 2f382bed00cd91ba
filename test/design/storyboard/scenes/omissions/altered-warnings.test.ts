import { describe, expect, it } from 'vitest';
import { alteredWarnings } from '../../../../../src/design/storyboard/scenes/omissions/altered-warnings.ts';
import type { Asset } from '../../../../../src/listing/listing.ts';
import { listed, samplePhoto, samplePhotos, sampleStoryboard } from '../../sample.ts';

const LAW = "California's Business and Professions Code 10140.8";
const assets: Asset[] = [
  { url: 'photos/front.jpg' },
  { url: 'photos/living.jpg?size=large', altered: 'Virtually staged', original: 'photos/empty.jpg' },
  { url: 'photos/sky.jpg', altered: true },
  { url: 'photos/bath.jpg', altered: false },
];
const original = samplePhoto('empty');

describe('altered photos', () => {
  it('without originals are named by number and file, with the law and what to do', () => {
    const shown = [{ assetIndex: 0 }, { assetIndex: 1 }, { assetIndex: 2 }, { assetIndex: 3 }];
    const ask = (start: string) =>
      `${start} no original, which ${LAW} asks for: fill in originals_url, or name the original of`;
    expect(alteredWarnings({ assets }, shown, '')).toEqual([
      `${ask('altered photos have')} photos 2 (living.jpg) and 3 (sky.jpg)`,
    ]);
    const usable = shown.with(1, { assetIndex: 1, original } as (typeof shown)[number]);
    expect(alteredWarnings({ assets }, usable, ' ')).toEqual([
      `${ask('an altered photo has')} photo 3 (sky.jpg)`,
    ]);
  });

  it('need no warning with originals_url, with their originals, or where the video does not show them', () => {
    const shown = [{ assetIndex: 0 }, { assetIndex: 1 }, { assetIndex: 2 }];
    expect(alteredWarnings({ assets }, shown, 'https://example.com/originals')).toEqual([]);
    expect(alteredWarnings({ assets }, [{ assetIndex: 1, original }], undefined)).toEqual([]);
    expect(alteredWarnings({ assets }, [{ assetIndex: 0 }, { assetIndex: 3 }], '')).toEqual([]);
  });

  it('are in the warnings of their video, unless the original is there', () => {
    const photos = samplePhotos(6);
    const warningsOf = (photo: object) =>
      sampleStoryboard({
        listing: {
          assets: photos.map(({ url }, index) => ({ url, ...(index === 2 ? { altered: true } : {}) })),
        },
        photos: listed(photos).with(2, { ...listed(photos)[2]!, ...photo }),
      }).warnings.filter((warning) => warning.includes(LAW));
    expect(warningsOf({})).toEqual([expect.stringContaining('photo 3 (')]);
    expect(warningsOf({ original })).toEqual([]);
  });
});
