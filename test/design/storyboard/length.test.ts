/** How long a video is: it grows with the photos, and is as long as the data layer `length` says. */
import { describe, expect, it } from 'vitest';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import { bestFirst, leavingOrder } from '../../../src/design/storyboard/plan/leaving-order.ts';
import { planScenes } from '../../../src/design/storyboard/plan/plan-scenes.ts';
import type { PlannedPhoto } from '../../../src/design/storyboard/plan/planned-scene.ts';
import type { PhotoLayer, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import type { Asset } from '../../../src/listing/listing.ts';
import {
  CROWDED_AGENT,
  listed,
  photoMap,
  RATIOS,
  type Sample,
  samplePhotos,
  sampleStoryboard,
  templates,
} from './sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const BEATS = { bpm: 84, beatsPerBar: 4 };
const BEAT_SEC = 60 / BEATS.bpm;
/** A photo alone can be one of a run, which is shorter. */
const GROUPS = new Set(['pair', 'three', 'four', 'six']);
/** The sentences about a length that a video cannot have, or has no photos for. */
const OFF_LENGTH = /^the video is [\d.]+ s long, not \d+ s: /;

const secondsOf = ({ scenes, fps }: Storyboard) =>
  scenes.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / fps;
const photosIn = ({ scenes }: Storyboard) =>
  new Set(
    scenes.flatMap(({ layers }) =>
      layers.filter((layer): layer is PhotoLayer => layer.type === 'photo').map(({ digest }) => digest),
    ),
  );
const leavings = ({ warnings }: Storyboard) =>
  warnings.filter((warning) => warning.includes('left out: a video of'));

/** The photos that a sentence names: `photo 2 (a.jpg) is`, `9 of 30 photos (2 to 4, 7 and 9 to 13) are`. */
function numbersIn(sentence: string): number[] {
  const numbers = sentence.replace(/ left out:.*|^\d+ of \d+|\(\D[^)]*\)/g, '');
  return [...numbers.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );
}

describe.each(VIDEOS)('a video of %s in %s', (id, ratio, template) => {
  it('is never shorter with a photo more', () => {
    const design = template.ratios[ratio];
    const all = samplePhotos(60);
    const lengths = all.map((_, index) => {
      const { scenes } = planScenes(design, {
        photos: all.slice(0, index + 1),
        captions: all.slice(0, index + 1).map(() => ''),
        frame: ratio === '1920:1080' ? { w: 1920, h: 1080 } : { w: 1080, h: 1920 },
        texts: {},
        ending: template.branding === 'none' ? 'closing' : 'card',
        hasFacts: true,
        pace: 1,
      });
      return scenes.reduce((total, { sec }) => total + sec, 0);
    });
    for (let count = 5; count < 60; count++)
      expect(lengths[count]! - lengths[count - 1]!, `${count + 1} photos`).toBeGreaterThan(-0.5);
    const most = id === 'social' ? 24 : ratio === '1920:1080' ? 60 : 35;
    expect(Math.max(...lengths.slice(0, 40))).toBeLessThanOrEqual(most + 1e-6);
  });

  it('ends as late on the beats with 6 photos as with 5, and with 20 as with 19', () => {
    for (const count of [5, 19]) {
      const sec = (photos: number) =>
        secondsOf(
          sampleStoryboard({ template, ratio, photos: samplePhotos(photos, 1024, 682), beats: BEATS }),
        );
      expect(sec(count + 1) - sec(count), `${count} photos`).toBeGreaterThan(-0.1);
    }
  });

  it.each([
    [10, 20, BEATS],
    [15, 12, undefined],
    [30, 20, undefined],
    [45, 20, BEATS],
    [90, 6, undefined],
  ] as const)('of %i s and %i photos ends there, or says why not', (lengthSec, count, beats) => {
    const photos = samplePhotos(count);
    const sample: Sample = { template, ratio, photos, data: { length: `${lengthSec}s` } };
    const board = sampleStoryboard({ ...sample, ...(beats && { beats }) });
    const off = board.warnings.filter((warning) => OFF_LENGTH.test(warning));
    const isNear = Math.abs(secondsOf(board) - lengthSec) <= (beats ? BEAT_SEC : 0.5);
    // Six photos do not fill a minute and a half.
    expect(isNear).toBe(lengthSec < 90);
    expect(off).toHaveLength(isNear ? 0 : 1);
    expect(lintStoryboard(board, photoMap(photos))).toEqual([]);
    const leftOut = photos.filter(({ digest }) => !photosIn(board).has(digest));
    const named = leavings(board);
    expect(named).toHaveLength(leftOut.length === 0 ? 0 : 1);
    if (leftOut.length > 3) expect(named[0]).toMatch(`${leftOut.length} of ${count} photos (`);
    expect(named.flatMap(numbersIn)).toEqual(leftOut.map((photo) => photos.indexOf(photo) + 1));
    const least = template.ratios[ratio].pacing.minSceneSec;
    for (const { id: scene, durationFrames } of board.scenes.filter(({ kind }) => GROUPS.has(kind)))
      expect(durationFrames / board.fps, scene).toBeGreaterThanOrEqual(least * 0.94);
  });
});

