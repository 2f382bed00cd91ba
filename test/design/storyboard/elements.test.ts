/** The elements of a template's scenes, as layers of the storyboard. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Photo } from '../../../src/design/photo.ts';
import { describeStoryboard } from '../../../src/design/storyboard/describe-storyboard.ts';
import type { PhotoLight } from '../../../src/design/storyboard/elements/scene-context.ts';
import { makeStoryboard } from '../../../src/design/storyboard/make-storyboard.ts';
import { contrastRatio } from '../../../src/design/storyboard/palette.ts';
import type {
  FillLayer,
  Layer,
  Scene,
  Storyboard,
  TextLayer,
} from '../../../src/design/storyboard/storyboard.ts';
import { checkTemplate } from '../../../src/design/template/check-template.ts';
import { fixture, listed, measurer, samplePhoto, samplePhotos } from './sample.ts';

const guide = readFileSync(new URL('../../../templates/README.md', import.meta.url), 'utf8');
const plain = () => JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)![1]!);
const WIDE = '1920:1080';

interface Design {
  readonly change?: (raw: ReturnType<typeof plain>) => void;
  readonly scenes?: Record<string, unknown>;
  readonly data?: Record<string, string>;
  readonly listing?: object;
  readonly photos?: readonly Photo[];
  readonly light?: PhotoLight;
}

/** A storyboard in the guide's example, with other wide scenes. */
function board({ change, scenes, data = {}, listing, photos = samplePhotos(12), light }: Design): Storyboard {
  const raw = plain();
  Object.assign(raw.ratios[WIDE].scenes, scenes);
  change?.(raw);
  return makeStoryboard({
    listing: { ...fixture, assets: photos.map(({ url }) => ({ url })), ...listing },
    agent: fixture.agents[0]!,
    template: checkTemplate(raw, 'test.json'),
    templateData: data,
    ratio: WIDE,
    photos: listed(photos),
    portrait: null,
    logo: null,
    measurer,
    ...(light ? { lightOf: () => light } : {}),
  });
}
const hero = (elements: unknown[], more: Design = {}): Scene =>
  board({ ...more, scenes: { hero: [{ name: 'a', elements }] } }).scenes[0]!;
const text = (scene: Scene, id: string): TextLayer =>
  scene.layers.find((layer): layer is TextLayer => layer.type === 'text' && layer.id === id)!;
const fills = (scene: Scene): FillLayer[] =>
  scene.layers.filter((layer): layer is FillLayer => layer.type === 'fill');
const textIds = (scene: Scene): string[] =>
  scene.layers.flatMap((layer) => (layer.type === 'text' ? [layer.id] : []));
const right = ({ box }: Layer): number => box.x + box.w;
const foot = ({ box }: Layer): number => box.y + box.h;
const uniform = (luma: number): PhotoLight => ({ columns: 1, rows: 1, luma: [luma] });
/** A listing with another street. */
const onStreet = (street: string) => ({ listing: { address: { ...fixture.address, street } } });
const FULL = { type: 'photo', box: [0, 0, 1, 1] };
const WORDS = { id: 'words', type: 'fill', box: [0, 0.6, 0.6, 0.3] };

