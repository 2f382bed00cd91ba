/** The one JSON document of `--json`, harmless also when a person looks at it in a terminal. */
import { escapeUnsafeJson } from './escape-text.ts';
import type { Terminal } from './terminal.ts';

/** Prints `value` as a document of its own, indented. */
export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value, null, 2)));
}

/** Prints `value` on one line, for NDJSON. */
export function printJsonLine(terminal: Terminal, value: unknown): void {
  terminal.print(escapeUnsafeJson(JSON.stringify(value)));
}
