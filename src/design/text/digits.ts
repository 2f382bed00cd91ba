/** One kind of digits in the words of a listing: those that most of its own words have. Pure. */
import type { Fact } from '../../listing/words/facts.ts';

/** Zero of the digits that people write beside 0 to 9: Arabic, Persian, Devanagari, Bengali, Thai. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];
/** Numbers as programs write them say nothing about the words. */
const BARE_NUMBER = /^[$\d.,\s]*$/;
const LATIN_LETTER = /\p{Script=Latin}/u;
/** Writes a text with the digits of the others. Texts in Latin letters keep theirs. */
export type ToDigits = (text: string) => string;

/** @param texts - All words of a listing that a video shows, but for contacts, links and licenses. */
export function digitsLike(texts: readonly string[]): ToDigits {
  const counts = new Map<number, number>();
  for (const text of texts) {
    if (BARE_NUMBER.test(text)) continue;
    for (const digit of text.match(/\p{Nd}/gu) ?? []) {
      const zero = zeroOf(digit);
      counts.set(zero, (counts.get(zero) ?? 0) + 1);
    }
  }
  const [zero = LATIN_ZERO] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  // Words in Latin digits only are left as they are, which is what nearly all listings have.
  if (zero === LATIN_ZERO && counts.size <= 1) return (text) => text;
  return (text) => (LATIN_LETTER.test(text) && zero !== LATIN_ZERO ? text : convert(text, zero));
}

/** A fact in these digits; a number counts up in Latin ones only. */
export function factInDigits(fact: Fact, toDigits: ToDigits): Fact {
  const value = toDigits(fact.value);
  return value === fact.value ? fact : { ...fact, value, numeric: null };
}

const LATIN_ZERO = 0x30;

function zeroOf(digit: string): number {
  const point = digit.codePointAt(0)!;
  return ZEROS.find((zero) => point >= zero && point < zero + 10) ?? LATIN_ZERO;
}

function convert(text: string, zero: number): string {
  const digits = text.replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0)!;
    const own = zeroOf(digit);
    const value = point - own;
    return value >= 0 && value < 10 ? String.fromCodePoint(zero + value) : digit;
  });
  const isArabic = zero === ZEROS[0] || zero === ZEROS[1];
  if (!isArabic)
    return digits.replace(/(?<=\p{Nd})\u066c(?=\p{Nd})/gu, ',').replace(/(?<=\p{Nd})\u066b(?=\p{Nd})/gu, '.');
  // A point is one of a number, not of a date or a time, where nothing else stands beside it.
  const isNumber = /^\p{Nd}+\.\p{Nd}+$/u.test(digits);
  const grouped = digits.replace(/(?<=\p{Nd}),(?=\p{Nd}{3}(?!\p{Nd}))/gu, '\u066c');
  return isNumber ? grouped.replace('.', '\u066b') : grouped;
}