describe('plates', () => {
  const plates = {
    id: 'plates',
    type: 'plates',
    at: 0.9,
    textAt: 0.05,
    textEnd: 0.5,
    items: [
      { id: 'place', style: 'name', fill: 'ink', color: 'paper' },
      {
        id: 'address',
        text: '{street}',
        style: 'name',
        fill: 'accent',
        color: 'paper',
        maxLines: 3,
        prefer: 'largest',
      },
    ],
    enter: { kind: 'slide', stagger: 0.1, for: 0.3 },
    exit: { kind: 'slide', for: 0.2, before: 0.4 },
  };

  it('hug each line, are flush with the edge and with each other, and stand on their foot', () => {
    const scene = hero([FULL, plates]);
    const piled = fills(scene).sort((a, b) => a.box.y - b.box.y);
    expect(piled.length).toBeGreaterThan(2);
    expect(foot(piled.at(-1)!)).toBe(Math.round(0.9 * 1080));
    expect(piled.slice(1).map(({ box }) => box.y)).toEqual(piled.slice(0, -1).map(foot));
    expect(new Set(piled.map(({ box }) => box.x))).toEqual(new Set([0]));
    for (const plate of piled) {
      const line = scene.layers.find(
        (layer) => layer.type === 'text' && layer.box.y >= plate.box.y - 2 && foot(layer) <= foot(plate) + 2,
      )!;
      expect(line.box.x).toBeGreaterThan(90);
      expect(right(plate)).toBeGreaterThan(right(line));
      expect(right(plate) - right(line)).toBeLessThan(40);
    }
  });

  it('leave after a time of the scene, for words that take their place', () => {
    const scene = hero([FULL, { ...plates, exit: { kind: 'slide', for: 0.1, after: 1.5 } }]);
    const [first] = fills(scene).sort((a, b) => a.box.y - b.box.y) as [FillLayer];
    expect(first.tracks![1]).toMatchObject({ from: 0, to: -first.box.w - 2, startFrame: 45, endFrame: 48 });
  });

  it('come one by one from outside, their text with them, and leave before the way out', () => {
    // In a draft of half the size, half a pixel of a plate of uneven width would stay at the edge.
    const scene = hero([FULL, plates]);
    const [first, second] = fills(scene).sort((a, b) => a.box.y - b.box.y) as [FillLayer, FillLayer];
    expect(first.tracks![0]).toMatchObject({
      property: 'dx',
      from: -first.box.w - 2,
      to: 0,
      startFrame: 0,
      endFrame: 9,
    });
    expect(second.tracks![0]).toMatchObject({ from: -second.box.w - 2, startFrame: 3 });
    expect(text(scene, 'place').tracks![0]).toEqual(first.tracks![0]);
    const leavesAt = scene.durationFrames - scene.transition.durationFrames;
    expect(first.tracks![1]).toMatchObject({
      property: 'dx',
      from: 0,
      to: -first.box.w - 2,
      startFrame: leavesAt - 12,
    });
  });

  it('of the right side are mirrored, and come from there', () => {
    const scene = hero([FULL, { ...plates, side: 'right' }]);
    for (const plate of fills(scene)) expect(right(plate)).toBe(1920);
    const [first] = fills(scene).sort((a, b) => a.box.y - b.box.y) as [FillLayer];
    expect(right(text(scene, 'place'))).toBeLessThan(0.95 * 1920 + 2);
    expect(first.tracks![0]).toMatchObject({ property: 'dx', from: first.box.w + 2, to: 0 });
  });

  it('of a right-to-left text grow from the other edge', () => {
    const scene = hero([FULL, plates], onStreet('بيت على البحر'));
    const address = fills(scene).find(({ id }) => id.startsWith('address'))!;
    expect(right(address)).toBe(1920);
    expect(right(text(scene, 'address'))).toBeLessThan(1920 - 90);
  });

  it('hold letters that reach far above or below their line, and are as ever for those that do not', () => {
    const tallest = (street: string): number => {
      const scene = hero([FULL, plates], onStreet(street));
      const words = scene.layers.filter(({ type, id }) => type === 'text' && id.startsWith('address'));
      const piled = fills(scene).filter(({ id }) => id.startsWith('address'));
      expect(words.length).toBe(piled.length);
      words.forEach(({ box }, index) => {
        expect(box.y).toBeGreaterThanOrEqual(piled[index]!.box.y);
        expect(box.y + box.h).toBeLessThanOrEqual(foot(piled[index]!));
      });
      return piled[0]!.box.h / text(scene, 'address').style.sizePx;
    };
    expect(tallest('HOME')).toBeCloseTo(1.06, 1);
    expect(tallest('بيت على البحر')).toBeGreaterThan(1.12);
    expect(tallest('NHÀ Ở PHỐ CỔ')).toBeGreaterThan(1.1);
  });
});

const STREET_AND_FACTS = {
  type: 'facts-line',
  box: [0.05, 0.5, 0.55, 0.05],
  number: 'place',
  label: 'place',
  before: ['{street}'],
};

