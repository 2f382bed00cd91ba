/** What validation found, in lines for people: each violation with its place, which a terminal shows. */
import type { ChalkInstance } from 'chalk';
import type { TextPlace } from '../../listing/json/json-places.ts';
import { hintLabel } from '../cli-error.ts';
import type { Printer } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapBeside } from '../terminal/wrap-text.ts';
import { formatPath } from './format-path.ts';
import {
  fileNameOf,
  isUnreadable,
  type ListingResult,
  type ListingSource,
  positionOf,
  violationsOf,
} from './listing-result.ts';

export interface FormatOptions {
  /** Columns of a terminal, which also gets the offending lines of the file with a caret; null for a pipe. */
  readonly frameColumns: number | null;
  /** Leaves out the line that names the file as valid. */
  readonly isHeadless?: boolean;
  /** Shows the offending lines and no messages. */
  readonly hasOnlyFrame?: boolean;
}

/** Logs on stderr what was found in a listing; nothing for a valid one without warnings. */
export async function logValidation(
  terminal: Terminal,
  result: ListingResult,
  hasOnlyFrame = false,
): Promise<void> {
  const frameColumns = terminal.stderrIsTty ? terminal.columns : null;
  const options = { frameColumns, isHeadless: true, hasOnlyFrame };
  const lines = await formatValidation(result, terminal.styles.err, options);
  for (const line of lines) terminal.log(line);
}

/** Logs the violations of invalid listings and the warnings of all. With --json the document holds the violations. */
export async function logFindings(
  { terminal, output: { json, quiet } }: Printer,
  { listings, isBatch }: { readonly listings: readonly ListingResult[]; readonly isBatch: boolean },
): Promise<void> {
  for (const result of listings) {
    const isShown = result.kind === 'invalid' ? !json : !quiet && result.source.warnings.length > 0;
    // The error that ends the command says what is wrong.
    const hasOnlyFrame = !isBatch && result.kind === 'invalid' && isUnreadable(result);
    if (isShown) await logValidation(terminal, result, hasOnlyFrame);
  }
}

/** @param style - Colors of the stream the lines go to. */
export async function formatValidation(
  result: ListingResult,
  style: ChalkInstance,
  { frameColumns, isHeadless = false, hasOnlyFrame = false }: FormatOptions,
): Promise<string[]> {
  const lines: string[] = [];
  const { source } = result;
  const file = escapeText(source.file);
  const violations = violationsOf(result);
  const width = frameColumns ?? Number.POSITIVE_INFINITY;
  const formatFrame = await frameFormatter(source, frameColumns, style);
  if (hasOnlyFrame) return violations.flatMap(({ place }) => formatFrame(place));
  if (result.kind === 'invalid' || result.kind === 'rejected') {
    const count = violations.length;
    lines.push(`${style.red.bold('invalid')}  ${file}: ${count} violation${count === 1 ? '' : 's'}`);
  } else if (!isHeadless) lines.push(`${style.green('valid')}    ${file}`);
  for (const { loc, message, place, ctx } of violations) {
    const at = placeName(source, place);
    const text = `${at === '' ? '' : `${style.dim(at)}  `}${pathWords(loc, style)}${escapeText(message)}`;
    lines.push(...wrapBeside('  ', text, width, 4));
    if (typeof ctx?.hint === 'string')
      lines.push(...wrapBeside(`    ${style.dim(hintLabel(ctx.hint))}`, escapeText(ctx.hint), width));
    lines.push(...formatFrame(place));
  }
  for (const { loc, message, place } of source.warnings) {
    const at = placeName(source, place) || file;
    const text = `${style.dim(at)}  ${pathWords(loc, style)}${escapeText(message)}`;
    lines.push(...wrapBeside(`${style.yellow('warning')}  `, text, width));
    lines.push(...formatFrame(place));
  }
  return lines;
}

/** `new.ndjson:3:15`, as editors and terminals open it; empty where there is no place. */
function placeName(source: ListingSource, place: TextPlace | null): string {
  const { line, column } = positionOf(source, place);
  if (line === null) return '';
  return `${escapeText(fileNameOf(source))}:${line}${column === null ? '' : `:${column}`}`;
}

/** `bedrooms: `; nothing for the listing itself. */
function pathWords(loc: readonly (string | number)[], style: ChalkInstance): string {
  return loc.length <= 1 ? '' : `${style.bold(formatPath(loc))}: `;
}

const INDENT = '  ';

async function frameFormatter(
  { text, firstLine }: ListingSource,
  columns: number | null,
  style: ChalkInstance,
): Promise<(place: TextPlace | null) => string[]> {
  if (columns === null || text === null) return () => [];
  const { codeFrameLines } = await import('../../listing/json/code-frame.ts');
  return (place) => {
    if (place === null) return [];
    const options = { contextLines: 1, firstLine, totalColumns: columns - INDENT.length };
    return codeFrameLines(text, place, options).map(({ kind, gutter, text: line }) => {
      const shown = kind === 'marks' ? style.red.bold(line) : kind === 'context' ? style.dim(line) : line;
      return `${INDENT}${style.dim(gutter)}${shown}`;
    });
  };
}
