/** A caret view of one place in a text: a few numbered lines with marks under the part. No colors. */
import type { TextPlace } from './json-places.ts';

export interface CodeFrameOptions {
  readonly contextLines?: number;
  /** Terminal columns for a line with its number gutter; longer lines are clipped around the place. Default 100. */
  readonly totalColumns?: number;
  /** Number to show for the first line of the text. Default 1. */
  readonly firstLine?: number;
}

export interface CodeFrameLine {
  /** `place` is the line of the place, `context` a line around it, `marks` the carets under it. */
  readonly kind: 'place' | 'context' | 'marks';
  /** Such as ` 12 | `; all gutters of a frame have the same width. */
  readonly gutter: string;
  readonly text: string;
}

const TAB_COLUMNS = 2;
/** Less shows nothing of a line. */
const MIN_TEXT_COLUMNS = 20;

/**
 * The lines around a place. Tabs become spaces, wide characters count two columns, and characters that would move or
 * hide others on a terminal (controls, bidi overrides) are shown as `�`.
 */
export function codeFrame(text: string, place: TextPlace, options: CodeFrameOptions = {}): string {
  return codeFrameLines(text, place, options)
    .map((line) => `${line.gutter}${line.text}`.trimEnd())
    .join('\n');
}

export function codeFrameLines(
  text: string,
  place: TextPlace,
  options: CodeFrameOptions = {},
): readonly CodeFrameLine[] {
  const contextLines = options.contextLines ?? 2;
  const fromLine = Math.max(1, place.line - contextLines);
  const sources = linesBetween(text, fromLine, place.line + contextLines);
  const shownLine = fromLine + (options.firstLine ?? 1) - 1;
  const gutterWidth = String(shownLine + sources.length - 1).length + 1;
  const widthColumns = Math.max(MIN_TEXT_COLUMNS, (options.totalColumns ?? 100) - gutterWidth - ' | '.length);

  // A minified file is one line of megabytes: only the text near the place counts.
  const skippedUnits = place.column > NEAR_UNITS ? place.column - NEAR_UNITS / 2 : 0;
  const lines = sources.map((source) => source.slice(skippedUnits, skippedUnits + NEAR_UNITS));
  const own = toCells(lines[place.line - fromLine] ?? '');
  const mark = markedColumns(own, { ...place, column: place.column - skippedUnits });
  // One window for all lines keeps the columns of the file aligned.
  const startColumn = windowStart(mark, columnsOf(own), widthColumns);

  return lines.flatMap((source, index) => {
    const isPlace = fromLine + index === place.line;
    const cells = isPlace ? own : toCells(source);
    const shown: CodeFrameLine = {
      kind: isPlace ? 'place' : 'context',
      gutter: `${String(shownLine + index).padStart(gutterWidth)} | `,
      text: clip(cells, startColumn, widthColumns),
    };
    if (!isPlace) return [shown];
    const from = Math.max(0, mark.startColumn - startColumn);
    const to = Math.min(widthColumns, Math.max(from + 1, mark.endColumn - startColumn));
    const carets = `${' '.repeat(from)}${'^'.repeat(to - from)}`;
    return [shown, { kind: 'marks', gutter: `${' '.repeat(gutterWidth)} | `, text: carets }];
  });
}

/** Lines `from` to `to` (from 1, both included), as far as they exist. It does not split the whole text. */
function linesBetween(text: string, from: number, to: number): string[] {
  const ends = /\r\n|\n|\r/g;
  const lines: string[] = [];
  let start = 0;
  for (let line = 1; line <= to; line++) {
    const end = ends.exec(text);
    if (line >= from) lines.push(text.slice(start, end?.index ?? text.length));
    if (end === null) break;
    start = ends.lastIndex;
  }
  return lines;
}

interface Cell {
  readonly text: string;
  /** UTF-16 code units before it in the source, and its own. */
  readonly unit: number;
  readonly units: number;
  /** Terminal columns before it, and its own. */
  readonly column: number;
  readonly columns: number;
}

const NEAR_UNITS = 4_000;

function toCells(line: string): Cell[] {
  const cells: Cell[] = [];
  let unit = 0;
  let column = 0;
  for (const character of line) {
    const isTab = character === '\t';
    const text = isTab ? ' '.repeat(TAB_COLUMNS) : HARMFUL.test(character) ? '\ufffd' : character;
    const columns = isTab ? TAB_COLUMNS : columnsOfCharacter(text);
    cells.push({ text, unit, units: character.length, column, columns });
    unit += character.length;
    column += columns;
  }
  return cells;
}

/** Controls (an escape sequence could repaint the terminal), line separators, bidi marks, lone surrogates. */
const HARMFUL = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** The blocks of East Asian wide characters (UAX 11), roughly, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** 0 for marks and joiners, 2 for {@link WIDE} characters, else 1. */
function columnsOfCharacter(character: string): 0 | 1 | 2 {
  if (character < '\u0300') return 1;
  if (/[\p{M}\p{Cf}]/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

interface ColumnSpan {
  /** From 0, half-open. */
  readonly startColumn: number;
  readonly endColumn: number;
}

function markedColumns(cells: readonly Cell[], place: TextPlace): ColumnSpan {
  const startUnit = place.column - 1;
  const marked = cells.filter(
    ({ unit, units }) => unit + units > startUnit && unit < startUnit + place.length,
  );
  const startColumn = marked[0]?.column ?? columnsOf(cells);
  return { startColumn, endColumn: Math.max(columnsOf(marked), startColumn + 1) };
}

function columnsOf(cells: readonly Cell[]): number {
  const last = cells.at(-1);
  return last === undefined ? 0 : last.column + last.columns;
}

/** First column of the window: 0 when the place fits, else a third of the width before the place. */
function windowStart(mark: ColumnSpan, lineColumns: number, widthColumns: number): number {
  if (Math.min(mark.endColumn, mark.startColumn + widthColumns / 3) <= widthColumns - 2) return 0;
  return Math.max(
    0,
    Math.min(mark.startColumn - Math.floor(widthColumns / 3), lineColumns + 1 - widthColumns),
  );
}

/** The cells of the window, with an ellipsis at each end that cuts the line. */
function clip(cells: readonly Cell[], startColumn: number, widthColumns: number): string {
  const endColumn = startColumn + widthColumns;
  const isCutAtEnd = columnsOf(cells) > endColumn;
  let shown = '';
  for (const { text, column, columns } of cells) {
    const next = column + columns;
    if (startColumn > 0 && column < startColumn + 1) {
      // A wide character at the edge leaves a blank, so that later columns do not move.
      if (next > startColumn) shown = `…${' '.repeat(Math.max(0, next - startColumn - 1))}`;
    } else if (isCutAtEnd && next > endColumn - 1) return `${shown}…`;
    else shown += text;
  }
  return shown;
}