describe('facts', () => {
  const cells = {
    type: 'fact-cells',
    box: [0, 0, 1, 1],
    divide: [[1], [0.4, 0.6], [0.2, 0.3, 0.5]],
    inset: [96, 56],
    grounds: ['accent', 'ink', 'paper'],
    inks: ['paper', 'paper', 'ink'],
    numberAt: { from: 'bottom', offset: 90 },
    labelAt: { from: 'top', offset: 90 },
  };

  it('in cells divide the box by their number, and share one size', () => {
    const scene = hero([cells]);
    expect(fills(scene).map(({ box }) => [box.x, box.w])).toEqual([
      [0, 384],
      [384, 576],
      [960, 960],
    ]);
    const sizes = ['fact-beds', 'fact-baths', 'fact-sqft'].map((id) => text(scene, id).style.sizePx);
    expect(new Set(sizes).size).toBe(1);
    expect(text(scene, 'fact-beds').box.x).toBeGreaterThanOrEqual(90);
    expect(text(scene, 'fact-sqft').color).toBe('#1D2226');
  });

  it('in cells as wide as their words keep the insets', () => {
    const scene = hero([{ ...cells, divide: 'share' }]);
    const [beds, baths, sqft] = fills(scene).map(({ box }) => box);
    expect(sqft!.x + sqft!.w).toBe(1920);
    expect(sqft!.w).toBeGreaterThan(beds!.w);
    expect(text(scene, 'fact-beds').box.x).toBeGreaterThan(beds!.x + 86);
    expect(text(scene, 'fact-baths').box.x).toBeGreaterThan(baths!.x + 46);
    const { box } = text(scene, 'fact-sqft');
    expect(box.x + box.w).toBeLessThan(1920 - 86);
  });

  it('in cells give way where a label would be cut', () => {
    const scenes = {
      hero: [
        { name: 'cells', elements: [cells] },
        {
          name: 'words',
          elements: [{ id: 'street', type: 'text', text: '{street}', style: 'place', box: [0, 0, 1, 1] }],
        },
      ],
    };
    expect(textIds(board({ scenes }).scenes[0]!)).toContain('label-beds');
    const data = { label_beds: 'beds and '.repeat(12) };
    expect(textIds(board({ scenes, data }).scenes[0]!)).toEqual(['street']);
  });

  it('in cells without a ground begin at the right where it is read from right to left', () => {
    const { grounds: _, ...bare } = cells;
    const arabic = (element: unknown) => hero([element], onStreet('42 شارع الزيتون'));
    const isTurned = (scene: Scene) => right(text(scene, 'fact-beds')) > right(text(scene, 'fact-sqft'));
    expect(isTurned(arabic({ ...bare, divide: 'share' }))).toBe(true);
    expect(isTurned(arabic(cells))).toBe(false);
    expect(right(text(arabic(bare), 'fact-beds'))).toBeCloseTo(1920 - 96, -1);
  });

  it('leave no empty cell for what a listing does not say', () => {
    const scene = hero([cells], { listing: { bathrooms: null, half_bathrooms: null } });
    expect(fills(scene).map(({ box }) => box.w)).toEqual([768, 1152]);
  });

  it('of a studio show a word for the number, and no label', () => {
    const scene = hero([cells], { listing: { bedrooms: 0 } });
    expect(text(scene, 'fact-beds').reads).toBe('Studio');
    expect(text(scene, 'label-beds')).toBeUndefined();
  });

  it('of a studio show no bar where bars belong to labels', () => {
    const bars = (bar: object) => {
      const scene = hero(
        [{ ...cells, bar: { at: { from: 'top', offset: 90 }, rule: 6, length: 72, ...bar } }],
        {
          listing: { bedrooms: 0 },
        },
      );
      return fills(scene).flatMap(({ id }) => (id.startsWith('bar') ? [id] : []));
    };
    expect(bars({})).toEqual(['bar-1', 'bar-2', 'bar-3']);
    expect(bars({ of: 'label' })).toEqual(['bar-2', 'bar-3']);
  });

  it('in a line stand side by side between dividers, words before them', () => {
    const line = {
      type: 'facts-line',
      box: [0.1, 0.5, 0.8, 0.05],
      align: 'right',
      number: 'place',
      label: 'place',
      before: ['{place}'],
      divider: { color: 'soft', rule: 2, heightEm: 0.7 },
    };
    const scene = hero([line]);
    const texts = scene.layers.filter((layer): layer is TextLayer => layer.type === 'text');
    expect(texts.map(({ reads }) => reads)).toEqual(['Portland, OR', '4 beds', '3.5 baths', '2,840 sq ft']);
    expect(fills(scene)).toHaveLength(3);
    expect(Math.abs(right(texts.at(-1)!) - 0.9 * 1920)).toBeLessThan(4);
    for (const [index, layer] of texts.slice(1).entries()) {
      expect(layer.box.x).toBeGreaterThan(right(texts[index]!));
    }
  });

  it('in a line that would lose words leave the scene to its next variant', () => {
    const line = (w: number) => ({
      type: 'facts-line',
      box: [0.05, 0.5, w, 0.05],
      number: 'place',
      label: 'place',
      before: ['{street}'],
    });
    const heroOf = (street: string) =>
      board({
        ...onStreet(street),
        scenes: {
          hero: [
            { name: 'short', elements: [{ ...line(0.6), id: 'short' }] },
            {
              name: 'long',
              elements: [
                {
                  type: 'text',
                  id: 'long',
                  text: '{street}',
                  style: 'place',
                  box: [0.05, 0.5, 0.9, 0.2],
                  maxLines: 3,
                },
              ],
            },
          ],
        },
      });
    expect(textIds(heroOf('1 Elm Street').scenes[0]!)).toContain('fact-beds');
    const long = heroOf('1600 Pennsylvania Avenue Northwest, Apartment 1204, on the garden side');
    expect(textIds(long.scenes[0]!)).toEqual(['long']);
    expect(long.warnings.filter((warning) => !warning.startsWith('the card has no room'))).toEqual([]);
  });

  it('in a line that loses words and has no other variant say so', () => {
    const { warnings } = board({
      ...onStreet(`1600 Pennsylvania Avenue ${'Northwest '.repeat(9)}`),
      scenes: { hero: [{ name: 'a', elements: [STREET_AND_FACTS] }] },
    });
    expect(warnings.some((warning) => /ends in an ellipsis: 1600 .*…$/.test(warning))).toBe(true);
  });

  it('in a line that is too narrow stand in rows, and every word is there', () => {
    const { warnings, scenes } = board({
      ...onStreet('1600 Pennsylvania Avenue Northwest, Apartment 1204'),
      scenes: { hero: [{ name: 'a', elements: [STREET_AND_FACTS] }] },
    });
    expect(warnings).not.toContainEqual(expect.stringContaining('ellipsis'));
    const tops = scenes[0]!.layers.flatMap((layer) => (layer.type === 'text' ? [layer.box.y] : []));
    expect(new Set(tops).size).toBeGreaterThan(1);
  });

  it('in a line of a stack are all, or those of the kinds it names', () => {
    const line = { number: 'place', label: 'place', kinds: ['beds', 'baths', 'sqft'] };
    const stack = {
      id: 'facts',
      type: 'stack',
      box: [0.1, 0.5, 0.8, 0.3],
      items: [
        { id: 'price', text: '{price}', style: 'place' },
        { line, gap: 40 },
      ],
    };
    const scene = hero([stack], { data: { price: '$1,250,000' } });
    expect(textIds(scene)).toEqual(['price', 'fact-beds', 'fact-baths', 'fact-sqft']);
  });

  it('as a poster are each as large as the column lets them be', () => {
    const scene = hero([{ type: 'poster', box: [0.1, 0.1, 0.4, 0.8], style: 'poster' }], {
      change: (raw) => {
        raw.styles.poster = { size: 300, min: 60 };
      },
    });
    const widths = ['fact-baths', 'fact-sqft'].map((id) => text(scene, id).box.w);
    for (const width of widths) expect(Math.abs(width - 768)).toBeLessThan(30);
    expect(text(scene, 'fact-baths').style.sizePx).toBeGreaterThan(text(scene, 'fact-sqft').style.sizePx);
  });

  it('as a poster keep what hangs below the last line in the box', () => {
    const box = [0.1, 0.1, 0.4, 0.25];
    const scene = hero([{ type: 'poster', box, style: 'poster' }], {
      change: (raw) => {
        raw.styles.poster = { size: 300, min: 40 };
      },
    });
    expect(foot(text(scene, 'fact-sqft'))).toBeLessThanOrEqual(0.35 * 1080);
  });

  it('in words can leave the price to a separate line', () => {
    const lines = [
      { id: 'price', type: 'text', style: 'name', box: [0.1, 0.1, 0.8, 0.1] },
      { id: 'measures', type: 'text', text: '{measures_short}', style: 'name', box: [0.1, 0.3, 0.8, 0.1] },
    ];
    const scene = hero(lines, { data: { price: '$980,000' } });
    expect(text(scene, 'price').reads).toBe('$980,000');
    expect(text(scene, 'measures').reads).toMatch(/^4 beds .*3\.5 baths .*2,840 sq ft$/);
  });

  it.each([
    ['one a scene, the price last', 'exterior', ['4', '3.5', '2,840', '$980,000', undefined]],
    ['beside unknown rooms without those that count rooms', 'photo', ['2,840', '$980,000', undefined]],
  ])('come %s', (_, name, numbers) => {
    const factScenes = {
      three: [
        {
          name: 'with a fact',
          dealsFact: true,
          elements: [
            {
              type: 'photos',
              boxes: [
                [0, 0, 0.5, 0.5],
                [0.5, 0, 0.5, 0.5],
                [0.5, 0.5, 0.5, 0.5],
              ],
            },
            { id: 'fact-number', type: 'text', style: 'number', box: [0.05, 0.6, 0.4, 0.2] },
          ],
        },
        { name: 'without', elements: [{ type: 'mosaic', box: [0, 0, 1, 1], fit: 'fill' }] },
      ],
    };
    const { scenes } = board({
      scenes: factScenes,
      data: { price: '$980,000' },
      photos: Array.from({ length: 30 }, (_each, at) => samplePhoto(`${name}-${at + 1}.jpg`)),
      change: (raw) =>
        Object.assign(raw.ratios[WIDE], {
          pacing: { rows: [{ maxPhotos: 100, cycle: ['three'], sec: { three: 3 } }] },
        }),
    });
    const shown = scenes
      .filter(({ kind }) => kind === 'three')
      .map((scene) => text(scene, 'fact-number')?.reads);
    expect(shown.slice(0, numbers.length)).toEqual(numbers);
  });
});

