/** Another view that takes the place of the photo of an opening or of facts halfway, while their words stand. */
import { describe, expect, it } from 'vitest';
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

const photosOf = ({ layers }: Scene) => layers.filter((layer): layer is PhotoLayer => layer.type === 'photo');
const heroAt = (scenes: readonly Scene[]) => scenes.findIndex(({ kind }) => kind === 'hero');
const seenFrom = ({ tracks = [] }: Layer) =>
  tracks.find(({ property, from }) => property === 'opacity' && from === 0)?.startFrame;
const goneAt = ({ tracks = [] }: Layer) =>
  tracks.find(({ property, to }) => property === 'opacity' && to === 0)?.endFrame;

describe.each(VIDEOS)('a long opening of $id in $ratio', ({ template, ratio }) => {
  const { scenes, fps } = sampleStoryboard({ template, ratio, photos: PHOTOS, data: DATA, beats: BEATS });
  const at = heroAt(scenes);
  const hero = scenes[at]!;
  const [first, next, ...others] = photosOf(hero);

  it('shows a second good view in the place of the first one, on a beat, where its words leave that free', () => {
    expect(first!.digest).toBe('digest-1-front.jpg');
    expect(others).toEqual([]);
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

  it('is one frame of its first view and first words where the poster comes first', () => {
    const board = sampleStoryboard({
      ...{ template, ratio, photos: PHOTOS, beats: BEATS },
      data: { ...DATA, 'poster-first': 'true' },
    });
    const [poster] = board.scenes;
    expect(photosOf(poster!).map(({ digest }) => digest)).toEqual([first!.digest]);
    const ids = new Set(poster!.layers.map(({ id }) => id));
    // In social they follow one another.
    const words = [...ids].filter((id) => /^(price|headline|open-house)$/.test(id));
    if (template.id === 'social') expect(words).toEqual(['price']);
  });
});

it('shows the next best view where words stand on what matters in the best one', () => {
  const template = templates.find(({ id }) => id === 'modern')!;
  const photos = listed(PHOTOS);
  // The status hangs in the photo's corner.
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

it.each(VIDEOS)('of five photos $id in $ratio shows no second view', ({ template, ratio }) => {
  const few = sampleStoryboard({
    template,
    ratio,
    photos: PHOTOS.slice(0, 4).concat(PHOTOS[10]!),
    data: DATA,
  });
  expect(photosOf(few.scenes[heroAt(few.scenes)]!)).toHaveLength(1);
});

it.each(RATIOS)('the photo of a closing moves to its last frame in %s', (ratio) => {
  const template = templates.find(({ id }) => id === 'unbranded')!;
  const { scenes } = sampleStoryboard({ template, ratio, photos: PHOTOS, data: DATA });
  expect(photosOf(scenes.at(-1)!)[0]!.camera.easing).toBe('land');
});
