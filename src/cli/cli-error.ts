/** Errors of the command line: how they are made, and how they are shown to people and programs. */
import { type ErrorCode, isCancellation, ListingVideoError } from '../platform/errors.ts';
import { nearestName } from '../platform/nearest-name.ts';
import type { CommandRun, OutputOptions } from './command-run.ts';
import { escapeLines, escapeText } from './terminal/escape-text.ts';
import { messageWrapper, wholeMessage } from './terminal/message-wrapper.ts';
import { printJson, printJsonLine } from './terminal/print-json.ts';
import type { Terminal } from './terminal/terminal.ts';

export function toListingVideoError(error: unknown): ListingVideoError {
  if (error instanceof ListingVideoError) return error;
  if (isCancellation(error)) return new ListingVideoError('cancelled', 'cancelled', { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new ListingVideoError('internal_error', `unexpected failure: ${message}`, {
    cause: error,
    hint: 'this is a bug: run the command again with --debug and report it with the zip file that it writes',
  });
}

/** A wrong command line: exit 2, `code: "usage"`. */
export function usageError(message: string, hint?: string): ListingVideoError {
  return new ListingVideoError('usage', message, { hint });
}

/** The hint for a misspelled word: the nearest of `names`, else `otherwise`, which names them all by default. */
export function nearestHint(
  word: string,
  names: readonly string[],
  otherwise = `one of: ${names.join(', ')}`,
): string {
  const near = nearestName(word, names);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

/**
 * @param what - The command in words: `tasks retry`.
 * @throws ListingVideoError `usage` when a setting names a server.
 */
export async function requireLocal(run: CommandRun, what: string): Promise<void> {
  const { server } = await run.settings();
  if (server !== undefined) throw notAtServer(what, server);
}

/**
 * @param what - The command, which prints no document: `help`.
 * @throws ListingVideoError `usage` for `--json`.
 */
export function requireText({ output }: CommandRun, what: string): void {
  if (output.json)
    throw usageError(`${what} prints text, so it cannot be combined with --json`, 'leave out --json');
}

/** The error of a command or flag that needs the data folder itself. */
export function notAtServer(what: string, server: string): ListingVideoError {
  return usageError(
    `${what} is not available at ${server}: it works only on the server's machine`,
    'run it there, or add --no-server to use this machine',
  );
}

/** What comes before a hint: a question needs nothing. */
export function hintLabel(hint: string): 'try: ' | '' {
  return hint.endsWith('?') ? '' : 'try: ';
}

export function isUsageError(error: unknown): boolean {
  return error instanceof ListingVideoError && error.code === 'usage';
}

export function toErrorDocument(error: ListingVideoError): {
  error: { code: ErrorCode; message: string; context: Readonly<Record<string, unknown>> | null };
} {
  const context = error.hint === undefined ? error.context : { ...error.context, hint: error.hint };
  return { error: { code: error.code, message: error.message, context: context ?? null } };
}

/**
 * Prints `thrown` in the shape that `options` select, broken between words on a terminal.
 *
 * @returns Its exit code.
 */
export async function printError(
  terminal: Terminal,
  thrown: unknown,
  options: OutputOptions,
): Promise<number> {
  return printErrorNow(terminal, thrown, options, await messageWrapper(terminal));
}

/** As {@link printError}, at once: for a process that must not do anything more. */
export function printErrorNow(
  terminal: Terminal,
  thrown: unknown,
  options: OutputOptions,
  wrap = wholeMessage,
): number {
  const error = toListingVideoError(thrown);
  if (options.json) {
    (options.isNdjson ? printJsonLine : printJson)(terminal, toErrorDocument(error));
  } else {
    const { err } = terminal.styles;
    const lines = wrap(`${err.red.bold('error:')} `, escapeText(error.message));
    if (error.hint) lines.push(...wrap(`  ${err.dim(hintLabel(error.hint))}`, escapeText(error.hint)));
    for (const line of lines) terminal.log(line);
  }
  if (options.debug) terminal.log(escapeLines(stacksOf(error).join('\ncaused by: ')));
  return error.exitCode;
}

export function stacksOf(error: unknown): string[] {
  const seen = new Set<unknown>();
  let current: unknown = error;
  while (current !== undefined && current !== null && !seen.has(current)) {
    seen.add(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return [...seen].map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part)));
}
