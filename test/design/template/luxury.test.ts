/** What luxury promises of a video: it is never dark, begins in motion, and no word lies on the house of its opening. */
import { describe, expect, it } from 'vitest';
import { lintStoryboard } from '../../../src/design/storyboard/lint-storyboard.ts';
import type { Layer, Scene, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import { trackValue } from '../../../src/design/timeline/track-value.ts';
import {
  photoMap,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  templates,
  withCaptions,
} from '../storyboard/sample.ts';

const template = await loadTemplate('luxury');
const HEADLINE = 'A restored estate above the harbor, with a guest house and walled gardens';
const NEWS = { status: 'Just listed', open_house: 'Saturday 12 and Sunday 13 December, 1 to 4 pm' };
const OFFICE = {
  name: 'Windermere Harbor & Pine International Realty',
  address: { street: '40 Wharf Street, Suite 210', city: 'Portland', state: 'OR', postal_code: '97205' },
};

const opening = ({ scenes }: Storyboard): Scene => scenes.find(({ kind }) => kind === 'hero')!;
const areaOf = ({ box }: Layer): number => box.w * box.h;

function share(layers: readonly Layer[], { widthPx, heightPx }: Storyboard): number {
  const photos = layers.filter(({ type }) => type === 'photo');
  return photos.reduce((sum, layer) => sum + areaOf(layer), 0) / (widthPx * heightPx);
}

describe.each(RATIOS)('luxury in %s', (ratio) => {
  it('goes through no dark frame before its card', () => {
    const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(24) });
    expect(scenes.slice(0, -2).map(({ transition }) => transition.kind)).not.toContain('dip');
  });

  it('begins with half a picture or more, whose camera is at speed', () => {
    const board = sampleStoryboard({ template, ratio });
    const [hook] = board.scenes;
    const photo = hook!.layers.find((layer) => layer.type === 'photo')!;
    const sides = ['clipTop', 'clipBottom', 'clipLeft', 'clipRight'] as const;
    const hidden = sides.map((name) => trackValue(photo.tracks, name, 0, 0));
    expect(hook!.kind).toBe('hook');
    expect(1 - hidden.reduce((sum, side) => sum + side)).toBeGreaterThan(0.5);
    expect(photo.camera.easing).toBe('land');
  });

  it.each([
    [12, ratio === '1080:1920' ? 0.46 : 0.62, { ...NEWS, price: '$2,450,000' }],
    [12, 0.56, { ...NEWS, headline: HEADLINE, price: '$2,450,000' }],
    [5, 0.49, { ...NEWS, headline: HEADLINE, price: '$2,450,000' }],
  ])('shows the photo of the opening large: of %i photos %f of a phone, with %o', (count, least, data) => {
    const board = sampleStoryboard({ template, ratio, data, photos: samplePhotos(count) });
    const { layers } = opening(board);
    expect(share(layers, board)).toBeGreaterThanOrEqual(least);
    const sizes = layers.flatMap((layer) => (layer.type === 'text' ? [layer.style.sizePx] : []));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(ratio === '1080:1920' ? 40 : 36);
  });

  it('keeps long captions over a photo in the safe area', () => {
    const data = withCaptions(
      12,
      'The great room below the gallery, with a stone hearth, a library, and doors to the terrace',
    );
    const { scenes, heightPx } = sampleStoryboard({ template, ratio, data });
    const captions = scenes.flatMap(({ layers }) => layers.filter(({ id }) => id.startsWith('caption')));
    expect(captions.length).toBeGreaterThan(0);
    const bottoms = captions.map(({ box }) => box.y + box.h);
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(heightPx === 1080 ? 1026 : 1245);
  });

  it.each([
    [12, 1920, 1280],
    [12, 1920, 1080],
    [30, 1280, 1920],
  ])(
    'lights all four numbers while their page comes, and until it goes: %i photos of %i by %i',
    (...photos) => {
      const data = { price: '$2,849,000' };
      const { scenes, fps } = sampleStoryboard({ template, ratio, data, photos: samplePhotos(...photos) });
      const at = scenes.findIndex(({ kind }) => kind === 'facts');
      const [before, facts] = scenes.slice(at - 1);
      const numbers = facts!.layers.filter(({ id }) => id.startsWith('fact-'));
      expect(numbers).toHaveLength(4);
      const isLit = (frame: number) =>
        numbers.every(({ tracks }) => trackValue(tracks, 'opacity', frame, 1) > 0.99);
      const change = facts!.durationFrames - facts!.transition.durationFrames;
      const start = 0 - before!.transition.durationFrames;
      const unlit = Array.from({ length: change - start }, (_, index) => start + index).filter(
        (each) => !isLit(each),
      );
      expect(Math.max(start, ...unlit) + 1 - start).toBeLessThanOrEqual(0.5 * fps);
      // Counted from the end of the change before them, when nothing hides them any more.
      expect(change / fps).toBeGreaterThanOrEqual(1.6);
    },
  );

  it.each([12, 5])(
    'says status and street in one place on all pictures of its hook, of %i photos',
    (count) => {
      const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(count), data: NEWS });
      const pictures = count === 12 ? 2 : 1;
      const hook = scenes.filter(({ kind }) => kind === 'hook');
      const texts = hook.map(({ layers }) => layers.filter(({ type }) => type === 'text'));
      expect(texts).toHaveLength(pictures);
      for (const said of texts) expect(said.map(({ id }) => id).sort()).toEqual(['address', 'status']);
      const places = texts.map((of) => of.map(({ box }) => box));
      expect(places.at(-1)).toEqual(places[0]);
    },
  );

  it('says the price by 2.4 s, and opens like a door at most twice after its hook', () => {
    const { scenes, fps } = sampleStoryboard({
      template,
      ratio,
      photos: samplePhotos(16, 3000, 2000),
      data: NEWS,
    });
    const at = scenes.findIndex(({ kind }) => kind === 'hero');
    const sec = scenes.slice(0, at).reduce((sum, { durationFrames }) => sum + durationFrames, 0) / fps;
    expect(sec).toBeLessThanOrEqual(2.2);
    expect(
      scenes.slice(at).filter(({ transition }) => transition.kind === 'aperture').length,
    ).toBeLessThanOrEqual(2);
  });

  it('begins with its reveal also before thirty photos', () => {
    const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(30) });
    expect(scenes[0]!.kind).toBe('hook');
  });

  it.each(['luxury', 'social'])(
    'has room for what stands over and under Arabic letters, and so has %s',
    (id) => {
      const photos = samplePhotos(12);
      const board = sampleStoryboard({
        template: templates.find((each) => each.id === id)!,
        ratio,
        photos,
        listing: { address: { street: '١٢٨ شارع الميناء', city: 'دبي', state: null } as never },
        data: {
          status: 'معروض حديثاً',
          price: '2,500,000 درهم',
          label_price: 'السعر',
          open_house: 'السبت ١٢ ديسمبر من ١ إلى ٤ مساءً',
          ...withCaptions(9, 'الواجهة الأمامية للمنزل مع حديقة واسعة'),
        },
      });
      const rules = new Set(['safe-area', 'overlap', 'bare-photo']);
      const findings = lintStoryboard(board, photoMap(photos)).filter(({ rule }) => rules.has(rule));
      expect(findings).toEqual([]);
    },
  );

  it.each(['', '$2,450,000'])(
    'says a long open house under the facts, which it does not touch: %s',
    (price) => {
      const open_house =
        'Saturday 12 December from 1 to 4 pm, Sunday 13 December from 11 am to 2 pm, and all week';
      const photos = samplePhotos(12);
      const board = sampleStoryboard({ template, ratio, photos, data: { open_house, price } });
      const { layers } = board.scenes.find(({ kind }) => kind === 'facts')!;
      expect(layers.map(({ id }) => id)).toContain('open-house');
      const rules = new Set(['safe-area', 'overlap', 'bare-photo']);
      const findings = lintStoryboard(board, photoMap(photos)).filter(({ rule }) => rules.has(rule));
      expect(findings).toEqual([]);
    },
  );

  it('tells all that an agent usually has on one or two pages', () => {
    const { scenes } = sampleStoryboard({
      template,
      ratio,
      agent: {
        id: 'a',
        first_name: 'Alexandra',
        last_name: 'Whitmore-Castellano',
        designation: 'Luxury Property Specialist, CRS',
        phones: [{ number: '(503) 555-0128' }],
        emails: [{ address: 'alexandra.castellano@example.com' }],
        licenses: [{ number: '201250128', state: 'OR' }],
        offices: [OFFICE],
      },
      data: {
        ...NEWS,
        link: 'https://www.harborpine.example/homes/128-harbor-pine-lane',
        website: 'harborpine.example',
        cta: 'Private showings by appointment',
      },
      logo: { digest: 'logo', url: 'logo.png', masterPath: '/nowhere', widthPx: 1024, heightPx: 280 },
    });
    const pages = scenes.filter(({ kind }) => kind === 'card').length;
    expect(pages).toBeLessThanOrEqual(2);
  });
});

