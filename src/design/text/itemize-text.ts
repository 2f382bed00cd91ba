/**
 * Cuts a line into items that one font can shape: cleans it, finds a font for every grapheme cluster, and reports
 * characters that no font has. Knows coverage, not glyphs.
 */
import type { LoadedFont } from './fonts/font-library.ts';

/** Finds the first font of a source that has the character; opens fonts only then. */
export type FontSource = (codePoint: number) => LoadedFont | undefined;

interface FontSources {
  readonly chain: readonly FontSource[];
  /** Tried before the chain for emoji, even where a family has a plain sign. */
  readonly emoji: FontSource;
}

/** Neighboring clusters of one font and one script, in logical order. */
export interface TextItem {
  readonly start: number;
  readonly end: number;
  readonly font: LoadedFont;
  /** ISO 15924. */
  readonly script: string;
}

interface ItemizedText {
  readonly text: string;
  readonly items: readonly TextItem[];
  /** Code points that no font has, in order of first appearance. */
  readonly missing: readonly number[];
}

const SIMPLE = /^[\x20-\x7e]*$/;
const BREAKS = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, soft hyphens and direction overrides: a name must not reorder the line it stands in. */
const INVISIBLE = /[\p{Cc}\ufeff\u00ad\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;
const SPACE = /^\p{Zs}$/u;
const HYPHENS = /^[\u2010\u2011]$/;
/** Signs for a missing character: they would be drawn as a box. */
const PLACEHOLDER = /^[\ufffc\ufffd\p{Cs}]$/u;
const EMOJI = /\p{Emoji_Presentation}|[^©®™]\ufe0f/u;
const PLAIN_SIGN = '\ufe0e';
const SKIN_TONE = /(?<=.)\p{Emoji_Modifier}/gu;

/** ISO 15924, and the name of the Unicode property. */
const SCRIPT_NAMES =
  'Latn Latin, Cyrl Cyrillic, Grek Greek, Arab Arabic, Hebr Hebrew, Deva Devanagari, Thai Thai, ' +
  'Hani Han, Hira Hiragana, Kana Katakana, Hang Hangul, Bopo Bopomofo, Armn Armenian, Geor Georgian, ' +
  'Ethi Ethiopic, Beng Bengali, Guru Gurmukhi, Gujr Gujarati, Taml Tamil, Telu Telugu, Knda Kannada, ' +
  'Mlym Malayalam, Sinh Sinhala, Khmr Khmer, Laoo Lao, Mymr Myanmar';
const SCRIPTS = SCRIPT_NAMES.split(', ').map((pair): readonly [tag: string, RegExp] => {
  const [tag, name] = pair.split(' ');
  return [tag!, new RegExp(`^\\p{Script=${name}}`, 'u')];
});

let segmenter: Intl.Segmenter | undefined;

/** Cuts `text`, in logical order; see {@link ItemizedText}. */
export function itemizeText(text: string, sources: FontSources): ItemizedText {
  const clusters = splitClusters(text);
  const missing = new Set<number>();
  const items: { start: number; end: number; font: LoadedFont; script: string | undefined }[] = [];
  let kept = '';
  let dropped = false;
  for (const cluster of clusters) {
    const drawn = chooseFont(cluster, sources, missing);
    if (drawn === undefined) {
      dropped = true;
      continue;
    }
    // A space beside a dropped character goes too: no double space, none at the start.
    if (dropped && drawn.text === ' ' && (kept === '' || kept.endsWith(' '))) continue;
    dropped = false;
    const last = items.at(-1);
    const script = scriptOf(drawn.text);
    const start = kept.length;
    kept += drawn.text;
    if (last !== undefined && last.font === drawn.font && joinsScript(last.script, script)) {
      last.end = kept.length;
      last.script ??= script;
    } else {
      items.push({ start, end: kept.length, font: drawn.font, script });
    }
  }
  if (dropped && kept.endsWith(' ')) {
    kept = kept.slice(0, -1);
    const last = items.at(-1)!;
    last.end -= 1;
    if (last.end === last.start) items.pop();
  }
  return {
    text: kept,
    items: items.map((item) => ({ ...item, script: item.script ?? 'Latn' })),
    missing: [...missing],
  };
}

function splitClusters(text: string): Iterable<string> {
  if (SIMPLE.test(text)) return text;
  const clean = text.replace(BREAKS, ' ').replace(INVISIBLE, '');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(clean), ({ segment }) => tidyCluster(segment));
}

/** The cluster, composed where Unicode has one character for it: fonts have that more often than the parts. */
function tidyCluster(cluster: string): string {
  // A single character stays as typed: normalization changes the shape of some Chinese characters.
  return cluster.length === 1 ? cluster : cluster.normalize('NFC');
}

function chooseFont(
  cluster: string,
  { chain, emoji }: FontSources,
  missing: Set<number>,
): { font: LoadedFont; text: string } | undefined {
  const isEmoji =
    cluster.length > 1 ? EMOJI.test(cluster) && !cluster.includes(PLAIN_SIGN) : EMOJI.test(cluster);
  const sources = isEmoji ? [emoji, ...chain] : chain;
  // Emoji of one color have no skin tones.
  const text = isEmoji ? cluster.replace(SKIN_TONE, '') : cluster;
  const chars = Array.from(text);
  const base = chars.find((char) => !isIgnorable(char)) ?? chars[0]!;
  const codePoint = base.codePointAt(0)!;
  let best: LoadedFont | undefined;
  for (const source of sources) {
    const font = PLACEHOLDER.test(base) ? undefined : source(isIgnorable(base) ? 0x20 : codePoint);
    if (font === undefined) continue;
    if (chars.every((char) => isCovered(font, char))) return { font, text };
    best ??= font;
  }
  // No font has the whole cluster: keep the base and the marks of the first font that has the base.
  const kept = chars.filter((char) => best !== undefined && isCovered(best, char));
  for (const char of chars) {
    if (!isIgnorable(char) && !kept.includes(char)) missing.add(char.codePointAt(0)!);
  }
  return best === undefined ? undefined : { font: best, text: kept.join('') };
}

function isCovered(font: LoadedFont, char: string): boolean {
  return font.covers(char.codePointAt(0)!) || isIgnorable(char);
}

/** True for characters that need no glyph: joiners, selectors, direction marks, and spaces, which the shaper makes. */
function isIgnorable(char: string): boolean {
  return char > '\x7e' && (SPACE.test(char) || IGNORABLE.test(char) || HYPHENS.test(char));
}

function scriptOf(cluster: string): string | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(cluster))?.[0];
}

function joinsScript(before: string | undefined, after: string | undefined): boolean {
  return before === undefined || after === undefined || before === after;
}