it.each(VIDEOS)(
  'a video of %s in %s and 15 s opens, shows four to six photos one by one, and ends',
  (_, ratio, template) => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(20), data: { length: '15s' } });
    const [first, ...others] = board.scenes;
    const ends = others.filter(({ kind }) => kind === 'card' || kind === 'closing');
    const body = others.slice(0, -ends.length);
    // `04 / 12` of `modern` counts the photos that this video shows.
    expect(JSON.stringify(board.scenes)).not.toMatch(/ \/ 20\b/);
    expect(first!.kind).toBe('hero');
    expect(new Set(body.map(({ kind }) => kind))).toEqual(new Set(['photo']));
    expect(body.length).toBeGreaterThanOrEqual(4);
    expect(body.length).toBeLessThanOrEqual(6);
    for (const { durationFrames } of body) {
      expect(durationFrames).toBeGreaterThanOrEqual(1.2 * board.fps);
      expect(durationFrames).toBeLessThanOrEqual(2.3 * board.fps);
    }
    const endSec = ends.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / board.fps;
    expect(endSec).toBeGreaterThanOrEqual(2);
    expect(endSec).toBeLessThanOrEqual(4.5);
  },
);

describe.each(RATIOS)('a length in %s', (ratio) => {
  it('is a word: short is well under the usual length, long the most that the template allows', () => {
    const made = (length: string) =>
      sampleStoryboard({ ratio, photos: samplePhotos(16), data: length === '' ? {} : { length } });
    const usual = made('');
    expect(made('normal').scenes).toEqual(usual.scenes);
    expect(secondsOf(made('short')) / secondsOf(usual)).toBeCloseTo(0.6, 1);
    expect(secondsOf(made('long'))).toBeCloseTo(ratio === '1920:1080' ? 60 : 35, 1);
  });

  it('holds with captions, altered photos, originals, floor plans, emphasis and an open house', () => {
    const photos = listed(samplePhotos(24, 1800, 1200)).map((photo, index) =>
      index === 7 ? { ...photo, original: samplePhotos(1)[0]! } : photo,
    );
    const change: Readonly<Record<number, Partial<Asset>>> = {
      2: { caption: 'The kitchen, with a marble waterfall island' },
      7: { emphasis: 'high', altered: 'Virtually staged', original: 'https://example.com/empty.jpg' },
      9: { emphasis: 'low' },
      10: { caption: 'South-facing terrace' },
      12: { emphasis: 'low' },
      22: { kind: 'floor_plan' },
    };
    const assets = photos.map(({ url }, index): Asset => ({ url, ...change[index] }));
    const data = { open_house: 'Saturday 12 December, 1 to 4 pm', status: 'Just listed' };
    for (const lengthSec of [30, 45]) {
      const of = { ratio, photos, listing: { assets }, beats: BEATS };
      const board = sampleStoryboard({ ...of, data: { ...data, length: `${lengthSec}s` } });
      expect(Math.abs(secondsOf(board) - lengthSec)).toBeLessThanOrEqual(BEAT_SEC);
      const shown = photosIn(board);
      for (const index of [0, 7, 22]) expect(shown).toContain(`digest-photo-${index + 1}`);
      const pair = board.scenes.find(({ kind, layers }) => kind === 'photo' && layers.some(isPhotoEight));
      // On a phone both stand in one frame.
      expect(pair!.durationFrames / board.fps).toBeGreaterThanOrEqual(ratio === '1920:1080' ? 3.5 : 3.4);
      expect(lintStoryboard(board, photoMap(photos))).toEqual([]);
    }
  });

  it('leaves out photos of little emphasis first, and says which', () => {
    const photos = samplePhotos(30);
    const low = new Set([4, 11, 17]);
    const assets = photos.map(({ url }, index) => ({
      url,
      ...(low.has(index) ? { emphasis: 'low' as const } : {}),
    }));
    const board = sampleStoryboard({ ratio, photos, listing: { assets }, data: { length: '12s' } });
    const [leftOut] = leavings(board);
    const numbers = numbersIn(leftOut!);
    expect(numbers).toEqual(expect.arrayContaining([...low].map((index) => index + 1)));
    expect(numbers).not.toContain(1);
  });
});

