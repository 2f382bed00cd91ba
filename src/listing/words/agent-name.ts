/** The name of an agent: in full, and the initials for a card without portrait. */

/** A letter of a script without capitals. There one letter of the family name is enough. */
const WITHOUT_CASE = /^\p{Lo}/u;
/** Han, kana and Hangul write the family name first, and without a space. */
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\s]+$/u;

/**
 * One or two letters: the first of the first and of the last name, in capitals. Where the script has no capitals, the
 * first letter of the family name alone (without the Arabic article). A one-word name has one initial.
 *
 * @param firstName - Cleaned for display, as is `lastName`.
 * @returns Empty when neither name holds a letter or a digit.
 */
export function initialsOf(firstName: string, lastName: string): string {
  const [first, last] = firstAndLastWord(firstName, lastName);
  const family = firstLetter(withoutArticle(last === '' ? first : last));
  const given = last === '' ? '' : firstLetter(withoutArticle(first));
  if (WITHOUT_CASE.test(family)) return family;
  if (WITHOUT_CASE.test(given)) return toCapital(family);
  return toCapital(given) + toCapital(family);
}

/** The whole name as it is written: family name first and unspaced where both names are Chinese, Japanese or Korean. */
export function fullName(firstName: string, lastName: string): string {
  if (firstName !== '' && lastName !== '' && EAST_ASIAN.test(firstName) && EAST_ASIAN.test(lastName)) {
    return `${lastName}${firstName}`;
  }
  return `${firstName} ${lastName}`.trim();
}

/** If a client put the whole name into one field, its first and last word. */
function firstAndLastWord(firstName: string, lastName: string): readonly [string, string] {
  if (firstLetter(firstName) !== '' && firstLetter(lastName) !== '') return [firstName, lastName];
  const words = `${firstName} ${lastName}`.split(' ').filter((word) => firstLetter(word) !== '');
  return [words[0] ?? '', words.length > 1 ? words.at(-1)! : ''];
}

/** A letter or digit that no mark can follow: most names need no segmenter, whose first use takes 18 ms. */
const PLAIN_START = /^[A-Za-z0-9](?=[\x20-\x7e]|$)/;

let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The first that begins with a letter or digit. Skips quotes, emoji, and the vowels that Thai and Lao write first. */
function firstLetter(text: string): string {
  const [plain] = PLAIN_START.exec(text) ?? [];
  if (plain !== undefined) return plain;
  for (const { segment } of graphemesOf(text)) {
    if (/^(?![\u0e40-\u0e44\u0ec0-\u0ec4])[\p{L}\p{N}]/u.test(segment)) return segment;
  }
  return '';
}

function withoutArticle(name: string): string {
  return name.replace(/^\u0627\u0644(?=\p{L})/u, '');
}

/** In capitals, unless one letter would become two, as `ß` does. */
function toCapital(letter: string): string {
  const capital = letter.toUpperCase();
  return capital.length === 1 || [...graphemesOf(capital)].length === 1 ? capital : letter;
}
