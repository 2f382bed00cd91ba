/** What crops and cameras keep of a house under its sky, and which photos are never cut to columns. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../../src/design/photo.ts';
import {
  canCover,
  partAround,
  restingPart,
  subjectLoss,
  viewAbove,
} from '../../../../src/design/storyboard/scenes/fit-photo.ts';
import type { PhotoLayer, Storyboard } from '../../../../src/design/storyboard/storyboard.ts';
import { RATIOS, samplePhoto, sampleStoryboard, templates } from '../sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const WIDE_VIDEOS = VIDEOS.filter(([, ratio]) => ratio === '1920:1080');
const GROUPS = new Set(['pair', 'three', 'four', 'six']);
/** The tower is near the upper edge; what catches the eye is the lawn. */
const HOUSE = { left: 0.2, right: 0.75, tip: 0.06, top: 0.2, bottom: 0.7 };
const LAWN = { x: 0.9, y: 0.85 };

function houses(count: number, name = (index: number) => `exterior-${index + 1}.jpg`): Photo[] {
  return Array.from({ length: count }, (_, index) => ({
    ...samplePhoto(name(index), 3000, 2000, LAWN),
    subject: HOUSE,
  }));
}

function photoLayers(board: Storyboard): PhotoLayer[] {
  return board.scenes.flatMap(({ layers }) =>
    layers.filter(
      (layer): layer is PhotoLayer => layer.type === 'photo' && layer.digest !== 'digest-portrait',
    ),
  );
}

/** Upper and lower edge of what is seen of a photo of 3:2, at both ends of its camera. */
function viewsOf({ box, camera }: PhotoLayer) {
  return [camera.from, camera.to].map(({ cy, span }) => {
    const height = Math.min(1, (span * 1.5) / (box.w / box.h));
    return { top: cy - height / 2, bottom: cy + height / 2, height };
  });
}

it('gives two fifths of a wide view to the sky over a low house, with palms before it, and comes nearer where it is sharp', () => {
  const subject = { left: 0, right: 1, tip: 0.02, top: 0.4, bottom: 0.67 };
  const seen = (widthPx: number, box = { x: 0, y: 0, w: 1920, h: 1080 }) =>
    restingPart({ ...samplePhoto('low', widthPx, widthPx * 0.75), subject }, box);
  const [small, large] = [seen(1020), seen(2560)];
  for (const { top, height } of [small, large]) expect((subject.top - top) / height).toBeCloseTo(0.4, 6);
  expect(small.width).toBeGreaterThan(0.98);
  expect(large.height).toBeCloseTo((subject.bottom - subject.top) / 0.4, 6);
  // A phone shows all of its height.
  expect(seen(2560, { x: 0, y: 0, w: 1080, h: 1920 }).height).toBe(1);
});

describe.each(VIDEOS)('%s %s', (_, ratio, template) => {
  it('shows tower and door of a house wherever both have room, also at the end of the camera', () => {
    const board = sampleStoryboard({ template, ratio, photos: houses(12) });
    for (const view of photoLayers(board).flatMap(viewsOf)) {
      if (view.height < HOUSE.bottom - HOUSE.tip) continue;
      expect(view.top).toBeLessThanOrEqual(HOUSE.tip + 1e-6);
      expect(view.bottom).toBeGreaterThanOrEqual(HOUSE.bottom - 1e-6);
    }
  });

  it.each([
    [3000, 2250],
    [3000, 2000],
    [2000, 3000],
  ])('gives a fifth at most to the asphalt before a house, in photos of %d x %d', (widthPx, heightPx) => {
    const photos = Array.from({ length: 9 }, (__, index) => ({
      ...samplePhoto(`exterior-${index + 1}.jpg`, widthPx, heightPx, LAWN),
      subject: { left: 0.3, right: 0.7, tip: 0.1, top: 0.35, bottom: 0.71 },
      bareFrom: 0.72,
    }));
    for (const { box, camera } of photoLayers(sampleStoryboard({ template, ratio, photos })))
      for (const { cy, span } of [camera.from, camera.to]) {
        const height = Math.min(1, (span * widthPx * box.h) / (box.w * heightPx));
        expect((cy + height / 2 - 0.72) / height).toBeLessThanOrEqual(0.2 + 1e-6);
      }
  });

  it('treats rooms as if they had neither sky nor street', () => {
    const rooms = houses(12, (index) => `kitchen-${index + 1}.jpg`).map((photo) => ({
      ...photo,
      bareFrom: 0.7,
    }));
    const plain = rooms.map(({ subject: __, bareFrom: ___, ...photo }) => photo);
    expect(sampleStoryboard({ template, ratio, photos: rooms })).toEqual(
      sampleStoryboard({ template, ratio, photos: plain }),
    );
  });
});

