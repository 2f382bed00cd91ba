/** What social promises of a video: short whatever the listing, every photo shown, cut to be read by a thumb. */
import { describe, expect, it } from 'vitest';
import type { Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import {
  fromOpening,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  withCaptions,
} from '../storyboard/sample.ts';

const template = await loadTemplate('social');
const seconds = ({ scenes, fps }: Storyboard): number =>
  scenes.reduce((sum, { durationFrames }) => sum + durationFrames, 0) / fps;

/** Seconds that a video of so many photos has: a scene of four stands for 0.7 s at least. */
const most = (count: number) => (count <= 60 ? 24 : 31.2);

const BEATS = { bpm: 124, beatsPerBar: 4 };
/** All that a listing announces. */
const FULL = {
  headline: 'A shingle-style family house between the old town, the lake and the good school',
  open_house: 'Sat, Nov 28, 1–3 PM and Sun, Nov 29, 11 AM–1 PM',
  price: '$2,849,000',
  status: 'New listing',
};
const { open_house: _, ...HEADLINED } = FULL;
const HEBREW = { street: 'רחוב דיזנגוף 128', city: 'תל אביב', state: '', postal_code: '' };
const PLATES = ['caption-plate', 'caption-2-plate'];
const CAPTIONS = [
  'A brick front with a deep porch, two dormers and a new roof',
  'The kitchen opens to the breakfast room, with soapstone counters',
  'The primary bedroom',
  'A walk-in shower with a bench, a double vanity and heated floors',
  'Kitchen cabinets to the ceiling',
  'The breakfast kitchen',
  'A second bedroom under the eaves with built-in shelves',
  'The guest bedroom looks over the garden',
  'Hall bath with a clawfoot tub',
  'A bathroom off the entry',
  'The house from the street',
  'The front of the house behind the lawn',
];

/** Twelve photos with captions, and all else that a listing says. */
function withWords(ratio: (typeof RATIOS)[number], data: Partial<typeof FULL> = FULL): Storyboard {
  const photos = samplePhotos(12, 1024, 683);
  const assets = photos.map(({ url }, at) => ({ url, caption: CAPTIONS[at]! }));
  return sampleStoryboard({ template, ratio, photos, data, listing: { assets }, beats: BEATS });
}

const captionsIn = ({ layers }: Storyboard['scenes'][number]) =>
  layers.filter(({ type, id }) => type === 'text' && id.startsWith('caption'));

describe.each(RATIOS)('social in %s', (ratio) => {
  it.each([5, 9, 10, 14, 18, 19, 24, 25, 36, 37, 60, 61, 80, 87, 93, 99, 100])(
    'tells %d photos in 14 to 24 s, more than 60 in seven seconds more',
    (count) => {
      const photos = samplePhotos(count);
      const board = sampleStoryboard({ template, ratio, photos });
      expect(seconds(board)).toBeGreaterThan(14);
      expect(seconds(board)).toBeLessThanOrEqual(most(count) + 0.01);
      const shown = new Set(
        board.scenes.flatMap(({ layers }) =>
          layers.flatMap((layer) =>
            layer.type === 'photo' && layer.id !== 'portrait' ? [layer.digest] : [],
          ),
        ),
      );
      expect(shown).toEqual(new Set(photos.map(({ digest }) => digest)));
    },
  );

  it('keeps 80 and 100 photos of all shapes within its greatest length', () => {
    const shapes = [
      [4032, 3024],
      [3024, 4032],
      [1024, 683],
      [683, 1024],
    ] as const;
    for (const count of [80, 100]) {
      const photos = Array.from({ length: count }, (_, at) => samplePhoto(`photo-${at}`, ...shapes[at % 4]!));
      expect(seconds(sampleStoryboard({ template, ratio, photos }))).toBeLessThanOrEqual(most(count) + 0.01);
    }
  });

  it('shows none of sixty photos as a strip, and says the facts in the opening', () => {
    const photos = samplePhotos(60, 1024, 683);
    const { scenes, warnings } = sampleStoryboard({ template, ratio, photos });
    const boxes = scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box] : [])),
    );
    if (ratio === '1080:1920') for (const { w, h } of boxes) expect(w / h).toBeLessThan(2.25);
    expect(scenes.filter(({ kind }) => kind === 'photo').length).toBeGreaterThan(4);
    expect(scenes.map(({ kind }) => kind)).not.toContain('facts');
    expect(warnings.join()).not.toContain('facts');
  });

  it('keeps the captions of photos 1 and 2 where there is no time for all', () => {
    const caption = 'The great room below the gallery and its stone hearth and doors to the terrace';
    const { warnings } = sampleStoryboard({ template, ratio, data: withCaptions(12, caption) });
    const lost = warnings.find((warning) => warning.startsWith('the captions of photos'));
    expect(lost).toContain('11 (photo-11)');
    expect(lost).not.toMatch(/\b[12] \(/);
  });

  it('says facts with long labels whole', () => {
    const data = { ...FULL, label_beds: 'חדרי שינה', label_baths: 'חדרי רחצה', label_sqft: 'מטרים רבועים' };
    for (const photos of [samplePhotos(12, 1024, 683), samplePhotos(12, 720, 540)]) {
      const { scenes } = sampleStoryboard({ template, ratio, photos, data });
      const facts = scenes.find(({ kind }) => kind === 'facts')!;
      const lines = facts.layers.flatMap((layer) => (layer.type === 'text' ? layer.lines : []));
      expect(lines.map(({ text }) => text).join(' ')).not.toContain('…');
    }
  });

  it('shows many photos alone or in pairs that are seen, not four at once', () => {
    const photos = samplePhotos(30, 1024, 683);
    const { scenes, fps } = sampleStoryboard({ template, ratio, photos, data: FULL, beats: BEATS });
    expect(scenes.map(({ kind }) => kind)).not.toContain('four');
    const pairs = scenes.filter(({ kind }) => kind === 'pair');
    expect(Math.min(...pairs.map(({ durationFrames }) => durationFrames / fps))).toBeGreaterThanOrEqual(0.8);
    expect(scenes.filter(({ kind }) => kind === 'photo').length).toBeGreaterThan(3);
  });

  it('begins with two cuts also where captions need all its time, and says them by ones and twos', () => {
    const board = withWords(ratio);
    const { scenes, fps, missingCaptions } = board;
    expect(scenes.slice(0, 2).map(({ kind }) => kind)).toEqual(['hook', 'hook']);
    const hookFrames = scenes[0]!.durationFrames + scenes[1]!.durationFrames;
    expect(hookFrames / fps).toBeLessThanOrEqual(1.2);
    expect(missingCaptions!.filter(({ reason }) => reason !== 'short')).toEqual([]);
    expect(seconds(board)).toBeLessThanOrEqual(24);
    for (const scene of scenes)
      if (captionsIn(scene).length > 0) {
        expect(['photo', 'pair']).toContain(scene.kind);
        expect(scene.durationFrames / fps).toBeGreaterThanOrEqual(1.55);
      }
  });

  it('says status, city, street and price from the first frame on, at one place in all cuts', () => {
    const hook = withWords(ratio).scenes.filter(({ kind }) => kind === 'hook');
    const said = hook.map(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'text' ? [[layer.id, layer.box, layer.tracks]] : [])),
    );
    expect(new Set(said[0]!.map(([id]) => String(id).replace(/-\d$/, '')))).toEqual(
      new Set(['place', 'address', 'price']),
    );
    for (const texts of said) expect(texts).toEqual(said[0]);
  });

  it('sets the captions of two photos in one manner, off what they show', () => {
    const { scenes, heightPx } = withWords(ratio);
    const pairs = scenes.filter((scene) => scene.kind === 'pair' && captionsIn(scene).length > 0);
    expect(pairs.length).toBeGreaterThan(0);
    for (const { layers } of pairs) {
      const photos = layers.filter(({ type }) => type === 'photo');
      const plates = photos.map((_, at) => layers.filter(({ id }) => id.startsWith(PLATES[at]!)));
      expect(new Set(plates.flat().map((plate) => plate.type === 'fill' && plate.color)).size).toBe(1);
      if (ratio === '1080:1920') {
        // At the foot of the upper photo and the head of the lower one, off what both show.
        for (const { box } of photos) expect(box.h).toBeGreaterThan(0.49 * heightPx);
        const [upper, lower] = photos.map(({ box }) => box);
        const foot = upper!.y + upper!.h - plates[0]!.at(-1)!.box.y - plates[0]!.at(-1)!.box.h;
        expect(foot).toBeLessThan(0.02 * heightPx);
        expect(plates[1]![0]!.box.y - lower!.y).toBeLessThan(0.02 * heightPx);
        continue;
      }
      // Under photos that keep most of their width, both from one line on.
      const [first, other] = plates.map((own) => own[0]!.box.y);
      expect(other).toBe(first);
      for (const { box } of photos) {
        expect(box.h).toBeGreaterThanOrEqual(0.8 * heightPx);
        expect(box.y + box.h).toBeLessThan(first!);
      }
      for (const own of plates) {
        expect(own[0]!.box.h).toBeGreaterThan(heightPx / 20);
        expect(own.length).toBeLessThanOrEqual(2);
      }
    }
  });

  const opening = (data?: Partial<typeof FULL>) =>
    withWords(ratio, data).scenes.find(({ kind }) => kind === 'hero')!;
  const textsOf = ({ layers }: Storyboard['scenes'][number]) =>
    layers.filter((layer) => layer.type === 'text');

  it('says price, address and headline in this order of size', () => {
    const [price, address, headline] = ['price', 'address', 'headline'].map((id) =>
      textsOf(opening(HEADLINED)).flatMap((text) => (text.id === id ? [text.style.sizePx] : [])),
    );
    expect(price![0]).toBeGreaterThan(1.05 * address![0]!);
    expect(address![0]).toBeGreaterThan(1.2 * headline![0]!);
    expect(address![0]).toBeGreaterThanOrEqual(96);
  });

  it('says all of an opening at once, and each line stays', () => {
    const board = withWords(ratio);
    const { layers } = board.scenes.find(({ kind }) => kind === 'hero')!;
    const texts = textsOf({ layers } as never);
    const ids = [...new Set(texts.map(({ id }) => id.replace(/-\d$/, '')))];
    // Where the opening says the open house, the headline gives way.
    expect(ids.toSorted()).toEqual(['address', 'facts', 'open-house', 'place', 'price']);
    // On a phone the hook has said status, city, street and price in their places.
    const isThere = (id: string) => ratio === '1080:1920' && /^(?:place|address|price)/.test(id);
    for (const { id, tracks = [] } of texts) {
      expect(tracks.length > 0).toBe(!isThere(id));
      for (const { to, endFrame } of tracks) expect([to, endFrame < 0.7 * board.fps]).toEqual([0, true]);
    }
    expect(board.warnings).toContain('the template has no place for the headline; it is not shown');
  });

  it('shows an opening in one block of black and one of white at most, but for the open house', () => {
    for (const data of [FULL, HEADLINED]) {
      const { layers } = opening(data);
      const colors = layers.flatMap((layer) =>
        layer.type === 'fill' && /^(?!open-house).*-plate-/.test(layer.id) ? [layer.color] : [],
      );
      const { ink, paper } = template.palette;
      const blocks = colors.filter(
        (color, at) => color !== colors[at - 1] && [ink, paper].some((role) => role === color),
      );
      expect(new Set(blocks).size).toBe(blocks.length);
    }
  });

  it('leaves the open house to the facts where there are any', () => {
    const photos = samplePhotos(12, 1024, 683);
    const { scenes, warnings } = sampleStoryboard({ template, ratio, photos, data: FULL, beats: BEATS });
    const idsOf = (kind: string) => textsOf(scenes.find((scene) => scene.kind === kind)!).map(({ id }) => id);
    expect(idsOf('hero')).toContain('headline');
    expect(idsOf('hero')).not.toContain('open-house');
    expect(idsOf('facts')).toContain('open-house');
    expect(warnings.join()).not.toContain('not shown');
  });

  it.each([
    ['all words', FULL],
    ['a headline', HEADLINED],
    ['few words', { price: FULL.price }],
  ] as const)(
    'fills more than half of a wide opening and seven eighths of a phone with photos in motion, with %s',
    (_, data) => {
      const { widthPx, heightPx } = withWords(ratio);
      const photos = opening(data).layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : []));
      const boxes = new Map(photos.map(({ box }) => [box.y, box]));
      const area = [...boxes.values()].reduce((sum, { w, h }) => sum + w * h, 0);
      expect(area / (widthPx * heightPx)).toBeGreaterThan(ratio === '1080:1920' ? 0.875 : 0.579);
      for (const { camera } of photos) expect(camera.from).not.toEqual(camera.to);
    },
  );

  it('keeps the words of its hook where the opening says them', () => {
    if (ratio === '1920:1080') return;
    const { scenes } = withWords(ratio);
    const placesIn = ({ layers }: Storyboard['scenes'][number]) =>
      layers.flatMap((layer) =>
        layer.type === 'text' && /^(?:place|address|price)/.test(layer.id) ? [[layer.id, layer.box]] : [],
      );
    const [hook] = scenes.filter(({ kind }) => kind === 'hook').map(placesIn);
    expect(hook!.length).toBe(3);
    expect(placesIn(scenes.find(({ kind }) => kind === 'hero')!)).toEqual(hook);
  });

  it('cuts, but for every third change, which pushes; never into the card', () => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(16) });
    const changes = fromOpening(board)
      .slice(0, -1)
      .map(({ transition }) => transition.kind);
    expect(changes.at(-1)).toBe('cut');
    expect(changes.slice(0, -1)).toEqual(
      changes.slice(0, -1).map((_, index) => (index % 3 === 2 ? 'push' : 'cut')),
    );
  });

  it('shows the same video for all agents up to the card', () => {
    const body = (agent: object) =>
      sampleStoryboard({ template, ratio, agent: agent as never }).scenes.slice(0, -1);
    expect(body({ id: 'b', first_name: 'Bo', last_name: 'Li' })).toEqual(
      body({ id: 'm', first_name: 'Maximiliana', last_name: 'Featherstonehaugh', designation: 'Broker' }),
    );
  });
});

