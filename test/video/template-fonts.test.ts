/** Fonts beside a user's own template: they are found, checked, drawn, and part of what a segment depends on. */
import { cp, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { lintStoryboard } from '../../src/design/storyboard/lint-storyboard.ts';
import { BUILT_IN_TEMPLATES_DIR } from '../../src/design/template/load-template.ts';
import type { Template } from '../../src/design/template/template.ts';
import { fontNotes } from '../../src/video/plan/plan-video.ts';
import { lintType } from '../../src/video/templates/lint-type.ts';
import { copyFonts, findFontFaults, openTemplates } from '../../src/video/templates/template-fonts.ts';
import { measurer, sampleStoryboard, sampleTimeline } from '../design/storyboard/sample.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const BOXES = fileURLToPath(new URL('../design/text/fonts', import.meta.url));
const FAMILY = ['Box-Regular.ttf', 'Box-Bold.otf', 'Box-Italic.woff2'];

const folder = temporaryFolder();
let classic: string;
beforeAll(async () => {
  classic = await readFile(path.join(BUILT_IN_TEMPLATES_DIR, 'classic/template.json'), 'utf8');
});

/** A template in a family of its own, with all fonts of this test beside it. */
async function put(id: string, files: readonly unknown[], more: object = {}) {
  const raw = JSON.parse(classic);
  raw.styleDefaults.family = 'box';
  const file = path.join(folder, id, 'template.json');
  await cp(BOXES, path.join(folder, id, 'fonts'), { recursive: true });
  await writeFile(file, JSON.stringify({ ...raw, ...more, id, fonts: { box: { files } } }));
  return { id, file, isBuiltIn: false, fonts: path.join(folder, id, 'fonts') };
}
const load = (id: string): Promise<Template> => openTemplates({ templatesDirs: [folder] }).get(id);
const segmentsOf = (template: Template) => {
  const { segments } = sampleTimeline(sampleStoryboard({ template }), 'test');
  return segments.map(({ key }) => key);
};

it('are drawn, and the segments depend on their bytes, not on their names', async () => {
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((id) => put(id, FAMILY)));
  const bold = path.join(three!.fonts, 'Box-Bold.otf');
  const bytes = await readFile(bold);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(bold, bytes);
  const [a, b, c] = await Promise.all([one, two, three].map((place) => load(place!.id)));
  const styles = sampleStoryboard({ template: a! }).scenes.flatMap(({ layers }) =>
    layers.flatMap((layer) => (layer.type === 'text' ? [layer.style] : [])),
  );
  expect(styles.every(({ family }) => family.startsWith('box@'))).toBe(true);
  expect(segmentsOf(b!)).toEqual(segmentsOf(a!));
  expect(segmentsOf(c!)).not.toEqual(segmentsOf(a!));
});

it('lack nothing silently', async () => {
  await put('plain', ['Box-Regular.ttf']);
  const storyboard = sampleStoryboard({ template: await load('plain') });
  const found = lintType(storyboard, measurer);
  const messages = new Set(found.map(({ rule, message }) => `${rule}: ${message}`));
  expect(messages).toContain('font-italic: box has no italic; the upright is drawn');
  expect(messages).toContain('font-weight: box has no weight 500, only 400; 400 is drawn');
  expect([...messages].some((message) => /^font-letters: box has no .*@.*: another font/.test(message))).toBe(
    true,
  );
  expect(fontNotes(storyboard)).toContain('the font box has no italic; the upright is drawn');
  expect(fontNotes(sampleStoryboard())).toEqual([]);
  expect(lintStoryboard(storyboard, new Map()).filter(({ rule }) => rule.startsWith('font'))).toEqual([]);
  expect(lintType(sampleStoryboard(), measurer)).toEqual([]);
});

