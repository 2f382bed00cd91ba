/** Text of several words in a terminal that is narrower. */
import { wrapAnsi } from 'fast-wrap-ansi';

/** Narrower columns are harder to read than lines that the terminal breaks. */
const MIN_WIDTH = 24;

/**
 * Breaks a text between words. A path that is longer than a line stays whole, so that it can be copied.
 *
 * @param widthColumns - Width of the place; `Infinity` for a pipe.
 */
export function wrapText(text: string, widthColumns: number): string[] {
  if (widthColumns === Number.POSITIVE_INFINITY) return [text];
  return wrapAnsi(text, Math.max(MIN_WIDTH, widthColumns)).split('\n');
}
