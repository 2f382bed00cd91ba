/**
 * The fonts for scripts that a style's family lacks, in the order in which they are tried. No font is read here.
 * Sizes: storyboard/README.md, "Fonts".
 *
 * Most packages are cut into slices by character (as for web pages), with all weights in one axis: a listing loads
 * only the slices of Chinese that it uses, and the font takes 5 MB on disk instead of 95.
 */
import type { HanVariant, TextStyle } from '../text.ts';
import { FURTHER_FONTS } from './further-fonts.ts';

export interface FallbackFont {
  readonly id: string;
  readonly packageName: string;
  /** The one file of the font; absent when it comes in slices. */
  readonly file?: string;
  /** Names of the slices to search; absent for the numbered ones of Chinese, Japanese and Korean. */
  readonly slices?: readonly string[];
  /** Weight in the names of the slices' files; absent when the slices have an axis. */
  readonly sliceWeight?: 400;
  readonly scale: number;
  /** True for an optional dependency: without it, its characters are reported as missing. */
  readonly isOptional: boolean;
  /** True for single signs, which need no taller line. */
  readonly isSigns?: true;
  readonly han?: HanVariant;
}

/** Size of scripts without capitals, such as Arabic and Hebrew, against the style's. */
const SCALE_RTL = 0.92;
/** Size of scripts that stack or fill the square, against the style's. */
const SCALE_TALL = 0.88;

function slices(name: string, script: string, scale: number, isOptional: boolean): FallbackFont {
  return { id: name, packageName: `@fontsource-variable/${name}`, slices: [script], scale, isOptional };
}

const SANS: readonly FallbackFont[] = [
  slices('noto-sans-arabic', 'arabic', SCALE_RTL, false),
  slices('noto-sans-hebrew', 'hebrew', SCALE_RTL, false),
  slices('noto-sans-devanagari', 'devanagari', SCALE_TALL, false),
  slices('noto-sans-thai', 'thai', SCALE_TALL, false),
];

const SERIF: readonly FallbackFont[] = [
  slices('noto-naskh-arabic', 'arabic', SCALE_RTL, false),
  slices('noto-serif-hebrew', 'hebrew', SCALE_RTL, false),
  slices('noto-serif-devanagari', 'devanagari', SCALE_TALL, false),
  slices('noto-serif-thai', 'thai', SCALE_TALL, false),
];

const SIGNS: readonly FallbackFont[] = [
  {
    id: 'noto-sans',
    packageName: '@fontsource-variable/noto-sans',
    slices: ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'],
    scale: 1,
    isOptional: false,
    isSigns: true,
  },
  { ...slices('noto-sans-symbols', 'symbols', 1, false), isSigns: true },
  {
    id: 'noto-sans-symbols-2',
    packageName: '@fontsource/noto-sans-symbols-2',
    slices: ['symbols', 'math'],
    sliceWeight: 400,
    scale: 1,
    isOptional: false,
    isSigns: true,
  },
];

/** Their letters are about as high as capitals; those of the others stack or hang. */
const LEVEL_SCRIPTS = new Set(['armenian', 'georgian', 'ethiopic']);

const FURTHER = FURTHER_FONTS.map(({ stem, han }): FallbackFont => {
  const font = slices(`noto-sans-${stem}`, stem, LEVEL_SCRIPTS.has(stem) ? SCALE_RTL : SCALE_TALL, true);
  if (han === undefined) return font;
  // Chinese, Japanese and Korean come in numbered slices.
  const { slices: _, ...numbered } = font;
  return { ...numbered, han };
});
const OTHER_SCRIPTS = FURTHER.filter(({ han }) => han === undefined);
/** Japanese before Chinese: it has rare characters of both. */
const CJK = FURTHER.filter(({ han }) => han !== undefined);

/** Monochrome: they take the color of the text. */
const EMOJI = emoji('noto-emoji-400', '400Regular/NotoEmoji_400Regular.ttf');
const EMOJI_BOLD = emoji('noto-emoji-700', '700Bold/NotoEmoji_700Bold.ttf');

function emoji(id: string, file: string): FallbackFont {
  return {
    id,
    packageName: '@expo-google-fonts/noto-emoji',
    file,
    scale: SCALE_TALL,
    isOptional: false,
    isSigns: true,
  };
}

export const FALLBACK_FONTS: readonly FallbackFont[] = [
  ...SANS,
  ...SERIF,
  ...SIGNS,
  ...OTHER_SCRIPTS,
  ...CJK,
  EMOJI,
  EMOJI_BOLD,
];

/** Smallest line height (multiple of the size) of a line with a fallback script. */
export const FALLBACK_LINE_HEIGHT = 1.35;

/** Below this weight the thin strokes of a fallback script do not survive compression. */
const MIN_WEIGHT = 300;
/** Chinese, Japanese and Korean are never set thinner than Regular. */
const MIN_CJK_WEIGHT = 400;

/** In the order in which they are tried. @param han - The variant of Chinese characters that comes first. */
export function fallbackFonts(
  style: Pick<TextStyle, 'weight'> & { readonly hasSerifs: boolean },
  han: HanVariant,
): readonly FallbackFont[] {
  return [
    ...(style.hasSerifs ? SERIF : SANS),
    ...SIGNS,
    ...OTHER_SCRIPTS,
    ...CJK.filter((font) => font.han === han),
    ...CJK.filter((font) => font.han !== han),
    emojiFont(style),
  ];
}

export function fallbackWeight(font: FallbackFont, weight: number): number {
  return Math.max(weight, font.han === undefined ? MIN_WEIGHT : MIN_CJK_WEIGHT);
}

/** The font that is tried first for emoji, even where the family has a plain sign. */
export function emojiFont(style: Pick<TextStyle, 'weight'>): FallbackFont {
  return style.weight >= 600 ? EMOJI_BOLD : EMOJI;
}
