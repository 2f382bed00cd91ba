/**
 * The known name that a misspelled one was probably meant to be: for settings, properties, data layers, templates,
 * commands.
 */
import { distance } from 'fastest-levenshtein';

/**
 * No known name is longer than 24; what is much longer (a hostile word may be megabytes long) resembles none of them.
 */
const MAX_COMPARED_LENGTH = 40;

/**
 * The name nearest to `word`. Case, spaces, dashes and underscores do not count: `firstName` and `First Name` are
 * `first_name` misspelled by nothing.
 *
 * @returns undefined when none is within a third of the longer word's length (Levenshtein).
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  if (word.length > MAX_COMPARED_LENGTH) return undefined;
  let nearest: { readonly name: string; readonly edits: number; readonly letters: number } | undefined;
  for (const name of names) {
    if (name.startsWith('$') !== word.startsWith('$')) continue;
    const [a, b] = [toComparable(word), toComparable(name)];
    // Singular and plural, and a beginning or end left out, are near whatever their length.
    const isPart = a.length >= 3 && (b.startsWith(a) || b.endsWith(a) || a.startsWith(b) || a.endsWith(b));
    const letters = distance(a, b);
    const edits = isPart || isSwap(a, b) ? Math.min(1, letters) : letters;
    if (edits > Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))) continue;
    // Of names that count as equally near, such as the parts of a word, the one with fewer wrong letters.
    const isNearer =
      nearest === undefined ||
      edits < nearest.edits ||
      (edits === nearest.edits && letters < nearest.letters);
    if (isNearer) nearest = { name, edits, letters };
  }
  return nearest?.name;
}

/** `; did you mean "fade"?`, or nothing. */
export function orNearest(word: unknown, names: Iterable<string>): string {
  const near = typeof word === 'string' ? nearestName(word, names) : undefined;
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** What is wrong with a value that has to be one of `names`. */
export function notOneOf(value: unknown, names: readonly string[]): string {
  return `is not one of ${names.join(', ')}${orNearest(value, names)}`;
}

/** Two neighboring letters in the wrong order, the commonest slip of all, which plain Levenshtein counts twice. */
function isSwap(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b;
}

function toComparable(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
