import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundledFonts, fontChain, fontPath, fontsFingerprint } from '../../src/text/bundled-fonts.ts';

describe('bundled fonts', () => {
  it('are files of installed packages', () => {
    for (const font of bundledFonts()) {
      expect(existsSync(fontPath(font)), font.id).toBe(true);
      expect(fontPath(font)).toContain('node_modules');
    }
  });

  it('offer the style itself first, and the upright before other scripts', () => {
    expect(fontChain({ weight: 400, italic: true }).map((font) => font.id)).toEqual([
      'eb-garamond-400-italic',
      'eb-garamond-400',
      'noto-naskh-arabic-400',
      'noto-serif-hebrew-400',
      'noto-sans-devanagari-400',
      'noto-sans-thai-400',
    ]);
    expect(fontChain({ weight: 500, italic: false })[0]!.id).toBe('eb-garamond-500');
  });

  it('says which package is missing', () => {
    const font = { ...bundledFonts()[0]!, packageName: '@expo-google-fonts/not-installed' };
    expect(() => fontPath(font)).toThrow(/@expo-google-fonts\/not-installed/);
  });

  it('have a fingerprint that names every package and the shaper with its version', () => {
    for (const name of ['eb-garamond', 'noto-sans-thai', 'harfbuzzjs', 'bidi-js']) {
      expect(fontsFingerprint()).toMatch(new RegExp(`${name}@\\d+\\.\\d+\\.\\d+`));
    }
  });
});
