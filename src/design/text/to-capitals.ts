/** Capitals for scripts that are set in them; all other scripts stay as typed. Pure. */

const CASED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{M}]+|[\p{Script=Greek}\p{M}]+/gu;
const GREEK = /\p{Script=Greek}/u;

/** Latin, Cyrillic and Greek letters as capitals; Greek without its accents, as Greek does. */
export function toCapitals(text: string): string {
  return text
    .replace(CASED, (word) => (GREEK.test(word) ? word.toLocaleUpperCase('el') : word.toUpperCase()))
    .normalize('NFC');
}
