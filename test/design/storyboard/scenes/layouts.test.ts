/**
 * What real photos and captions get: frames filled by photos of an MLS, and a place for every caption that has time.
 */
import { describe, expect, it } from 'vitest';
import { shadeOf } from '../../../../src/design/storyboard/palette.ts';
import type { Box, PhotoLayer, Scene, Storyboard } from '../../../../src/design/storyboard/storyboard.ts';
import { RATIOS, samplePhoto, samplePhotos, sampleStoryboard, templates } from '../sample.ts';

const BODY = new Set(['photo', 'pair', 'three', 'four', 'six']);
const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const MLS = [1024, 683] as const;
/** Shapes of photos as phones, cameras and an MLS hand them out. */
const SHAPES = [
  MLS,
  [4032, 3024],
  [1020, 764],
  [683, 1024],
  [1920, 1280],
  [800, 533],
  [1280, 960],
  [3024, 4032],
] as const;
const WORDS = [
  'The kitchen, with a marble waterfall island',
  'The entry',
  'The living room, with a gas fireplace and oak built-ins',
  'Bath',
  'The primary bedroom, over the garden',
];

function bodyOf(board: Storyboard) {
  return board.scenes.filter(({ kind }) => BODY.has(kind));
}

/** Share of the frame that is photo, scene by scene of the body. */
function sharesOf(board: Storyboard): number[] {
  return bodyOf(board).map(({ layers }) => {
    const areas = layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box.w * layer.box.h] : []));
    return areas.reduce((sum, area) => sum + area, 0) / (board.widthPx * board.heightPx);
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lines of a scene's captions, without spaces and capitals: words behind an ellipsis are not there. */
function captionWords(board: Storyboard): string[] {
  return bodyOf(board).map(({ layers }) =>
    layers
      .flatMap((layer) => (layer.type === 'text' && layer.id.startsWith('caption') ? layer.lines : []))
      .map(({ text }) => plain(text))
      .join(''),
  );
}

function plain(text: string): string {
  return text.replace(/\s/g, '').toLowerCase();
}

/** Photos of mixed shapes, the same ones for the same count. */
function mixedPhotos(count: number) {
  return Array.from({ length: count }, (_, index) =>
    samplePhoto(`photo-${index + 1}`, ...SHAPES[(index * 5 + count) % SHAPES.length]!),
  );
}

/** Other orders of the shapes, the same ones for the same seed. */
function shuffledPhotos(count: number, seed: number) {
  const turn = (index: number) => (index * index * 7 + index * seed * 3 + seed) % SHAPES.length;
  return Array.from({ length: count }, (_, index) =>
    samplePhoto(`photo-${index + 1}`, ...SHAPES[turn(index)]!),
  );
}

function captioned(photos: readonly { readonly url: string }[]) {
  const captions = photos.map((_, index) => `No. ${index + 1}: ${WORDS[index % WORDS.length]}`);
  return { captions, assets: photos.map(({ url }, index) => ({ url, caption: captions[index]! })) };
}

