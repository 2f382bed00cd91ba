/** The emphasis of a photo: high ones stand alone and twice as long, low ones share a scene. */
import { describe, expect, it } from 'vitest';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import type { PhotoLayer, Scene } from '../../../src/design/storyboard/storyboard.ts';
import type { Asset } from '../../../src/listing/listing.ts';
import { photoMap, RATIOS, samplePhotos, sampleStoryboard, templates } from './sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const BODY = new Set(['photo', 'pair', 'three', 'four', 'six']);

const digestsIn = ({ layers }: Scene) => [
  ...new Set(
    layers
      .filter((layer): layer is PhotoLayer => layer.type === 'photo' && layer.digest !== 'digest-portrait')
      .map(({ digest }) => digest),
  ),
];

describe.each(VIDEOS)('%s %s', (_, ratio, template) => {
  /** @param emphasis - By the index of the photo. */
  const made = (count: number, emphasis: Readonly<Record<number, Asset['emphasis']>>) => {
    const photos = samplePhotos(count);
    const assets = photos.map(({ url }, index) => ({
      url,
      ...(emphasis[index] ? { emphasis: emphasis[index] } : {}),
    }));
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const withPhoto = (index: number) =>
      board.scenes.filter((scene) => digestsIn(scene).includes(`digest-photo-${index + 1}`));
    return { board, withPhoto, faults: lintStoryboard(board, photoMap(photos)) };
  };

  it.each([8, 24])('shows a high one of %i photos alone and twice as long', (count) => {
    const { board, withPhoto, faults } = made(count, { 0: 'high', 3: 'high', [count - 1]: 'high' });
    expect(faults).toEqual([]);
    for (const index of [0, 3, count - 1])
      for (const scene of withPhoto(index)) expect(digestsIn(scene), scene.id).toHaveLength(1);
    const highs = [3, count - 1].map((index) => withPhoto(index).find(({ kind }) => kind === 'photo')!);
    const others = board.scenes.filter((scene) => scene.kind === 'photo' && !highs.includes(scene));
    // Photos of a run are shorter.
    const usual = Math.max(...others.map(({ durationFrames }) => durationFrames));
    if (usual > template.ratios[ratio].pacing.minSceneSec * 30)
      for (const { durationFrames } of highs)
        expect(Math.abs(durationFrames - 2 * usual)).toBeLessThanOrEqual(2);
    const opening = (scenes: readonly Scene[]) => scenes.find(({ kind }) => kind === 'hero')!.durationFrames;
    // Among many photos the opening is brief.
    expect(opening(board.scenes)).toBeGreaterThanOrEqual(1.5 * opening(made(count, {}).board.scenes));
  });

  it.each([8, 24])('shows a low one of %i photos with others, and not in the hook', (count) => {
    const { board, withPhoto, faults } = made(count, { 4: 'low', [count - 1]: 'low' });
    expect(faults).toEqual([]);
    expect(board.warnings.filter((warning) => warning.includes('emphasis'))).toEqual([]);
    for (const index of [4, count - 1]) {
      const scenes = withPhoto(index);
      expect(scenes.filter(({ kind }) => kind === 'hook')).toEqual([]);
      for (const scene of scenes.filter(({ kind }) => BODY.has(kind)))
        expect(digestsIn(scene).length, scene.id).toBeGreaterThan(1);
    }
  });

  it('says so where no other photo fits beside a low one', () => {
    const photos = samplePhotos(6);
    const [altered, original] = ['Virtually staged', 'https://example.com/empty.jpg'];
    const assets = photos.map(
      ({ url }, index): Asset => (index === 3 ? { url, emphasis: 'low', altered, original } : { url }),
    );
    const withOriginal = photos.map((photo, index) =>
      index === 3 ? { ...photo, original: photos[0]! } : photo,
    );
    const { warnings } = sampleStoryboard({ template, ratio, photos: withOriginal, listing: { assets } });
    expect(warnings).toContain(
      'photo 4 (photo-4) of emphasis "low" stands alone: no other photo fits beside it',
    );
  });

  it('shows all photos whatever their emphasis', () => {
    const every = (value: Asset['emphasis']) =>
      Object.fromEntries(Array.from({ length: 14 }, (__, index) => [index, value]));
    for (const value of ['high', 'normal', 'low'] as const) {
      const { board, withPhoto } = made(14, every(value));
      for (let index = 0; index < 14; index += 1) expect(withPhoto(index), value).not.toEqual([]);
      if (value === 'normal') expect(board.scenes).toEqual(made(14, {}).board.scenes);
    }
  });
});
