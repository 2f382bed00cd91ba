/** The terminal as `--no-color` and `--no-input` leave it. */
import type { Terminal } from './terminal.ts';

/**
 * The same terminal, without colors for `--no-color` and without prompts for `--no-input`.
 *
 * @param words - The words of the command line that can be options. They are read before the command line is parsed, so
 *   that a usage error has no colors either.
 */
export async function restrictTerminal(terminal: Terminal, words: readonly string[]): Promise<Terminal> {
  const hasColor = !words.includes('--no-color');
  const canPrompt = terminal.canPrompt && !words.includes('--no-input');
  if (hasColor && canPrompt === terminal.canPrompt) return terminal;
  const { Chalk } = await import('chalk');
  const plain = new Chalk({ level: 0 });
  // Derived, because the width is read again at each use.
  return Object.create(terminal, {
    canPrompt: { value: canPrompt },
    ...(hasColor ? {} : { styles: { value: { out: plain, err: plain } } }),
  });
}
