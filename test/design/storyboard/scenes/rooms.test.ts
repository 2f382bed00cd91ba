/** Rooms that belong together: which photos share a scene, stand beside facts, open and close. */
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../../src/design/storyboard/storyboard.ts';
import { type Room, roomOf } from '../../../../src/listing/words/room-of.ts';
import {
  fromOpening,
  RATIOS,
  samplePhoto,
  sampleStoryboard,
  templates,
  withTwoInOpening,
} from '../sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);
const GROUPS = new Set(['pair', 'three', 'four', 'six']);
/** As agents mix them. */
const TOUR = 'front kitchen bedroom bath kitchen kitchen bedroom bedroom bath bath exterior exterior'.split(
  ' ',
);

function photosOf(names: readonly string[]) {
  return names.map((name, index) => samplePhoto(`${index + 1}-${name}.jpg`, 3000, 2000));
}

function roomsOf({ layers }: Scene): (Room | null)[] {
  return layers.flatMap((layer) =>
    layer.type === 'photo' && layer.digest.endsWith('.jpg') ? [roomOf({ url: layer.digest.slice(7) })] : [],
  );
}

/** Without the hook of a template that shows two photos on a phone: words stand between them. */
function besideEachOther(
  template: (typeof templates)[number],
  ratio: (typeof RATIOS)[number],
  scenes: readonly Scene[],
) {
  const isBetween = ratio === '1080:1920' && template.ratios[ratio].heroPhotos > 1;
  return scenes.filter(({ kind }) => !(isBetween && kind === 'hook'));
}

describe.each(VIDEOS)('%s %s', (_, ratio, template) => {
  const { scenes } = sampleStoryboard({ template, ratio, photos: photosOf(TOUR) });

  it('ends outside where the listing ends in a room', () => {
    const mixed = photosOf([...TOUR, 'kitchen', 'bath']);
    const { scenes } = sampleStoryboard({ template, ratio, photos: mixed });
    const last = scenes.filter(({ kind }) => kind !== 'card' && kind !== 'closing').at(-1)!;
    expect(new Set(roomsOf(last))).toEqual(new Set(['outside']));
  });

  it('never shows the outside of a house beside its inside', () => {
    const beside = besideEachOther(template, ratio, scenes);
    for (const rooms of beside.map(roomsOf).filter((rooms) => rooms.includes('outside')))
      expect(new Set(rooms)).toEqual(new Set(['outside']));
  });

  it.each([
    [3000, 2000],
    [640, 427],
    [600, 400],
    [560, 373],
  ])('groups photos of %d x %d of the same room', (widthPx, heightPx) => {
    const photos = TOUR.map((name, index) => samplePhoto(`${index + 1}-${name}.jpg`, widthPx, heightPx));
    const { scenes } = sampleStoryboard({ template, ratio, photos });
    const groups = scenes.filter(({ kind }) => GROUPS.has(kind)).map(roomsOf);
    const mixed = groups.filter((rooms) => new Set(rooms).size > 1);
    expect(mixed).toEqual([]);
  });

  it('ends outside, however the listing ends', () => {
    const names = ['front', 'exterior', ...Array.from({ length: 7 }, () => 'kitchen'), 'bath', 'bath'];
    const board = sampleStoryboard({ template, ratio, photos: photosOf(names) });
    for (const room of roomsOf(board.scenes.at(-1)!)) expect(room).toBe('outside');
  });

  it('looks at the middle of a front, where the house is, and where a bedroom and a kitchen have their detail', () => {
    const photos = TOUR.map((name, index) =>
      samplePhoto(`${index + 1}-${name}.jpg`, 1024, 683, { x: 0.9, y: 0.15 }),
    );
    const { scenes } = sampleStoryboard({ template, ratio, photos });
    for (const { camera, digest } of scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : [])),
    )) {
      const isFront = /front|exterior/.test(digest);
      if (!isFront && !/(?:bedroom|kitchen)\.jpg$/.test(digest)) continue;
      const from = camera.from.cx - 0.5;
      const to = camera.to.cx - 0.5;
      if (isFront) expect(from * to < 0 ? 0 : Math.min(Math.abs(from), Math.abs(to))).toBeLessThan(0.04);
      // Near its edge the photo ends.
      else expect(camera.to.cx + camera.to.span / 2).toBeGreaterThan(0.9);
    }
  });

  it('shows no facts beside bathrooms', () => {
    const names = ['front', ...Array.from({ length: 15 }, () => 'bath'), 'exterior', 'exterior', 'exterior'];
    const board = sampleStoryboard({ template, ratio, photos: photosOf(names) });
    const withFacts = board.scenes.filter(
      ({ kind, layers }) => kind === 'facts' || layers.some(({ id }) => id === 'fact-number'),
    );
    const beside = withFacts.filter(({ layers }) =>
      layers.some((layer) => layer.type === 'text' && layer.lines.some(({ text }) => text === '4')),
    );
    for (const scene of beside) expect(roomsOf(scene)).not.toContain('bath');
  });

  it('shows no facts beside a closet or a laundry where there is anything else', () => {
    const names = ['front', 'living', 'kitchen', ...Array.from({ length: 9 }, () => 'laundry'), 'exterior'];
    const board = sampleStoryboard({ template, ratio, photos: photosOf(names) });
    const facts = board.scenes.filter(({ kind }) => kind === 'facts');
    for (const scene of facts) expect(roomsOf(scene)).not.toContain('other');
  });

  it('shows every photo, in the order of the listing', () => {
    const body = fromOpening({ scenes })
      .slice(1, -1)
      .filter(({ kind }) => kind !== 'facts');
    const shown = body.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [Number.parseInt(layer.digest.slice(7), 10)] : [])),
    );
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    const all = scenes.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])),
    );
    expect(new Set(all.filter((digest) => digest.endsWith('.jpg'))).size).toBe(TOUR.length);
  });
});

