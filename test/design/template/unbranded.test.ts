/** What unbranded promises of a video: the front over its words on a phone and another view under them, the date with the facts, a quiet ending. */
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import { RATIOS, samplePhoto, samplePhotos, sampleStoryboard } from '../storyboard/sample.ts';

const template = await loadTemplate('unbranded');
const USUAL = { status: 'For sale', price: '$1,150,000' };
const HEADLINE = 'A shingle-style family house between the old town, the lake and the good school';
const DATES = 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM';
const KEPT = ['price', 'status', 'open_house', 'link'] as const;

const board = (ratio: (typeof RATIOS)[number], data: Record<string, string>, count = 12) =>
  sampleStoryboard({ template, ratio, data, photos: samplePhotos(count, 1024, 683), unbrandedKeep: KEPT });
const sceneOf = (scenes: readonly Scene[], kind: string) => scenes.find((scene) => scene.kind === kind)!;
const photoHeights = ({ layers }: Scene, frameHeight = 1920) =>
  layers.flatMap(({ type, box }) => (type === 'photo' ? [box.h / frameHeight] : []));
const photoHeight = (scene: Scene, frameHeight?: number) => Math.max(...photoHeights(scene, frameHeight));
const texts = ({ layers }: Scene) => layers.filter((layer) => layer.type === 'text');

describe('unbranded', () => {
  it.each([
    ['usual words', 12, USUAL, 0.419],
    ['a headline', 12, { ...USUAL, headline: HEADLINE }, 0.343],
    [
      'all words of a video without facts',
      12,
      { ...USUAL, headline: HEADLINE, open_house: DATES, show_facts: 'false' },
      0.343,
    ],
  ])('opens on a phone with the front over %s and another view under them', (_, count, data, least) => {
    const opening = sceneOf(board('1080:1920', data, count).scenes, 'hero');
    const [front, view] = photoHeights(opening);
    expect(opening.layers.find(({ type }) => type === 'photo')!.box.y).toBe(0);
    expect(front).toBeGreaterThanOrEqual(least);
    expect(view).toBeGreaterThanOrEqual(0.327);
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

  it('says a caption on a photo that fills a phone, of a house only in its sky', () => {
    const captionOn = (name: string, top: number) => {
      const subject = { left: 0.2, right: 0.8, tip: top, top, bottom: 0.9 };
      const photos = samplePhotos(12, 1024, 683).map((photo, index) =>
        index === 3
          ? { ...samplePhoto(`${name}.jpg`, 1024, 683), ...(name === 'exterior' && { subject }) }
          : photo,
      );
      const made = sampleStoryboard({
        template,
        ratio: '1080:1920',
        data: { caption_04: 'The lawn' },
        photos,
      });
      const scene = made.scenes.find((each) => texts(each).some(({ reads }) => reads === 'The lawn'))!;
      return scene.layers.find(({ type }) => type === 'photo')!.box.y;
    };
    expect(captionOn('kitchen', 0)).toBe(0);
    expect(captionOn('exterior', 0.45)).toBe(0);
    expect(captionOn('exterior', 0.02)).toBeGreaterThan(380);
  });

  it('says street and place in one place in hook and opening of a phone', () => {
    const { scenes } = board('1080:1920', USUAL);
    const opening = sceneOf(scenes, 'hero');
    for (const hook of scenes.filter(({ kind }) => kind === 'hook'))
      for (const { reads, box } of texts(hook))
        expect(texts(opening).find((text) => text.reads === reads)?.box).toEqual(box);
  });

  it('ends with street, place, postal code, price and facts, which come with their ground and then stand still', () => {
    for (const [ratio, height, least] of [
      ['1920:1080', 1080, 0.75],
      ['1080:1920', 1920, 0.54],
    ] as const) {
      const { scenes, fps } = board(ratio, USUAL);
      const ending = scenes.at(-1)!;
      expect(photoHeight(ending, height)).toBeGreaterThanOrEqual(least - 0.001);
      const says = texts(ending).flatMap(({ reads }) => reads || []);
      expect(says.slice(0, 2)).toEqual(['128 Harbor Pine Lane', 'Portland, OR 97205']);
      expect(says).toContain('$1,150,000');
      expect(says.slice(-6).join(' ')).toMatch(/^4 beds.*2,840 sq ft$/);
      for (const { endFrame } of ending.layers.flatMap(({ tracks = [] }) => tracks))
        expect(endFrame / fps).toBeLessThanOrEqual(0.8);
      const colorOf = (scene: Scene) => texts(scene).at(0)!.color;
      expect(colorOf(ending)).toBe(colorOf(sceneOf(scenes, 'hero')));
    }
  });
});
