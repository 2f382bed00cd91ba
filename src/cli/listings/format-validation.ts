/** What validation found, in lines for people: each violation with its JSON path and, on a terminal, the place itself. */
import type { ChalkInstance } from 'chalk';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { detailOf, type ListingResult, type ListingSource } from './listing-result.ts';

/** Logs on stderr what was found in a listing; nothing for a valid one without warnings. */
export async function logValidation({ terminal }: CommandRun, result: ListingResult): Promise<void> {
  const lines = await formatValidation(result, terminal.styles.err, terminal.stderrIsTty, true);
  for (const line of lines) terminal.log(line);
}

/**
 * @param style - Colours of the stream the lines go to.
 * @param withFrames - Shows the offending lines of the file with a caret.
 * @param isHeadless - Leaves out the line that names the file as valid.
 */
export async function formatValidation(
  result: ListingResult,
  style: ChalkInstance,
  withFrames: boolean,
  isHeadless = false,
): Promise<string[]> {
  const lines: string[] = [];
  const { source } = result;
  const file = escapeText(source.file);
  const detail = detailOf(result);
  if (result.kind === 'invalid' || result.kind === 'rejected') {
    const count = detail.length;
    lines.push(`${style.red.bold('invalid')}  ${file}: ${count} violation${count === 1 ? '' : 's'}`);
  } else if (!isHeadless) lines.push(`${style.green('valid')}    ${file}`);
  const add = async (line: string, loc: readonly (string | number)[]): Promise<void> => {
    lines.push(line, ...(withFrames ? await formatFrame(source, loc, style) : []));
  };
  for (const { loc, msg, type } of detail)
    await add(`  ${style.bold(formatPath(loc))}: ${escapeText(msg)} ${style.dim(`(${type})`)}`, loc);
  for (const { loc, message } of source.warnings)
    await add(
      `${style.yellow('warning')}  ${file}: ${style.bold(formatPath(loc))}: ${escapeText(message)}`,
      loc,
    );
  return lines;
}

/** `agents[0].video_options.ratio`; the body itself is `(listing)`. Keys that are not plain words are quoted. */
export function formatPath(loc: readonly (string | number)[]): string {
  const steps = loc[0] === 'body' ? loc.slice(1) : loc;
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) path += path === '' ? step : `.${step}`;
    else path += `[${escapeText(JSON.stringify(step))}]`;
  }
  return path === '' ? '(listing)' : path;
}

async function formatFrame(
  { text, frame, firstLine }: ListingSource,
  loc: readonly (string | number)[],
  style: ChalkInstance,
): Promise<string[]> {
  // The frame of text that is not JSON was made, and escaped, where the fault was found.
  if (frame !== null) return frame.split('\n').map((line) => `  ${style.dim(line)}`);
  if (text === null) return [];
  const [{ codeFrameLines }, { locateInSource }] = await Promise.all([
    import('../../listing/json/code-frame.ts'),
    import('../../listing/json/json-places.ts'),
  ]);
  const place = locateInSource(text, loc);
  if (place === null) return [];
  return codeFrameLines(text, place, { contextLines: 1, firstLine }).map(({ kind, gutter, text: line }) => {
    const shown = kind === 'marks' ? style.red.bold(line) : kind === 'context' ? style.dim(line) : line;
    return `  ${style.dim(gutter)}${shown}`;
  });
}
