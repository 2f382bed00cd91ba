/** Client text made fit to be shown: one line, nothing that hides or reorders other text. */

/**
 * More than a screen can hold, or anybody read in a scene. The specification bounds neither streets nor offices nor
 * template data: a street of 4 MB kept a renderer at work for more than ten minutes, and all other tasks waiting.
 */
const MAX_SHOWN_CHARS = 1_000;
/** What is looked at at all: blanks, marks and the like may be many. */
const MAX_READ_CHARS = 8 * MAX_SHOWN_CHARS;

/**
 * Cleans a text for display: white space of any kind becomes one space, ends are trimmed, composed characters are used
 * (NFC). Control characters, bidi overrides and marks, invisible spaces and lone surrogates go; joiners stay, because
 * Persian, Indic scripts and emoji are spelt with them. More than five marks on one letter are cut to five. What is
 * longer than 1,000 UTF-16 units ends in an ellipsis.
 */
export function displayText(text: string): string {
  const clean = text
    .slice(0, MAX_READ_CHARS)
    .replace(/(?:(?!\ufeff)[\s\u0085])+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}]/gu, '')
    .normalize('NFC')
    .replace(/(\p{M}{5})\p{M}+/gu, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (clean.length <= MAX_SHOWN_CHARS) return clean;
  // Half a surrogate pair at the end goes, too.
  return `${clean
    .slice(0, MAX_SHOWN_CHARS - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** {@link displayText} of what is there, null for what is absent or has nothing to show. */
export function displayTextOrNull(text: string | null | undefined): string | null {
  const shown = displayText(text ?? '');
  return /[^\p{M}\p{Z}\p{C}]/u.test(shown) ? shown : null;
}