it('shows a photo with a caption down to the foot of a phone, under or with its words at the head', () => {
  const { scenes, heightPx } = withWords('1080:1920');
  const singles = scenes.filter((scene) => scene.kind === 'photo' && captionsIn(scene).length > 0);
  expect(singles.length).toBeGreaterThan(0);
  for (const { layers } of singles)
    for (const { type, box } of layers)
      if (type === 'photo') expect([box.y + box.h, box.h >= 0.72 * heightPx]).toEqual([heightPx, true]);
      else expect(box.y + box.h).toBeLessThan(0.2969 * heightPx);
});

it('sets the captions of wide videos large', () => {
  const { scenes } = withWords('1920:1080');
  const sizes = scenes.flatMap((scene) =>
    captionsIn(scene).map((text) => (text.type === 'text' ? text.style.sizePx : 0)),
  );
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(54);
});

it('leaves half of a wide photo free beside the plates of its caption', () => {
  const { scenes, widthPx } = withWords('1920:1080');
  const singles = scenes.filter((scene) => scene.kind === 'photo' && captionsIn(scene).length > 0);
  expect(singles.length).toBeGreaterThan(0);
  for (const { layers } of singles)
    for (const { type, box } of layers) if (type !== 'photo') expect(box.w).toBeLessThan(0.52 * widthPx);
});

