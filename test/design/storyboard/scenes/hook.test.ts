/** The hook: which photos cut before the opening, for how long, and the opening as first frame. */
import { describe, expect, it } from 'vitest';
import type { PhotoLayer, Scene } from '../../../../src/design/storyboard/storyboard.ts';
import { hookSeconds } from '../../../../src/design/storyboard/timing/pacing.ts';
import { ease } from '../../../../src/design/timeline/easing.ts';
import {
  classic,
  listed,
  RATIOS,
  samplePhoto,
  samplePhotos,
  sampleStoryboard,
  templates,
} from '../sample.ts';

it.each([72, 82, 96])('of unbranded has no cut shorter than 0.45 s at %i bpm', (bpm) => {
  const { pacing } = templates.find(({ id }) => id === 'unbranded')!.ratios['1080:1920'];
  expect(Math.min(...hookSeconds(pacing, pacing.hook!.cuts, 60 / bpm))).toBeGreaterThan(0.45);
});

it('of modern with two photos instead of three shows the first one twice as long', () => {
  const { pacing } = templates.find(({ id }) => id === 'modern')!.ratios['1920:1080'];
  const [first, second, ...others] = hookSeconds(pacing, 2, 60 / 110);
  expect(others).toEqual([]);
  expect(first! / second!).toBeCloseTo(2);
  expect(hookSeconds(pacing, 3, 60 / 110)).toEqual([second, second, second]);
});

const ofHook = (scenes: readonly Scene[]) => scenes.filter(({ kind }) => kind === 'hook');
const photosIn = (scenes: readonly Scene[]) =>
  scenes.flatMap(({ layers }) => layers.filter((layer): layer is PhotoLayer => layer.type === 'photo'));
/** On a phone the front stays over the words of such a template, and rooms cut under them. */
const keepsFront = (template: (typeof templates)[number], ratio: string) =>
  ratio === '1080:1920' && template.ratios[ratio].pacing.hook?.keepsFirst === true;
const cutsIn = (template: (typeof templates)[number], ratio: string, scenes: readonly Scene[]) =>
  ofHook(scenes).flatMap((scene) => photosIn([scene]).slice(keepsFront(template, ratio) ? 1 : 0));

describe.each(templates.flatMap((template) => RATIOS.map((ratio) => ({ id: template.id, template, ratio }))))(
  'the hook of $id in $ratio',
  ({ template, ratio }) => {
    it.each([5, 12, 60])('moves over photos that come again, but for those of sixty, %i', (count) => {
      const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(count, 2560, 1706) });
      const cuts = cutsIn(template, ratio, scenes);
      // Reveals, or cuts; of five photos the first one.
      const { cuts: most } = template.ratios[ratio].pacing.hook!;
      const slow = { classic: 2, luxury: 2, unbranded: 2 };
      expect(most).toBe((slow as Record<string, number>)[template.id] ?? 3);
      if (count === 5 && cuts.length === 0) expect(photosIn(ofHook(scenes))).toHaveLength(1);
      else expect(cuts.length).toBe(count === 5 ? 1 : most);
      const later = new Set(photosIn(scenes.slice(ofHook(scenes).length)).map(({ digest }) => digest));
      for (const { digest, camera } of cuts) {
        if (count < 60) expect(later).toContain(digest);
        expect(camera.from).not.toEqual(camera.to);
        expect(camera.easing).not.toBe('linear');
      }
    });

    it('shows two pictures at most where it is slow, the second not that after the opening', () => {
      const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(12, 2560, 1706) });
      const [, second, ...others] = photosIn(ofHook(scenes));
      if (second === undefined || others.length > 0) return;
      const [after] = photosIn(scenes.slice(scenes.findIndex(({ kind }) => kind === 'hero') + 1));
      expect(second.digest).not.toBe(after!.digest);
    });

    it('hands its speed to the opening, whose camera only slows down', () => {
      const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(12, 2560, 1706) });
      const [opening] = photosIn(scenes.filter(({ kind }) => kind === 'hero'));
      expect(ease(opening!.camera.easing!, 0.1)).toBeGreaterThan(0.15);
    });

    it('is left out of a template without one, also of upright photos', () => {
      const { hook: _, ...pacing } = template.ratios[ratio].pacing;
      const without = {
        ...template,
        ratios: { ...template.ratios, [ratio]: { ...template.ratios[ratio], pacing } },
      };
      const photos = samplePhotos(12, 1080, 1920);
      expect(ofHook(sampleStoryboard({ template: without, ratio, photos }).scenes)).toEqual([]);
    });

    it('is left out where only the opening has a photo', () => {
      expect(ofHook(sampleStoryboard({ template, ratio, photos: samplePhotos(1) }).scenes)).toEqual([]);
    });

    it('gives its first frame to the finished opening where that is wanted', () => {
      const plain = sampleStoryboard({ template, ratio });
      const { scenes, highlights } = sampleStoryboard({ template, ratio, data: { 'poster-first': 'true' } });
      const [poster, next] = scenes;
      expect(poster!.durationFrames).toBe(1);
      for (const layer of poster!.layers) {
        expect(layer.tracks).toBeUndefined();
        if (layer.type === 'photo') expect(layer.camera.from).toEqual(layer.camera.to);
      }
      expect(next!.durationFrames).toBe(plain.scenes[0]!.durationFrames - 1);
      expect(scenes[highlights[0]!]!.kind).toBe('hero');
    });
  },
);

