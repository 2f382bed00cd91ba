import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FALLBACK_FONTS } from '../../../src/design/text/fonts/fallback-fonts.ts';
import {
  FURTHER_FONTS,
  furtherFontCalled,
  furtherFontFor,
} from '../../../src/design/text/fonts/further-fonts.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('the fonts for further scripts', () => {
  it('are the optional peer packages, in the version of this checkout', () => {
    const versions = Object.fromEntries(
      FURTHER_FONTS.map(({ packageName, version }) => [packageName, version]),
    );
    expect(manifest.devDependencies).toMatchObject(versions);
    expect(manifest.peerDependencies).toEqual(
      Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, `^${version}`])),
    );
    expect(manifest.peerDependenciesMeta).toEqual(
      Object.fromEntries(Object.keys(versions).map((name) => [name, { optional: true }])),
    );
    const drawn = FALLBACK_FONTS.filter((font) => font.isOptional).map((font) => font.packageName);
    expect(Object.keys(versions).sort()).toEqual(drawn.sort());
  });

  it.each([
    ['ja', 'ja'],
    ['JA', 'ja'],
    ['japanese', 'ja'],
    ['zh_TW', 'zh-hant'],
    ['Bengali', 'bn'],
    ['@fontsource-variable/noto-sans-khmer', 'km'],
    ['noto-sans-kr', 'ko'],
    ['klingon', undefined],
  ])('are called by language, script or package: %s', (word, name) => {
    expect(furtherFontCalled(word)?.name).toBe(name);
  });

  it('have no word for two fonts', () => {
    const words = FURTHER_FONTS.flatMap(({ name, aliases }) => [...new Set([name, ...aliases])]);
    expect(new Set(words).size).toBe(words.length);
  });

  it('are not proposed where they are installed', () => {
    // A checkout has them all.
    expect(furtherFontFor(0x3042, 'jp')).toBeUndefined();
  });
});
