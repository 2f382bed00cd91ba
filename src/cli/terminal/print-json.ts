/** Prints the JSON of `--json`, escaped so that a terminal can show it safely. */
import type { CommandRun } from '../command-run.ts';
import { escapeUnsafeJson } from './escape-text.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints the result of a command: `document` with `--json`, else what `printText` prints for people.
 *
 * @returns The exit code 0.
 */
export function printResult(run: CommandRun, document: unknown, printText: () => void): number {
  if (run.output.json) printJson(run.terminal, document);
  else printText();
  return 0;
}

/** Prints `value` as one indented document. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value, null, 2)));
}

/** Prints `value` on one line, for NDJSON. */
export function printJsonLine(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value)));
}