describe.each(VIDEOS)('photos in %s %s', (id, ratio, template) => {
  it('fill the frame, although they are as small as those of an MLS', () => {
    const least = { classic: 0.6, luxury: 0.55 }[id] ?? (ratio === '1920:1080' ? 0.85 : 0.8);
    expect(
      mean(sharesOf(sampleStoryboard({ template, ratio, photos: samplePhotos(16, ...MLS) }))),
    ).toBeGreaterThan(least);
  });

  it.each([10, 16])(
    'are shown in at least nine tenths of their own size but for one group, %d of an MLS',
    (count) => {
      const board = sampleStoryboard({ template, ratio, photos: samplePhotos(count, ...MLS) });
      const sizes = bodyOf(board).flatMap(({ layers }) =>
        layers.flatMap((layer) =>
          layer.type === 'photo' ? [Math.max(layer.box.w / MLS[0], layer.box.h / MLS[1])] : [],
        ),
      );
      expect(sizes.filter((size) => size < 0.9).length).toBeLessThan(3);
      expect(Math.min(...sizes)).toBeGreaterThan(0.7);
    },
  );

  it.each([5, 6, 9, 14, 23, 54, 100])(
    'never stand on less than 0.4 of the frame, %d of mixed sizes',
    (count) => {
      const board = sampleStoryboard({ template, ratio, photos: mixedPhotos(count) });
      expect(Math.min(...sharesOf(board))).toBeGreaterThan(0.4);
    },
  );

  it.each([1, 3])('never stand on less than 0.4 of the frame in order no. %d', (seed) => {
    const board = sampleStoryboard({ template, ratio, photos: shuffledPhotos(9 + 13 * seed, seed) });
    expect(Math.min(...sharesOf(board))).toBeGreaterThan(0.4);
  });

  it.each([
    [5, ...MLS],
    [9, ...MLS],
    [8, 1020, 764],
    [16, 1020, 764],
    [13, 800, 533],
  ])('never stand on less than 0.4 of the frame, %d of %d x %d', (count, ...size) => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(count, ...size) });
    expect(Math.min(...sharesOf(board))).toBeGreaterThan(0.4);
  });

  it('that are panoramas fill their boxes, and the camera crosses them', () => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(8, 2400, 800) });
    for (const { layers } of bodyOf(board)) {
      const photos = layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : []));
      const areas = photos.map(({ box }) => (box.w * box.h) / (board.widthPx * board.heightPx));
      expect(areas.reduce((sum, area) => sum + area)).toBeGreaterThan(0.45);
      for (const { box, camera } of photos) {
        if (box.w / box.h > 2.7) continue;
        expect(Math.abs(camera.to.cx - camera.from.cx)).toBeGreaterThan(0.1);
      }
    }
  });

  it('of which two are panoramas show most of these on a phone, each in its own scene', () => {
    if (ratio !== '1080:1920') return;
    const wide = samplePhotos(2, 2400, 800).map((photo, at) => ({
      ...photo,
      digest: `wide-${at}`,
      assetIndex: 10 + at,
    }));
    const board = sampleStoryboard({ template, ratio, photos: [...samplePhotos(10, 2400, 1600), ...wide] });
    for (const { digest } of wide) {
      const scene = bodyOf(board).find(({ layers }) => JSON.stringify(layers).includes(`"${digest}"`))!;
      expect(scene.kind).toBe('photo');
      expect(scene.durationFrames).toBeGreaterThan(2 * board.fps);
      const [photo] = scene.layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : []));
      const { from, to } = photo!.camera;
      // A video of quick changes has less time for the way, and social pans slowly all the same.
      const least = { social: 0.55, modern: 0.7, unbranded: 0.7 }[template.id] ?? 0.75;
      expect(Math.abs(to.cx - from.cx) + from.span).toBeGreaterThan(least);
    }
  });

  it('that are upright fill a phone alone, and stand together in a wide frame', () => {
    const board = sampleStoryboard({ template, ratio, photos: samplePhotos(12, 900, 1350) });
    const counts = bodyOf(board).map(({ layers }) => layers.filter(({ type }) => type === 'photo').length);
    if (ratio === '1080:1920') expect(Math.max(...counts)).toBe(1);
    else expect(counts.filter((count) => count === 1).length).toBeLessThan(2);
  });

  it('are all shown, in order', () => {
    const photos = mixedPhotos(17);
    const numbers = bodyOf(sampleStoryboard({ template, ratio, photos })).flatMap(({ layers }) =>
      layers.flatMap((layer) =>
        layer.type === 'photo' ? [photos.findIndex(({ digest }) => digest === layer.digest)] : [],
      ),
    );
    expect(new Set(numbers).size).toBe(numbers.length);
    // In a wide frame upright photos come together.
    const inOrder = numbers.filter(
      (at) => ratio === '1080:1920' || photos[at]!.widthPx >= photos[at]!.heightPx,
    );
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  });
});

