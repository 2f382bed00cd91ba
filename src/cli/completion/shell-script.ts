/**
 * The completion scripts, `listing-video.<shell>` beside this file. Each hands the words up to the cursor to
 * `listing-video __complete` as they are (never through `eval`: what is typed is not to be run by pressing Tab) and shows
 * what comes back: a line per word, `word<TAB>about`, then `:files`, `:folders` or `:none`.
 */
import { readFile } from 'node:fs/promises';

/** The shells there are scripts for. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** The script, and in its first lines how it is loaded. */
export function readShellScript(shell: Shell): Promise<string> {
  return readFile(new URL(`./listing-video.${shell}`, import.meta.url), 'utf8');
}