describe.each(templates.map((template) => [template.id, template] as const))(
  'a photo of 640 px on a phone in %s',
  (_, template) => {
    const NAMES =
      'front living kitchen dining bedroom bath living kitchen bedroom office exterior front'.split(' ');
    const scenesOf = (small: readonly number[], names = NAMES) => {
      const photos = photosOf(names).map((photo, index) =>
        small.includes(index) ? samplePhoto(photo.url, 640, 427) : photo,
      );
      const listing = {
        ...{ assets: photos.map(({ url }) => ({ url })), bedrooms: null, bathrooms: null },
        interior_square_footage: null,
      };
      const { scenes } = sampleStoryboard({ template, ratio: '1080:1920', photos, listing });
      const body = scenes.filter(({ kind }) => kind === 'photo' || GROUPS.has(kind));
      return { body, of: (index: number) => body.find((scene) => showsIn(scene, photos[index]!.digest))! };
    };
    const showsIn = ({ layers }: Scene, digest: string) =>
      layers.some((layer) => layer.type === 'photo' && layer.digest === digest);
    const heights = ({ layers }: Scene) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? layer.box.h : []));

    it('shares the frame with one of its room, wherever that is, and both fill it', () => {
      const { of } = scenesOf([2]);
      expect(roomsOf(of(2))).toEqual(['kitchen', 'kitchen']);
      expect(of(2)).toBe(of(7));
      for (const height of heights(of(2))) expect(height / 1920).toBeGreaterThan(0.48);
    });

    it('stands alone where no other shows its room, in a window in the middle', () => {
      const { of } = scenesOf([5]);
      expect(roomsOf(of(5))).toEqual(['bath']);
      const [height] = heights(of(5));
      expect(height! / 1920).toBeGreaterThanOrEqual(0.5);
    });

    it.each([7, 9, 12, 22])(
      'leaves a third of the scenes to one photo where all %d are as small',
      (count) => {
        const names = [...NAMES, ...NAMES.slice(1, 11)].slice(0, count);
        const { body } = scenesOf([...names.keys()], names);
        const alone = body.filter(({ kind }) => kind === 'photo');
        expect(alone.length / body.length).toBeGreaterThanOrEqual(1 / 3 - 1e-9);
      },
    );
  },
);

describe.each(RATIOS)('five times as many photos as fit alone in %s', (ratio) => {
  const template = templates.find(({ id }) => id === 'social')!;
  const photos = photosOf(Array.from({ length: 5 }, () => TOUR).flat());
  const { scenes } = sampleStoryboard({ template, ratio, photos });
  const body = fromOpening({ scenes }).slice(1, -1);
  const pages = body.filter(({ kind }) => GROUPS.has(kind)).map(roomsOf);

  it('share pages of one room, with photos alone between them, hardly one of a bathroom', () => {
    const mixed = pages.filter((rooms) => new Set(rooms).size > 1);
    expect(mixed.length).toBeLessThanOrEqual(pages.length / 3);
    const kinds = body.map(({ kind }) => (GROUPS.has(kind) ? 'page' : kind)).join(' ');
    expect(kinds).not.toContain('page page page page');
    const alone = body.filter(({ kind }) => kind === 'photo').flatMap(roomsOf);
    expect(alone.filter((room) => room === 'bath').length).toBeLessThanOrEqual(1);
  });

  it('are all shown, none under 500 px wide, and the opening says the facts', () => {
    const shown = scenes.flatMap(({ layers }) => layers.filter(({ type }) => type === 'photo'));
    const digests = shown.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : []));
    for (const { digest } of photos) expect(digests).toContain(digest);
    const widths = body.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box.w] : [])),
    );
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(500);
    expect(scenes.map(({ kind }) => kind)).not.toContain('facts');
    const [opening] = fromOpening({ scenes });
    const reads = opening!.layers.map((layer) => (layer.type === 'text' ? layer.reads : '')).join();
    expect(reads).toMatch(/4 bd.*2,840/);
  });
});

