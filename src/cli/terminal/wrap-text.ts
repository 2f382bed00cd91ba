/** Text of several words in a terminal that is narrower. */
import { wrapAnsi } from 'fast-wrap-ansi';
import { displayWidth } from './display-width.ts';
import type { Terminal } from './terminal.ts';

/** Narrower columns are harder to read than lines that the terminal breaks. */
const MIN_WIDTH = 24;

/**
 * Breaks a text between words. A word that is longer than a line stays whole.
 *
 * @param widthColumns - Width of the place; `Infinity` for a pipe.
 */
export function wrapText(text: string, widthColumns: number): string[] {
  if (widthColumns === Number.POSITIVE_INFINITY) return [text];
  return wrapAnsi(text, Math.max(MIN_WIDTH, widthColumns)).split('\n');
}

/**
 * A label and the text beside it, as {@link wrapText} breaks it.
 *
 * @param indentColumns - Of every line but the first. Default: the width of the label.
 */
export function wrapBeside(
  label: string,
  text: string,
  widthColumns: number,
  indentColumns = displayWidth(label),
): string[] {
  const indent = ' '.repeat(indentColumns);
  const used = Math.max(displayWidth(label), indentColumns);
  return wrapText(text, widthColumns - used).map((line, index) => (index === 0 ? label : indent) + line);
}

/** The lines of a message on stderr: a single one in a pipe. */
export function wrapMessage(
  terminal: Pick<Terminal, 'stderrIsTty' | 'columns'>,
  label: string,
  text: string,
): string[] {
  return wrapBeside(label, text, terminal.stderrIsTty ? terminal.columns : Number.POSITIVE_INFINITY);
}