it.each([
  ['1920:1080', samplePhotos(12, 1024, 683)],
  ['1920:1080', samplePhotos(12, 1000, 1500)],
  ['1080:1920', samplePhotos(12, 1024, 683)],
] as const)('keeps the facts of an opening in %s on one line', (ratio, photos) => {
  for (const data of [FULL, { price: FULL.price, open_house: FULL.open_house }]) {
    const { scenes } = sampleStoryboard({ template, ratio, photos, data });
    const ids = scenes.find(({ kind }) => kind === 'hero')!.layers.map(({ id }) => id);
    expect(ids).toContain('facts');
    expect(ids).not.toContain('facts-2');
  }
});

it('shows a room that cannot fill a phone at its foot, under the street and the price', () => {
  const photos = [...samplePhotos(11, 1024, 683), samplePhoto('small', 720, 540)];
  const assets = photos.map(({ url }) => ({ url, ...(url === 'small' && { emphasis: 'high' as const }) }));
  const board = sampleStoryboard({ template, ratio: '1080:1920', photos, data: FULL, listing: { assets } });
  const { layers } = board.scenes.find(
    (scene) => scene.kind === 'photo' && JSON.stringify(scene.layers).includes('digest-small'),
  )!;
  const { box } = layers.find(({ type }) => type === 'photo')!;
  expect([box.x, box.w]).toEqual([0, board.widthPx]);
  expect(box.h).toBeGreaterThan(0.67 * board.heightPx);
  expect(box.y + box.h).toBe(board.heightPx);
  expect(layers.flatMap(({ type, id }) => (type === 'text' ? [id] : []))).toEqual(['street', 'price']);
});