describe('a scrim', () => {
  const scrimmed = [
    FULL,
    {
      type: 'scrim',
      box: [0, 0.6, 1, 0.4],
      color: 'ink',
      stops: [
        [0, 0],
        [0.5, 0.3],
        [1, 0.6],
      ],
      for: ['title'],
      reach: 0.14,
    },
    {
      id: 'title',
      type: 'stack',
      box: [0.1, 0.5, 0.8, 0.4],
      anchor: 'baseline',
      items: [
        { id: 'address', text: '{street}', color: 'paper' },
        { id: 'place', color: 'paper', gap: 30 },
      ],
    },
  ];
  const alphas = (light: PhotoLight): number[] => {
    const scrim = fills(hero(scrimmed, { light })).find(({ id }) => id === 'scrim')!;
    return scrim.gradient!.stops.map(({ alpha }) => alpha);
  };

  it('is left as designed over a dark photo, and raised over a light one', () => {
    expect(alphas(uniform(0))).toEqual([0, 0.3, 0.6]);
    const raised = alphas(uniform(0.9));
    expect(raised[0]).toBe(0);
    expect(raised[2]).toBeGreaterThan(0.6);
    expect(Math.max(...raised)).toBeLessThanOrEqual(0.96);
  });

  it('lies under its text and reaches above it', () => {
    const scene = hero(scrimmed, { light: uniform(0.4) });
    const scrim = fills(scene).find(({ id }) => id === 'scrim')!;
    expect(scene.layers.indexOf(scrim)).toBeLessThan(scene.layers.indexOf(text(scene, 'address')));
    expect(text(scene, 'address').box.y - scrim.box.y).toBeGreaterThan(0.13 * 1080);
    expect(foot(scrim)).toBe(1080);
  });
});

