/** Prints the JSON of `--json`, escaped so that a terminal can show it safely. */
import { escapeUnsafeJson } from './escape-text.ts';
import type { Terminal } from './terminal.ts';

/** Prints `value` as one indented document. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value, null, 2)));
}

/** Prints `value` on one line, for NDJSON. */
export function printJsonLine(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value)));
}
