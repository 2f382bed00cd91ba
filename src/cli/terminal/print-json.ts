/** Prints the JSON of `--json`, escaped so that a terminal can show it safely. */
import type { CommandRun } from '../command-run.ts';
import { escapeUnsafeJson } from './escape-text.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints the result of a command: `document` with `--json`, else what `printText` prints for people.
 *
 * @returns The exit code 0.
 */
export function printResult(run: CommandRun, document: object, printText: () => void): number {
  if (run.output.json) printJson(run.terminal, document);
  else printText();
  return 0;
}

/** In every document of `--json`. Raised when a field changes its meaning, not when new ones come. */
export const SCHEMA_VERSION = 1;

/** `value` as one indented document, after its version. */
export function formatJson(value: object): string {
  return escapeUnsafeJson(JSON.stringify({ schema_version: SCHEMA_VERSION, ...value }, null, 2));
}

export function printJson(terminal: Terminal, value: object): void {
  terminal.print(formatJson(value));
}

/** Prints `value` on one line after its version, for NDJSON. */
export function printJsonLine(terminal: Terminal, value: object): void {
  terminal.print(escapeUnsafeJson(JSON.stringify({ schema_version: SCHEMA_VERSION, ...value })));
}
