/**
 * The fonts for scripts that the program does not carry: their npm packages, and the words that people use for them.
 * Tables only; `fallback-fonts.ts` says how each is drawn.
 */

import type { HanVariant } from '../text.ts';
import { packageFolder } from './font-folders.ts';

export interface FurtherFont {
  /** The word for it on the command line: a language code (BCP 47). */
  readonly name: string;
  readonly about: string;
  /** `jp`, `armenian`: of its package and its slices. */
  readonly stem: string;
  readonly packageName: string;
  /** The version that this program is tested with. */
  readonly version: string;
  /** Other words for it: more language codes and names of scripts, in lower case. */
  readonly aliases: readonly string[];
  /** Values of the Unicode property `Script_Extensions`. */
  readonly scripts: readonly string[];
  readonly han?: HanVariant;
}

type Row = readonly [
  name: string,
  stem: string,
  about: string,
  aliases: string,
  scripts: string,
  han?: HanVariant,
];

const ROWS: readonly Row[] = [
  ['ja', 'jp', 'Japanese', 'japanese kana hiragana katakana', 'Hiragana Katakana Han', 'jp'],
  ['zh', 'sc', 'Chinese, simplified', 'zh-hans zh-cn zh-sg chinese hans han', 'Han', 'sc'],
  ['zh-hant', 'tc', 'Chinese, traditional', 'zh-tw zh-hk zh-mo hant bopomofo', 'Bopomofo Han', 'tc'],
  ['ko', 'kr', 'Korean', 'korean hangul', 'Hangul Han', 'kr'],
  ['hy', 'armenian', 'Armenian', '', 'Armenian'],
  ['ka', 'georgian', 'Georgian', '', 'Georgian'],
  ['am', 'ethiopic', 'Amharic, Tigrinya', 'ti amharic tigrinya', 'Ethiopic'],
  ['bn', 'bengali', 'Bengali, Assamese', 'as assamese', 'Bengali'],
  ['pa', 'gurmukhi', 'Punjabi', 'punjabi', 'Gurmukhi'],
  ['gu', 'gujarati', 'Gujarati', '', 'Gujarati'],
  ['ta', 'tamil', 'Tamil', '', 'Tamil'],
  ['te', 'telugu', 'Telugu', '', 'Telugu'],
  ['kn', 'kannada', 'Kannada', '', 'Kannada'],
  ['ml', 'malayalam', 'Malayalam', '', 'Malayalam'],
  ['si', 'sinhala', 'Sinhala', 'sinhalese', 'Sinhala'],
  ['km', 'khmer', 'Khmer', '', 'Khmer'],
  ['lo', 'lao', 'Lao', '', 'Lao'],
  ['my', 'myanmar', 'Burmese', 'burmese', 'Myanmar'],
];

export const FURTHER_FONTS: readonly FurtherFont[] = ROWS.map(
  ([name, stem, about, aliases, scripts, han]) => ({
    name,
    about,
    stem,
    packageName: `@fontsource-variable/noto-sans-${stem}`,
    version: han === undefined ? '5.3.0' : '5.3.1',
    aliases: [stem, `noto-sans-${stem}`, ...aliases.split(' ').filter((word) => word !== '')],
    scripts: scripts.split(' '),
    ...(han === undefined ? {} : { han }),
  }),
);

/** The font called `word`: a language, a script or a package, in any case; `undefined` for any other word. */
export function furtherFontCalled(word: string): FurtherFont | undefined {
  const wanted = word.toLowerCase().replaceAll('_', '-');
  return FURTHER_FONTS.find(({ name, aliases, packageName }) =>
    [name, packageName, ...aliases].includes(wanted),
  );
}

/**
 * The font to add for a character that no font has; `undefined` when none would have it, or when the one that could is
 * installed.
 *
 * @param han - The variant of Chinese characters that the text is set in.
 */
export function furtherFontFor(codePoint: number, han: HanVariant): FurtherFont | undefined {
  const character = String.fromCodePoint(codePoint);
  const font = [
    ...FURTHER_FONTS.filter((font) => font.han === han),
    ...FURTHER_FONTS.filter((font) => font.han !== han),
  ].find(({ scripts }) => scripts.some((script) => scriptPattern(script).test(character)));
  return font === undefined || packageFolder(font.packageName) !== undefined ? undefined : font;
}

const patterns = new Map<string, RegExp>();

function scriptPattern(script: string): RegExp {
  let pattern = patterns.get(script);
  if (pattern === undefined) {
    pattern = new RegExp(`\\p{Script_Extensions=${script}}`, 'u');
    patterns.set(script, pattern);
  }
  return pattern;
}
