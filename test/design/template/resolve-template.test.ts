/** How a written template becomes a full one. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../../src/design/template/check-template.ts';
import type { RatioDesign, SceneVariant, Template } from '../../../src/design/template/template.ts';
import type { ListingVideoError } from '../../../src/platform/errors.ts';

const read = (name: string) => readFileSync(new URL(`../../../templates/${name}`, import.meta.url), 'utf8');
/** The worked example of the guide. */
const plain = () => JSON.parse(/```json\n([\s\S]*?)```/.exec(read('README.md'))![1]!);

const WIDE = '1920:1080';
/** The guide's example with other wide scenes, or whatever else is changed. */
function resolve(change: (raw: ReturnType<typeof plain>) => void): Template {
  const raw = plain();
  change(raw);
  return checkTemplate(raw, 'test.json');
}
const wide = (template: Template): RatioDesign => template.ratios[WIDE];
const single = (variants: unknown[]): SceneVariant[] => [
  ...wide(
    resolve((raw) => {
      raw.ratios[WIDE].scenes.single = variants;
    }),
  ).scenes.single,
];
function faultsOf(change: (raw: ReturnType<typeof plain>) => void): { path: string; problem: string }[] {
  try {
    resolve(change);
  } catch (error) {
    return (error as ListingVideoError).context!.faults as { path: string; problem: string }[];
  }
  return [];
}

const PHOTO = { type: 'photo', box: [0, 0, 1, 1] };
const WORDS = { id: 'caption', type: 'text', box: [0.1, 0.1, 0.5, 0.1] };

describe('the worked example of the guide', () => {
  it('is a template, for the program and for editors', () => {
    expect(resolve(() => {}).name).toBe('Plain');
    const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js');
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(read('template.schema.json')));
    validate(plain());
    expect(validate.errors ?? []).toEqual([]);
  });

  it('has whole photos in rows where it designs no scene', () => {
    expect(wide(resolve(() => {})).scenes.six[0]!.elements[0]).toMatchObject({
      type: 'mosaic',
      fit: 'whole',
    });
  });
});

describe('blocks', () => {
  it('stand for their elements, changed all at once or by id', () => {
    const [variant] = single([
      {
        name: 'a',
        elements: ['full', { use: 'title', box: [0, 0, 1, 1], set: { title: { align: 'left' } } }],
      },
    ]);
    expect(variant!.elements).toMatchObject([
      { id: 'photo-1', type: 'photo', maxCropLoss: 0.16 },
      { id: 'title', box: [0, 0, 1, 1], align: 'left', anchor: 'middle' },
    ]);
  });

  it('of a ratio win over the template’s', () => {
    const template = resolve((raw) => {
      raw.ratios[WIDE].blocks = { full: { type: 'photo', box: [0, 0, 0.5, 1] } };
    });
    expect(wide(template).scenes.single[0]!.elements[0]).toMatchObject({ box: [0, 0, 0.5, 1] });
  });
});

describe('a variant like another', () => {
  const base = { name: 'base', ground: 'full-bleed', when: ['caption'], elements: [PHOTO, WORDS] };

  it('has its elements and ground, not its conditions; changes, leaves out, adds', () => {
    const [, variant] = single([
      base,
      {
        name: 'other',
        like: 'base',
        set: { 'photo-1': { box: [0, 0, 0.5, 1] }, caption: null },
        elements: [{ id: 'block', type: 'fill', box: [0.5, 0, 0.5, 1] }],
      },
    ]);
    expect(variant).toMatchObject({ name: 'other', ground: 'full-bleed' });
    expect(variant!.when).toBeUndefined();
    expect(variant!.elements).toMatchObject([
      { id: 'photo-1', box: [0, 0, 0.5, 1] },
      { id: 'block', type: 'fill', color: 'ink' },
    ]);
  });

  it('can be of another role, and changes items of a stack by id', () => {
    const [variant] = single([
      {
        name: 'as the opening',
        like: 'hero/photo over words',
        set: { title: { items: { place: null, address: { maxLines: 4 } } } },
      },
    ]);
    const stack = variant!.elements.find(({ type }) => type === 'stack');
    expect(stack).toMatchObject({ items: [{ id: 'address', maxLines: 4, text: '{street}' }] });
  });

  it('of itself or of an unknown variant is a fault', () => {
    expect(
      faultsOf((raw) => {
        raw.ratios[WIDE].scenes.single = [
          { name: 'a', like: 'b' },
          { name: 'b', like: 'a' },
        ];
      }).some(({ path }) => path.endsWith('.like')),
    ).toBe(true);
    expect(
      faultsOf((raw) => {
        raw.ratios[WIDE].scenes.single = [base, { name: 'b', like: 'base', set: { nobody: {} } }];
      }),
    ).toEqual([
      {
        path: `$.ratios["${WIDE}"].scenes.single[1].set.nobody`,
        problem: 'changes an element that the variant does not have',
      },
    ]);
  });
});

