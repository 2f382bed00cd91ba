/** Fonts of users' own templates: what a file says about itself, which file draws a style, and what is missing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingCuts } from '../../../src/design/text/fonts/family-fonts.ts';
import { type OwnFamily, registerFamily } from '../../../src/design/text/fonts/own-fonts.ts';
import { type FontFile, readFontFile } from '../../../src/design/text/fonts/read-font-file.ts';
import { unusableFaces } from '../../../src/design/text/fonts/try-family.ts';
import type { FontWeight, TextStyle } from '../../../src/design/text/text.ts';
import { createTextMeasurer } from '../../../src/design/text/text-measurer.ts';
import { createTextRasterizer } from '../../../src/design/text/text-rasterizer.ts';
import { GARAMOND } from './garamond.ts';

const measurer = await createTextMeasurer();
const rasterizer = await createTextRasterizer();
const bytesOf = (name: string): Buffer => readFileSync(new URL(`fonts/${name}`, import.meta.url));
const REGULAR = bytesOf('Box-Regular.ttf');

function fontOf(name: string): FontFile {
  const font = readFontFile(bytesOf(name));
  if ('problem' in font) throw new Error(font.problem);
  return font;
}
const familyOf = (...files: string[]): OwnFamily => ({
  name: 'box',
  fallback: 'sans',
  faces: files.map((file) => ({ ...fontOf(file), file: `fonts/${file}` })),
});
const styleOf = (family: string, weight: FontWeight, italic = false): TextStyle => ({
  ...GARAMOND,
  family,
  weight,
  italic,
  sizePx: 100,
  trackingEm: 0,
});
/** Width of a letter: it tells the fonts apart. */
const boxOf = (style: TextStyle): number => {
  const { ink } = measurer.measure('H', style);
  return Math.round(ink.rightPx - ink.leftPx);
};

