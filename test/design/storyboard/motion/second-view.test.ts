/** Another view that takes the place of the photo of an opening or of facts halfway, while their words stand. */
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../../src/design/photo.ts';
import type { Layer, PhotoLayer, Scene } from '../../../../src/design/storyboard/storyboard.ts';
import { listed, RATIOS, samplePhoto, sampleStoryboard, templates } from '../sample.ts';

const NAMES = [
  ...['front', 'kitchen', 'living', 'bedroom', 'bath', 'kitchen', 'living', 'dining', 'bedroom', 'bath'],
  ...['exterior', 'exterior', 'exterior'],
];
const PHOTOS = NAMES.map((name, index) => samplePhoto(`${index + 1}-${name}.jpg`, 2048, 1366));
const BEATS = { bpm: 84, beatsPerBar: 4 };
const BEAT_FRAMES = (60 * 30) / BEATS.bpm;
const DATA = {
  status: 'New listing',
  price: '2849000',
  headline: 'A shingle-style family house between the old town, the lake and the good school',
  open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM',
};
const VIDEOS = templates.flatMap((template) => RATIOS.map((ratio) => ({ id: template.id, template, ratio })));
/** Others show two views at once. */
const ONE_AT_A_TIME = VIDEOS.filter(({ template, ratio }) => template.ratios[ratio].heroPhotos === 1);

const photosOf = ({ layers }: Scene) => layers.filter((layer): layer is PhotoLayer => layer.type === 'photo');
const heroAt = (scenes: readonly Scene[]) => scenes.findIndex(({ kind }) => kind === 'hero');
const seenFrom = ({ tracks = [] }: Layer) =>
  tracks.find(({ property, from }) => property === 'opacity' && from === 0)?.startFrame;
const goneAt = ({ tracks = [] }: Layer) =>
  tracks.find(({ property, to }) => property === 'opacity' && to === 0)?.endFrame;

describe.each(ONE_AT_A_TIME)('a long opening of $id in $ratio', ({ template, ratio }) => {
  const { scenes, fps } = sampleStoryboard({ template, ratio, photos: PHOTOS, data: DATA, beats: BEATS });
  const at = heroAt(scenes);
  const hero = scenes[at]!;
  const [first, next, ...others] = photosOf(hero);

  it('shows a second good view in the place of the first one, on a beat, where its words leave that free', () => {
    expect(first!.digest).toBe('digest-1-front.jpg');
    expect(others).toEqual([]);
    // Classic shows both prints on one page of a phone.
    if (template.ratios[ratio].heroPhotos > 1) {
      expect(next!.digest).toMatch(/exterior/);
      expect(next!.box.y).toBeGreaterThan(first!.box.y + first!.box.h);
      return;
    }
    // In a wide frame of social the words can stand on what matters in it.
    if (next === undefined) expect([template.id, ratio]).toEqual(['social', '1920:1080']);
    else {
      expect(next.digest).toMatch(/exterior|kitchen|living|dining/);
      expect(next.box).toEqual(first!.box);
      const { nextViewSec = Number.NaN } = template.ratios[ratio].pacing;
      const middle = seenFrom(next)! + (nextViewSec * fps) / 2;
      const off = middle / BEAT_FRAMES - Math.round(middle / BEAT_FRAMES);
      expect(Math.abs(off) * BEAT_FRAMES).toBeLessThanOrEqual(1);
      expect(seenFrom(next)! / fps).toBeGreaterThanOrEqual(1.5);
      expect((hero.durationFrames - seenFrom(next)!) / fps).toBeGreaterThan(0.9);
      expect(goneAt(first!)).toBeGreaterThanOrEqual(seenFrom(next)!);
      expect(next.camera.from).not.toEqual(next.camera.to);
    }
  });

  it('takes it neither from the hook nor from what comes right after', () => {
    const near = [...scenes.slice(0, at), ...scenes.slice(at + 1, at + 3)].flatMap(photosOf);
    expect(near.map(({ digest }) => digest)).not.toContain(next?.digest);
  });

  it('is one frame of its first view where the poster comes first', () => {
    const board = sampleStoryboard({
      ...{ template, ratio, photos: PHOTOS, beats: BEATS },
      data: { ...DATA, 'poster-first': 'true' },
    });
    const [poster] = board.scenes;
    expect(photosOf(poster!).map(({ digest }) => digest)).toEqual(
      (template.ratios[ratio].heroPhotos > 1 ? [first, next] : [first]).map((photo) => photo!.digest),
    );
  });
});

it('shows the next best view where words stand on what matters in the best one', () => {
  const modern = templates.find(({ id }) => id === 'modern')!;
  const wide = modern.ratios['1920:1080'];
  // The status hangs in the photo's corner.
  const hero = wide.scenes.hero.map((variant) => ({
    ...variant,
    elements: variant.elements.map((one) => (one.id === 'status' ? { ...one, at: [0.4, 0] as const } : one)),
  }));
  const ratios = { ...modern.ratios, '1920:1080': { ...wide, scenes: { ...wide.scenes, hero } } };
  const template = { ...modern, ratios } as typeof modern;
  const photos = listed(PHOTOS);
  const nextOf = (underWords?: string) => {
    const assets = photos.map(({ url, digest }) => ({
      url,
      ...(digest === underWords && { focus: { x: 0.05, y: 0.05 } }),
    }));
    const { scenes } = sampleStoryboard({ template, photos, listing: { assets }, data: DATA, beats: BEATS });
    return photosOf(scenes[heroAt(scenes)]!)[1]?.digest;
  };
  const best = nextOf();
  const after = nextOf(best);
  expect(best).toMatch(/exterior/);
  expect(after).toMatch(/exterior|kitchen|living|dining/);
  expect(after).not.toBe(best);
});

