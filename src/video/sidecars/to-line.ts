/** A text on one line, without the spaces and marks that only arrange it on screen. Pure. */
import { stripBreakMarks } from '../../design/text/break-text.ts';

export function toLine(text: string): string {
  return stripBreakMarks(text).replace(/\s+/gu, ' ');
}