describe('a font file', () => {
  it.each([
    ['Box-Regular.ttf', 400, 400, false],
    ['Box-Bold.otf', 700, 700, false],
    ['Box-Italic.woff2', 400, 400, true],
    ['Box-Variable.woff2', 300, 800, false],
  ])('says its weights and slope: %s', (name, minWeight, maxWeight, isItalic) => {
    expect(fontOf(name)).toMatchObject({ familyName: 'Box Sans', minWeight, maxWeight, isItalic });
  });

  it.each([
    ['not a font', Buffer.from('hello'), /is not a font: expected a TTF, OTF or WOFF2 file/],
    ['an empty file', Buffer.alloc(0), /is not a font/],
    ['WOFF of version 1', Buffer.from('wOFF\0\x01\0\0'), /version 1: save it as WOFF2/],
    ['a collection', Buffer.from('ttcf\0\x01\0\0'), /collection of fonts/],
    ['a collection in WOFF2', Buffer.from('wOF2ttcf'), /collection of fonts/],
    ['half a file', REGULAR.subarray(0, 1200), /is damaged/],
    ['half a WOFF2 file', bytesOf('Box-Italic.woff2').subarray(0, 200), /is damaged/],
    ['no outlines', Buffer.from(REGULAR.toString('latin1').replace('glyf', 'xlyf'), 'latin1'), /no outlines/],
    [
      'no letters',
      Buffer.from(REGULAR.toString('latin1').replace('cmap', 'xmap'), 'latin1'),
      /no table cmap/,
    ],
  ])('that cannot be used says why: %s', (_, bytes, problem) => {
    expect(readFontFile(bytes)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('can have a wrong length or offset anywhere', () => {
    for (let at = 4; at < 200; at += 1) {
      const wrong = Buffer.from(REGULAR);
      wrong[at] = 0xff;
      expect(() => readFontFile(wrong)).not.toThrow();
    }
  });
});

describe('a family of a template', () => {
  const key = registerFamily(familyOf('Box-Regular.ttf', 'Box-Bold.otf', 'Box-Italic.woff2'));

  it('draws each style with the file for it, whatever its format', async () => {
    expect(boxOf(styleOf(key, 400))).toBe(30);
    expect(boxOf(styleOf(key, 700))).toBe(60);
    expect(boxOf(styleOf(key, 400, true))).toBe(20);
    const mask = await rasterizer.rasterize([{ text: 'I', xPx: 0, baselineYPx: 100 }], styleOf(key, 700));
    expect([mask.widthPx, mask.heightPx]).toEqual([60, 70]);
    expect(mask.data.every((value) => value === 255)).toBe(true);
  });

  it('draws every weight of a variable font', () => {
    const variable = registerFamily(familyOf('Box-Variable.woff2'));
    expect([300, 500, 800].map((weight) => boxOf(styleOf(variable, weight as FontWeight)))).toEqual([
      20, 36, 60,
    ]);
    expect(missingCuts(styleOf(variable, 500))).toEqual([]);
    expect(boxOf(styleOf(variable, 900))).toBe(60);
  });

  it('says which weights and italics it lacks, and what is drawn', () => {
    expect(missingCuts(styleOf(key, 400))).toEqual([]);
    expect(missingCuts(styleOf(key, 500))).toEqual([
      { kind: 'weight', message: 'box has no weight 500, only 400, 700; 400 is drawn' },
    ]);
    expect(boxOf(styleOf(key, 500))).toBe(30);
    const upright = registerFamily(familyOf('Box-Regular.ttf'));
    expect(missingCuts(styleOf(upright, 400, true))).toEqual([
      { kind: 'italic', message: 'box has no italic; the upright is drawn' },
    ]);
    expect(missingCuts(styleOf('commissioner', 400, true))).toMatchObject([{ kind: 'italic' }]);
    expect(missingCuts(styleOf('eb-garamond', 300))).toMatchObject([{ kind: 'weight' }]);
    expect(missingCuts(styleOf('eb-garamond', 400, true))).toEqual([]);
  });

  it('says which letters another font draws', () => {
    expect(measurer.measure('Hé!', styleOf(key, 400))).toMatchObject({
      substituted: [0xe9, 0x21],
      missing: [],
    });
    expect(measurer.measure('H H', styleOf(key, 400)).substituted).toBeUndefined();
  });

  it('is another family when a byte of a file or its use changes, and the same otherwise', () => {
    const regular = familyOf('Box-Regular.ttf');
    const [face] = regular.faces;
    const changed = Buffer.from(face!.openType);
    changed[changed.length - 1]! ^= 1;
    const keys = [
      regular,
      { ...regular, faces: [{ ...face!, openType: changed }] },
      { ...regular, faces: [{ ...face!, minWeight: 300 }] },
      { ...regular, fallback: 'serif' as const },
    ].map(registerFamily);
    expect(new Set(keys).size).toBe(keys.length);
    expect(registerFamily(familyOf('Box-Regular.ttf'))).toBe(keys[0]);
    expect(boxOf(styleOf(keys[1]!, 400))).toBe(30);
  });

  it('names a file that HarfBuzz can do nothing with', () => {
    const cmap = REGULAR.indexOf('cmap', 12, 'latin1');
    const emptied = Buffer.from(REGULAR);
    emptied.fill(0, REGULAR.readUInt32BE(cmap + 8), REGULAR.readUInt32BE(cmap + 8) + 4);
    const font = readFontFile(emptied) as FontFile;
    const faces = [...familyOf('Box-Bold.otf').faces, { ...font, file: 'fonts/Empty.ttf' }];
    const broken = registerFamily({ name: 'box', fallback: 'sans', faces });
    expect(unusableFaces(broken)).toEqual([1]);
    expect(() => measurer.measure('H', styleOf(broken, 400))).toThrowError(
      expect.objectContaining({
        code: 'template_invalid',
        message: expect.stringContaining('fonts/Empty.ttf'),
      }),
    );
    expect(unusableFaces(key)).toEqual([]);
  });
});
