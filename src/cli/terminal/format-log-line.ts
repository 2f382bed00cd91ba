/** Formats the log lines of `--verbose` and `--debug`, and warnings. */
import { escapeText } from './escape-text.ts';

/** `debug: message {"fact":1}`, on one line, safe to print. */
export function formatLogLine(
  level: 'debug' | 'warning',
  message: string,
  facts?: Readonly<Record<string, unknown>>,
): string {
  const tail = facts && Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts, describeErrors)}` : '';
  return escapeText(`${level}: ${message}${tail}`);
}

/** JSON would show an error as an empty object. */
function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