describe.each(WIDE_VIDEOS)('groups in %s %s', (_, ratio, template) => {
  it.each([
    ['3:2', 1024, 683, false],
    ['4:3', 1020, 764, false],
    ['3:2 with captions', 1024, 683, true],
    ['4:3 with captions', 1600, 1200, true],
    ['3:2, thirty', 3000, 2000, false],
  ])('never cut a third off the sides of a bed, in photos of %s', (name, widthPx, heightPx, hasCaptions) => {
    const photos = Array.from({ length: name.endsWith('thirty') ? 30 : 14 }, (__, index) =>
      samplePhoto(`bedroom-${index + 1}.jpg`, widthPx, heightPx),
    );
    const assets = photos.map(({ url }) => ({
      url,
      ...(hasCaptions ? { caption: 'The bedroom over the garden' } : {}),
    }));
    const { scenes } = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const groups = scenes.filter(({ kind }) => GROUPS.has(kind));
    const layers = groups.flatMap((scene) => scene.layers);
    for (const layer of layers) {
      if (layer.type !== 'photo') continue;
      // For a moment and without words, two of social fill the height.
      const least = template.id === 'social' && !hasCaptions ? 0.58 : 0.65;
      expect(layer.box.w / layer.box.h / (widthPx / heightPx) + crossed(layer)).toBeGreaterThan(least);
    }
  });
});

/** What a camera crosses is seen in time, share of the photo's width. */
function crossed({ camera }: PhotoLayer): number {
  return Math.abs(camera.to.cx - camera.from.cx);
}

