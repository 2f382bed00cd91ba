/**
 * Where a text can be broken into lines, and the marks with which a caller forbids it. It knows nothing of widths.
 *
 * The marks are Unicode characters: a no-break space, a word joiner (never break here) and a zero-width space (break
 * here if needed). {@link unbreakable} and the functions after it set them; the shaper draws nothing for them.
 */
import { wholeStrings } from './whole-strings.ts';

const NO_BREAK_SPACE = '\u00a0';
const WORD_JOINER = '\u2060';
const BREAK_HERE = '\u200b';

const ENDS_WITH_SPACE = /[\t\n\v\f\r \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000\u200b]$/;
const STARTS_WITH_SPACE = /^[\t\n\v\f\r \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000\u200b]/;
/** There is never a break beside these. */
const GLUE_BEFORE = /[\u00a0\u2007\u202f\u2060\ufeff]$/;
const GLUE_AFTER = /^[\u00a0\u2007\u202f\u2060\ufeff]/;
/** These stay with the word before them, even after a space: separators, closing punctuation, marks of repetition. */
const STAYS_BEFORE =
  /^[·•|‧・･,.;:!?%)\]}»”’、。，．；：！？）」』】〕］｝〉》〗〙〟｡｣､…‥〜～％‰℃゠ー々〻ゝゞヽヾゝｰ\u0e46\u0e2f\u17d7\u17d4]/;
