/** The known name that a misspelt one was probably meant to be. Small on purpose: settings have no dependencies. */

/**
 * The name nearest to `word`, upper and lower case aside.
 *
 * @returns undefined when none is within a third of the longer word's length (Damerau-Levenshtein, adjacent swaps count 1).
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance > Math.max(1, Math.floor(Math.max(word.length, name.length) / 3))) continue;
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  // A hostile word may be megabytes long; nothing that far off is near.
  if (Math.abs(a.length - b.length) > 40) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
      }
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