describe.each(VIDEOS)('captions in %s %s', (_, ratio, template) => {
  it.each([
    ['of an MLS', samplePhotos(12, ...MLS)],
    ['of a camera', samplePhotos(12, 6000, 4000)],
    ['of mixed sizes', mixedPhotos(12)],
    ['of wide and upright shapes', shuffledPhotos(12, 3)],
    ['of upright and small shapes', shuffledPhotos(12, 5)],
  ])('are shown with their photos, 12 on 12 photos %s', (_name, photos) => {
    const { captions, assets } = captioned(photos);
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const shown = captionWords(board);
    const scenes = bodyOf(board);
    const missing = captions.flatMap((caption, index) => {
      const at = shown.findIndex((words) => words.includes(plain(caption)));
      if (at < 0) return [index + 1];
      expect(
        scenes[at]!.layers.some((layer) => layer.type === 'photo' && layer.digest === photos[index]!.digest),
      ).toBe(true);
      return [];
    });
    // As many as there is time for: most of them in half a minute.
    const isShort = template.id === 'social' || (template.id === 'luxury' && ratio === '1080:1920');
    expect(missing.length).toBeLessThanOrEqual(isShort ? 8 : ratio === '1920:1080' ? 0 : 6);
    const warnings = board.warnings.join('\n');
    for (const number of missing) expect(warnings).toContain(`${number} (photo-${number})`);
    // The photo of the opening is repeated with its caption, so that a small one can share a scene.
    expect(Math.min(...sharesOf(board))).toBeGreaterThan(0.37);
    const sec = board.scenes.reduce((total, { durationFrames }) => total + durationFrames, 0) / board.fps;
    expect(sec).toBeLessThanOrEqual(template.id === 'social' ? 24 : ratio === '1920:1080' ? 60 : 35);
  });

  it('that have no place or no time are named in a warning', () => {
    const photos = mixedPhotos(40);
    const { captions, assets } = captioned(photos);
    const board = sampleStoryboard({ template, ratio, photos, listing: { assets } });
    const shown = captionWords(board);
    const warnings = board.warnings.join('\n');
    captions.forEach((caption, index) => {
      const isShown = shown.some((words) => words.includes(plain(caption)));
      expect(isShown || warnings.includes(`${index + 1} (photo-${index + 1})`), caption).toBe(true);
    });
  });
});

it.each(['classic', 'modern', 'luxury', 'unbranded'])(
  '%s fills a phone in hook and body: with rooms, and with two views of a house that would be cut',
  (id) => {
    const template = templates.find((each) => each.id === id)!;
    const house = { left: 0, right: 1, tip: 0.2, top: 0.25, bottom: 0.8 };
    const rooms = ['kitchen', 'bath', 'bedroom', 'living', 'dining', 'kitchen', 'bath', 'front', 'front'];
    const photos = ['front', ...rooms].map((room, index) => ({
      ...samplePhoto(`${index}-${room}.jpg`, ...MLS),
      ...(room === 'front' && index > 0 && { subject: house }),
    }));
    const { scenes, heightPx } = sampleStoryboard({ template, ratio: '1080:1920', photos });
    const isFilled = ({ layers }: Scene, share = 1) =>
      layers.reduce((sum, { type, box }) => sum + (type === 'photo' ? box.h : 0), 0) >=
      Math.floor(share * heightPx);
    // Over the pictures stand their words.
    const least = { classic: 0.485, luxury: 0.76, modern: 0.48, unbranded: 0.81 }[id]!;
    const hook = scenes.filter(({ kind }) => kind === 'hook');
    expect(hook.every((scene) => isFilled(scene, least))).toBe(true);
    const alone = scenes.filter(({ kind }) => kind === 'photo');
    expect(alone.length).toBeGreaterThan(2);
    expect(alone.filter((scene) => !isFilled(scene))).toEqual([]);
  },
);

