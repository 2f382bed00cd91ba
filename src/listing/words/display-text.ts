/** Makes client text safe to show: one line, without characters that hide or reorder other text. */

/**
 * More than a screen can hold. No rule limits streets, offices and template data: a street of 4 MB kept a renderer
 * busy for more than ten minutes.
 */
const MAX_SHOWN_CHARS = 1_000;
/** Input beyond this is ignored. It leaves room for white space and marks that cleaning removes. */
const MAX_READ_CHARS = 8 * MAX_SHOWN_CHARS;

/**
 * Cleans a text for display: trims it, composes characters (NFC) and turns each run of white space into one space.
 * Removes control characters, bidi marks and overrides, invisible spaces and lone surrogates. Keeps joiners, which
 * Persian, Indic scripts and emoji need, and at most five marks on one letter. Text over 1,000 UTF-16 units ends in
 * an ellipsis.
 */
export function displayText(text: string): string {
  return cutAt(cleanLine(text.slice(0, MAX_READ_CHARS)), MAX_SHOWN_CHARS);
}

/** {@link displayText} of each line, with at most one empty line between two, and `maxChars` in all. */
export function displayLines(text: string, maxChars: number): string {
  const lines = text.slice(0, 8 * maxChars).split(/\r\n?|[\n\u2028\u2029]/u);
  const clean = lines
    .map(cleanLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  return cutAt(clean.trim(), maxChars);
}

function cleanLine(text: string): string {
  return text
    .replace(/(?:(?!\ufeff)[\s\u0085])+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}]/gu, '')
    .normalize('NFC')
    .replace(/(\p{M}{5})\p{M}+/gu, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function cutAt(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // The cut can leave half a surrogate pair.
  return `${text
    .slice(0, maxChars - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** {@link displayText}, or null for an absent text and for one without a visible character. */
export function displayTextOrNull(text: string | null | undefined): string | null {
  const shown = displayText(text ?? '');
  return /[^\p{M}\p{Z}\p{C}]/u.test(shown) ? shown : null;
}