it.each(RATIOS)(
  'lets the words of its opening stand until the next scene covers them from one side, in %s',
  (ratio) => {
    const data = { ...NEWS, headline: HEADLINE, price: '$2,450,000' };
    const { layers, durationFrames, transition } = opening(sampleStoryboard({ template, ratio, data }));
    const words = layers.filter(({ type }) => type === 'text');
    expect(words.length).toBeGreaterThan(4);
    expect(transition.kind).toBe('wipe');
    // They come when the photo is in its place.
    for (const frame of [8, durationFrames - 1])
      expect(words.map(({ tracks }) => trackValue(tracks, 'opacity', frame, 1))).toEqual(words.map(() => 1));
  },
);

it.each(RATIOS)(
  'says captions on black by large photos, on a phone over their fade or a print, in %s',
  (ratio) => {
    const photos = Array.from({ length: 12 }, (_, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
    const data = withCaptions(12, 'A kitchen for two');
    const board = sampleStoryboard({ template, ratio, photos, data });
    const said = board.scenes.filter(
      ({ kind, layers }) => kind === 'photo' && layers.some(({ id }) => id === 'caption'),
    );
    expect(said.length).toBeGreaterThan(1);
    const tops = said.map(({ layers }) => {
      const fades = layers.filter((layer) => layer.type === 'fill' && layer.gradient);
      const isPrint = ratio === '1080:1920' && fades.length === 0;
      expect(share(layers, board)).toBeGreaterThan(isPrint ? 0.4 : 0.6);
      if (ratio === '1080:1920' && !isPrint) {
        const photo = layers.find(({ type }) => type === 'photo')!;
        expect(photo.box.h / board.heightPx).toBeGreaterThanOrEqual(0.75);
        expect(fades.map(({ box }) => box.y)).toEqual([photo.box.y]);
      } else expect(fades).toEqual([]);
      const caption = layers.find(({ id }) => id === 'caption')!;
      expect(caption.type === 'text' && caption.style.sizePx).toBeGreaterThanOrEqual(56);
      return { isPrint, top: caption.box.y / board.heightPx };
    });
    if (ratio === '1080:1920')
      for (const print of [false, true]) {
        const places = tops.filter(({ isPrint }) => isPrint === print).map(({ top }) => top);
        expect(new Set(places).size).toBe(1);
        expect(places[0]).toBeLessThan(print ? 0.3 : 0.2);
      }
  },
);

it.each([
  ['short', 'A kitchen for two', 0.84, 0.65],
  ['long', 'Kitchen with granite counters, a gas range, and an island with seats for four', 0.78, 0.62],
])(
  'says %s captions of a wide video under its photos, two of six beside their own',
  (_, caption, high, wide) => {
    const photos = Array.from({ length: 5 }, (_, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
    const board = sampleStoryboard({ template, photos, data: withCaptions(5, caption) });
    const places = board.scenes
      .filter(({ kind, layers }) => kind === 'photo' && layers.some(({ id }) => id === 'caption'))
      .map(({ layers }) => layers.find(({ type }) => type === 'photo')!.box);
    expect(places.length).toBeGreaterThan(2);
    places.forEach(({ w, h }, index) => {
      const isBeside = index === 1 || index === 3;
      expect(w / board.widthPx).toBeCloseTo(isBeside ? wide : 1, 2);
      if (isBeside) expect(h).toBe(board.heightPx);
      else expect(h / board.heightPx).toBeGreaterThanOrEqual(high);
    });
  },
);

it('shows a wide photo whole before its short caption rises over its foot', () => {
  const photos = Array.from({ length: 5 }, (_, index) => samplePhoto(`photo-${index + 1}`, 1024, 683));
  const { scenes } = sampleStoryboard({ template, photos, data: withCaptions(5, 'A kitchen for two') });
  const { layers } = scenes.find((scene) => scene.layers.some(({ id }) => id === 'band'))!;
  const band = layers.find(({ id }) => id === 'band')!;
  const caption = layers.find(({ id }) => id === 'caption')!;
  expect(trackValue(band.tracks, 'dy', 0, 0)).toBeGreaterThanOrEqual(band.box.h);
  // The words stand on it while it comes.
  for (const frame of [0, 12, 18, 27])
    expect(trackValue(caption.tracks, 'dy', frame, 0)).toBe(trackValue(band.tracks, 'dy', frame, 0));
});

it('gives an upright photo with a caption nearly two thirds of a wide frame, and the caption large type', () => {
  const photos = [...samplePhotos(2), samplePhoto('tall', 910, 1366), samplePhoto('last')];
  const assets = photos.map(({ url }) => ({ url, ...(url === 'tall' && { emphasis: 'high' as const }) }));
  const board = sampleStoryboard({
    template,
    photos,
    listing: { assets },
    data: { caption_03: 'The primary bedroom' },
  });
  const { layers } = board.scenes.find((scene) => scene.layers.some(({ id }) => id === 'caption'))!;
  const caption = layers.find(({ id }) => id === 'caption')!;
  expect(share(layers, board)).toBeCloseTo(0.64, 2);
  expect(caption.type === 'text' && caption.style.sizePx).toBeGreaterThanOrEqual(80);
});

it('says the price of its facts in type as large as any of a tall video, over more than half a photo', () => {
  const board = sampleStoryboard({ template, ratio: '1080:1920', data: { ...NEWS, price: '$2,849,000' } });
  const sizes = ({ layers }: Scene) =>
    layers.map((layer) => (layer.type === 'text' ? layer.style.sizePx : 0));
  const facts = board.scenes.find(({ kind }) => kind === 'facts')!;
  const others = board.scenes.filter(({ kind }) => kind !== 'facts').flatMap(sizes);
  expect(Math.max(...sizes(facts))).toBeGreaterThanOrEqual(Math.max(...others));
  expect(
    share(
      facts.layers.filter(({ id }) => id === 'photo-1'),
      board,
    ),
  ).toBeGreaterThan(0.5);
});

it('never lays a scrim over the wide opening, whose address is a headline', () => {
  for (const photo of [
    samplePhoto('wide'),
    samplePhoto('tall', 1280, 1920),
    samplePhoto('square', 1400, 1400),
  ]) {
    const { layers } = opening(sampleStoryboard({ template, photos: [photo, ...samplePhotos(11)] }));
    expect(layers.map(({ type }) => type)).not.toContain('scrim');
    const address = layers.filter((layer) => layer.type === 'text' && /^address/.test(layer.id));
    expect(
      Math.min(...address.map((layer) => (layer.type === 'text' ? layer.style.sizePx : 0))),
    ).toBeGreaterThan(60);
  }
});

it.each([
  ['without a headline', {}],
  ['with a headline', { headline: 'בית משפחתי בין הים לעיר' }],
])('mirrors the wide opening of a listing that is read from right to left, %s', (_, data) => {
  const listing = { address: { street: 'רחוב דיזנגוף 128', city: 'תל אביב', state: null } as never };
  const { layers } = opening(sampleStoryboard({ template, listing, data }));
  const [photo] = layers.filter(({ type }) => type === 'photo');
  expect(photo!.box.x).toBe(0);
  const rightOf = ({ box }: Layer): number => box.x + box.w;
  const title = layers.filter(({ id }) => /^(address|headline)/.test(id));
  expect(Math.max(...title.map(rightOf))).toBeGreaterThan(1790);
  const beside = layers.filter((layer) => layer.type === 'text' && !title.includes(layer));
  expect(Math.min(...beside.map(({ box }) => box.x))).toBeGreaterThanOrEqual(rightOf(photo!));
});

it.each([{}, { ...NEWS, headline: HEADLINE }])(
  'stands the words of the tall opening over a photo that begins in a fade, with %o',
  (data) => {
    const { layers } = opening(sampleStoryboard({ template, ratio: '1080:1920', data }));
    const [photo, ...nearer] = layers.filter(({ type }) => type === 'photo');
    const fades = layers.filter((layer) => layer.type === 'fill' && layer.gradient);
    expect(fades.map(({ box }) => box.y)).toEqual([photo!.box.y]);
    const clear = fades[0]!.box.y + fades[0]!.box.h / 4;
    for (const { box } of nearer) expect(box).toEqual(photo!.box);
    for (const { box } of layers.filter(({ type }) => type === 'text'))
      expect(box.y + box.h).toBeLessThan(clear);
  },
);

it.each(RATIOS)('says the price of its opening in larger type than the street, in %s', (ratio) => {
  const data = { ...NEWS, headline: HEADLINE, price: '$2,450,000' };
  const { layers } = opening(sampleStoryboard({ template, ratio, data }));
  const sizes = layers.flatMap((layer) =>
    layer.type === 'text' ? [[layer.id, layer.style.sizePx] as const] : [],
  );
  const sizeOf = (id: string) =>
    Math.max(...sizes.filter(([name]) => name.startsWith(id)).map(([, px]) => px));
  const isPhone = ratio === '1080:1920';
  const price = sizeOf(isPhone ? 'price' : 'fact-price');
  expect(price).toBe(Math.max(...sizes.map(([, px]) => px)));
  expect(price).toBeGreaterThan((isPhone ? 1.5 : 1.15) * sizeOf('address'));
  // In 16:9 the words are one column, a fifth of the frame.
  expect(sizeOf('address')).toBeGreaterThanOrEqual(isPhone ? 80 : 72);
  expect(price).toBeGreaterThanOrEqual(isPhone ? 120 : 84);
});

it.each(
  RATIOS.flatMap(
    (ratio) =>
      [
        [ratio, 2560, 1706],
        [ratio, 1024, 768],
        [ratio, 1024, 575],
        [ratio, 640, 427],
        [ratio, 900, 1350],
      ] as const,
  ),
)(
  'stands photos without captions in the middle, fills the frame, or leaves a band above for street, city and price: %s, %i by %i',
  (ratio, w, h) => {
    const photos = Array.from({ length: 14 }, (_, index) => samplePhoto(`photo-${index + 1}`, w, h));
    const { scenes, widthPx, heightPx } = sampleStoryboard({ template, ratio, photos });
    const body = scenes.filter(({ kind }) => ['photo', 'pair', 'three', 'four'].includes(kind));
    expect(body.length).toBeGreaterThan(3);
    for (const { layers } of body) {
      const texts = layers.filter(({ type }) => type === 'text').map(({ id }) => id);
      expect(texts.filter((id) => !['address', 'city', 'price'].includes(id))).toEqual([]);
      const boxes = layers.filter(({ type }) => type === 'photo').map(({ box }) => box);
      const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
      const right = widthPx - Math.max(...boxes.map((box) => box.x + box.w));
      const bottom = heightPx - Math.max(...boxes.map((box) => box.y + box.h));
      expect(Math.abs(left - right)).toBeLessThanOrEqual(2);
      if (texts.length > 0 || (ratio === '1080:1920' && boxes.length === 1)) expect(bottom).toBe(0);
      else expect(Math.abs(top - bottom)).toBeLessThanOrEqual(2);
      expect(boxes.reduce((sum, box) => sum + box.w * box.h, 0) / (widthPx * heightPx)).toBeGreaterThan(0.45);
    }
  },
);

it.each([2, 3])(
  'says one caption under upright photos of a room side by side in a wide frame, of %i',
  (count) => {
    const photos = [
      samplePhoto('front', 900, 1350),
      ...Array.from({ length: count }, (_, index) => samplePhoto(`kitchen-${index + 1}`, 900, 1350)),
      ...Array.from({ length: 6 }, (_, index) => samplePhoto(`bedroom-${index + 1}`, 900, 1350)),
    ];
    const board = sampleStoryboard({ template, photos, data: { caption_02: 'A kitchen for two' } });
    const scene = board.scenes.find(({ layers }) => layers.some(({ id }) => id === 'caption'))!;
    expect(['pair', 'three']).toContain(scene.kind);
    expect(share(scene.layers, board)).toBeGreaterThan(0.8);
  },
);

it('begins with three upright photos side by side in a wide frame', () => {
  const [hook] = sampleStoryboard({ template, photos: samplePhotos(12, 900, 1350) }).scenes;
  const cuts = sampleStoryboard({ template }).scenes.filter(({ kind }) => kind === 'hook');
  const frames = cuts.reduce((sum, { durationFrames }) => sum + durationFrames, 0);
  expect(Math.abs(hook!.durationFrames - frames)).toBeLessThanOrEqual(1);
  expect(hook!.kind).toBe('hook');
  const photos = hook!.layers.filter(({ type }) => type === 'photo');
  expect(photos).toHaveLength(3);
  expect(photos.reduce((sum, { box }) => sum + box.w * box.h, 0) / (1920 * 1080)).toBeGreaterThan(0.7);
});

it('says the captions of two photos on a phone each at the head of its own photo, on black or its fade', () => {
  const photos = samplePhotos(12, 1024, 683);
  const { scenes } = sampleStoryboard({
    template,
    ratio: '1080:1920',
    photos,
    data: withCaptions(12, 'A kitchen for two'),
  });
  const pairs = scenes.filter(({ kind }) => kind === 'pair');
  expect(pairs.length).toBeGreaterThan(0);
  for (const { layers } of pairs) {
    const boxes = (type: string, id: string) =>
      layers.filter((layer) => layer.type === type && layer.id.startsWith(id)).map(({ box }) => box);
    const captions = boxes('text', 'caption');
    expect(captions).toHaveLength(2);
    const shown = boxes('photo', 'photo');
    captions.forEach(({ y, h }, index) => {
      expect(y).toBeGreaterThan(index === 0 ? 0 : shown[0]!.y + shown[0]!.h);
      const fade = boxes('fill', index === 0 ? 'fade' : 'fade-2')[0]!;
      expect(fade.y).toBe(shown[index]!.y);
      expect(y + h).toBeLessThan(fade.y + fade.h / 2);
    });
  }
});
