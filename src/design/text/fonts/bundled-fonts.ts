/**
 * The font files of every family, weight and style, in npm packages, and the fingerprint of all that shapes text.
 *
 * Tables and paths only; no font is read here, and no font of the system is used. Every family covers Latin Extended,
 * Vietnamese, Greek and Cyrillic; `fallback-fonts.ts` has all other scripts.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ListingVideoError } from '../../../platform/errors.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import { packageFile, packageVersion, readVersion } from './font-folders.ts';
import type { BundledFamily, FontWeight } from '../text.ts';

/** What a font is to the line that it draws. */
export interface FontRole {
  /** Unique and stable; part of memo keys. */
  readonly id: string;
  /** Size relative to the style's, so that a fallback looks as large as its neighbour. */
  readonly scale: number;
  /** True for the style's own family, the only one that is tracked: fallback scripts join or stack. */
  readonly isFamily: boolean;
  /** True for a script that needs a taller line. */
  readonly isTall: boolean;
  /** Of the `wght` axis; absent for a file of one weight. */
  readonly weight?: number;
}

/** One font file of a package, or one weight of it. */
export interface BundledFont extends FontRole {
  readonly packageName: string;
  /** Path inside the package. */
  readonly file: string;
}

interface FamilyFiles {
  readonly packageName: string;
  readonly prefix: string;
  readonly weights: readonly FontWeight[];
  readonly hasItalic: boolean;
}

const ALL_WEIGHTS: readonly FontWeight[] = [100, 200, 300, 400, 500, 600, 700, 800, 900];

const FAMILIES: Readonly<Record<BundledFamily, FamilyFiles>> = {
  'eb-garamond': {
    packageName: '@expo-google-fonts/eb-garamond',
    prefix: 'EBGaramond',
    weights: [400, 500, 600, 700, 800],
    hasItalic: true,
  },
  'inter-tight': {
    packageName: '@expo-google-fonts/inter-tight',
    prefix: 'InterTight',
    weights: ALL_WEIGHTS,
    hasItalic: true,
  },
  'noto-serif-display': {
    packageName: '@expo-google-fonts/noto-serif-display',
    prefix: 'NotoSerifDisplay',
    weights: ALL_WEIGHTS,
    hasItalic: true,
  },
  commissioner: {
    packageName: '@expo-google-fonts/commissioner',
    prefix: 'Commissioner',
    weights: ALL_WEIGHTS,
    hasItalic: false,
  },
  'fira-sans-extra-condensed': {
    packageName: '@expo-google-fonts/fira-sans-extra-condensed',
    prefix: 'FiraSansExtraCondensed',
    weights: ALL_WEIGHTS,
    hasItalic: true,
  },
};

const WEIGHT_NAMES: Readonly<Record<FontWeight, string>> = {
  100: 'Thin',
  200: 'ExtraLight',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'SemiBold',
  700: 'Bold',
  800: 'ExtraBold',
  900: 'Black',
};

/** The families that a template can name, in the order of the table. */
export function fontFamilies(): BundledFamily[] {
  return Object.keys(FAMILIES) as BundledFamily[];
}

/** A family that ships, in one weight and slope. */
export interface BundledStyle {
  readonly family: BundledFamily;
  readonly weight: FontWeight;
  readonly italic: boolean;
}

/** The fonts of a family that ships, best first: an italic is followed by the upright, which has more signs. */
export function bundledFamilyFonts(style: BundledStyle): readonly [BundledFont, ...BundledFont[]] {
  const files = FAMILIES[style.family];
  const weight = nearestWeight(files.weights, style.weight);
  const upright = familyFont(style.family, weight, false);
  return style.italic && files.hasItalic ? [familyFont(style.family, weight, true), upright] : [upright];
}

function familyFont(family: BundledFamily, weight: FontWeight, italic: boolean): BundledFont {
  const { packageName, prefix } = FAMILIES[family];
  const cut = `${weight}${WEIGHT_NAMES[weight]}${italic ? '_Italic' : ''}`;
  return {
    id: `${family}-${weight}${italic ? '-italic' : ''}`,
    packageName,
    file: `${cut}/${prefix}_${cut}.ttf`,
    scale: 1,
    isFamily: true,
    isTall: false,
  };
}

/** The weights that a family has, ascending, and whether it has an italic. */
export function bundledCuts(family: BundledFamily): { weights: readonly FontWeight[]; hasItalic: boolean } {
  return FAMILIES[family];
}

/** True for a family that ships. */
export function isBundledFamily(family: string): family is BundledFamily {
  return Object.hasOwn(FAMILIES, family);
}

/** The nearest weight; of two equally near the bolder, which survives compression better. */
function nearestWeight(weights: readonly FontWeight[], target: number): FontWeight {
  return weights.reduce((best, weight) =>
    Math.abs(weight - target) <= Math.abs(best - target) ? weight : best,
  );
}

/** Every file of the families that ship: all weights, upright and italic. */
export function familyFiles(): BundledFont[] {
  return fontFamilies().flatMap((family) => {
    const { weights, hasItalic } = FAMILIES[family];
    return weights.flatMap((weight) =>
      (hasItalic ? [false, true] : [false]).map((italic) => familyFont(family, weight, italic)),
    );
  });
}

/** One file of every font that each install has, for `doctor` to check. */
export function bundledFonts(): readonly Pick<BundledFont, 'id' | 'packageName' | 'file'>[] {
  const families = fontFamilies().map(
    (family) => bundledFamilyFonts({ family, weight: 400, italic: false })[0],
  );
  const fallbacks = FALLBACK_FONTS.filter((font) => !font.isOptional).map(({ id, packageName, file }) => ({
    id,
    packageName,
    file: file ?? 'unicode.json',
  }));
  return [...families, ...fallbacks];
}

const require = createRequire(import.meta.url);

/**
 * Absolute path of a font's file.
 *
 * @throws {@link ListingVideoError} `internal_error` when the font's package is not installed.
 */
export function fontPath(font: Pick<BundledFont, 'id' | 'packageName' | 'file'>): string {
  const path = packageFile(font.packageName, font.file);
  if (path !== undefined) return path;
  throw new ListingVideoError(
    'internal_error',
    `Font file ${font.packageName}/${font.file} is not installed.`,
    {
      hint: 'install the dependencies again: npm ci',
      context: { font: font.id },
    },
  );
}

/** Raise it whenever this folder's own code changes what a style looks like. */
const TEXT_REVISION = 2;

let fingerprint: string | undefined;

/** Versions of font packages, shaper and the code of this folder, which shape text too. For segment keys. */
export function fontsFingerprint(): string {
  fingerprint ??= [
    `text@${TEXT_REVISION}`,
    ...new Set([
      ...Object.values(FAMILIES).map(({ packageName }) => packageVersion(packageName)),
      ...FALLBACK_FONTS.map(({ packageName }) => packageVersion(packageName)),
    ]),
    // Neither of the two exports its package.json.
    ...['harfbuzzjs', 'bidi-js'].map(
      (name) => `${name}@${readVersion(join(dirname(require.resolve(name)), '..'))}`,
    ),
  ].join(' ');
  return fingerprint;
}
