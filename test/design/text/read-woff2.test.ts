import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fontPath } from '../../../src/design/text/fonts/bundled-fonts.ts';
import { FALLBACK_FONTS } from '../../../src/design/text/fonts/fallback-fonts.ts';
import { loadFallback } from '../../../src/design/text/fonts/font-library.ts';
import { readWoff2 } from '../../../src/design/text/fonts/read-woff2.ts';

function unpack(packageName: string, file: string): Buffer {
  return readWoff2(readFileSync(fontPath({ id: file, packageName, file })));
}

describe('readWoff2', () => {
  it('restores the outlines and advances the font was made with', () => {
    // Read with Google's woff2 and HarfBuzz: the alef of Noto Sans Hebrew at weight 400, in units of 1000 to the em.
    const hebrew = FALLBACK_FONTS.find((font) => font.id === 'noto-sans-hebrew')!;
    const font = loadFallback(hebrew, 400, 1, 0x5d0)!;
    const [alef] = font.shapeRun({ text: 'א', start: 0, end: 1, isRtl: true, script: 'Hebr', features: {} });
    expect(alef!.advance).toBeCloseTo(0.632);
    const bounds = font.outline(alef!.glyphId).bounds!;
    expect(
      [bounds.left, bounds.top, bounds.right, bounds.bottom].map((edge) => Math.round(edge * 1000) + 0),
    ).toEqual([36, -593, 596, 0]);
  });

  it('has every table the shaper reads', () => {
    const font = unpack('@fontsource-variable/noto-sans-thai', 'files/noto-sans-thai-thai-wght-normal.woff2');
    const tags = Array.from({ length: font.readUInt16BE(4) }, (_, index) =>
      font.toString('latin1', 12 + index * 16, 16 + index * 16),
    );
    for (const tag of [
      'cmap',
      'fvar',
      'glyf',
      'gvar',
      'head',
      'hhea',
      'hmtx',
      'loca',
      'maxp',
      'GPOS',
      'GSUB',
    ]) {
      expect(tags).toContain(tag);
    }
    expect(tags).toEqual([...tags].sort());
  });

  it('refuses what is no font of this kind', () => {
    expect(() => readWoff2(Buffer.from('OTTO, not this'))).toThrow(RangeError);
    const file = readFileSync(
      fontPath({
        id: 'thai',
        packageName: '@fontsource-variable/noto-sans-thai',
        file: 'files/noto-sans-thai-thai-wght-normal.woff2',
      }),
    );
    expect(() => readWoff2(file.subarray(0, 4000))).toThrow();
  });
});
