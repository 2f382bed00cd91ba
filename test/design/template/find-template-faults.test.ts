/** The faults of a template's file: each mistake is one fault, in words. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTemplateFaults, PATTERN_WORDS } from '../../../src/design/template/find-template-faults.ts';
import { BUILT_IN_TEMPLATES_DIR, readTemplateSchema } from '../../../src/design/template/load-template.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts of a template are broken at will.
type AnyJson = any;

const text = await readFile(path.join(BUILT_IN_TEMPLATES_DIR, 'classic', 'template.json'), 'utf8');

async function faultsOf(change: (template: AnyJson) => void) {
  const template = JSON.parse(text);
  change(template);
  return findTemplateFaults(template, await readTemplateSchema(), 'template.json');
}

function renamed(object: AnyJson, from: string, to: string): void {
  object[to] = object[from];
  delete object[from];
}

describe('findTemplateFaults', () => {
  it('finds none in a template that ships', async () => {
    expect(await faultsOf(() => {})).toEqual([]);
  });

  it.each([
    ['$.pallette', 'palette', (template: AnyJson) => renamed(template, 'palette', 'pallette')],
    ['$.style', 'styles', (template: AnyJson) => renamed(template, 'styles', 'style')],
    [
      '$.styleDefualts',
      'styleDefaults',
      (template: AnyJson) => renamed(template, 'styleDefaults', 'styleDefualts'),
    ],
    [
      '$.ratios["1920:1080"].scenes.hro',
      'hero',
      (template: AnyJson) => renamed(template.ratios['1920:1080'].scenes, 'hero', 'hro'),
    ],
  ])('reports %s as one fault that suggests %s', async (place, meant, change) => {
    expect(await faultsOf(change)).toEqual([
      { path: place, problem: `is not known here; did you mean "${meant}"?`, unknown_key: true },
    ]);
  });

  it('reports an id that two elements of a scene have, unless only one of them can be there', async () => {
    const twice = (conditions: readonly AnyJson[]) => (template: AnyJson) => {
      const { elements } = template.ratios['1920:1080'].scenes.hero[0];
      const box = [0, 0, 0.1, 0.1];
      for (const when of conditions) elements.push({ id: 'mark', type: 'fill', box, color: 'ink', ...when });
      twice.at = elements.length - 1;
    };
    twice.at = 0;
    const faults = await faultsOf(twice([{}, { when: ['facts'] }]));
    expect(faults).toEqual([
      {
        path: `$.ratios["1920:1080"].scenes.hero[0].elements[${twice.at}].id`,
        problem: 'names two elements of a scene "mark"',
      },
    ]);
    expect(await faultsOf(twice([{ when: ['!facts'] }, { when: ['facts'] }]))).toEqual([]);
  });

  it('reports a misspelt type of an element as one fault', async () => {
    const faults = await faultsOf((template) =>
      renamed(template.ratios['1920:1080'].scenes.hero[0].elements[0], 'type', 'tyype'),
    );
    expect(faults).toEqual([
      {
        path: '$.ratios["1920:1080"].scenes.hero[0].elements[0].type',
        problem: 'is missing: rename "tyype"',
      },
    ]);
  });

  it('finds what else is wrong in a part with a misspelt name, at its place in the file', async () => {
    const faults = await faultsOf((template) => {
      renamed(template, 'palette', 'pallette');
      template.pallette.paper = 'white';
    });
    expect(faults).toEqual([
      expect.objectContaining({ path: '$.pallette' }),
      { path: '$.pallette.paper', problem: 'is not a color such as #F4EFE4' },
    ]);
  });

  it.each(['acent', 'acentText', 'Ink'])('reports the role %s of a palette as one fault', async (written) => {
    const meant = { acent: 'accent', acentText: 'accentText', Ink: 'ink' }[written]!;
    expect(await faultsOf(({ palette }) => renamed(palette, meant, written))).toEqual([
      { path: `$.palette.${written}`, problem: `is not used; did you mean "${meant}"?`, unknown_key: true },
    ]);
  });

  it('finds a misspelled role of the template’s own, and leaves what is used or resembles nothing', async () => {
    const withOwn = (written: string) => (template: AnyJson) => {
      template.ratios['1920:1080'].scenes.hero[0].background = 'line';
      Object.assign(template.palette, { [written]: '#D9DADC', spare: '#112233' });
    };
    expect(await faultsOf(withOwn('lien'))).toEqual([
      expect.objectContaining({ path: '$.palette.lien', problem: 'is not used; did you mean "line"?' }),
    ]);
    expect(await faultsOf(withOwn('line'))).toEqual([]);
  });

  it('says that a role is missing, and suggests the nearest of two similar ones', async () => {
    expect(await faultsOf(({ palette }) => delete palette.ink)).toEqual([
      { path: '$.palette.ink', problem: 'is missing' },
    ]);
    const faults = await faultsOf((template) => {
      template.ratios['1920:1080'].scenes.hero[0].background = 'accentTxt';
    });
    // A block that several scenes use reports it at each use.
    expect(new Set(faults.map(({ problem }) => problem))).toEqual(
      new Set(['names a color that the palette does not have: "accentTxt"; did you mean "accentText"?']),
    );
  });

  it('reports a palette that is not there as one fault', async () => {
    const faults = await faultsOf((template) => {
      delete template.palette;
    });
    expect(faults).toEqual([{ path: '$.palette', problem: 'is missing' }]);
  });

  it('says in words what a name can be', async () => {
    const faults = await faultsOf((template) => {
      template.fonts = { 'My Font': { files: ['My.ttf'] } };
    });
    expect(faults).toEqual([
      { path: '$.fonts["My Font"]', problem: expect.stringMatching(/^is not a name of lower-case letters/) },
    ]);
    const patterns = JSON.stringify(await readTemplateSchema()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
    for (const [, pattern] of patterns) expect(PATTERN_WORDS).toHaveProperty([JSON.parse(pattern!)]);
  });
});
