/**
 * The font files of every family, weight and style, in npm packages, and the fingerprint of all that shapes text.
 *
 * Tables and paths only; no font is read here, and no font of the system is used. Every family covers Latin Extended,
 * Vietnamese, Greek and Cyrillic; `fallback-fonts.ts` has all other scripts.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ListingVideoError } from '../../../platform/errors.ts';
import { BUNDLED_FAMILIES, type BundledFamily, FONT_WEIGHTS, type FontWeight } from '../text.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import { packageFile, packageVersion, readVersion } from './font-folders.ts';

export interface FontRole {
  /** Unique and stable; part of memo keys. */
  readonly id: string;
  /** Size relative to the style's, so that a fallback looks as large as its neighbor. */
  readonly scale: number;
  /** True for the style's own family, the only one that is tracked: fallback scripts join or stack. */
  readonly isFamily: boolean;
  readonly isTall: boolean;
  /** `name@version` of the package of an added font; absent for a font of every install. */
  readonly added?: string;
  /** Of the `wght` axis; absent for a file of one weight. */
  readonly weight?: number;
}

export interface BundledFont extends FontRole {
  readonly packageName: string;
  readonly file: string;
}

interface FamilyFiles {
  readonly packageName: string;
  readonly prefix: string;
  readonly weights: readonly FontWeight[];
  readonly hasItalic: boolean;
}

const FAMILIES: Readonly<Record<BundledFamily, FamilyFiles>> = {
  'eb-garamond': family('eb-garamond', 'EBGaramond', true, [400, 500, 600, 700, 800]),
  'inter-tight': family('inter-tight', 'InterTight', true),
  'noto-serif-display': family('noto-serif-display', 'NotoSerifDisplay', true),
  commissioner: family('commissioner', 'Commissioner', false),
  'fira-sans-extra-condensed': family('fira-sans-extra-condensed', 'FiraSansExtraCondensed', true),
};

function family(
  name: string,
  prefix: string,
  hasItalic: boolean,
  weights: readonly FontWeight[] = FONT_WEIGHTS,
): FamilyFiles {
  return { packageName: `@expo-google-fonts/${name}`, prefix, weights, hasItalic };
}

/** From 100 to 900. */
const WEIGHT_NAMES = 'Thin ExtraLight Light Regular Medium SemiBold Bold ExtraBold Black'.split(' ');

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
  const cut = `${weight}${WEIGHT_NAMES[weight / 100 - 1]}${italic ? '_Italic' : ''}`;
  return {
    id: `${family}-${weight}${italic ? '-italic' : ''}`,
    packageName,
    file: `${cut}/${prefix}_${cut}.ttf`,
    scale: 1,
    isFamily: true,
    isTall: false,
  };
}

export function bundledCuts(family: BundledFamily): { weights: readonly FontWeight[]; hasItalic: boolean } {
  return FAMILIES[family];
}

export function isBundledFamily(family: string): family is BundledFamily {
  return Object.hasOwn(FAMILIES, family);
}

/** The nearest weight; of two equally near the bolder, which survives compression better. */
function nearestWeight(weights: readonly FontWeight[], target: number): FontWeight {
  return weights.reduce((best, weight) =>
    Math.abs(weight - target) <= Math.abs(best - target) ? weight : best,
  );
}

export function familyFiles(): BundledFont[] {
  return BUNDLED_FAMILIES.flatMap((family) => {
    const { weights, hasItalic } = FAMILIES[family];
    return weights.flatMap((weight) =>
      (hasItalic ? [false, true] : [false]).map((italic) => familyFont(family, weight, italic)),
    );
  });
}

/** One file of every font that each install has, for `doctor` to check. */
export function bundledFonts(): readonly Pick<BundledFont, 'id' | 'packageName' | 'file'>[] {
  const families = BUNDLED_FAMILIES.map(
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

/** Absolute. @throws {@link ListingVideoError} `internal_error` when the font's package is not installed. */
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

/**
 * Versions of the font packages of every install, of the shaper and of the code of this folder, which shapes text too.
 * For segment keys. Added fonts are not part of it: a text layer names those that draw it.
 */
export function fontsFingerprint(): string {
  fingerprint ??= [
    `text@${TEXT_REVISION}`,
    ...new Set([
      ...Object.values(FAMILIES).map(({ packageName }) => packageVersion(packageName)),
      ...FALLBACK_FONTS.filter(({ isOptional }) => !isOptional).map(({ packageName }) =>
        packageVersion(packageName),
      ),
    ]),
    // Neither of the two exports its package.json.
    ...['harfbuzzjs', 'bidi-js'].map(
      (name) => `${name}@${readVersion(join(dirname(require.resolve(name)), '..'))}`,
    ),
  ].join(' ');
  return fingerprint;
}

/** Versions of the added fonts, as this process finds them now. They decide how texts are shaped and fitted. */
export function addedFontsFingerprint(): string {
  return FALLBACK_FONTS.filter(({ isOptional }) => isOptional)
    .map(({ packageName }) => packageVersion(packageName))
    .join(' ');
}