describe('variants', () => {
  it('of an opening that show fewer photos than planned leave the others to the body', () => {
    const photos = samplePhotos(7);
    const scenes = {
      hero: [
        { name: 'alone', elements: [{ ...FULL, clearOf: ['words'] }, WORDS] },
        {
          name: 'two',
          elements: [
            {
              type: 'photos',
              boxes: [
                [0, 0, 0.5, 1],
                [0.5, 0, 0.5, 1],
              ],
            },
            WORDS,
          ],
        },
      ],
    };
    const change = (raw: ReturnType<typeof plain>) => {
      raw.ratios[WIDE].heroPhotos = 2;
    };
    const shown = (focus: { x: number; y: number }) => {
      const all = [samplePhoto('first', 1920, 1280, focus), ...photos];
      const made = board({ scenes, change, photos: all }).scenes;
      const digests = made
        .filter(({ kind }) => kind !== 'facts' && kind !== 'card')
        .map(({ layers }) => layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])));
      expect(digests.flat().toSorted()).toEqual(all.map(({ digest }) => digest).toSorted());
      return digests[0]!.length;
    };
    expect(shown({ x: 0.8, y: 0.2 })).toBe(1);
    expect(shown({ x: 0.2, y: 0.8 })).toBe(2);
  });

  it('take turns', () => {
    const named = (name: string, turn?: object) => ({
      name,
      ...(turn ? { turn } : {}),
      elements: [{ ...FULL, id: name }],
    });
    const { scenes } = board({
      scenes: {
        single: [named('third', { of: 3, on: [3] }), named('even', { of: 2, on: [2] }), named('else')],
      },
      photos: samplePhotos(18),
    });
    const shown = scenes.filter(({ kind }) => kind === 'photo').map(({ layers }) => layers[0]!.id);
    expect(shown.slice(0, 6)).toEqual(['else', 'even', 'third', 'even', 'else', 'third']);
  });

  it('give way where a plate would lie on what the photo is about', () => {
    const scenes = {
      hero: [
        {
          name: 'over',
          elements: [{ ...FULL, clearOf: ['words'] }, WORDS],
        },
        { name: 'beside', elements: [{ ...FULL, id: 'beside', fit: 'plate' }] },
      ],
    };
    const first = (focus: { x: number; y: number }) =>
      board({ scenes, photos: [samplePhoto('a', 1920, 1280, focus), ...samplePhotos(5)] }).scenes[0]!
        .layers[0]!.id;
    expect(first({ x: 0.3, y: 0.75 })).toBe('beside');
    expect(first({ x: 0.8, y: 0.2 })).toBe('photo-1');
  });
});

