/** The name of a city in words: feeds whose lookups have no spaces send `PalosVerdesEstates`. Pure. */

/** Between words, but not within names such as McAllen, MacArthur, DeKalb and DuPont. */
const WORD_START = /(?<=\p{Ll})(?<!Ma?c|(?<!\p{Ll})D[eu])(?=\p{Lu})/gu;

/**
 * The city with the spaces and signs that the address has between its letters, else split at its capitals.
 *
 * @param unparsed - The whole address in one text; null when there is none.
 * @returns `isGuess`: its capitals alone say where its words begin.
 */
export function cityWords(city: string, unparsed: string | null): { words: string; isGuess: boolean } {
  if (!/^\p{L}*\p{Ll}\p{Lu}\p{L}*$/u.test(city)) return { words: city, isGuess: false };
  const written = unparsed === null ? null : asWritten(city, unparsed);
  if (written !== null) return { words: written, isGuess: false };
  const words = city.replace(WORD_START, ' ');
  return { words, isGuess: words !== city };
}

/** Null when the address does not have the city. */
function asWritten(city: string, unparsed: string): string | null {
  const letters = [...city];
  const between = "([\\s.'’-]{0,2})";
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${letters.join(between)}(?![\\p{L}\\p{N}])`, 'giu');
  const signs = [...unparsed.matchAll(pattern)].at(-1)?.slice(1);
  return signs === undefined ? null : letters.map((letter, at) => `${letter}${signs[at] ?? ''}`).join('');
}