it.each(VIDEOS)('is never a panorama in $id in $ratio', ({ template, ratio }) => {
  const photos = listed([
    ...PHOTOS.slice(0, 10),
    ...['a', 'b', 'c'].map((name) => samplePhoto(`${name}-exterior.jpg`, 4000, 1600)),
  ]);
  const { scenes } = sampleStoryboard({ template, ratio, photos, data: DATA, beats: BEATS });
  const seconds = scenes.flatMap(photosOf).filter(({ id }) => id.endsWith('-next'));
  for (const { digest } of seconds) expect(digest).not.toContain('exterior');
});

describe.each(ONE_AT_A_TIME)('an opening of five photos of $id in $ratio', ({ template, ratio }) => {
  const photos = [...PHOTOS.slice(0, 4), PHOTOS[10]!];
  const house = { left: 0.1, right: 0.9, tip: 0.28, top: 0.3, bottom: 0.72 };
  const openingOf = (front: Partial<Photo>, listing = {}, data = {}) => {
    const board = sampleStoryboard({
      ...{ template, ratio, listing, beats: BEATS, data: { ...DATA, ...data } },
      photos: listed([{ ...photos[0]!, subject: house, ...front }, ...photos.slice(1)]),
    });
    return { ...board, hero: board.scenes[heroAt(board.scenes)]! };
  };

  it('is cut to its own photo on a beat, nearer, with roof and foot of the house and sharp', () => {
    const { hero } = openingOf({});
    const [first, near] = photosOf(hero);
    expect(near!.digest).toBe(first!.digest);
    expect(near!.box).toEqual(first!.box);
    const at = seenFrom(near!)!;
    expect(goneAt(first!)).toBe(at);
    expect(Math.abs(at / BEAT_FRAMES - Math.round(at / BEAT_FRAMES)) * BEAT_FRAMES).toBeLessThanOrEqual(1);
    const { from, to } = near!.camera;
    expect(from).not.toEqual(to);
    const widest = Math.max(from.span, to.span);
    const seen = Math.max(first!.camera.from.span, first!.camera.to.span);
    expect(seen / widest).toBeGreaterThanOrEqual(1.25);
    const height = (widest * 2048 * near!.box.h) / near!.box.w / 1366;
    const { cy } = from.span > to.span ? from : to;
    expect(cy - height / 2).toBeLessThanOrEqual(house.tip);
    expect(cy + height / 2).toBeGreaterThanOrEqual(house.bottom - 0.001);
  });

  it('stays as it is where the photo is altered, too small to come nearer, or its house would be cut', () => {
    const assets = photos.map(({ url }) => ({ url, altered: 'Virtually staged' }));
    for (const { hero } of [
      openingOf({}, { assets }),
      openingOf({ widthPx: 700, heightPx: 467 }),
      openingOf({ subject: { ...house, tip: 0.02, top: 0.03, bottom: 0.98 } }),
    ]) {
      const digests = photosOf(hero).map(({ digest }) => digest);
      expect(new Set(digests).size).toBe(digests.length);
    }
  });

  it('is its first view as a poster', () => {
    const { scenes, hero } = openingOf({}, {}, { 'poster-first': 'true' });
    const [poster] = scenes;
    expect(photosOf(hero)).toHaveLength(2);
    expect(photosOf(poster!)).toHaveLength(1);
    expect(photosOf(poster!)[0]!.camera.from.span).toBeGreaterThan(photosOf(hero)[1]!.camera.from.span);
  });
});

it.each([PHOTOS, [...PHOTOS.slice(0, 4), PHOTOS[10]!]])(
  'stands under the first one in social on a phone',
  (...photos) => {
    const template = templates.find(({ id }) => id === 'social')!;
    const { scenes, heightPx } = sampleStoryboard({ template, ratio: '1080:1920', photos, data: DATA });
    const [first, next, ...others] = photosOf(scenes[heroAt(scenes)]!);
    expect(first!.digest).toBe('digest-1-front.jpg');
    expect(next!.digest).toMatch(/exterior|kitchen|living|dining/);
    expect(next!.box.y).toBeGreaterThan(first!.box.y + first!.box.h);
    expect(next!.box.y + next!.box.h).toBe(heightPx);
    expect(others).toEqual([]);
  },
);

it.each(RATIOS)('the photo of a closing moves to its last frame in %s', (ratio) => {
  const template = templates.find(({ id }) => id === 'unbranded')!;
  const { scenes } = sampleStoryboard({ template, ratio, photos: PHOTOS, data: DATA });
  expect(photosOf(scenes.at(-1)!)[0]!.camera.easing).toBe('land');
});