describe('lines that come one by one', () => {
  it('are separate layers, one after the other', () => {
    const scene = hero([
      {
        id: 'address',
        type: 'text',
        text: '{street}',
        box: [0.1, 0.1, 0.2, 0.5],
        maxLines: 4,
        prefer: 'wrap',
        enter: { kind: 'lift', each: 'line', stagger: 0.1, at: 0.2 },
      },
    ]);
    expect(textIds(scene)).toEqual(['address', 'address-line-2']);
    const [first, second] = [text(scene, 'address'), text(scene, 'address-line-2')];
    expect(first.clipFixed).toBe(true);
    expect(first.tracks![0]).toMatchObject({ property: 'dy', from: first.box.h, to: 0, startFrame: 6 });
    expect(second.tracks![0]!.startFrame).toBe(9);
    expect([first.reads, second.reads]).toEqual(['128 Harbor Pine Lane', '']);
    expect(describeStoryboard({ ...board({}), scenes: [scene] })[0]!.texts).toEqual(['128 Harbor Pine Lane']);
  });
});

describe('words that come one by one', () => {
  const caption = (more: object) => ({
    id: 'caption',
    type: 'text',
    style: 'name',
    text: 'Morning light, slowly',
    box: [0.1, 0.1, 0.8, 0.2],
    enter: { kind: 'lift', each: 'word', stagger: 0.1, at: 0.2, until: 1 },
    ...more,
  });
  const texts = (scene: Scene) => scene.layers.filter((layer): layer is TextLayer => layer.type === 'text');
  const startsOf = (scene: Scene) => texts(scene).map(({ tracks }) => tracks![0]!.startFrame);

  it('are separate layers of one line, in reading order, with windows of one height', () => {
    const scene = hero([caption({})]);
    expect(textIds(scene)).toEqual(['caption', 'caption-word-2', 'caption-word-3']);
    expect(startsOf(scene)).toEqual([6, 9, 12]);
    const words = texts(scene);
    expect(words.map(({ lines }) => lines[0]!.text)).toEqual(['Morning', 'light,', 'slowly']);
    expect(new Set(words.map(({ box, lines }) => box.y + lines[0]!.baselineYPx)).size).toBe(1);
    expect(new Set(words.map(({ tracks }) => tracks![0]!.from)).size).toBe(1);
    expect(words.map(({ reads }) => reads)).toEqual(['Morning light, slowly', '', '']);
    expect(words[1]!.box.x).toBeGreaterThan(right(words[0]!));
  });

  it('begin on the right in a text that runs from there', () => {
    const [first, second] = texts(hero([caption({ text: 'بيت جميل' })]));
    expect(first!.lines[0]!.text).toBe('بيت');
    expect(first!.box.x).toBeGreaterThan(right(second!));
  });

  it('go on from line to line, and arrive in time however many there are', () => {
    const many = hero([caption({ text: 'one two three four five six seven eight nine ten', maxLines: 3 })]);
    expect(texts(many)).toHaveLength(10);
    const ends = texts(many).map(({ tracks }) => tracks![0]!.endFrame);
    expect([...ends].sort((a, b) => a - b)).toEqual(ends);
    expect(Math.max(...ends)).toBeLessThanOrEqual(30);
  });

  it('come by line when there are more than anyone can follow, and in scripts without spaces', () => {
    const long = 'a bc def '.repeat(6).trim();
    const ids = textIds(hero([caption({ text: long, maxLines: 4, box: [0.1, 0.1, 0.3, 0.4] })]));
    expect(ids.length).toBeLessThan(6);
    expect(ids.slice(1).every((id) => id.startsWith('caption-line-'))).toBe(true);
    expect(textIds(hero([caption({ text: '港の見える家' })]))).toEqual(['caption']);
  });

  it('are seen through one window where it opens over the whole text', () => {
    const enter = [
      { kind: 'reveal', from: 'left', for: 0.5 },
      { kind: 'lift', each: 'word', stagger: 0.1, at: 0.2 },
    ];
    const words = texts(hero([caption({ enter })]));
    const edges = words.map(({ box, tracks }) => {
      const { from, to } = tracks!.find(({ property }) => property === 'clipRight')!;
      return [from, to].map((hidden) => Math.round(box.x + box.w * (1 - hidden)));
    });
    expect(edges).toEqual(words.map(() => [words[0]!.box.x, right(words.at(-1)!)]));
  });

  it('count as items of their stack, and are seen through the window of their plate', () => {
    const enter = { kind: 'fade', each: 'word', stagger: 0.1 };
    const items = [
      { id: 'one', style: 'name', text: 'Harbor Pine' },
      { id: 'two', style: 'name', text: 'Lane', gap: 40 },
    ];
    const stack = hero([{ id: 'stack', type: 'stack', box: [0.1, 0.1, 0.8, 0.5], items, enter }]);
    expect(textIds(stack)).toEqual(['one', 'one-word-2', 'two']);
    expect(startsOf(stack)).toEqual([0, 3, 6]);
    const { enter: _, ...rest } = caption({
      type: 'plate',
      textEnter: enter,
      at: [0.1, 0.9],
      corner: 'bottom-left',
    });
    const { box: __, ...plate } = rest as { box?: unknown };
    expect(
      startsOf(hero([{ ...plate, fill: 'ink', color: 'paper', maxWidth: 0.8, padding: [20, 20, 20, 20] }])),
    ).toEqual([0, 3, 6]);
  });
});

