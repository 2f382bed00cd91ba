/** Lines of `--verbose` and `--debug`, and of warnings. */
import { escapeText } from './escape-text.ts';

/** `debug: message {"fact":1}`, on one line, harmless to a terminal. */
export function formatLogLine(
  level: 'debug' | 'warning',
  message: string,
  facts?: Readonly<Record<string, unknown>>,
): string {
  const tail = facts && Object.keys(facts).length > 0 ? ` ${JSON.stringify(facts, describeErrors)}` : '';
  return escapeText(`${level}: ${message}${tail}`);
}

/** Errors are empty objects in JSON; what they say is what matters here. */
function describeErrors(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
