/** Foreign bytes as one line of text that is safe to store, log and print. Pure. */

/**
 * Decodes UTF-8, makes each run of white space one space, and replaces what has no shape or changes the terminal: control and
 * format characters, separators, lone surrogates.
 */
export function toSafeText(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    .trim();
}
