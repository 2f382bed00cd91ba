/** One line of the log for people: `POST /v1/tasks 202 12.3 ms  client=127.0.0.1`. Pure; programs get JSON. */

/** Facts that the line shows at another place. */
const SHOWN = new Set(['level', 'time', 'msg', 'error']);
const OF_REQUEST = new Set(['method', 'path', 'status', 'duration_ms']);

/**
 * The message of a log entry with its facts. A request is its method, path, status and duration. The stack of an
 * error follows on lines of its own.
 */
export function formatLogLine(entry: Readonly<Record<string, unknown>>): string {
  const { msg, method, path, status, duration_ms: durationMs, error } = entry;
  const isRequest = method !== undefined && path !== undefined && status !== undefined;
  const request = `${method} ${path} ${status} ${durationMs} ms`;
  const message = isRequest ? (msg === 'request' ? request : `${msg}: ${request}`) : `${msg ?? ''}`;
  const facts = Object.entries(entry)
    .filter(([name]) => !SHOWN.has(name) && !(isRequest && OF_REQUEST.has(name)))
    .map(([name, value]) => `${name}=${formatFact(value)}`);
  const line = escapeControls([message, facts.join(' ')].filter(Boolean).join('  '));
  return error === undefined ? line : [line, ...stackLines(error)].join('\n');
}

function formatFact(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function stackLines(error: unknown): string[] {
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  const text = typeof stack === 'string' ? stack : `${message ?? JSON.stringify(error)}`;
  return text.split('\n').map((line) => `    ${escapeControls(line)}`);
}

/** Clients choose some texts: no character may begin a line, move the cursor, or change colors or the direction. */
function escapeControls(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, (control) => `\\u{${control.codePointAt(0)!.toString(16)}}`);
}
