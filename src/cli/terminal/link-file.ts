/** Names of files that can be clicked, where the terminal can (OSC 8). */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Terminal } from './terminal.ts';

/** The text, as a link to `file` where there are links and `file` is an absolute path. */
export type LinkFile = (text: string, file: string) => string;

/** @returns The linker for stdout; one that changes nothing where links would be noise. */
export async function fileLinker(terminal: Terminal): Promise<LinkFile> {
  if (!(await terminal.abilities.canLink())) return (text) => text;
  const { link } = await import('ansi-escapes');
  return (text, file) => (path.isAbsolute(file) ? link(text, pathToFileURL(file).href) : text);
}