it('makes entrances while the scene before is still there, when they come over it', () => {
  const { scenes } = board({
    change: (raw) => {
      raw.transitions = [{ kind: 'over', sec: 0.5 }];
    },
  });
  const facts = scenes.findIndex(({ kind }) => kind === 'facts');
  expect(scenes[facts - 1]!.transition).toEqual({ kind: 'over', durationFrames: 15 });
  const starts = scenes[facts]!.layers.map((layer) => layer.tracks![0]!.startFrame);
  expect(Math.min(...starts)).toBe(6 - 15);
});

it('puts scenes of text at their place, when their texts are there', () => {
  const change = (raw: ReturnType<typeof plain>) => {
    raw.dataLayers = {
      own: [{ name: 'tagline', type: 'text', description: 'x', default: '', example: 'x' }],
    };
    raw.ratios[WIDE].extras = [{ role: 'statement', when: ['tagline'], at: 1, sec: 2 }];
    raw.ratios[WIDE].scenes.statement = [
      { name: 'a', elements: [{ id: 'tagline', type: 'text', style: 'name', box: [0.1, 0.4, 0.8, 0.2] }] },
    ];
  };
  const said = board({ change, data: { tagline: 'Home, quietly.' } }).scenes;
  expect(said.at(-2)).toMatchObject({ kind: 'statement', durationFrames: 60 });
  expect(text(said.at(-2)!, 'tagline').reads).toBe('Home, quietly.');
  expect(board({ change }).scenes.some(({ kind }) => kind === 'statement')).toBe(false);
});

describe('a video without branding', () => {
  const unbranded = (more: Design = {}) =>
    board({
      ...more,
      change: (raw) => {
        raw.branding = 'none';
        for (const ratio of [WIDE, '1080:1920']) {
          raw.ratios[ratio].scenes.closing = [
            {
              name: 'a',
              elements: [FULL, { id: 'address', type: 'text', text: '{street}', box: [0.1, 0.1, 0.8, 0.2] }],
            },
          ];
        }
      },
    });

  it('ends on the photo that it began with, and nowhere names the agent', () => {
    const photos = samplePhotos(12);
    const storyboard = unbranded({ photos });
    const last = storyboard.scenes.at(-1)!;
    expect(last.kind).toBe('closing');
    const ends = last.layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : []));
    expect(ends).toEqual([photos[0]!.digest]);
    const all = JSON.stringify(storyboard);
    const agent = fixture.agents[0]!;
    for (const word of [agent.last_name, agent.offices![0]!.name!, '555-0128', 'example.com', 'Lic'])
      expect(all).not.toContain(word);
    expect(storyboard.title).toBe('128 Harbor Pine Lane, Portland, OR');
  });

  it('leaves out, with a warning, what would lead to the agent', () => {
    const storyboard = unbranded({
      data: {
        logo: 'https://example.org/logo.png',
        caption_02: 'Call (503) 555 0199',
        caption_03: 'june@harbor.example',
        caption_04: 'Built in 1998, 2,840 sq ft',
        price: '$1,250,000',
      },
    });
    const said = JSON.stringify(storyboard.scenes);
    expect(said).not.toContain('0199');
    expect(said).not.toContain('june@');
    expect(said).toContain('$1,250,000');
    expect(storyboard.warnings.filter((warning) => /logo|caption_0[23]/.test(warning))).toHaveLength(3);
    expect(storyboard.warnings.some((warning) => warning.includes('caption_04'))).toBe(false);
  });
});

it('darkens an accent that carries type until the type can be read', () => {
  const scene = hero(
    [
      { type: 'fill', id: 'block', box: [0, 0, 1, 1], color: 'accent' },
      { id: 'address', type: 'text', text: '{street}', color: 'onAccent', box: [0.1, 0.1, 0.8, 0.2] },
    ],
    {
      change: (raw) => {
        raw.palette.onAccent = '#FFFFFF';
        raw.palette.ink = '#777777';
      },
      data: { accent: '#6F7F6A' },
    },
  );
  expect(contrastRatio(text(scene, 'address').color, fills(scene)[0]!.color)).toBeGreaterThanOrEqual(4.5);
});

