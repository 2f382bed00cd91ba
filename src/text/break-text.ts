/**
 * Where a text may be broken into lines, and marks with which a caller forbids it. Widths are not its matter.
 *
 * Texts carry their rules as Unicode marks: a no-break space, a word joiner (never break here), a zero-width space
 * (may break here). {@link unbreakable} and its kin set them; the shaper draws nothing for them.
 */

const NO_BREAK_SPACE = '\u00a0';
const WORD_JOINER = '\u2060';
const MAY_BREAK = '\u200b';

const ENDS_WITH_SPACE = /[\t\n\v\f\r \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000\u200b]$/;
const STARTS_WITH_SPACE = /^[\t\n\v\f\r \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000\u200b]/;
/** A break is never made beside these. */
const GLUE_BEFORE = /[\u00a0\u2007\u202f\u2060\ufeff]$/;
const GLUE_AFTER = /^[\u00a0\u2007\u202f\u2060\ufeff]/;
/** Stay with the word before them, even after a space: separators and closing punctuation. */
const STAYS_BEFORE = /^[·•|‧・,.;:!?%)\]}»”’、。，．；：！？）」』】〉》ー々]/;
/** Stay with the word after them. */
const STAYS_AFTER = /[([{«“‘（「『【〈《]$/;
/** A hyphen or slash between letters may end a line; between digits it belongs to a number. */
const ENDS_WITH_HYPHEN = /\p{L}[-\u2010\u2013/]$/u;
const STARTS_WITH_LETTER = /^\p{L}/u;
const ENDS_WITH_DASH = /\u2014$/;
/** Scripts that set no spaces between words; Korean does. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々、。，！？」』）]/u;
const SMALL_KANA = /^[ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]/;

let wordSegmenter: Intl.Segmenter | undefined;
let graphemeSegmenter: Intl.Segmenter | undefined;

/** UTF-16 offsets inside `text` (never its ends) at which a new line may start, ascending. */
export function breakOpportunities(text: string): number[] {
  wordSegmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const offsets: number[] = [];
  for (const { index } of wordSegmenter.segment(text)) {
    if (index > 0 && mayBreak(text.slice(Math.max(0, index - 4), index), text.slice(index, index + 4))) {
      offsets.push(index);
    }
  }
  return offsets;
}

function mayBreak(before: string, after: string): boolean {
  if (before.endsWith(MAY_BREAK)) return true;
  if (GLUE_BEFORE.test(before) || GLUE_AFTER.test(after) || STARTS_WITH_SPACE.test(after)) return false;
  if (STAYS_BEFORE.test(after)) return false;
  if (ENDS_WITH_SPACE.test(before)) return true;
  if (STAYS_AFTER.test(before) || SMALL_KANA.test(after)) return false;
  if (ENDS_WITH_DASH.test(before)) return true;
  if (ENDS_WITH_HYPHEN.test(before)) return STARTS_WITH_LETTER.test(after);
  return UNSPACED.test(lastCharacter(before)) && UNSPACED.test(after);
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? '';
}

/** `text` as what a reader perceives as characters, in order. */
export function graphemes(text: string): string[] {
  graphemeSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}

/** The text without marks, as it is put on a line: ordinary spaces, no joiners, nothing at the ends. */
export function stripBreakMarks(text: string): string {
  return text
    .replaceAll(NO_BREAK_SPACE, ' ')
    .replace(/[\u2060\u200b\ufeff]/g, '')
    .trim();
}

/** The text as one word that no line break enters: a phone number, a licence, a name of an office. */
export function unbreakable(text: string): string {
  const joined = text.trim().replace(/\s+/g, NO_BREAK_SPACE).replaceAll(MAY_BREAK, '');
  return insertAt(joined, breakOpportunities(joined), WORD_JOINER);
}

/** An e-mail address: broken before `@` or not at all. */
export function breakableEmail(email: string): string {
  const whole = unbreakable(email);
  const at = whole.lastIndexOf('@');
  return at <= 0 ? whole : `${whole.slice(0, at)}${MAY_BREAK}${whole.slice(at)}`;
}

/**
 * A street line in which a number never stands alone: `1148 Alder Lane`, `12 1/2 Main Street`, `Hauptstrasse 12`,
 * `Apt 1204`. A number at the start goes with the word after it, any other with the word before it.
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

/** Parts in one line of text, each unbreakable, a middle dot after all but the last: `OR 201250142 · WA 118034`. */
export function joinWithMiddleDots(parts: readonly string[]): string {
  return parts.map(unbreakable).join(`${NO_BREAK_SPACE}· `);
}

function insertAt(text: string, offsets: readonly number[], mark: string): string {
  return [0, ...offsets].map((offset, index) => text.slice(offset, offsets[index])).join(mark);
}
