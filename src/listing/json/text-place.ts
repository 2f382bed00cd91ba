/** Places in a text, as editors count them. */

export interface TextPlace {
  /** From 1. Lines end with LF, CR LF or CR. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;
  /** UTF-16 code units on that line, at least 1. */
  readonly length: number;
}

const LINE_END = /\r\n|\n|\r/g;

/**
 * The place of a part of a text. A part that runs over the end of its line is cut there.
 *
 * @param offset - In UTF-16 code units from the start; may be the text's length.
 */
export function placeAt(text: string, offset: number, length: number): TextPlace {
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.length;
  for (const end of text.matchAll(LINE_END)) {
    if (end.index + end[0].length > offset) {
      lineEnd = end.index;
      break;
    }
    line++;
    lineStart = end.index + end[0].length;
  }
  return { line, column: offset - lineStart + 1, length: Math.max(1, Math.min(length, lineEnd - offset)) };
}
