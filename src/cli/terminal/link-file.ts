/** Makes file names clickable in terminals that support links (OSC 8). */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Terminal } from './terminal.ts';

/** The text as a link to `file`, if links are supported and `file` is absolute; else the text. */
export type LinkFile = (text: string, file: string) => string;

/** @returns The function for stdout; without link support it returns the text. */
export async function fileLinker(terminal: Terminal): Promise<LinkFile> {
  if (!(await terminal.abilities.canLink())) return (text) => text;
  const { link } = await import('ansi-escapes');
  return (text, file) => (path.isAbsolute(file) ? link(text, pathToFileURL(file).href) : text);
}
