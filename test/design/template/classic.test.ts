/** What classic promises of a video: large photos in opening and facts, and groups that fill a wide frame. */
import { describe, expect, it } from 'vitest';
import type { Scene, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { samplePhoto, samplePhotos, sampleStoryboard } from '../storyboard/sample.ts';

const STATUS = { status: 'Just listed', price: '$2,450,000' };
const HEADLINE = { ...STATUS, headline: 'A restored estate above the harbor, with walled gardens' };
const VISIT = { open_house: 'Sat, Dec 12, 1–3 PM and Sun, Dec 13, 11 AM–1 PM' };

const first = ({ scenes }: Storyboard, kind: Scene['kind']): Scene =>
  scenes.find((scene) => scene.kind === kind)!;

function photoBox(scene: Scene) {
  return scene.layers.find(({ type }) => type === 'photo')!.box;
}

describe('on a phone, classic', () => {
  const board = (data: Record<string, string>, count = 12) =>
    sampleStoryboard({ ratio: '1080:1920', data, photos: samplePhotos(count) });
  const printsIn = (scene: Scene) => scene.layers.flatMap(({ type, box }) => (type === 'photo' ? [box] : []));

  it.each([
    ['the address alone', { show_facts: 'false' }, 12, [0.3555, 0.435]],
    ['status, price and an open house', { ...STATUS, ...VISIT }, 12, [0.3555, 0.3105]],
    ['a headline', { ...HEADLINE, ...VISIT }, 12, [0.27, 0.326]],
    ['all words, of five photos', { ...HEADLINE, ...VISIT }, 5, [0.42]],
  ])(
    'shows one or two prints in an opening with %s, and type of 40 px and more',
    (_, data, count, shares) => {
      const opening = first(board(data, count), 'hero');
      const heights = printsIn(opening).map(({ h }) => h / 1920);
      for (const [at, share] of shares.entries()) expect(heights[at]).toBeCloseTo(share, 2);
      const sizes = opening.layers.flatMap((layer) => (layer.type === 'text' ? [layer.style.sizePx] : []));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(40);
    },
  );

  it.each([
    [STATUS, 0.3525],
    [{ ...STATUS, ...VISIT }, 0.272],
  ])('has the numbers of %o between two prints', (data, share) => {
    const facts = first(board(data), 'facts');
    const [above, below] = printsIn(facts);
    expect(above!.h / 1920).toBeCloseTo(share, 2);
    for (const { type, box } of facts.layers) {
      if (type !== 'text') continue;
      expect(box.y).toBeGreaterThanOrEqual(above!.y + above!.h);
      expect(box.y + box.h).toBeLessThanOrEqual(below!.y);
    }
  });

  it('leaves the address of hook and opening where it is, whatever the opening adds', () => {
    const { scenes } = board({ ...HEADLINE, ...VISIT });
    const places = scenes
      .filter(({ kind }) => kind === 'hook' || kind === 'hero')
      .map(({ layers }) => layers.find(({ type, id }) => type === 'text' && id.startsWith('address'))!.box);
    expect(places.length).toBeGreaterThan(1);
    for (const place of places) expect(place).toEqual(places[0]);
  });
});

describe('in a wide frame, classic', () => {
  it('has a photo of the whole height on 0.6 of the width beside the words of an opening', () => {
    const { x, y, w, h } = photoBox(first(sampleStoryboard({ data: { ...HEADLINE, ...VISIT } }), 'hero'));
    expect([x, y, h]).toEqual([0, 0, 1080]);
    expect(w / 1920).toBeGreaterThan(0.6);
  });

  it.each([
    ['pair', 1500, 1000],
    ['three', 1000, 1500],
  ] as const)('has a %s that fills the frame, with 16 px of paper between the photos', (kind, w, h) => {
    const photos = Array.from({ length: 24 }, (_, at) => samplePhoto(`photo-${at + 1}`, w, h));
    const boxes = first(sampleStoryboard({ photos }), kind).layers.flatMap(({ type, box }) =>
      type === 'photo' ? [box] : [],
    );
    expect(boxes[0]!.x).toBe(0);
    expect(boxes.at(-1)!.x + boxes.at(-1)!.w).toBe(1920);
    for (const [at, box] of boxes.entries()) {
      expect([box.y, box.h]).toEqual([0, 1080]);
      if (at > 0) expect(box.x - boxes[at - 1]!.x - boxes[at - 1]!.w).toBe(16);
    }
  });
});
