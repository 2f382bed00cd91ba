/** Tables for people: aligned columns, never wider than the terminal. */
import { displayWidth } from './display-width.ts';
import type { Terminal } from './terminal.ts';

/** A column; `text` gives the cell of a row, already escaped. */
export interface Column<R> {
  readonly title: string;
  readonly text: (row: R) => string;
  /** Cut with an ellipsis when the terminal is narrow; other columns keep their width. */
  readonly shrinks?: boolean;
  readonly align?: 'right';
  /** Colors a cell. */
  readonly paint?: (text: string, row: R) => string;
}

const GAP = '  ';
const MIN_COLUMN_WIDTH = 4;

export function printTable<R>(terminal: Terminal, rows: readonly R[], columns: readonly Column<R>[]): void {
  for (const line of formatTable(rows, columns, stdoutWidth(terminal))) terminal.print(line);
}

/** Columns of stdout; `Infinity` for a pipe, where nothing is cut. */
export function stdoutWidth({ stdoutIsTty, columns }: Terminal): number {
  return stdoutIsTty ? columns : Number.POSITIVE_INFINITY;
}

/**
 * Lines of a table, header first. Columns that shrink share the rest of `widthColumns`; when that is too little for all
 * of them, the last ones are left out.
 *
 * @param widthColumns - Cells of the terminal; `Infinity` for a pipe.
 */
export function formatTable<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  widthColumns: number,
): string[] {
  const texts = rows.map((row) => columns.map((column) => column.text(row)));
  const natural = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...texts.map((cells) => displayWidth(cells[index] ?? ''))),
  );
  const widths = fitWidths(columns, natural, widthColumns);
  const kept = columns.map((_, index) => index).filter((index) => (widths[index] ?? 0) > 0);
  const layOut = (cells: readonly string[], row: R | null): string =>
    kept
      .map((index, position) => {
        const column = columns[index]!;
        const isLast = position === kept.length - 1;
        const cut = truncate(cells[index] ?? '', widths[index]!);
        const padding = ' '.repeat(Math.max(0, widths[index]! - displayWidth(cut)));
        const painted = row !== null && column.paint ? column.paint(cut, row) : cut;
        if (column.align === 'right') return padding + painted;
        return isLast ? painted : painted + padding;
      })
      .join(GAP);
  const header = layOut(
    columns.map((column) => column.title),
    null,
  );
  return [header, ...rows.map((row, index) => layOut(texts[index]!, row))].map((line) => line.trimEnd());
}

/** The text, or as much of it as fits with `…` in the last cell. */
export function truncate(text: string, widthColumns: number): string {
  if (displayWidth(text) <= widthColumns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    width += displayWidth(segment);
    if (width > widthColumns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** As {@link truncate}, but keeps the end. */
export function truncateStart(text: string, widthColumns: number): string {
  if (displayWidth(text) <= widthColumns) return text;
  let kept = '';
  for (const { segment } of [...new Intl.Segmenter('en').segment(text)].reverse()) {
    if (displayWidth(segment + kept) > widthColumns - 1) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

function fitWidths<R>(columns: readonly Column<R>[], natural: readonly number[], total: number): number[] {
  const widths = [...natural];
  const excess = (): number => {
    const shown = widths.filter((width) => width > 0);
    return shown.reduce((sum, width) => sum + width, 0) + GAP.length * (shown.length - 1) - total;
  };
  const shrinking = columns.flatMap((column, index) => (column.shrinks ? [index] : []));
  while (excess() > 0) {
    const widest = shrinking
      .filter((index) => widths[index]! > MIN_COLUMN_WIDTH)
      .sort((a, b) => widths[b]! - widths[a]!)[0];
    if (widest !== undefined) widths[widest]! -= 1;
    else {
      const last = shrinking.pop();
      if (last === undefined) break;
      widths[last] = 0;
    }
  }
  return widths;
}