it('shows no altered photo in the hook, and none there but unaltered ones', () => {
  const photos = listed(samplePhotos(6));
  const assets = photos.map(({ url }, index) =>
    index === 3 ? { url } : { url, altered: 'Virtually staged' },
  );
  const { scenes } = sampleStoryboard({ photos, listing: { assets } });
  expect(ofHook(scenes)).toEqual([]);
});

/** Cells that all differ from their neighbors, or a wall. */
function light(isPlain: boolean) {
  const luma = Array.from({ length: 48 * 32 }, (_, at) => (isPlain ? 0.5 : ((at * 7) % 11) / 11));
  return { columns: 48, rows: 32, luma };
}

it('begins with the front, and shows no wall or asphalt where there are better photos', () => {
  const rooms = ['frontal', 'kitchen', 'living', 'bedroom', 'dining', 'frontal', 'kitchen', 'living', 'bath'];
  const photos = rooms.map((room, index) => samplePhoto(`${index}-${room}.jpg`, 2560, 1706));
  const plain = [photos[5]!, photos[6]!].map(({ digest }) => digest);
  const { scenes } = sampleStoryboard({ photos, lightOf: ({ digest }) => light(plain.includes(digest)) });
  const [first, ...others] = photosIn(ofHook(scenes)).map(({ digest }) => digest);
  expect(first).toBe(photos[0]!.digest);
  expect(others).toHaveLength(1);
  for (const digest of plain) expect(others).not.toContain(digest);
  expect(others).not.toContain(first);
});

it.each(RATIOS)(
  'has fewer pictures in %s rather than the same room again, a wall or a far house',
  (ratio) => {
    const names = ['front', 'kitchen', 'kitchen', 'wall-living', 'bath', 'bath', 'bath', 'bath', 'exterior'];
    const far = { left: 0, right: 1, tip: 0.4, top: 0.4, bottom: 0.48 };
    const photos = names.map((name, index) => ({
      ...samplePhoto(`${index}-${name}.jpg`, 2560, 1706),
      ...(name === 'exterior' ? { subject: far } : {}),
    }));
    const { scenes } = sampleStoryboard({ ratio, photos, lightOf: ({ url }) => light(url.includes('wall')) });
    const shown = photosIn(ofHook(scenes)).map(({ digest }) => digest.replace(/digest-\d-|\.jpg/gu, ''));
    expect(new Set(shown)).toEqual(new Set(['front', 'kitchen']));
  },
);

it.each(RATIOS)('shows no bathroom and no dim bedroom in %s, but a light one', (ratio) => {
  const names = [
    'front',
    'bath',
    'bedroom-dim',
    'bath',
    'kitchen',
    'bedroom',
    'bath',
    'bedroom-dim',
    'bath',
    'bath',
  ];
  const photos = names.map((name, index) => samplePhoto(`${index}-${name}.jpg`, 2560, 1706));
  const luma = Array.from({ length: 48 * 32 }, (_, at) => ((at * 7) % 11) / 11);
  const lightOf = ({ url }: { url: string }) => ({
    ...{ columns: 48, rows: 32 },
    luma: url.includes('dim') ? luma.map((each) => each / 2) : luma,
  });
  for (const template of templates) {
    const { scenes } = sampleStoryboard({ template, ratio, photos, lightOf });
    for (const { digest } of photosIn(ofHook(scenes))) expect(digest).not.toMatch(/bath|dim/);
  }
});