it('reads a listing with an Arabic address from right to left, its price too', () => {
  const column = [0.1, 0.2, 0.4, 0.5];
  const elements = [
    {
      id: 'column',
      type: 'stack',
      box: column,
      items: [
        { id: 'address', text: '{street}', style: 'name', maxLines: 2 },
        { id: 'city', style: 'place', gap: 30 },
        { id: 'price', style: 'place', gap: 30 },
        { rule: 2, length: 100, gap: 30 },
        { line: { number: 'place', label: 'place', kinds: ['beds', 'baths'] }, gap: 30 },
      ],
    },
    { id: 'note', type: 'text', text: '{price}', style: 'place', box: [0.1, 0.8, 0.4, 0.1], align: 'right' },
  ];
  const scene = (street: string, city: string) =>
    hero(elements, {
      listing: { address: { ...fixture.address, street, city } },
      data: { price: '2750000' },
    });
  const arabic = scene('42 شارع الزيتون', 'دبي');
  const english = scene('128 Harbor Pine Lane', 'Portland');
  const rule = fills(arabic)[0]!;
  for (const layer of [text(arabic, 'address'), text(arabic, 'city'), text(arabic, 'price'), rule]) {
    expect(Math.abs(right(layer) - 0.5 * 1920)).toBeLessThan(8);
  }
  expect(text(arabic, 'note').box.x).toBeLessThan(0.1 * 1920 + 8);
  expect(right(text(arabic, 'fact-beds'))).toBeGreaterThan(right(text(arabic, 'fact-baths')));
  expect(text(english, 'price').box.x).toBeLessThan(0.1 * 1920 + 8);
  // Small letters without capitals are larger than Latin ones of the same style.
  expect(text(arabic, 'city').style.sizePx).toBeGreaterThan(text(english, 'city').style.sizePx);
});

it('puts elements where their rtl says in a scene that is read from right to left, and turns their motion', () => {
  const enter = { kind: 'reveal', from: 'left', at: 0.2 };
  const elements = [
    {
      id: 'line',
      type: 'fill',
      box: [0.1, 0.3, 0.2, 0],
      rule: 4,
      ticks: 24,
      enter,
      rtl: { box: [0.7, 0.3, 0.2, 0] },
    },
    {
      id: 'tab',
      type: 'plate',
      text: '{city}',
      style: 'place',
      at: [0, 0.9],
      padding: [20, 30, 20, 96],
      enter,
      rtl: { at: [1, 0.9], corner: 'bottom-right' },
    },
  ];
  const scene = (street: string) => hero(elements, { listing: { address: { ...fixture.address, street } } });
  const [english, arabic] = [scene('128 Harbor Pine Lane'), scene('42 شارع الزيتون')];
  const box = (of: Scene, id: string) => of.layers.find((layer) => layer.id === id)!.box;
  expect(box(english, 'line')).toEqual({ x: 192, y: 324, w: 384, h: 4 });
  expect(box(english, 'line-tick-1')).toEqual({ x: 192, y: 314, w: 4, h: 24 });
  expect(box(english, 'line-tick-2')).toEqual({ x: 572, y: 314, w: 4, h: 24 });
  expect(box(english, 'tab-plate').x).toBe(0);
  expect(Math.abs(text(english, 'tab').box.x - 96)).toBeLessThan(8);
  expect(box(arabic, 'line').x).toBe(1344);
  expect(box(arabic, 'tab-plate').x + box(arabic, 'tab-plate').w).toBe(1920);
  expect(Math.abs(right(text(arabic, 'tab')) - (1920 - 96))).toBeLessThan(8);
  const tracks = (of: Scene) => of.layers.find(({ id }) => id === 'tab-plate')!.tracks;
  expect(tracks(arabic)).not.toEqual(tracks(english));
});

it('sets texts of one group at the size that suits the longest', () => {
  const scene = board({
    scenes: {
      card: [
        {
          name: 'a',
          elements: [
            {
              id: 's',
              type: 'stack',
              box: [0.1, 0.1, 0.22, 0.6],
              items: [
                { id: 'first-name', style: 'name', sizeGroup: 'n' },
                { id: 'last-name', style: 'name', sizeGroup: 'n', gap: 30 },
              ],
            },
          ],
        },
      ],
    },
  }).scenes.at(-1)!;
  expect(text(scene, 'first-name').style.sizePx).toBe(text(scene, 'last-name').style.sizePx);
});

it('sets all type in capitals where the template says so for all', () => {
  const address = (change: (raw: ReturnType<typeof plain>) => void) =>
    text(
      hero([{ id: 'address', type: 'text', text: '{street}', box: [0.1, 0.1, 0.8, 0.2] }], { change }),
      'address',
    ).lines[0]!.text;
  const all = (raw: ReturnType<typeof plain>) => {
    raw.styleDefaults.caps = true;
  };
  expect(address(all)).toBe('128 HARBOR PINE LANE');
  const butOne = (raw: ReturnType<typeof plain>) => {
    all(raw);
    raw.styles.address.caps = false;
  };
  expect(address(butOne)).toBe('128 Harbor Pine Lane');
});