describe('each fault is named with its file and what to do', () => {
  const problems = async (
    files: readonly unknown[],
    change: (fonts: string) => Promise<unknown> = async () => {},
  ) => {
    const place = await put(`fault-${(await readdir(folder)).length}`, files);
    await change(place.fonts);
    return (await findFontFaults(place)).map(({ path, problem }) => `${path} ${problem}`);
  };

  it('a file that is not there, not a font, too large, or a folder', async () => {
    const files = ['Box-Regluar.ttf', 'text.ttf', 'huge.otf', 'folder.woff2', 'Box-Bold.otf'];
    const found = await problems(files, async (fonts) => {
      await writeFile(path.join(fonts, 'text.ttf'), 'hello');
      await writeFile(path.join(fonts, 'huge.otf'), '');
      await truncate(path.join(fonts, 'huge.otf'), 25 << 20);
      await mkdir(path.join(fonts, 'folder.woff2'));
    });
    expect(found).toEqual([
      '$.fonts.box.files[0] names fonts/Box-Regluar.ttf, which does not exist: did you mean Box-Regular.ttf?',
      '$.fonts.box.files[1] names fonts/text.ttf, which is not a font: expected a TTF, OTF or WOFF2 file',
      '$.fonts.box.files[2] names fonts/huge.otf, which has 25 MB, and a font can have 24 MB',
      '$.fonts.box.files[3] names fonts/folder.woff2, which is not a file',
    ]);
  });

  it('a link out of the folder of the template', async () => {
    const found = await problems(['link.ttf'], (fonts) =>
      symlink(path.join(BOXES, 'Box-Regular.ttf'), path.join(fonts, 'link.ttf')),
    );
    expect(found).toEqual([expect.stringContaining('is a link out of the folder of the template')]);
  });

  it('two files for one weight, until the template says what they draw', async () => {
    const same = ['Box-Regular.ttf', 'Copy.ttf'];
    const copy = (fonts: string) => cp(path.join(fonts, same[0]!), path.join(fonts, 'Copy.ttf'));
    expect(await problems(same, copy)).toEqual([
      expect.stringMatching(/^\$\.fonts\.box\.files\[1\] .*say what it draws/),
    ]);
    expect(await problems([same[0], { file: 'Copy.ttf', weight: 500 }], copy)).toEqual([]);
    expect(await problems([same[0], { file: 'Copy.ttf', italic: true }], copy)).toEqual([]);
  });

  it('when a video is made too', async () => {
    await put('missing', ['Box-Thin.ttf']);
    await expect(load('missing')).rejects.toMatchObject({
      code: 'template_invalid',
      message: expect.stringContaining('$.fonts.box.files[0] names fonts/Box-Thin.ttf, which does not exist'),
    });
  });

  it.each([
    [
      'a path',
      { box: { files: ['../Box.ttf'] } },
      '$.fonts.box.files[0] is not the name of a TTF, OTF or WOFF2',
    ],
    ['another format', { box: { files: ['Box.woff'] } }, '$.fonts.box.files[0] is not the name'],
    ['no file', { box: { files: [] } }, '$.fonts.box.files does not list'],
    [
      'a name that ships',
      { box: { files: ['a.ttf'] }, commissioner: { files: ['a.ttf'] } },
      'of a family that ships',
    ],
    ['a name that is nearly right', { bocks: { files: ['a.ttf'] } }, 'did you mean "bocks"?'],
  ])('in the template itself: %s', async (_, fonts, message) => {
    const raw = JSON.parse(classic);
    raw.styleDefaults.family = 'bocks' in fonts ? 'bock' : 'box';
    await mkdir(path.join(folder, 'itself'), { recursive: true });
    await writeFile(
      path.join(folder, 'itself/template.json'),
      JSON.stringify({ ...raw, id: 'itself', fonts }),
    );
    await expect(load('itself')).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });
});

it('are copied with their template, but for files that nobody can read', async () => {
  const place = await put('original', [...FAMILY, 'gone.ttf']);
  const raw = JSON.parse(await readFile(place.file, 'utf8'));
  const copy = path.join(folder, 'copy');
  await mkdir(copy);
  await copyFonts(raw, path.dirname(place.file), copy);
  expect((await readdir(path.join(copy, 'fonts'))).sort()).toEqual([...FAMILY].sort());
});

it('shortens a long file name and says what is wrong with it', async () => {
  const place = await put('long', [`${'x'.repeat(5000)}.ttf`]);
  expect(await findFontFaults(place)).toEqual([
    {
      path: '$.fonts.box.files[0]',
      problem: `names fonts/${'x'.repeat(40)}…${'x'.repeat(12)}.ttf, which has too long a name: rename the file`,
    },
  ]);
});