it.each([
  ['modern', '1080:1920', MLS, [0, 0, 1, 1]],
  // Sides are even: a photo of 679 lines has 678.
  ['modern', '1080:1920', [1020, 678], [0, 0, 1, 1]],
  ['modern', '1080:1920', [1024, 575], [0, 0.28, 1, 0.72]],
  ['modern', '1080:1920', [640, 427], [0, 0.35, 1, 0.65]],
  ['modern', '1920:1080', [900, 600], [0, 0, 1, 1]],
  ['social', '1080:1920', MLS, [0, 0, 1, 1]],
] as const)(
  'in %s, bedrooms without a caption fill %s of %j or stand under the street',
  (design, ratio, size, box) => {
    const template = templates.find(({ id }) => id === design)!;
    const rooms = Array.from({ length: 5 }, (_, index) => samplePhoto(`bedroom-${index + 1}.jpg`, ...size));
    const board = sampleStoryboard({ template, ratio, photos: rooms });
    const alone = board.scenes.filter(({ kind }) => kind === 'photo');
    expect(alone.length).toBeGreaterThan(0);
    for (const { layers } of alone) {
      expect(layers.every(({ type, id }) => type !== 'text' || id.startsWith('street'))).toBe(true);
      const [{ x, y, w, h }] = layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box] : [])) as [
        Box,
      ];
      const shares = [x / board.widthPx, y / board.heightPx, w / board.widthPx, h / board.heightPx];
      expect(shares).toEqual(box.map((share) => expect.closeTo(share, 2)));
    }
  },
);

/** `social` covers its own opening and strips. */
describe.each(VIDEOS.filter(([id, ratio]) => ratio === '1080:1920' && id !== 'social'))(
  'upright photos in %s %s',
  (_, ratio, template) => {
    it.each([
      ['little', {}],
      [
        'much',
        { headline: 'A craftsman home with a view of Mount Hood', status: 'New', open_house: 'Saturday' },
      ],
    ])('reach both sides of opening, facts and ending, with %s to say', (_name, data) => {
      const photos = samplePhotos(12, 900, 1350);
      const { scenes, widthPx, heightPx } = sampleStoryboard({ template, ratio, photos, data });
      const boxesOf = (kind: string) =>
        scenes
          .find((scene) => scene.kind === kind)!
          .layers.flatMap((layer) => (layer.type === 'photo' && layer.id !== 'portrait' ? [layer.box] : []));
      // Under all the words of luxury one stands narrower: it keeps its door.
      const isNarrow = template.id === 'luxury' && 'headline' in data;
      const hero = isNarrow ? [] : [boxesOf('hero')];
      const area = boxesOf('hero').reduce((sum, { w, h }) => sum + w * h, 0);
      expect(area).toBeGreaterThan((isNarrow ? 0.25 : 0.38) * widthPx * heightPx);
      const ending = template.branding === 'none' ? 'closing' : 'card';
      // The numbers of luxury stand beside the photo.
      const facts = template.id === 'luxury' ? [] : [boxesOf('facts')];
      // The prints of classic stand on pages, between margins.
      const margin = template.id === 'classic' ? 54 : 0;
      for (const boxes of [...hero, ...facts, boxesOf(ending)]) {
        expect(Math.min(...boxes.map(({ x }) => x))).toBe(margin);
        expect(Math.max(...boxes.map(({ x, w }) => x + w))).toBe(widthPx - margin);
      }
    });
  },
);