it('fills a wide frame with two photos without captions, with a line between them', () => {
  for (const [width, height] of [
    [1024, 683],
    [1024, 576],
  ] as const) {
    const photos = samplePhotos(24, width, height);
    const { scenes, heightPx } = sampleStoryboard({ template, ratio: '1920:1080', photos });
    const pairs = scenes.filter(({ kind }) => kind === 'pair');
    expect(pairs.length).toBeGreaterThan(0);
    for (const { layers } of pairs)
      for (const { type, box } of layers)
        if (type === 'photo') expect(box.h).toBeGreaterThanOrEqual(0.8 * heightPx);
  }
});

it('brings plates from the right where the scene is read from there', () => {
  const { scenes } = sampleStoryboard({ template, data: FULL, listing: { address: HEBREW as never } });
  const { layers } = scenes.find(({ kind }) => kind === 'hero')!;
  for (const name of ['address', 'price', 'facts', 'headline']) {
    const { tracks } = layers.find(({ id }) => id === name)!;
    expect(tracks![0]).toMatchObject({ property: 'dx', to: 0 });
    expect(tracks![0]!.from).toBeGreaterThan(0);
  }
});

const HOUSE = { left: 0.02, right: 0.98, tip: 0.4, top: 0.4, bottom: 0.8 };

