/**
 * Which family, weight and style is which file of which npm package, and which font speaks for a script the family lacks.
 *
 * A table and its paths; no font is read here, and no font of the system is ever looked at. EB Garamond itself covers
 * Latin Extended, Vietnamese, Greek (polytonic too) and Cyrillic. A package with Chinese, Japanese and Korean would be
 * one more row of {@link FALLBACK_FONTS}.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ListingVideoError } from '../errors.ts';
import type { TextStyle } from './text.ts';

export interface BundledFont {
  /** Unique and stable; part of memo keys. */
  readonly id: string;
  readonly packageName: string;
  /** Path inside the package. */
  readonly file: string;
  /** Size relative to the style's size, so that a fallback looks as large as its neighbour. */
  readonly scale: number;
  /** True for the style's own family: only it is tracked. Fallback scripts join or stack and are never tracked. */
  readonly isFamily: boolean;
}

function garamond(id: string, file: string): BundledFont {
  return { id, packageName: '@expo-google-fonts/eb-garamond', file, scale: 1, isFamily: true };
}

const EB_GARAMOND = {
  regular: garamond('eb-garamond-400', '400Regular/EBGaramond_400Regular.ttf'),
  italic: garamond('eb-garamond-400-italic', '400Regular_Italic/EBGaramond_400Regular_Italic.ttf'),
  medium: garamond('eb-garamond-500', '500Medium/EBGaramond_500Medium.ttf'),
  mediumItalic: garamond('eb-garamond-500-italic', '500Medium_Italic/EBGaramond_500Medium_Italic.ttf'),
} as const;

/** Asked in this order for a character the family lacks. Scales: `looks.md`, section 0, "Fonts". */
export const FALLBACK_FONTS: readonly BundledFont[] = [
  {
    id: 'noto-naskh-arabic-400',
    packageName: '@expo-google-fonts/noto-naskh-arabic',
    file: '400Regular/NotoNaskhArabic_400Regular.ttf',
    scale: 0.92,
    isFamily: false,
  },
  {
    id: 'noto-serif-hebrew-400',
    packageName: '@expo-google-fonts/noto-serif-hebrew',
    file: '400Regular/NotoSerifHebrew_400Regular.ttf',
    scale: 0.92,
    isFamily: false,
  },
  {
    id: 'noto-sans-devanagari-400',
    packageName: '@expo-google-fonts/noto-sans-devanagari',
    file: '400Regular/NotoSansDevanagari_400Regular.ttf',
    scale: 0.88,
    isFamily: false,
  },
  {
    id: 'noto-sans-thai-400',
    packageName: '@expo-google-fonts/noto-sans-thai',
    file: '400Regular/NotoSansThai_400Regular.ttf',
    scale: 0.88,
    isFamily: false,
  },
];

/** The smallest line height (multiple of the size) a line with a fallback script may have. */
export const FALLBACK_LINE_HEIGHT = 1.35;

/** The fonts a style may draw from, best first: its own, the upright of its weight (italics lack a few signs), fallbacks. */
export function fontChain(style: Pick<TextStyle, 'weight' | 'italic'>): readonly BundledFont[] {
  const upright = style.weight === 500 ? EB_GARAMOND.medium : EB_GARAMOND.regular;
  if (!style.italic) return [upright, ...FALLBACK_FONTS];
  const italic = style.weight === 500 ? EB_GARAMOND.mediumItalic : EB_GARAMOND.italic;
  return [italic, upright, ...FALLBACK_FONTS];
}

/** Every font file the package ships, for `doctor`. */
export function bundledFonts(): readonly BundledFont[] {
  return [...Object.values(EB_GARAMOND), ...FALLBACK_FONTS];
}

const require = createRequire(import.meta.url);

/**
 * Absolute path of a font's file.
 *
 * @throws {@link ListingVideoError} `internal_error` when the font's package is not installed.
 */
export function fontPath(font: BundledFont): string {
  try {
    return require.resolve(`${font.packageName}/${font.file}`);
  } catch (cause) {
    throw new ListingVideoError(
      'internal_error',
      `Font file ${font.packageName}/${font.file} is not installed.`,
      {
        cause,
        hint: 'Install the dependencies again: npm ci',
        context: { font: font.id },
      },
    );
  }
}

/** Raised by one whenever this folder's own code changes what a style looks like. */
const TEXT_REVISION = 1;

let fingerprint: string | undefined;

/** What the look of text depends on besides text and style: font packages, shaper, our own code. For segment keys. */
export function fontsFingerprint(): string {
  fingerprint ??= [
    `text@${TEXT_REVISION}`,
    ...[...new Set(bundledFonts().map((font) => font.packageName))].map(
      (name) => `${name}@${packageVersion(require.resolve(`${name}/package.json`))}`,
    ),
    // Neither of the two exports its package.json.
    ...['harfbuzzjs', 'bidi-js'].map(
      (name) => `${name}@${packageVersion(join(dirname(require.resolve(name)), '..', 'package.json'))}`,
    ),
  ].join(' ');
  return fingerprint;
}

function packageVersion(packageJsonPath: string): string {
  return (JSON.parse(readFileSync(packageJsonPath, 'utf8')) as { version: string }).version;
}
