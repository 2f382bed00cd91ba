/** Client text made fit to be shown: one line, nothing that hides or reorders other text. */

/**
 * Cleans a text for display: white space of any kind becomes one space, ends are trimmed, composed characters are used
 * (NFC). Control characters, bidi overrides and marks, invisible spaces and lone surrogates go; joiners stay, because
 * Persian, Indic scripts and emoji are spelt with them. More than five marks on one letter are cut to five.
 */
export function displayText(text: string): string {
  return text
    .replace(/(?:(?!\ufeff)[\s\u0085])+/gu, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cs}\p{Cf}]/gu, '')
    .normalize('NFC')
    .replace(/(\p{M}{5})\p{M}+/gu, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** {@link displayText} of what is there, null for what is absent or has nothing to show. */
export function displayTextOrNull(text: string | null | undefined): string | null {
  const shown = displayText(text ?? '');
  return /[^\p{M}\p{Z}\p{C}]/u.test(shown) ? shown : null;
}
