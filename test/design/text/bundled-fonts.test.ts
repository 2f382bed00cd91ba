import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addedFontsFingerprint,
  bundledFamilyFonts,
  bundledFonts,
  fontPath,
  fontsFingerprint,
} from '../../../src/design/text/fonts/bundled-fonts.ts';
import { FALLBACK_FONTS } from '../../../src/design/text/fonts/fallback-fonts.ts';
import { BUNDLED_FAMILIES } from '../../../src/design/text/text.ts';

describe('bundled fonts', () => {
  it('are files of installed packages', () => {
    for (const font of bundledFonts()) {
      expect(existsSync(fontPath(font)), font.id).toBe(true);
      expect(fontPath(font)).toContain('node_modules');
    }
  });

  it('have a file for every weight and cut of every family', () => {
    for (const family of BUNDLED_FAMILIES) {
      for (const weight of [100, 200, 300, 400, 500, 600, 700, 800, 900] as const) {
        for (const italic of [false, true]) {
          for (const font of bundledFamilyFonts({ family, weight, italic })) {
            expect(existsSync(fontPath(font)), `${font.packageName}/${font.file}`).toBe(true);
          }
        }
      }
    }
  });

  it('offer the style itself first, then the upright', () => {
    const ids = (style: Parameters<typeof bundledFamilyFonts>[0]) =>
      bundledFamilyFonts(style).map((font) => font.id);
    expect(ids({ family: 'eb-garamond', weight: 400, italic: true })).toEqual([
      'eb-garamond-400-italic',
      'eb-garamond-400',
    ]);
    expect(ids({ family: 'commissioner', weight: 300, italic: true })).toEqual(['commissioner-300']);
    expect(ids({ family: 'eb-garamond', weight: 200, italic: false })).toEqual(['eb-garamond-400']);
  });

  it('says which package is missing', () => {
    const font = { ...bundledFonts()[0]!, packageName: '@expo-google-fonts/not-installed' };
    expect(() => fontPath(font)).toThrow(/@expo-google-fonts\/not-installed/);
  });

  it('have a fingerprint that names every package and the shaper with its version, but no added font', () => {
    const packages = (isOptional: boolean) =>
      FALLBACK_FONTS.filter((font) => font.isOptional === isOptional).map(({ packageName }) => packageName);
    const own = ['eb-garamond', 'harfbuzzjs', 'bidi-js', ...packages(false)];
    for (const name of own) expect(fontsFingerprint()).toMatch(new RegExp(`${name}@\\d+\\.\\d+\\.\\d+`));
    for (const name of packages(true)) {
      expect(fontsFingerprint()).not.toContain(name);
      expect(addedFontsFingerprint()).toMatch(new RegExp(`${name}@\\d+\\.\\d+\\.\\d+`));
    }
  });
});