describe.each(VIDEOS.filter(([, ratio]) => ratio === '1080:1920'))(
  'a pair in %s %s',
  (_, ratio, template) => {
    it.each([
      ['first', 0],
      ['second', 1],
    ])('has the caption of its %s photo on that photo or under it', (_name, own) => {
      const photos = samplePhotos(14, ...MLS);
      const caption = 'The covered terrace, with an outdoor fireplace';
      const assets = photos.map(({ url }, index) => ({ url, caption: `${index + 1}: ${caption}` }));
      let seen = 0;
      for (const { kind, layers } of bodyOf(
        sampleStoryboard({ template, ratio, photos, listing: { assets } }),
      )) {
        const shown = layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : []));
        const number = photos.findIndex(({ digest }) => digest === shown[own]?.digest) + 1;
        const words = layers.find(
          (layer) => layer.type === 'text' && layer.lines[0]?.text.startsWith(`${number}:`),
        );
        if (kind !== 'pair' || !words) continue;
        const gapTo = ({ box }: (typeof shown)[number]) =>
          Math.max(box.y - (words.box.y + words.box.h), words.box.y - (box.y + box.h));
        const nearest = shown.toSorted((a, b) => gapTo(a) - gapTo(b));
        expect(nearest[0]?.digest).toBe(shown[own]!.digest);
        seen += 1;
      }
      // Luxury gives each caption a page.
      if (template.id !== 'luxury') expect(seen).toBeGreaterThan(0);
    });
  },
);

describe.each(VIDEOS)('a price in %s %s', (_, ratio, template) => {
  it.each(['12495000', 'Price on request'])('is never cut: %s', (price) => {
    const { scenes } = sampleStoryboard({
      template,
      ratio,
      photos: samplePhotos(16, ...MLS),
      data: { price },
    });
    const lines = scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'text' ? layer.lines.map(({ text }) => text) : [])),
    );
    expect(lines.filter((line) => line.includes('…'))).toEqual([]);
  });
});

it.each(
  templates.filter(({ branding }) => branding !== 'none').map((template) => [template.id, template] as const),
)(
  'shows three upright photos side by side on the card of a phone in %s, and one of another shape',
  (_, template) => {
    const stripOf = (photos: ReturnType<typeof samplePhotos>) =>
      // In social the portrait stands beside one photo.
      sampleStoryboard({
        ...{ template, ratio: '1080:1920', photos },
        ...(template.id === 'social' && { portrait: null }),
      })
        .scenes.at(-1)!
        .layers.filter((layer) => layer.type === 'photo' && layer.box.y > 960);
    const uprights = stripOf(samplePhotos(6, 1365, 2048));
    expect(new Set(uprights.map(({ box }) => box.y)).size).toBe(1);
    expect(uprights).toHaveLength(3);
    expect(stripOf([...samplePhotos(6, 1365, 2048), samplePhoto('wide', 1920, 1280)])).toHaveLength(1);
  },
);

it.each(['modern', 'social'])('%s fills a wide frame with a small photo alone, and moves over it', (id) => {
  const template = templates.find((each) => each.id === id)!;
  const { scenes, widthPx, heightPx } = sampleStoryboard({ template, photos: samplePhotos(5, 640, 426) });
  const alone = scenes.filter(({ kind }) => kind === 'photo');
  expect(alone.length).toBeGreaterThan(0);
  for (const { layers } of alone) {
    const photo = layers.find((layer) => layer.type === 'photo')!;
    expect(photo.box).toEqual({ x: 0, y: 0, w: widthPx, h: heightPx });
    expect(photo.camera.from).not.toEqual(photo.camera.to);
  }
});

it.each(RATIOS)(
  'modern covers what a pair replaces between its photos from the first frame on, in %s',
  (ratio) => {
    const template = templates.find(({ id }) => id === 'modern')!;
    const photos = Array.from({ length: 9 }, (_, at) => samplePhoto(`kitchen-${at}.jpg`, 3000, 2000));
    const { scenes } = sampleStoryboard({ template, ratio, photos });
    const pairs = scenes.filter(({ kind }) => kind === 'pair');
    expect(pairs.length).toBeGreaterThan(0);
    for (const { layers } of pairs) {
      const [first, second] = layers.filter(({ type }) => type === 'photo').map(({ box }) => box);
      const isAbove = second!.y > first!.y;
      const [from, to] = isAbove ? [first!.y + first!.h, second!.y] : [first!.x + first!.w, second!.x];
      const gutter = layers.find(({ type, tracks, box }) => {
        const [start, size] = isAbove ? [box.y, box.h] : [box.x, box.w];
        return type === 'fill' && tracks === undefined && start <= from && start + size >= to;
      });
      expect(gutter).toBeDefined();
    }
  },
);

