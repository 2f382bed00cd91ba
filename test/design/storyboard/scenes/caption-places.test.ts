/** A caption names one photo: it lies on or beside that one, is nearest to it, and is shown whole, or its first phrase is. */
import { describe, expect, it } from 'vitest';
import { gapBetween, overlaps, unionOf } from '../../../../src/design/storyboard/box.ts';
import type { PhotoLight } from '../../../../src/design/storyboard/elements/scene-context.ts';
import type { Box, Layer, Scene, TextLayer } from '../../../../src/design/storyboard/storyboard.ts';
import { captionBeginnings } from '../../../../src/listing/words/short-caption.ts';
import { RATIOS, samplePhoto, sampleStoryboard, templates, withCaptions } from '../sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const BODY = new Set(['photo', 'pair', 'three', 'four', 'six']);
const SHAPES = [
  [1024, 683],
  [1920, 1280],
  [4032, 3024],
  [683, 1024],
  [3000, 1000],
] as const;
const LENGTHS = [12, 45, 80, 120];
const WORDS =
  'kitchen with a marble island, brass taps and a view over the harbor, the old pines and all the boats that come home late';

/** Photo `index` of the listing says its own number, and fills `length` characters. */
function captionOf(index: number, length: number): string {
  return `No ${index + 1} ${WORDS}`.slice(0, length).trimEnd();
}

const LISTINGS = [5, 9, 14, 26].flatMap((count) =>
  [
    ['every photo', (_: number) => true],
    ['every second photo', (index: number) => index % 2 === 1],
    ['every third photo', (index: number) => index % 3 === 0],
  ].map(([which, has], seed) => {
    const photos = Array.from({ length: count }, (_, index) =>
      samplePhoto(`photo-${index + 1}`, ...SHAPES[seed === 0 ? 0 : (index * 3 + seed) % SHAPES.length]!),
    );
    const captions = photos.map((_, index) =>
      (has as (index: number) => boolean)(index)
        ? captionOf(index, LENGTHS[(index + seed) % LENGTHS.length]!)
        : '',
    );
    return { name: `${count} photos, captions of ${which}`, photos, captions };
  }),
);

interface Caption {
  readonly text: string;
  readonly sizePx: number;
  readonly boxes: readonly Box[];
}

/** The captions of a scene, each with the boxes of its lines or words; one that is not whole takes the rest. */
function captionsOf({ layers }: Scene, captions: readonly string[]): Caption[] {
  const whole = new Set(captions.flatMap(formsOf));
  const found: Caption[] = [];
  let open: { text: string; sizePx: number; boxes: Box[] } | undefined;
  for (const layer of layers) {
    if (layer.type !== 'text' || !layer.id.startsWith('caption')) continue;
    if (!open) {
      open = { text: '', sizePx: layer.style.sizePx, boxes: [] };
      found.push(open);
    }
    open.text = `${open.text} ${layer.lines.map(({ text }) => text).join(' ')}`.trim();
    open.boxes.push(layer.box);
    if (whole.has(bare(open.text))) open = undefined;
  }
  return found;
}

const bare = (text: string) => text.replace(/[\s\u200e\u200f]/g, '').toLowerCase();

/** Whole, and as it is where there is too little time. */
const formsOf = (caption: string) => captionBeginnings(caption).map(bare);