const isPhotoEight = (layer: { readonly type: string }) =>
  layer.type === 'photo' && (layer as PhotoLayer).digest === 'digest-photo-8';

it('leaves out first what is of least emphasis, then rooms that come again, evenly, and never the opening', () => {
  const photo = (change: Partial<PlannedPhoto> = {}): PlannedPhoto => ({ ...samplePhotos(1)[0]!, ...change });
  const kitchen = { room: 'kitchen' as const };
  const photos = [
    photo({ emphasis: 'low' }),
    photo({ emphasis: 'high' }),
    photo(kitchen),
    photo(kitchen),
    photo({ isFloorPlan: true }),
    photo({ emphasis: 'low', room: 'bath' }),
    photo(),
  ];
  expect(leavingOrder(photos, 30)).toEqual([5, 3, 6, 2, 4, 1]);
  // A floor plan would take a third of a short video.
  expect(leavingOrder(photos, 15)).toEqual([5, 4, 2, 6, 3, 1]);
});

it('shows in a brief video a photo of each room before a second one of any, and floor plans last', () => {
  const photo = (change: Partial<PlannedPhoto> = {}): PlannedPhoto => ({ ...samplePhotos(1)[0]!, ...change });
  const photos = [
    ...(['outside', 'bath', 'bath', 'bedroom', 'kitchen'] as const).map((room) => photo({ room })),
    photo({ isFloorPlan: true }),
    photo({ room: 'living', emphasis: 'low' }),
    photo({ room: 'bath', emphasis: 'high' }),
    photo({ room: 'outside' }),
  ];
  expect(bestFirst(photos)).toEqual([7, 4, 3, 8, 1, 2, 6, 5]);
});

const CAPTION_LENGTHS = [73, 119, 19, 81, 30, 17, 54, 35, 29, 29, 27, 96];
const WORDS =
  'The kitchen opens to the breakfast room, with soapstone counters and a farmhouse sink, bright and wide, by the garden wall';
const CAPTIONED = CAPTION_LENGTHS.map((length, index) => ({
  url: `photo-${index + 1}.jpg`,
  caption: WORDS.slice(0, length).trim(),
})) as Asset[];

it.each(templates.filter(({ id }) => id !== 'social').map((template) => [template.id, template] as const))(
  'a wide video of %s with 12 captions is not much longer than its photos ask for, and says all of them',
  (_, template) => {
    const board = sampleStoryboard({
      ...{ template, ratio: '1920:1080', photos: samplePhotos(12), listing: { assets: CAPTIONED } },
    });
    expect(secondsOf(board)).toBeLessThanOrEqual(48.1);
    expect(board.missingCaptions).toEqual([]);
  },
);

it('on a phone two pages of a card stand two and a half seconds each before a caption is cut', () => {
  const template = templates.find(({ id }) => id === 'modern')!;
  const licenses = Array.from({ length: 4 }, (_, at) => ({ number: `0198765${at}`, state: 'CA' }));
  const agent = { ...CROWDED_AGENT, licenses };
  const board = sampleStoryboard({
    ...{ template, ratio: '1080:1920', photos: samplePhotos(12), agent },
    listing: { agents: [agent], assets: CAPTIONED },
    data: {
      headline: 'A shingle-style family house between the old town, the lake and the school',
      open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM',
      ...{ link: 'https://a.example/4128', cta: 'Book a private tour' },
    },
  });
  const pages = board.scenes.filter(({ kind }) => kind === 'card');
  expect(pages.map(({ durationFrames }) => (durationFrames / board.fps).toFixed(1))).toEqual(['2.5', '2.5']);
  expect(board.missingCaptions).toEqual([expect.objectContaining({ number: 12, reason: 'short' })]);
});