describe('a crop', () => {
  const box = { x: 0, y: 0, w: 2340, h: 1000 };
  const photo = { widthPx: 3000, heightPx: 2000, focus: LAWN };
  const topOf = (subject: Partial<typeof HOUSE>) => {
    const { top, height } = partAround({ ...photo, subject: { ...HOUSE, ...subject } }, box, 1);
    return { top, bottom: top + height };
  };

  it('gives up sky before lawn, and lawn before the house', () => {
    // 0.641 of the photo is seen: the tower has room, the sky over it none.
    expect(topOf({ tip: 0.07 }).top).toBeLessThan(0.07);
    expect(topOf({ tip: 0.07 }).bottom).toBeCloseTo(HOUSE.bottom, 5);
    expect(topOf({ tip: 0.4, top: 0.45, bottom: 0.8 }).bottom).toBe(1);
  });

  it('keeps the gable of a house whose foot, which is a guess, could be bushes', () => {
    expect(topOf({ tip: 0.07, top: 0.16, bottom: 0.79 }).top).toBeLessThan(0.07);
  });

  it('keeps the ground of a house whose tower has no room, and the roof of one that is too high', () => {
    expect(topOf({ bottom: 0.75 }).bottom).toBeCloseTo(0.75, 5);
    expect(topOf({ tip: 0.02, top: 0.1, bottom: 0.9 }).top).toBeCloseTo(0.1, 5);
  });

  it('comes nearer where a photo ends in asphalt, as far as its size and its house allow', () => {
    const street = { ...photo, subject: { ...HOUSE, left: 0.1, right: 0.9 }, bareFrom: 0.72 };
    const seen = (of: Partial<typeof street> = {}, place = { x: 0, y: 0, w: 1500, h: 1000 }) =>
      restingPart({ ...street, ...of }, place);
    expect(seen().height).toBeCloseTo(0.9, 5);
    expect(seen().top).toBe(0);
    // 1.25 times nearer at most, and 0.34 of the house can be cut off.
    expect(seen({ bareFrom: 0.5 }).height).toBeCloseTo(0.8, 5);
    const wide = { ...street.subject, left: 0, right: 1 };
    expect(seen({ subject: wide }, { x: 0, y: 0, w: 1050, h: 1000 }).width).toBeCloseTo(0.66, 5);
    expect(seen({ widthPx: 600, heightPx: 400 }).height).toBe(1);
    expect(seen({ bareFrom: undefined } as never).height).toBe(1);
  });

  it('does not fit where it loses a third of the width or a fifth of the height', () => {
    const of = (subject: Partial<typeof HOUSE>) => ({ ...photo, subject: { ...HOUSE, ...subject } });
    const column = { x: 0, y: 0, w: 1000, h: 1080 };
    expect(canCover(of({}), column, 0.45)).toBe(true);
    expect(canCover(of({ left: 0, right: 1 }), column, 0.45)).toBe(false);
    expect(canCover(of({ bottom: 0.7 }), box, 0.45)).toBe(true);
    expect(canCover(of({ bottom: 0.95 }), box, 0.45)).toBe(false);
    expect(subjectLoss(of({ left: 0, right: 1 }), column)).toBeCloseTo(1 - 1000 / 1080 / 1.5, 5);
  });

  it('lifts the house above the words, roof and all, as far as the photo goes', () => {
    const upright = { widthPx: 900, heightPx: 1350, focus: LAWN };
    const place = { x: 0, y: 0, w: 1080, h: 1612 };
    const of = (subject: Partial<typeof HOUSE>, share: number) => {
      const photo = { ...upright, subject: { ...HOUSE, tip: 0.3, top: 0.35, bottom: 0.6, ...subject } };
      const { focus, closer } = viewAbove(photo, place, share);
      return { top: focus.y - 0.5 / closer, bottom: (0.6 - focus.y) * closer + 0.5, closer };
    };
    expect(of({}, 0.55).bottom).toBeLessThanOrEqual(0.56);
    expect(of({}, 0.7).closer).toBe(1);
    expect(of({}, 0.1).top).toBeLessThanOrEqual(0.3);
    expect(of({ left: 0, right: 1 }, 0.1).closer).toBeLessThanOrEqual(1.2);
  });

  it('lets words hide the asphalt before a house, and leaves air over its roof for the camera', () => {
    const place = { x: 0, y: 0, w: 1920, h: 1080 };
    const photo = { widthPx: 1020, heightPx: 764, focus: { x: 0.5, y: 0.5 }, bareFrom: 0.67 };
    const lifted = viewAbove(photo, place, 0.66);
    expect(lifted.focus.y + 0.5 * 0.75).toBeGreaterThan(0.85);
    const tall = { ...photo, bareFrom: 1, subject: { ...HOUSE, tip: 0.1, bottom: 0.9 } };
    const { focus, closer } = viewAbove(tall, place, 0.66);
    expect(focus.y - (0.5 * 0.75) / closer).toBeLessThan(0.07);
  });

  it('shows a room without a house to its foot before what is over its focus', () => {
    const room = { widthPx: 1500, heightPx: 1000, focus: { x: 0.5, y: 0.4 } };
    const { focus, closer } = viewAbove(room, { x: 0, y: 0, w: 1920, h: 910 }, 0.33);
    expect(closer).toBe(1);
    expect(focus.y - (1.5 * 910) / 1920 / 2).toBeGreaterThan(0.28);
  });

  it('never leaves the photo', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(share, { minLength: 3, maxLength: 3 }),
        fc.array(share, { minLength: 2, maxLength: 2 }),
        share,
        share,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (heights, sides, x, y, aspect, width) => {
          const [tip, top, bottom] = heights.toSorted((a, b) => a - b) as [number, number, number];
          const [left, right] = sides.toSorted((a, b) => a - b) as [number, number];
          const subject = { left, right, tip, top, bottom };
          const part = partAround(
            { ...photo, focus: { x, y }, subject },
            { x: 0, y: 0, w: 1000 * aspect, h: 1000 },
            width,
          );
          expect(part.left).toBeGreaterThanOrEqual(0);
          expect(part.top).toBeGreaterThanOrEqual(0);
          expect(part.left + part.width).toBeLessThanOrEqual(1 + 1e-9);
          expect(part.top + part.height).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });
});