const STAYS_AFTER = /[([{«“‘（「『【〔［｛〈《〖〘〝｢￥＄£＃]$/;
/** A hyphen or slash between letters can end a line; between digits it belongs to a number. */
const ENDS_WITH_HYPHEN = /\p{L}[-\u2010\u2013/]$/u;
const STARTS_WITH_LETTER = /^\p{L}/u;
const ENDS_WITH_DASH = /\u2014$/;
const ENDS_WITH_DIGIT = /\p{Nd}$/u;
const STARTS_WITH_DIGIT = /^\p{Nd}/u;
const LATIN_LETTER = /^\p{Script=Latin}/u;
/** Scripts without spaces between words (Korean has them), and East Asian signs. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3001-\u303fー・\uff01-\uff60\uffe0-\uffe6]/u;
/** Scripts that can be broken inside a word if nothing else helps. */
const SQUARE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3001-\u303fー・\uff01-\uff60\uffe0-\uffe6]/u;
const SMALL_KANA = /^[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ]/u;

/** Texts whose offsets are kept: a layout asks for the same ones at many sizes. */
const MOST_KEPT = 2_000;

let wordSegmenter: Intl.Segmenter | undefined;
let graphemeSegmenter: Intl.Segmenter | undefined;

/**
 * UTF-16 offsets inside `text` (never its ends) at which a new line can start, ascending.
 *
 * @param isFine - True to break after the hyphens and slashes of words, and Chinese, Japanese and Korean between any two
 *   characters that the rules for line starts and ends (kinsoku) allow; by default only between words, as in careful
 *   typesetting.
 */
export function breakOpportunities(text: string, isFine = false): readonly number[] {
  const kept = isFine ? keptFine : keptByWords;
  const known = kept.get(text);
  if (known) return known;
  const offsets = findBreaks(text, isFine);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, offsets);
  return offsets;
}

const keptByWords = new Map<string, readonly number[]>();
const keptFine = new Map<string, readonly number[]>();

function findBreaks(text: string, isFine: boolean): readonly number[] {
  wordSegmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const wholes = wholeStrings(text);
  const offsets: number[] = [];
  let before = '';
  let index = 0;
  const add = (part: string): void => {
    if (index > 0 && canBreak(before, part.slice(0, 4), isFine) && !isInside(wholes, index))
      offsets.push(index);
    before = (before + part).slice(-4);
    index += part.length;
  };
  for (const { segment } of wordSegmenter.segment(text)) {
    if (isFine && segment.length > 1 && SQUARE.test(segment)) graphemes(segment).forEach(add);
    else add(segment);
  }
  // An e-mail or web address can be broken where no word ends.
  const exceptions = wholes
    .flatMap(({ allowed }) => allowed)
    .filter((offset) => offset > 0 && !offsets.includes(offset) && !GLUE_BEFORE.test(text.slice(0, offset)));
  return exceptions.length === 0 ? offsets : [...offsets, ...exceptions].sort((a, b) => a - b);
}

function isInside(wholes: ReturnType<typeof wholeStrings>, offset: number): boolean {
  return wholes.some(({ start, end }) => offset > start && offset < end);
}

function canBreak(before: string, after: string, isFine: boolean): boolean {
  if (before.endsWith(BREAK_HERE)) return true;
  if (GLUE_BEFORE.test(before) || GLUE_AFTER.test(after) || STARTS_WITH_SPACE.test(after)) return false;
  if (STAYS_BEFORE.test(after)) return false;
  if (ENDS_WITH_SPACE.test(before)) return true;
  if (STAYS_AFTER.test(before) || SMALL_KANA.test(after)) return false;
  if (ENDS_WITH_DASH.test(before)) return true;
  if (ENDS_WITH_HYPHEN.test(before)) return isFine && STARTS_WITH_LETTER.test(after);
  const last = lastCharacter(before);
  if (UNSPACED.test(last) && (STARTS_WITH_DIGIT.test(after) || LATIN_LETTER.test(after))) return true;
  const pattern = isFine ? SQUARE : UNSPACED;
  if (!startsWith(pattern, after)) return false;
  // A number stays with the character that counts it: 100号, 3階.
  return pattern.test(last) || LATIN_LETTER.test(last) || (isFine && ENDS_WITH_DIGIT.test(before));
}

function startsWith(pattern: RegExp, text: string): boolean {
  return pattern.test(String.fromCodePoint(text.codePointAt(0) ?? 0x20));
}

function lastCharacter(text: string): string {
  return Array.from(text.replace(/\p{M}+$/u, '')).at(-1) ?? '';
}

/** The characters of `text` as a reader perceives them (grapheme clusters), in order. */
export function graphemes(text: string): string[] {
  graphemeSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}

/** The text as it stands on a line: without marks, with ordinary spaces, trimmed. */
export function stripBreakMarks(text: string): string {
  return text
    .replaceAll(NO_BREAK_SPACE, ' ')
    .replace(/[\u2060\u200b\ufeff]/g, '')
    .trim();
}

/** The text as one word that is never broken: for phone numbers, licenses and names of offices. */
export function unbreakable(text: string): string {
  const joined = text.trim().replace(/\s+/g, NO_BREAK_SPACE).replaceAll(BREAK_HERE, '');
  return insertAt(joined, breakOpportunities(joined, true), WORD_JOINER);
}

/** An e-mail address that can be broken only before `@`. */
export function breakableEmail(email: string): string {
  const whole = unbreakable(email).replaceAll(`${WORD_JOINER}@`, '@');
  const at = whole.lastIndexOf('@');
  return at <= 0 ? whole : `${whole.slice(0, at)}${BREAK_HERE}${whole.slice(at)}`;
}

/**
 * A street line in which no number stands alone: `1148 Alder Lane`, `12 1/2 Main Street`, `Hauptstrasse 12`, `Apt
 * 1204`. A number at the start stays with the word after it, any other with the word before it.
 */
export function breakableStreet(street: string): string {
  const words = street.trim().split(/\s+/);
  const firstName = words.findIndex((word) => !isHouseNumber(word));
  return words.reduce((line, word, index) => {
    const staysTogether = index <= firstName || isHouseNumber(word);
    return `${line}${staysTogether ? NO_BREAK_SPACE : ' '}${word}`;
  });
}

function isHouseNumber(word: string): boolean {
  return /^#?\p{Nd}[\p{L}\p{Nd}/–-]{0,5},?$/u.test(word) && !/^\p{Nd}+(st|nd|rd|th),?$/iu.test(word);
}

/** The parts, each unbreakable; a middle dot stays with the part before it: `OR 201250142 · WA 118034`. */
export function joinWithMiddleDots(parts: readonly string[]): string {
  return parts.map(unbreakable).join(`${NO_BREAK_SPACE}· `);
}

function insertAt(text: string, offsets: readonly number[], mark: string): string {
  return [0, ...offsets].map((offset, index) => text.slice(offset, offsets[index])).join(mark);
}
