/** What validation found, in lines for people: each violation with its JSON path and, on a terminal, the place itself. */
import type { ChalkInstance } from 'chalk';
import { escapeText } from '../terminal/escape-text.ts';
import type { ListingVerdictOfFile } from './read-listing.ts';

export interface FormatValidationOptions {
  /** Leaves out the line that names the file as valid. */
  readonly isHeadless?: boolean;
}

/**
 * @param style - Colours of the stream the lines go to.
 * @param withFrames - Shows the offending lines of the file with a caret.
 */
export async function formatValidation(
  verdict: Pick<ListingVerdictOfFile, 'file' | 'listing' | 'detail' | 'warnings' | 'text' | 'frame'>,
  style: ChalkInstance,
  withFrames: boolean,
  options: FormatValidationOptions = {},
): Promise<string[]> {
  const lines: string[] = [];
  const file = escapeText(verdict.file);
  if (verdict.listing !== null) {
    if (!options.isHeadless) lines.push(`${style.green('valid')}    ${file}`);
  } else {
    const count = verdict.detail.length;
    lines.push(`${style.red.bold('invalid')}  ${file}: ${count} violation${count === 1 ? '' : 's'}`);
  }
  for (const { loc, msg, type } of verdict.detail) {
    lines.push(`  ${style.bold(formatPath(loc))}: ${escapeText(msg)} ${style.dim(`(${type})`)}`);
    lines.push(...(await frame(verdict, loc, style, withFrames)));
  }
  for (const { loc, message } of verdict.warnings) {
    lines.push(`${style.yellow('warning')}  ${file}: ${style.bold(formatPath(loc))}: ${escapeText(message)}`);
    lines.push(...(await frame(verdict, loc, style, withFrames)));
  }
  return lines;
}

/** `agents[0].video_options.ratio`; the body itself is `(listing)`. Keys that are no plain words are quoted. */
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

async function frame(
  verdict: Pick<ListingVerdictOfFile, 'text' | 'frame'>,
  loc: readonly (string | number)[],
  style: ChalkInstance,
  withFrames: boolean,
): Promise<string[]> {
  if (!withFrames) return [];
  // The frame of text that is not JSON was made, and made harmless, where the fault was found.
  if (verdict.frame !== null) return verdict.frame.split('\n').map((line) => `  ${style.dim(line)}`);
  if (verdict.text === null) return [];
  const [{ codeFrameLines }, { locateInSource }] = await Promise.all([
    import('../../listing/json/code-frame.ts'),
    import('../../listing/json/json-places.ts'),
  ]);
  const place = locateInSource(verdict.text, loc);
  if (place === null) return [];
  return codeFrameLines(verdict.text, place, { contextLines: 1 }).map(({ kind, gutter, text }) => {
    const shown = kind === 'marks' ? style.red.bold(text) : kind === 'context' ? style.dim(text) : text;
    return `  ${style.dim(gutter)}${shown}`;
  });
}
