/** What unbranded promises of a video: a large photo beside its words on a phone, the date with the facts, an ending of its own. */
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import { RATIOS, samplePhotos, sampleStoryboard } from '../storyboard/sample.ts';

const template = await loadTemplate('unbranded');
const USUAL = { status: 'For sale', price: '$1,150,000' };
const HEADLINE = 'A shingle-style family house between the old town, the lake and the good school';
const DATES = 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM';
const KEPT = ['price', 'status', 'open_house', 'link'] as const;

const board = (ratio: (typeof RATIOS)[number], data: Record<string, string>, count = 12) =>
  sampleStoryboard({ template, ratio, data, photos: samplePhotos(count, 1024, 683), unbrandedKeep: KEPT });
const sceneOf = (scenes: readonly Scene[], kind: string) => scenes.find((scene) => scene.kind === kind)!;
const photoHeight = ({ layers }: Scene, frameHeight = 1920) =>
  Math.max(...layers.map(({ type, box }) => (type === 'photo' ? box.h : 0))) / frameHeight;
const texts = ({ layers }: Scene) => layers.filter((layer) => layer.type === 'text');

describe('unbranded', () => {
  it.each([
    ['usual words', 12, USUAL, 0.62],
    ['a headline', 12, { ...USUAL, headline: HEADLINE }, 0.58],
    ['all words of five photos', 5, { ...USUAL, headline: HEADLINE, open_house: DATES }, 0.5],
  ])('opens on a phone with a large photo under %s', (_, count, data, least) => {
    const opening = sceneOf(board('1080:1920', data, count).scenes, 'hero');
    expect(photoHeight(opening)).toBeGreaterThanOrEqual(least - 0.001);
    const street = texts(opening).find(({ id }) => id.startsWith('address'))!;
    expect(street.style.sizePx).toBeGreaterThanOrEqual(64);
    for (const { style } of texts(opening)) expect(style.sizePx).toBeGreaterThanOrEqual(40);
  });

  it.each(RATIOS)('says two dates whole beside the facts in %s', (ratio) => {
    const facts = sceneOf(board(ratio, { ...USUAL, open_house: DATES }).scenes, 'facts');
    const date = texts(facts).filter(({ id }) => id.startsWith('open-house'));
    expect(date.map(({ reads }) => reads).join(' ')).toContain('11 AM–1 PM');
    expect(date.flatMap(({ lines }) => lines.map(({ text }) => text)).join('')).not.toContain('…');
  });

  it.each(RATIOS)('says the price larger than the numbers of the house in %s', (ratio) => {
    const facts = texts(sceneOf(board(ratio, USUAL).scenes, 'facts'));
    const sizeOf = (reads: string) => facts.find((text) => text.reads === reads)!.style.sizePx;
    for (const number of ['4', '3.5', '2,840'])
      expect(sizeOf('$1,150,000')).toBeGreaterThan(1.15 * sizeOf(number));
  });

  it('says a long caption of a wide frame in two lines', () => {
    const caption_01 =
      'Kitchen with granite counters, a gas range by Wolf, a walk-in pantry, and an island with seats for four beside the window';
    const { scenes } = board('1920:1080', { ...USUAL, caption_01 });
    const caption = scenes.flatMap(texts).find(({ reads }) => reads === caption_01)!;
    expect(caption.lines).toHaveLength(2);
    expect(caption.style.sizePx).toBeGreaterThanOrEqual(50);
  });

  it('draws back at the end of a wide video', () => {
    const { scenes } = board('1920:1080', USUAL);
    const photo = scenes.at(-1)!.layers.find(({ type }) => type === 'photo');
    if (photo?.type !== 'photo') throw new Error('the ending has no photo');
    expect(photo.camera.to.span).toBeGreaterThan(1.02 * photo.camera.from.span);
  });

  it('ends with street, price and facts together, on the ground of the opening', () => {
    for (const [ratio, height, least] of [
      ['1920:1080', 1080, 0.75],
      ['1080:1920', 1920, 0.5],
    ] as const) {
      const { scenes } = board(ratio, USUAL);
      const ending = scenes.at(-1)!;
      expect(photoHeight(ending, height)).toBeGreaterThanOrEqual(least - 0.001);
      const says = texts(ending).map(({ reads }) => reads);
      for (const words of ['128 Harbor Pine Lane', '$1,150,000', '2,840'])
        expect(says.join(' ')).toContain(words);
      // No band stands there before its words.
      for (const { tracks = [] } of ending.layers) expect(tracks).toEqual([]);
      const colorOf = (scene: Scene) => texts(scene).at(0)!.color;
      expect(colorOf(ending)).toBe(colorOf(sceneOf(scenes, 'hero')));
    }
  });
});
