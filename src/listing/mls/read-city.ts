/** The name of a city in words: feeds whose lookups have no spaces send `PalosVerdesEstates`. */
import type { FindingsCollector } from './findings.ts';

/** Between words, but not within names such as McAllen, MacArthur, DeKalb and DuPont. */
const WORD_START = /(?<=\p{Ll})(?<!Ma?c|(?<!\p{Ll})D[eu])(?=\p{Lu})/gu;

/**
 * The city with the spaces and signs that the address has between its letters, else split at its capitals, with a note.
 *
 * @param field - The name of the city's field, for the note.
 * @param unparsed - The whole address in one text; null when there is none.
 */
export function readCity(
  city: string,
  { field, unparsed }: { field: string; unparsed: string | null },
  findings: FindingsCollector | null,
): string {
  if (!/^\p{L}*\p{Ll}\p{Lu}\p{L}*$/u.test(city)) return city;
  const written = unparsed === null ? null : asWritten(city, unparsed);
  if (written !== null) return written;
  const words = city.replace(WORD_START, ' ');
  if (words !== city) findings?.note(`${field} is "${city}", one word: the video says "${words}"`);
  return words;
}

/** Null when the address does not have the city. */
function asWritten(city: string, unparsed: string): string | null {
  const letters = [...city];
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${letters.join("([\\s.'’-]{0,2})")}(?![\\p{L}\\p{N}])`,
    'giu',
  );
  const signs = [...unparsed.matchAll(pattern)].at(-1)?.slice(1);
  return signs === undefined ? null : letters.map((letter, at) => `${letter}${signs[at] ?? ''}`).join('');
}