it.each([
  ['a photo of 16:9', { heightPx: 575 }],
  ['a house that is wider than it', { heightPx: 764, subject: HOUSE }],
])('shows most of %s on a phone, with its label from the upper edge', (_, shape) => {
  const photos = samplePhotos(12, 1024, 683).map((photo, at) => (at === 5 ? { ...photo, ...shape } : photo));
  const assets = photos.map(({ url }, at) => ({
    url,
    ...(at === 5 && { caption: 'The wine bar', emphasis: 'high' as const }),
  }));
  const board = sampleStoryboard({ template, ratio: '1080:1920', photos, data: FULL, listing: { assets } });
  const { layers } = board.scenes.find((scene) => captionsIn(scene).length > 0)!;
  const { box } = layers.find(({ type }) => type === 'photo')!;
  expect([box.w, box.y + box.h]).toEqual([board.widthPx, board.heightPx]);
  expect(box.y / board.heightPx).toBeCloseTo(0.206, 2);
});

it.each([
  ['a room', undefined, true],
  ['a house under the sky', HOUSE, true],
  ['a house up to the upper edge', { ...HOUSE, tip: 0.05, top: 0.1 }, false],
])('sets the caption of %s in a wide video off what it names', (name, subject, isHigh) => {
  const photos = samplePhotos(5, 1024, 683).map((photo) => ({ ...photo, ...(subject && { subject }) }));
  const room = subject ? 'front' : 'kitchen';
  const data = { caption_03: `The ${room}` };
  const board = sampleStoryboard({ template, ratio: '1920:1080', photos, data });
  const [words] = board.scenes.flatMap((scene) => captionsIn(scene));
  expect(words!.box.y < board.heightPx / 4, name).toBe(isHigh);
});

it('shows a small photo of a dining room on a phone beside a kitchen, rather than alone', () => {
  const sizes = CAPTIONS.map((_, at) => (at === 5 ? 575 : at % 2 ? 683 : 764));
  const photos = sizes.map((height, at) => samplePhoto(`photo-${at}`, 1024, height));
  const assets = photos.map(({ url }, at) => ({
    url,
    caption: at === 5 ? 'The wine bar beside the dining room' : CAPTIONS[at]!,
  }));
  const { scenes } = sampleStoryboard({
    template,
    ratio: '1080:1920',
    photos,
    data: FULL,
    listing: { assets },
  });
  const { kind } = scenes.find((scene) => JSON.stringify(captionsIn(scene)).match(/wine bar/i))!;
  expect(kind).toBe('pair');
});
