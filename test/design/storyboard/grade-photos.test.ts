/** `grade: gentle`, the default: dim photos are lifted, each by itself, and none where it could hurt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GradablePhoto,
  gradedLight,
  gradePhotos,
  type PhotoTone,
} from '../../../src/design/storyboard/grade-photos.ts';
import type { PhotoLayer, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { samplePhoto, samplePhotos, sampleStoryboard, sampleTimeline } from './sample.ts';

const liftOf = (stops: number, more: Partial<GradablePhoto> = {}): number => {
  const photo = { ...samplePhoto('photo'), ...more };
  return gradePhotos([photo], () => ({ stops }))(photo.digest)?.stops ?? 0;
};

describe('gradePhotos', () => {
  it.each([
    ['a white room', -0.3, 0],
    ['a light room', -1.6, 0],
    ['what nobody would see', -1.66, 0],
    ['a dull room', -2, 0.24],
    ['a dim room', -2.4, 0.48],
    ['a dark bedroom', -3.23, 0.6],
    ['the darkest of rooms', -3.8, 0.6],
    ['a cinema room', -3.81, 0],
  ])('lifts %s of %f stops by %f', (_, stops, lift) => {
    expect(liftOf(stops)).toBe(lift);
  });

  it('lifts a view of the outside by half, so that dusk stays dusk', () => {
    expect(liftOf(-2.4, { room: 'outside' })).toBe(0.24);
    expect(liftOf(-3.2, { room: 'outside' })).toBe(0.3);
    expect(liftOf(-1.72, { room: 'outside' })).toBe(0);
    expect(liftOf(-2.4, { room: 'bedroom' })).toBe(0.48);
  });

  it('leaves floor plans, and photos that cannot be read', () => {
    expect(liftOf(-2.4, { isFloorPlan: true })).toBe(0);
    const photo = samplePhoto('gone');
    expect(gradePhotos([photo], () => undefined)(photo.digest)).toBeUndefined();
  });

  it('gives an original the lift of the altered photo, also where another one has the same original', () => {
    const original = samplePhoto('original');
    const [staged, empty] = [samplePhoto('staged'), samplePhoto('empty')];
    const tones: Record<string, PhotoTone> = {
      [staged.digest]: { stops: -2 },
      [empty.digest]: { stops: -1 },
      [original.digest]: { stops: -3 },
    };
    const both = [original, { ...staged, original }, { ...empty, original }];
    const gradeOf = gradePhotos(both, ({ digest }) => tones[digest]);
    for (const { digest } of both) expect(gradeOf(digest)).toEqual({ stops: 0.24 });
    const light = gradePhotos([original, { ...empty, original }], ({ digest }) => tones[digest]);
    expect(light(original.digest)).toBeUndefined();
  });

  it('keeps every lift small, and gives a darker photo no less', () => {
    const level = fc.double({ min: -3.8, max: 0, noNaN: true });
    fc.assert(
      fc.property(level, level, (a, b) => {
        expect(liftOf(Math.min(a, b))).toBeGreaterThanOrEqual(liftOf(Math.max(a, b)));
        expect(liftOf(a)).toBeLessThanOrEqual(0.6);
      }),
    );
  });
});

it('the light of a lifted photo is that of its pixels', () => {
  const light = {
    ...{ columns: 3, rows: 1, luma: [0, 0.5, 1] },
    sides: { top: '#000000', bottom: '#FFFFFF', left: '#808080', right: '#604020' },
  } as const;
  const lifted = gradedLight(light, { stops: 0.6 })!;
  const middle = 0.5 ** (1 - 0.6 / 2.2);
  expect(Array.from(lifted.luma)).toEqual([0, expect.closeTo(middle, 2), 1]);
  expect(lifted.sides).toEqual({
    ...light.sides,
    left: '#9A9A9A',
    right: expect.not.stringMatching('#604020'),
  });
  expect(gradedLight(light, undefined)).toBe(light);
});

describe('a storyboard', () => {
  const photos = samplePhotos(8);
  const dim = photos[2]!;
  const measured: string[] = [];
  const toneOf = ({ digest }: { digest: string }) => {
    measured.push(digest);
    return { stops: digest === dim.digest ? -2 : -1.5 };
  };
  const layersIn = ({ scenes }: Storyboard) =>
    scenes.flatMap(({ layers }) => layers.filter((layer): layer is PhotoLayer => layer.type === 'photo'));
  const gradesIn = (board: Storyboard) =>
    layersIn(board).flatMap(({ digest, grade }) => (grade === undefined ? [] : [{ digest, grade }]));

  it('lifts photos unless it shall not, and then measures none', () => {
    expect(gradesIn(sampleStoryboard({ photos, toneOf })).length).toBeGreaterThan(0);
    measured.length = 0;
    expect(gradesIn(sampleStoryboard({ photos, toneOf, data: { grade: 'none' } }))).toEqual([]);
    expect(measured).toEqual([]);
  });

  it('gives every layer of a photo the same grade, and a portrait none', () => {
    const portrait = samplePhoto('portrait', 800, 1000);
    measured.length = 0;
    const board = sampleStoryboard({ photos, portrait, toneOf });
    const shown = layersIn(board).filter(({ digest }) => digest === dim.digest);
    expect(gradesIn(board)).toEqual(shown.map(({ digest }) => ({ digest, grade: { stops: 0.24 } })));
    expect(measured).not.toContain(portrait.digest);
    expect(measured.length).toBe(new Set(measured).size);
  });

  it('knows a view of the outside by its caption, or by sky over a house', () => {
    const gradeOf = (caption: string, subject = false) => {
      const found = { left: 0.2, right: 0.8, tip: 0.2, top: 0.3, bottom: 0.8 };
      const some = photos.map((photo) => (photo === dim && subject ? { ...photo, subject: found } : photo));
      const data = caption ? { caption_03: caption } : {};
      return gradesIn(sampleStoryboard({ photos: some, toneOf, data }))[0]!.grade.stops;
    };
    expect([gradeOf(''), gradeOf('The bedroom'), gradeOf('The garden'), gradeOf('', true)]).toEqual([
      0.24, 0.24, 0.12, 0.12,
    ]);
  });

  it('with lifted photos has other segments where they are seen, and the same ones elsewhere', () => {
    const keysOf = (data: Record<string, string>) =>
      sampleTimeline(sampleStoryboard({ photos, toneOf, data })).segments.map(({ key }) => key);
    const [lifted, plain] = [keysOf({}), keysOf({ grade: 'none' })];
    const shared = lifted.filter((key) => plain.includes(key));
    expect(lifted).toHaveLength(plain.length);
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.length).toBeLessThan(lifted.length);
  });
});