const namedPhotos = (names: readonly string[]) => names.map((name) => samplePhoto(`${name}.jpg`, 2560, 1706));
const HOUSE = ['a-frontal', 'b-kitchen', 'c-living', 'd-frontal', 'e-dining', 'f-kitchen', 'g-living'];

it.each(RATIOS)(
  'begins with the first photo of the listing, to which the opening comes back, in %s',
  (ratio) => {
    for (const template of templates) {
      const { scenes } = sampleStoryboard({ template, ratio, photos: namedPhotos(HOUSE) });
      const [first] = photosIn(ofHook(scenes)).map(({ digest }) => digest);
      expect(first, template.id).toBe('digest-a-frontal.jpg');
      const others = cutsIn(template, ratio, scenes).map(({ digest }) => digest);
      expect(keepsFront(template, ratio) ? others : others.slice(1)).not.toContain(first);
      const [opening] = photosIn(scenes.filter(({ kind }) => kind === 'hero'));
      expect(opening!.digest).toBe(first);
    }
  },
);

it('of modern on a phone keeps the front over the words, and cuts to rooms beneath', () => {
  const template = templates.find(({ id }) => id === 'modern')!;
  const data = { status: 'New listing', price: '900000' };
  const { scenes } = sampleStoryboard({ template, ratio: '1080:1920', photos: namedPhotos(HOUSE), data });
  const hook = ofHook(scenes);
  const hero = scenes.find(({ kind }) => kind === 'hero')!;
  expect(hook).toHaveLength(3);
  const wordsOf = ({ layers }: Scene) =>
    layers.flatMap((layer) => (layer.type === 'text' ? [[layer.reads, layer.box]] : []));
  for (const scene of hook) {
    const [front, room] = photosIn([scene]);
    const { camera, box, digest } = front!;
    expect(digest).toBe('digest-a-frontal.jpg');
    expect(camera.from).toEqual(camera.to);
    // Where it stands, the opening begins to come nearer.
    expect([box, camera.from]).toEqual([photosIn([hero])[0]!.box, photosIn([hero])[0]!.camera.from]);
    expect(room!.digest).toMatch(/kitchen|living|dining/);
    expect(wordsOf(hero)).toEqual(expect.arrayContaining(wordsOf(scene)));
  }
});

it.each(templates.map((template) => [template.id, template] as const))(
  'cuts to no small photo of %s on a phone that others fill',
  (_, template) => {
    const photos = HOUSE.map((name, at) =>
      samplePhoto(`${name}.jpg`, ...(at === 0 || at > 4 ? ([2560, 1706] as const) : ([640, 427] as const))),
    );
    const { scenes } = sampleStoryboard({ template, ratio: '1080:1920', photos });
    const shown = photosIn(ofHook(scenes));
    expect(shown.length).toBeGreaterThan(0);
    // The words of luxury stand over a picture, those of the others between two.
    const least =
      { classic: 575, luxury: 1459, modern: 614, social: 806, unbranded: 737 }[template.id] ?? 1920;
    for (const { box } of shown) expect(box.h).toBeGreaterThanOrEqual(least);
  },
);

const KEEPING = templates.filter((template) => keepsFront(template, '1080:1920'));

it.each(KEEPING.map((template) => [template.id, template] as const))(
  'of five photos on a phone is in %s the front over a room, not the one after the opening',
  (_, template) => {
    const hookOf = (names: readonly string[]) => {
      const { scenes } = sampleStoryboard({ template, ratio: '1080:1920', photos: namedPhotos(names) });
      return ofHook(scenes).map((scene) => photosIn([scene]).map(({ digest }) => digest));
    };
    const names = ['a-frontal', 'b-kitchen', 'c-bedroom', 'd-bath', 'e-frontal'];
    expect(hookOf(names)).toEqual([['digest-a-frontal.jpg', 'digest-c-bedroom.jpg']]);
    expect(hookOf(names.with(2, 'c-bath'))).toEqual([]);
  },
);

// Between words and the edge of a phone a house is whole: only one that fills the phone can be cut.
const FILLING = templates.filter((template) => !keepsFront(template, '1080:1920'));

