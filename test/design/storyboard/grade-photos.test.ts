/** `grade: gentle`: small corrections towards the middle of a listing, and none where they could hurt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradePhotos, type PhotoTone } from '../../../src/design/storyboard/grade-photos.ts';
import type { PhotoLayer, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { samplePhoto, samplePhotos, sampleStoryboard } from './sample.ts';

const level = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });
const tone: fc.Arbitrary<PhotoTone> = fc.record({
  stops: level(-7, 0),
  blue: level(-0.3, 0.3),
  red: level(-0.3, 0.3),
  neutralShare: level(0, 1),
});
const NORMAL: PhotoTone = { stops: -1.6, blue: -0.06, red: 0.03, neutralShare: 0.6 };

const named = (tones: readonly PhotoTone[]) => new Map(tones.map((tone, index) => [`photo-${index}`, tone]));
/** The grade of a photo among four normal ones. */
const gradeAmongNormal = (change: Partial<PhotoTone>) =>
  gradePhotos(named([NORMAL, NORMAL, { ...NORMAL, ...change }, NORMAL, NORMAL])).get('photo-2');

describe('gradePhotos', () => {
  it('keeps every correction small', () => {
    fc.assert(
      fc.property(fc.array(tone, { maxLength: 30 }), (tones) => {
        for (const { stops, blue, red } of gradePhotos(named(tones)).values()) {
          expect(stops).toBeGreaterThanOrEqual(-0.08);
          expect(stops).toBeLessThanOrEqual(0.25);
          expect(Math.max(Math.abs(blue), Math.abs(red))).toBeLessThanOrEqual(0.03);
        }
      }),
    );
  });

  it('never gives a photo a cast: it only reduces its own', () => {
    fc.assert(
      fc.property(fc.array(tone, { maxLength: 30 }), (tones) => {
        for (const [digest, grade] of gradePhotos(named(tones))) {
          const own = named(tones).get(digest)!;
          for (const channel of ['blue', 'red'] as const) {
            if (grade[channel] === 0) continue;
            expect(Math.abs(own[channel] + grade[channel])).toBeLessThan(Math.abs(own[channel]));
          }
        }
      }),
    );
  });

  it('leaves what is nearly neutral as it is beside photos of the opposite cast', () => {
    const plain = { stops: -2, red: 0, neutralShare: 0.5 };
    const tones = [0.001, -0.03, -0.03].map((blue) => ({ ...plain, blue }));
    expect(gradePhotos(named(tones)).size).toBe(0);
  });

  it('does not depend on the order of the photos', () => {
    fc.assert(
      fc.property(fc.array(tone, { minLength: 2, maxLength: 20 }), (tones) => {
        const entries = [...named(tones)];
        const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(gradePhotos(new Map(entries.reverse())))).toEqual(sorted(gradePhotos(named(tones))));
      }),
    );
  });

  it('leaves one photo alone, and photos that are alike', () => {
    expect(gradePhotos(named([{ ...NORMAL, stops: -3 }])).size).toBe(0);
    expect(gradePhotos(named([NORMAL, { ...NORMAL, stops: -1.65 }, { ...NORMAL, blue: -0.065 }])).size).toBe(
      0,
    );
  });

  it('lifts a dim room a part of the way, and hardly darkens a light one', () => {
    expect(gradeAmongNormal({ stops: -2.0 })).toEqual({ stops: 0.16, blue: 0, red: 0 });
    expect(gradeAmongNormal({ stops: -0.8 })).toEqual({ stops: -0.08, blue: 0, red: 0 });
  });

  it('leaves dusk and night as they are', () => {
    expect(gradeAmongNormal({ stops: -3.2, blue: 0.12 })).toBeUndefined();
  });

  it('takes back a part of lamplight, less when little in the photo is grey', () => {
    expect(gradeAmongNormal({ blue: -0.12, red: 0.08 })).toEqual({ stops: 0, blue: 0.024, red: -0.02 });
    expect(gradeAmongNormal({ blue: -0.12, neutralShare: 0.075 })?.blue).toBe(0.012);
  });
});

describe('a storyboard', () => {
  const photos = samplePhotos(8);
  const dim = photos[2]!;
  const toneOf = ({ digest }: { digest: string }) =>
    digest === dim.digest ? { ...NORMAL, stops: -2.1 } : NORMAL;
  const gradesIn = ({ scenes }: Storyboard) =>
    scenes
      .flatMap(({ layers }) => layers.filter((layer): layer is PhotoLayer => layer.type === 'photo'))
      .flatMap(({ digest, grade }) => (grade === undefined ? [] : [{ digest, grade }]));

  it('grades photos only when asked', () => {
    expect(gradesIn(sampleStoryboard({ photos, toneOf }))).toEqual([]);
    expect(gradesIn(sampleStoryboard({ photos, toneOf, data: { grade: 'none' } }))).toEqual([]);
  });

  it('gives every layer of a photo the same grade, and a portrait none', () => {
    const portrait = samplePhoto('portrait', 800, 1000);
    const found = gradesIn(sampleStoryboard({ photos, portrait, toneOf, data: { grade: 'gentle' } }));
    expect(found.length).toBeGreaterThan(0);
    for (const { digest, grade } of found) {
      expect(digest).toBe(dim.digest);
      expect(grade).toEqual({ stops: 0.2, blue: 0, red: 0 });
    }
  });
});