describe('the photos of an opening on a phone', () => {
  const scenesOf = (photos: ReturnType<typeof photosOf>, data: Record<string, string> = {}) =>
    fromOpening(sampleStoryboard({ template: withTwoInOpening, ratio: '1080:1920', photos, data })).map(
      ({ layers }) => {
        const shown = layers.filter((layer) => layer.type === 'photo');
        return {
          numbers: shown.map(({ digest }) => Number.parseInt(digest.slice(7), 10)),
          boxes: shown.map(({ box }) => box),
        };
      },
    );

  it('come again for their captions, the first one at the end, and not beside the facts', () => {
    const captions = TOUR.map((name, index) => [
      `caption_${String(index + 1).padStart(2, '0')}`,
      `The ${name}`,
    ]);
    const scenes = scenesOf(photosOf(TOUR), Object.fromEntries(captions));
    const opening = scenes[0]!.numbers;
    expect(opening).toEqual([1, 11]);
    const again = scenes.slice(1, -1).map(({ numbers }) => numbers.filter((each) => opening.includes(each)));
    expect(again.filter((numbers) => numbers.length > 0)).toEqual([[11], [1]]);
  });
});

describe.each(VIDEOS)('eighteen photos with captions in %s %s', (_, ratio, template) => {
  const names =
    'front living kitchen dining bedroom bath kitchen bedroom bath living bedroom bath exterior kitchen bath backyard exterior front'.split(
      ' ',
    );
  const captions = names.map((name, index) => [
    `caption_${String(index + 1).padStart(2, '0')}`,
    `The ${name}, with new fittings, wide boards and soft light`,
  ]);
  const photos = names.map((name, index) => samplePhoto(`${index + 1}-${name}.jpg`, 1024, 683));
  const { scenes, fps } = sampleStoryboard({ template, ratio, photos, data: Object.fromEntries(captions) });

  it('share a scene with photos of the same room or of the open floor', () => {
    const open = ['living', 'kitchen', 'dining'];
    const mixed = besideEachOther(template, ratio, scenes)
      .map(roomsOf)
      .filter((rooms) => new Set(rooms).size > 1 && !rooms.every((room) => open.includes(room ?? '')));
    expect(mixed).toEqual([]);
  });

  it('are all shown within the longest time, and end outside', () => {
    const shown = scenes.flatMap(({ layers }) => layers.filter(({ type }) => type === 'photo'));
    const digests = new Set(shown.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])));
    for (const { digest } of photos) expect(digests).toContain(digest);
    const body = scenes.filter(({ kind }) => kind === 'photo' || GROUPS.has(kind));
    expect(roomsOf(body.at(-1)!)).toContain('outside');
    const frames = scenes.reduce((total, { durationFrames }) => total + durationFrames, 0);
    const capSec = template.ratios[ratio].pacing.capSec;
    expect(frames / fps).toBeLessThanOrEqual(capSec + 0.1);
  });
});

describe.each(RATIOS)('a video without branding in %s', (ratio) => {
  const template = templates.find(({ branding }) => branding === 'none')!;

  it('does not end on the first photo right after its caption', () => {
    const data = { caption_01: 'The front, from the street' };
    const { scenes } = sampleStoryboard({ template, ratio, photos: photosOf(TOUR), data });
    const [last, closing] = scenes
      .slice(-2)
      .map(({ layers }) => layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])));
    expect(last).toContain('digest-1-front.jpg');
    expect(closing).not.toContain('digest-1-front.jpg');
  });
});

describe.each(VIDEOS)('five photos in %s %s', (_, ratio, template) => {
  it('show the facts beside no bathroom, and none three times', () => {
    const names = ['front', 'kitchen', 'bedroom', 'bath', 'exterior'];
    const { scenes } = sampleStoryboard({ template, ratio, photos: photosOf(names) });
    for (const scene of scenes.filter(({ kind }) => kind === 'facts'))
      expect(roomsOf(scene)).not.toContain('bath');
    // The opening goes on with the hook.
    const opened = scenes.filter(({ kind }) => kind !== 'hook');
    const shown = opened.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])),
    );
    for (const name of names.slice(1))
      expect(shown.filter((digest) => digest.includes(`-${name}.`)).length).toBeLessThan(3);
  });
});