it('the ground beside a photo goes from the color of one of its edges to that of the other', () => {
  const modern = templates.find(({ id }) => id === 'modern')!;
  const phone = modern.ratios['1080:1920'];
  const named = (name: string) => phone.scenes.single!.find((variant) => variant.name === name)!;
  const block = named('under the street').elements.find(({ id }) => id === 'block')!;
  const shade = { ...block, id: 'shade', box: [0, 0, 1, 1], color: 'photoShade' } as typeof block;
  const single = [{ ...named('whole'), elements: [shade, ...named('whole').elements] }];
  const ratios = { ...modern.ratios, '1080:1920': { ...phone, scenes: { ...phone.scenes, single } } };
  const template = { ...modern, ratios } as typeof modern;
  const photos = Array.from({ length: 5 }, (_, index) => samplePhoto(`bedroom-${index + 1}.jpg`, 640, 427));
  const sides = { top: '#6699DD', bottom: '#557733', left: '#999999', right: '#333333' };
  const light = { columns: 1, rows: 1, luma: [0.5], sides };
  const { scenes } = sampleStoryboard({ template, ratio: '1080:1920', photos, lightOf: () => light });
  const { layers } = scenes.find(({ kind }) => kind === 'photo')!;
  const [near, far] = ['shade', 'shade-far'].map((name) => layers.find(({ id }) => id === name));
  expect(near).toMatchObject({ color: shadeOf(sides.top) });
  expect(far).toMatchObject({
    color: shadeOf(sides.bottom),
    gradient: {
      direction: 'down',
      stops: [
        { at: 0, alpha: 0 },
        { at: 1, alpha: 1 },
      ],
    },
  });
});

it('modern shows a lone upright photo at the left of a wide frame, and pairs of bedrooms in halves that the camera crosses, without words', () => {
  const template = templates.find(({ id }) => id === 'modern')!;
  const bodyWith = (photos: readonly (readonly [string, number, number])[], lone?: string) =>
    bodyOf(
      sampleStoryboard({
        template,
        photos: photos.map((photo) => samplePhoto(...photo)),
        listing: {
          assets: photos.map(([url]) => ({ url, ...(url === lone && { emphasis: 'high' as const }) })),
        },
      }),
    );
  const wide = ['front', 'kitchen', 'living', 'dining', 'bath', 'bedroom'].map(
    (room) => [`${room}.jpg`, 3000, 2000] as const,
  );
  const lone = bodyWith([...wide, ['bath-2.jpg', 2000, 3000]], 'bath-2.jpg')
    .flatMap(({ layers }) => layers)
    .find((layer) => layer.type === 'photo' && layer.digest === 'digest-bath-2.jpg')!;
  expect(lone.box).toEqual({ x: 0, y: 0, w: 998, h: 1080 });
  const bedrooms = Array.from({ length: 9 }, (_, at) => [`bedroom-${at}.jpg`, 3000, 2000] as const);
  const pairs = bodyWith(bedrooms).filter(({ kind }) => kind === 'pair');
  expect(pairs.length).toBeGreaterThan(0);
  for (const { layers } of pairs) {
    const shown = layers.filter((layer): layer is PhotoLayer => layer.type === 'photo');
    expect(shown.map(({ box: { x, y, w, h } }) => [x, y, w, h])).toEqual([
      [0, 0, 954, 1080],
      [966, 0, 954, 1080],
    ]);
    for (const { camera } of shown) expect(Math.abs(camera.to.cx - camera.from.cx)).toBeGreaterThan(0.06);
    // Each enters over the scene before: no empty grid is seen.
    expect(shown.every(({ tracks }) => tracks !== undefined)).toBe(true);
  }
});
