/** Every listing keeps the layout rules (src/design/storyboard/README.md), in every template and both ratios. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../src/design/photo.ts';
import type { PhotoLight } from '../../../src/design/storyboard/elements/scene-context.ts';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import type { Scene } from '../../../src/design/storyboard/storyboard.ts';
import {
  photoMap,
  RATIOS,
  type Sample,
  samplePhotos,
  sampleStoryboard,
  templates,
} from '../storyboard/sample.ts';
import { anySample, STRESS_SAMPLES } from '../storyboard/stress-samples.ts';

const LIGHTS = {
  white: () => 1,
  black: () => 0,
  // A window in a dark room: the hardest for type, which cannot be dark or light all over.
  window: (x: number) => (x > 0.4 && x < 0.6 ? 1 : 0.02),
  dim: (x: number) => 0.3 + 0.3 * x,
} satisfies Record<string, (x: number) => number>;

describe.each(templates.map((template) => ({ id: template.id, template })))('$id', ({ template }) => {
  describe.each(RATIOS)('in %s keeps the laws with', (ratio) => {
    it.each(Object.entries(STRESS_SAMPLES))('%s', (_, sample) => {
      expect(lint({ ...sample, template, ratio })).toEqual([]);
    });
    it.each(Object.entries(LIGHTS))('%s photos, lifted as far as photos are', (_, light) => {
      const seen = { lightOf: () => photoLight(light), toneOf: () => ({ stops: -2.6 }) };
      expect(lint({ template, ratio, ...seen, data: DATA })).toEqual([]);
    });
  });

  it.each(RATIOS)('parts the photos of a scene in %s', (ratio) => {
    const [wide, high] = ratio.split(':').map(Number) as [number, number];
    const touching = Object.values(template.ratios[ratio].scenes)
      .flat()
      .filter(({ elements }) => {
        const photos = elements.filter((element) => element.type === 'photo');
        const gaps = photos.flatMap(({ when = [], box: [x, y, w, h] }, index) =>
          photos.slice(index + 1).flatMap(({ when: others = [], box: [x2, y2, w2, h2] }) => {
            const neverBoth = [...when, ...others].some((name) => [...when, ...others].includes(`!${name}`));
            const [across, down] = [Math.max(x2 - x - w, x - x2 - w2), Math.max(y2 - y - h, y - y2 - h2)];
            return neverBoth ? [] : [Math.max(wide * across, high * down)];
          }),
        );
        const rows = elements.flatMap((element) => (element.type === 'mosaic' ? element.gap : []));
        // Less than this reads as one photo.
        return [...gaps, ...rows].some((gap) => gap < 11.5);
      });
    expect(touching.map(({ name }) => name)).toEqual([]);
  });

  it('keeps the laws with any listing', () => {
    fc.assert(
      fc.property(anySample(), fc.constantFrom(...RATIOS), (sample, ratio) => {
        expect(lint({ ...sample, template, ratio })).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });
});

const DATA = { headline: 'The Harbor Pine House', status: 'Just listed', price: '$1,250,000' };

function lint(sample: Sample): string[] {
  const photos = sample.photos ?? samplePhotos(12);
  const { lightOf } = sample;
  const digests = photoMap(photos);
  const lightOfDigest = (digest: string): PhotoLight | undefined => {
    const photo: Photo | undefined = digests.get(digest);
    return photo && lightOf?.(photo);
  };
  const board = sampleStoryboard({ ...sample, photos });
  const findings = lintStoryboard(board, digests, lightOfDigest);
  return [
    ...findings.map(({ rule, scene, layer, message }) => `${rule} ${scene} ${layer}: ${message}`),
    ...board.scenes.flatMap(repeatedIds),
  ];
}

/** Layers are found by their ids, such as those that a match-zoom grows from. */
function repeatedIds({ id: scene, layers }: Scene): string[] {
  const ids = layers.map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `repeated-id ${scene} ${id}`);
}

function photoLight(at: (x: number) => number): PhotoLight {
  const [columns, rows] = [120, 80];
  const luma = Float32Array.from({ length: columns * rows }, (_, index) => at((index % columns) / columns));
  return { columns, rows, luma };
}
