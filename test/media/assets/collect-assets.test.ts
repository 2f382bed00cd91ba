/** Copies of a photo: what they hand to the photo that stays, and when they stay themselves. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '../../../src/media/assets/asset-limits.ts';
import {
  collectAssets,
  type ImageOutcome,
  imageKey,
  type NamedPhoto,
} from '../../../src/media/assets/collect-assets.ts';
import { FINGERPRINT_SIDE_PX } from '../../../src/media/assets/duplicate.ts';

/** Two pictures of one house by their digests; `a2` is `a` in other bytes, without more detail than the fingerprint. */
const SHADES: Readonly<Record<string, number>> = { a: 0, a2: 0, b: 90 };

function outcome(digest: string): ImageOutcome {
  const shade = SHADES[digest]!;
  const pixels = Uint8Array.from({ length: 3 * FINGERPRINT_SIDE_PX ** 2 }, (_, at) => shade + (at % 128));
  return {
    isFresh: true,
    image: {
      digest,
      masterPath: '/nowhere',
      image: {
        ...{ widthPx: 200, heightPx: 200, sourceWidthPx: 400, sourceHeightPx: 400 },
        focus: { x: 0.5, y: 0.5 },
        fingerprint: Buffer.from(pixels).toString('base64'),
      },
      isIntact: async () => true,
    },
  };
}

/** @param photos - Each URL begins with the digest of its picture. */
function collect(...photos: (Partial<NamedPhoto> & { readonly url: string })[]) {
  const urls = photos.flatMap(({ url, original = url }) => [url, original]);
  const outcomes = new Map(urls.map((url) => [imageKey('photo', url), outcome(url.split('.')[0]!)]));
  return collectAssets({ assets: photos, pictures: [], logos: [] }, DEFAULT_ASSET_LIMITS, outcomes);
}

describe('a copy is left out', () => {
  it('when it says nothing else', () => {
    const same = { captions: [' The pool', ''], label: 'Virtually staged', kind: 'photo' };
    for (const [own, copy] of [
      [{}, {}],
      [{}, same],
      [same, {}],
      [same, { ...same, captions: ['The pool ', 'At night'] }],
    ]) {
      const { photos, heirs, dropped } = collect(
        { url: 'b.jpg' },
        { url: 'a.jpg', ...own },
        { url: 'a2.jpg', ...copy },
      );
      expect(photos.map(({ assetIndex }) => assetIndex)).toEqual([0, 1]);
      expect([...heirs]).toEqual([[2, 1]]);
      expect(dropped).toEqual([{ url: 'a2.jpg', reason: 'duplicate: the same picture as photo 2 (a.jpg)' }]);
    }
  });

  it('and hands over its original', () => {
    const { photos } = collect({ url: 'a.jpg' }, { url: 'a2.jpg', label: 'Sky replaced', original: 'b.jpg' });
    expect(photos.map(({ original }) => original?.url)).toEqual(['b.jpg']);
  });
});

describe('both are shown', () => {
  it.each([
    [{ captions: ['The pool'] }, { captions: ['The garden'] }],
    [{ captions: ['', 'The pool'] }, { captions: ['', 'The garden'] }],
    [{ label: 'Virtually staged' }, { label: 'Digitally altered' }],
    [{ kind: 'floor_plan' }, { kind: 'photo' }],
  ])('when they say different things: %o and %o', (own, copy) => {
    const { photos, heirs } = collect({ url: 'a.jpg', ...own }, { url: 'a2.jpg', ...copy });
    expect(photos).toHaveLength(2);
    expect(heirs.size).toBe(0);
  });

  it('when a second copy differs from what the first handed over', () => {
    const { heirs } = collect(
      { url: 'a.jpg' },
      { url: 'a2.jpg', captions: ['The pool'] },
      { url: 'a.jpg', captions: ['The garden'] },
    );
    expect([...heirs]).toEqual([[1, 0]]);
  });

  it('when one is the original of the other', () => {
    const altered = { url: 'a2.jpg', label: 'Digitally altered', original: 'a.jpg' };
    expect(collect({ url: 'a.jpg' }, altered).photos).toHaveLength(2);
    expect(collect(altered, { url: 'a.jpg' }).photos).toHaveLength(2);
  });
});

it('takes no photo for its own original', () => {
  const { photos, sameOriginals } = collect(
    { url: 'b.jpg' },
    { url: 'a.jpg', label: 'Digitally altered', original: 'a.png' },
  );
  expect(photos[1]!.original).toBeUndefined();
  expect(sameOriginals).toEqual([1]);
});