describe.each(VIDEOS)('a caption of %s in %s', (_, ratio, template) => {
  it.each(LISTINGS)('has a place of its own: $name', ({ photos, captions }) => {
    const assets = photos.map(({ url }, index) => ({ url, caption: captions[index]! }));
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const faults: string[] = [];
    for (const [at, scene] of board.scenes.entries()) {
      if (!BODY.has(scene.kind)) continue;
      const shown = scene.layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : []));
      const found = captionsOf(scene, captions);
      if (new Set(found.map(({ sizePx }) => Math.round(sizePx))).size > 1)
        faults.push(`scene ${at}: captions of several sizes`);
      for (const { text, boxes } of found) {
        const number = Number(/no (\d+)/i.exec(text)?.[1]);
        const own = shown.find(({ digest }) => digest === `digest-photo-${number}`);
        const where = `scene ${at} (${scene.kind}) “${text.trim().slice(0, 20)}”`;
        if (!own) faults.push(`${where}: photo ${number} is not there`);
        if (!formsOf(captions[number - 1] ?? '').includes(bare(text)))
          faults.push(`${where}: not whole: ${text}`);
        for (const other of shown) {
          if (!own || other === own) continue;
          if (boxes.some((box) => overlaps(box, other.box))) faults.push(`${where}: on ${other.digest}`);
          if (gapBetween(unionOf(boxes), own.box) >= gapBetween(unionOf(boxes), other.box))
            faults.push(`${where}: nearer to ${other.digest}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(board.warnings.filter((warning) => /no place|ellipsis/.test(warning))).toEqual([]);
  });
});

const ROOMS = [
  'The kitchen',
  'The living room',
  'A bath with a tub',
  'The pantry',
  'A quiet study',
  'The laundry room',
];

// Captions of luxury and unbranded stand on a ground of their own, every second one of classic on paper; on a phone those of
// a photo of an MLS stand over it.
it.each(
  VIDEOS.filter(([id, ratio]) => !['luxury', 'classic', 'unbranded'].includes(id) && ratio === '1920:1080'),
)('takes nothing from the photo of a room where it is short, in %s %s', (_, ratio, template) => {
  const captions = ['', ...ROOMS];
  const photos = captions.map((_, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
  const assets = photos.map(({ url }, index) => ({ url, caption: captions[index]! }));
  const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
  const frame = { x: 0, y: 0, w: board.widthPx, h: board.heightPx };
  const alone = board.scenes.filter(
    (scene) => scene.kind === 'photo' && captionsOf(scene, captions).length === 1,
  );
  expect(alone.length).toBeGreaterThan(1);
  for (const { layers } of alone)
    expect(layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box] : []))).toEqual([frame]);
});

/** As a listing has them: one long caption, the others of a few words. */
const TWELVE = [
  'The front, with a covered porch',
  'A kitchen with quartz counters, a six-burner range, and a window over the sink that looks out on the old maple trees',
  'The primary bedroom, with morning light',
  'A bath with a soaking tub and heated floors',
  'The island seats five',
  'Pantry and coffee bar beside the kitchen',
  'A second bedroom over the garden',
  'The guest room',
  'The hall bath, with a double vanity',
  'The third bath',
  'The house from the drive',
  'The street, at the end of a quiet lane',
];

it.each(RATIOS)('of twelve captions the quickest video loses none but the longest, in %s', (ratio) => {
  const template = templates.find(({ id }) => id === 'social')!;
  const photos = TWELVE.map((_, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
  const assets = photos.map(({ url }, index) => ({ url, caption: TWELVE[index]! }));
  const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
  expect(board.missingCaptions!.map(({ number }) => number)).toEqual([2]);
  expect(
    board.scenes.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / board.fps,
  ).toBeLessThanOrEqual(24);
});

const WORDY = {
  headline: 'A shingle-style family house between the old town, the lake and the good school',
  open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM',
  price: '$2,849,000',
  status: 'New listing',
};

it.each(
  RATIOS.flatMap((ratio) => [
    ...[0, 2].map((plans) => [plans, 'and a long headline', ratio, WORDY] as const),
    [2, 'and few other words', ratio, {}] as const,
  ]),
)('with %d floor plans %s the quickest video loses no caption, in %s', (plans, _, ratio, data) => {
  const template = templates.find(({ id }) => id === 'social')!;
  const photos = TWELVE.map((_photo, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
  const assets = photos.map(({ url }, index) => ({
    url,
    caption: TWELVE[index]!,
    ...(index >= 12 - plans && { kind: 'floor_plan' as const }),
  }));
  const beats = { bpm: 120, beatsPerBar: 4 };
  const board = sampleStoryboard({ template, ratio, photos, data, listing: { assets }, beats });
  expect(board.missingCaptions!.filter(({ reason }) => reason !== 'short')).toEqual([]);
  // The hook gives a picture, and comes first all the same.
  expect(board.scenes.filter(({ kind }) => kind === 'hook').length).toBeGreaterThanOrEqual(2);
  const frames = board.scenes.reduce((total, { durationFrames }) => total + durationFrames, 0);
  expect(frames / board.fps).toBeLessThanOrEqual(24);
});

/** The frame at which a layer begins to come. @param sceneStart - Of a layer without an entrance. */
function comesAt({ tracks = [] }: Layer, sceneStart: number): number {
  return tracks.length === 0 ? sceneStart : Math.min(...tracks.map(({ startFrame }) => startFrame));
}

it.each(VIDEOS)(
  'in %s the block of a caption does not stand without its words, in %s',
  (_, ratio, template) => {
    const photos = TWELVE.slice(0, 9).map((_photo, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
    const assets = photos.map(({ url }, index) => ({ url, ...(index % 3 && { caption: TWELVE[index]! }) }));
    const { scenes, widthPx, heightPx } = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const late = scenes.flatMap(({ id, kind, layers }, at) => {
      const words = layers.filter((layer) => layer.type === 'text' && layer.id.startsWith('caption'));
      if (!BODY.has(kind) || words.length === 0) return [];
      const middle = -(scenes[at - 1]?.transition.durationFrames ?? 0) / 2;
      const first = Math.min(...words.map((layer) => comesAt(layer, middle)));
      const isUnder = ({ box }: Layer) =>
        box.w * box.h < 0.5 * widthPx * heightPx && overlaps(box, unionOf(words.map((word) => word.box)));
      const blocks = layers.filter(
        (layer) => layer.type === 'fill' && layer.id !== 'scrim' && isUnder(layer),
      );
      return blocks.flatMap((block) => {
        const waits = first - Math.max(middle, comesAt(block, middle));
        return waits > 4 ? [`${id} ${block.id} waits ${waits}`] : [];
      });
    });
    expect(late).toEqual([]);
  },
);

it.each(VIDEOS)(
  'in %s no caption stands on the scene before it without its block, in %s',
  (_, ratio, template) => {
    for (const [w, h] of [
      [1024, 683],
      [1200, 1800],
    ] as const) {
      const photos = TWELVE.map((_photo, index) => samplePhoto(`${index + 1}-kitchen.jpg`, w, h));
      const assets = photos.map(({ url }, index) => ({
        url,
        ...(index % 2 && { caption: 'Quartz counters' }),
      }));
      const { scenes } = sampleStoryboard({ template, ratio, photos, listing: { assets } });
      const early = scenes.flatMap(({ id, layers }, at) => {
        if (scenes[at - 1]?.transition.kind !== 'over') return [];
        const words = layers.filter((layer) => layer.type === 'text' && layer.id.startsWith('caption'));
        return words.flatMap((word) =>
          layers
            .filter(
              (layer) =>
                layer.type === 'fill' && layer.id.startsWith('cell') && overlaps(layer.box, word.box),
            )
            .filter((block) => comesAt(word, 0) < comesAt(block, 0))
            .map((block) => `${id} ${word.id} before ${block.id}`),
        );
      });
      expect(early).toEqual([]);
    }
  },
);

/** Neighbors of different lights in one part of a photo, and one light in the other. */
function busyLight(isBusy: (down: number, across: number) => boolean): PhotoLight {
  const [columns, rows] = [96, 64];
  const luma = Array.from({ length: columns * rows }, (_, at) => {
    const row = Math.floor(at / columns);
    return isBusy(row / rows, (at % columns) / columns) ? ((at + row) % 5) / 4 : 0.8;
  });
  return { columns, rows, luma };
}

// The others put words over a photo that is not as high as the phone.
it.each([
  ['high over a calm ceiling', (y: number) => y > 0.4, 0.4, true],
  ['low over a calm floor', (y: number) => y < 0.4, 0.4, false],
  ['high over what draws the eye, in a calm room', () => false, 0.2, true],
] as const)(
  'the words of a photo that fills a phone in social stand %s',
  (_place, isBusy, focusY, isHigh) => {
    const template = templates.find(({ id }) => id === 'social')!;
    const photos = Array.from({ length: 5 }, (_each, index) => samplePhoto(`photo-${index + 1}`, 3000, 2000));
    const assets = photos.map(({ url }) => ({ url, focus: { x: 0.5, y: focusY } }));
    const board = sampleStoryboard({
      ...{ template, ratio: '1080:1920', photos, listing: { assets } },
      data: { caption_03: 'Bath' },
      lightOf: () => busyLight(isBusy),
    });
    const words = board.scenes
      .flatMap(({ layers }) => layers)
      .find((layer) => layer.type === 'text' && layer.reads.toLowerCase() === 'bath')!;
    expect(words.box.y < board.heightPx / 3).toBe(isHigh);
    expect(words.box.y + words.box.h > 0.58 * board.heightPx).toBe(!isHigh);
  },
);

const IS_LEFT_BUSY = (_down: number, across: number) => across < 0.5;

it.each([
  ['Bath', IS_LEFT_BUSY],
  ['Bedroom', (down: number, across: number) => !IS_LEFT_BUSY(down, across)],
  ['Bedroom', IS_LEFT_BUSY],
] as const)(
  'the word %s on a photo that fills a wide frame of modern stands at the left, whichever side is calm',
  (caption, isBusy) => {
    const template = templates.find(({ id }) => id === 'modern')!;
    const photos = Array.from({ length: 5 }, (_, index) => samplePhoto(`photo-${index + 1}`, 2000, 1500));
    const board = sampleStoryboard({
      ...{ template, photos, data: { caption_04: caption } },
      lightOf: () => busyLight(isBusy),
    });
    const { layers } = board.scenes.find((scene) =>
      scene.layers.some((layer) => layer.type === 'text' && layer.reads === caption),
    )!;
    const plate = unionOf(layers.filter(({ id }) => /^caption-(plate|tab)$/.test(id)).map(({ box }) => box));
    expect(plate.x).toBe(0);
    expect(plate.w).toBeLessThan(board.widthPx / 4);
    expect(layers.find(({ type }) => type === 'photo')!.box).toEqual({ x: 0, y: 0, w: 1920, h: 1080 });
  },
);

it('captions of wide videos of unbranded stand large under or beside their photos', () => {
  const template = templates.find(({ id }) => id === 'unbranded')!;
  const captions = [
    'Yard',
    'The primary bedroom',
    'Yard, '.repeat(16).trim(),
    'A kitchen with an island, '.repeat(7).trim(),
  ];
  const photos = captions.map((_, index) =>
    samplePhoto(`photo-${index + 1}`, index % 2 ? 1020 : 1024, index % 2 ? 764 : 683),
  );
  const data = Object.fromEntries(captions.map((caption, index) => [`caption_0${index + 1}`, caption]));
  const scenes = sampleStoryboard({ template, photos, data }).scenes.filter(({ kind }) => kind === 'photo');
  const sizes = scenes.flatMap(({ layers }) => {
    const covers = layers.filter(({ type }) => type === 'photo').map(({ box }) => box);
    const said = layers.filter((layer): layer is TextLayer => layer.type === 'text');
    for (const { box } of said) for (const photo of covers) expect(overlaps(box, photo)).toBe(false);
    return said.map(({ style }) => style.sizePx);
  });
  expect(sizes.length).toBeGreaterThan(2);
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(46);
  expect(Math.max(...sizes)).toBeGreaterThanOrEqual(58);
});

it.each([
  ['at the foot of calm photos', () => false, 'bottom left'],
  ['at the left on the ceiling over a busy foot', (down: number) => down > 0.5, 'top left'],
  ['on the ceiling if all is busy: counters stand low', () => true, 'top left'],
] as const)(
  'a caption in a wide frame of modern stands %s, its key where its words begin',
  (_, isBusy, place) => {
    const template = templates.find(({ id }) => id === 'modern')!;
    const photos = Array.from({ length: 8 }, (_each, index) => samplePhoto(`photo-${index + 1}`, 3000, 2000));
    const data = withCaptions(8, 'Bath');
    const scenes = sampleStoryboard({ template, photos, data, lightOf: () => busyLight(isBusy) }).scenes;
    const places = scenes.flatMap(({ layers }) => {
      const [tab, plate] = ['caption-tab', 'caption-plate'].map(
        (id) => layers.find((layer) => layer.id === id)?.box,
      );
      if (!tab || !plate) return [];
      expect(tab.x + tab.w).toBe(plate.x);
      return [`${plate.y === 0 ? 'top' : 'bottom'} ${tab.x === 0 ? 'left' : 'right'}`];
    });
    expect(places.length).toBeGreaterThan(3);
    expect(new Set(places)).toEqual(new Set([place]));
  },
);