describe('names', () => {
  it('of texts, items and photos say their words, styles and numbers', () => {
    const [variant] = single([
      {
        name: 'a',
        elements: [
          { id: 'photo-3', type: 'photo', box: [0, 0, 1, 1] },
          { id: 'email', type: 'text', box: [0, 0, 1, 1] },
          {
            type: 'photos',
            boxes: [
              [0, 0, 0.5, 1],
              [0.5, 0, 0.5, 1],
            ],
          },
        ],
      },
    ]);
    expect(variant!.elements).toMatchObject([
      { photo: 2 },
      { text: '{email}', style: 'email' },
      { id: 'photo-1', photo: 0, box: [0, 0, 0.5, 1] },
      { id: 'photo-2', photo: 1, box: [0.5, 0, 0.5, 1] },
    ]);
  });

  it('that do not exist are faults with their place', () => {
    expect(
      faultsOf((raw) => {
        raw.ratios[WIDE].scenes.single = [
          {
            name: 'a',
            background: 'sky',
            elements: ['nowhere', { ...WORDS, style: 'huge', color: 'blue', enter: 'jump' }],
          },
        ];
      })
        .map(({ path }) => path.replace(/.*single\[0\]/, ''))
        .sort(),
    ).toEqual([
      '.background',
      '.elements[0]',
      '.elements[1].color',
      '.elements[1].enter',
      '.elements[1].style',
    ]);
  });
});

it('finds blocks and motions that use themselves', () => {
  const faults = faultsOf((raw) => {
    raw.motions.come = { use: 'go' };
    raw.motions.go = ['come'];
    raw.blocks.full = [PHOTO, 'full'];
  });
  expect(new Set(faults.map(({ problem }) => problem))).toEqual(
    new Set(['names a motion that uses itself: "come"', 'names a block that uses itself: "full"']),
  );
});

describe('motion', () => {
  it('has defaults by kind, and named motions can be changed', () => {
    const [variant] = single([
      {
        name: 'a',
        elements: [
          {
            ...WORDS,
            enter: [{ use: 'come', at: 1 }, { kind: 'draw' }],
            exit: { kind: 'slide', to: 'left', for: 0.25 },
          },
        ],
      },
    ]);
    expect(variant!.elements[0]!.enter).toMatchObject([
      { kind: 'fade', at: 1, stagger: 0.05, each: 'item', easing: 'settle', until: 0.8 },
      { kind: 'draw', from: 'left', easing: 'draw', at: 0, each: 'whole' },
    ]);
    expect(variant!.elements[0]!.exit).toMatchObject([{ from: 'left', at: 0.25, easing: 'leave' }]);
  });
});

describe('data layers', () => {
  it('are the common ones, in the colours of the template, and its own', () => {
    const template = resolve((raw) => {
      raw.dataLayers = {
        without: ['cta'],
        defaults: { label_price: 'asking' },
        own: [{ name: 'tagline', type: 'text', description: 'A line.', default: '', example: 'x' }],
      };
    });
    const byName = new Map(template.dataLayers.map((layer) => [layer.name, layer]));
    expect(byName.get('accent')!.default).toBe('#1F5C4D');
    expect(byName.get('label_price')!.default).toBe('asking');
    expect(byName.has('caption_100')).toBe(true);
    expect(byName.has('tagline')).toBe(true);
    expect(byName.has('cta')).toBe(false);
    expect(template.withoutLayers).toEqual(['cta']);
  });
});

it('lets a ratio change styles, pacing and camera field by field', () => {
  const design = wide(
    resolve((raw) => {
      raw.pacing = { factor: 0.9, endSec: 4 };
      raw.ratios[WIDE].pacing = { endSec: 6 };
      raw.ratios[WIDE].camera = { speedPerSec: 0.03 };
      raw.ratios[WIDE].styles = { address: { size: 120 } };
    }),
  );
  expect(design.pacing).toMatchObject({ factor: 0.9, endSec: 6, capSec: 60 });
  expect(design.pacing.rows).toHaveLength(6);
  expect(design.camera).toMatchObject({ speedPerSec: 0.03, cycle: ['out', 'in'] });
  expect(design.styles.address).toEqual({ size: 120, min: 56 });
});

it('needs a closing in place of a card without branding', () => {
  const faults = faultsOf((raw) => {
    raw.branding = 'none';
  });
  expect(faults.map(({ path }) => path)).toEqual([
    `$.ratios["${WIDE}"].scenes.closing`,
    '$.ratios["1080:1920"].scenes.closing',
  ]);
});
