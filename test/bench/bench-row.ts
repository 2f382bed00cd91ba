/** One measured figure, with its bar where it has one. */
export interface BenchRow {
  readonly what: string;
  readonly measured: number;
  /** Such as `<= 4 ms`; without a bar only the unit. */
  readonly bar: string;
  /** Null without a bar. */
  readonly isMet: boolean | null;
}

export function atMost(what: string, measured: number, bar: number, unit = ''): BenchRow {
  return { what, measured: round(measured), bar: `<= ${bar} ${unit}`.trim(), isMet: measured <= bar };
}

export function atLeast(what: string, measured: number, bar: number, unit = ''): BenchRow {
  return { what, measured: round(measured), bar: `>= ${bar} ${unit}`.trim(), isMet: measured >= bar };
}

/** A figure that is there to be compared with. */
export function noBar(what: string, measured: number, unit = ''): BenchRow {
  return { what, measured: round(measured), bar: unit, isMet: null };
}

/** The rows as aligned text, a line each. */
export function formatRows(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ what, measured, bar, isMet }) => [
    what,
    String(measured),
    bar,
    isMet === null ? '' : isMet ? 'met' : 'NOT MET',
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map(([what, measured, bar, verdict]) =>
      `  ${what!.padEnd(widths[0]!)}  ${measured!.padStart(widths[1]!)}  ${bar!.padEnd(widths[2]!)}  ${verdict}`.trimEnd(),
    )
    .join('\n');
}

/** Four significant digits: more than any of this repeats to. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