describe.each(FILLING.map((template) => [template.id, template] as const))(
  'a house that a phone would cut in half, in %s,',
  (_, template) => {
    const wide = { left: 0.1, right: 0.9, tip: 0.35, top: 0.35, bottom: 0.75 };
    const begun = (names: readonly string[], subject = wide) => {
      const photos = namedPhotos(names).map((photo) =>
        /front/.test(photo.url) ? { ...photo, subject } : photo,
      );
      const [first] = sampleStoryboard({ template, ratio: '1080:1920', photos }).scenes;
      return { kind: first!.kind, photos: photosIn([first!]).map(({ digest }) => digest) };
    };

    it('shares the first scene with another view of it, the listing’s first photo above', () => {
      expect(begun(HOUSE)).toEqual({
        kind: 'hook',
        photos: ['digest-a-frontal.jpg', 'digest-d-frontal.jpg'],
      });
    });

    it('leaves the beginning to the opening where there is no other view, or few photos', () => {
      const one = HOUSE.map((name) => name.replace('d-frontal', 'd-bath'));
      expect(begun(one).kind).toBe('hero');
      // Words on it say for a moment what is seen; an opening of two views begins at once.
      const { heroPhotos } = template.ratios['1080:1920'];
      expect(begun(HOUSE.slice(0, 5)).kind).toBe(heroPhotos > 1 ? 'hero' : 'hook');
    });

    it('is no such house where most of its width is seen', () => {
      const { kind, photos } = begun(HOUSE, { ...wide, left: 0.2, right: 0.8 });
      // In unbranded every wide front has a strip over it.
      expect([kind, photos.length]).toEqual(['hook', template.id === 'unbranded' ? 2 : 1]);
    });
  },
);

it.each([
  ['1920:1080', HOUSE, 2],
  ['1080:1920', HOUSE, 2],
] as const)(
  'says in %s on every picture of classic where the house is, in one place',
  (ratio, names, count) => {
    const photos = listed(namedPhotos(names));
    const { scenes } = sampleStoryboard({
      template: classic,
      ratio,
      photos,
      data: { status: 'New listing' },
    });
    const places = ofHook(scenes).map(
      ({ layers }) => layers.find(({ type, id }) => type === 'text' && /^(street|address)/.test(id))?.box,
    );
    expect(places).toEqual(Array.from({ length: count }, () => places[0] ?? 'a place'));
  },
);

it('begins with another front where the first photo is an altered one', () => {
  const photos = listed(namedPhotos(HOUSE));
  const assets = photos.map(({ url }, index) => (index > 0 ? { url } : { url, altered: 'New grass' }));
  const { scenes } = sampleStoryboard({ photos, listing: { assets } });
  expect(photosIn(ofHook(scenes))[0]!.digest).toBe('digest-d-frontal.jpg');
});

it.each([
  [84, 0.357],
  [124, 0.484],
])('changes on beats or half beats at %i bpm', (bpm, sec) => {
  const { pacing } = classic.ratios['1920:1080'];
  const seconds = hookSeconds(pacing, 4, 60 / bpm);
  for (const each of seconds) expect(each).toBeCloseTo(sec, 3);
  const { scenes } = sampleStoryboard({ beats: { bpm, beatsPerBar: 4 } });
  let start = 0;
  for (const { durationFrames } of ofHook(scenes)) {
    start += durationFrames;
    expect(Math.abs(start / 30 / (30 / bpm) - Math.round(start / 30 / (30 / bpm)))).toBeLessThan(0.07);
  }
});

it.each(templates.flatMap((template) => RATIOS.map((ratio) => [template.id, ratio, template] as const)))(
  'an opening of %s that begins a video in %s has all its words in its first frame',
  (_, ratio, template) => {
    const data = { status: 'New listing', price: '1275000' };
    const { scenes } = sampleStoryboard({ template, ratio, photos: listed(namedPhotos(['front'])), data });
    const [first] = scenes;
    expect(first!.kind).toBe('hero');
    const words = first!.layers.filter(({ type }) => type !== 'photo');
    expect(words.some(({ id }) => id.startsWith('price') || id.startsWith('facts'))).toBe(true);
    expect(words.flatMap(({ tracks = [] }) => tracks)).toEqual([]);
  },
);
