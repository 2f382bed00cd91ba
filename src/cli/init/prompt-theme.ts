/** The colours of prompts: those of the terminal, none under `NO_COLOR`. */
import type { Theme } from '@inquirer/core';
import type { ChalkInstance } from 'chalk';

/** The parts of the library's theme that colour. */
export type PromptTheme = Pick<Theme, 'prefix' | 'spinner' | 'style'>;

/** Replaces every style of the library's own theme, which ignores the colour rules of the terminal. */
export function promptTheme(style: ChalkInstance): PromptTheme {
  return {
    prefix: { idle: style.blue('?'), done: style.green('✔') },
    spinner: { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] },
    style: {
      answer: (text: string) => style.cyan(text),
      message: (text: string) => style.bold(text),
      error: (text: string) => style.red(`> ${text}`),
      defaultAnswer: (text: string) => style.dim(`(${text})`),
      help: (text: string) => style.dim(text),
      highlight: (text: string) => style.cyan(text),
      key: (text: string) => style.cyan.bold(`<${text}>`),
      // Of the list of choices.
      description: (text: string) => style.dim(text),
      disabled: (text: string) => style.dim(text),
      keysHelpTip: (keys: readonly (readonly [string, string])[]) =>
        style.dim(keys.map(([key, action]) => `${key} ${action}`).join(', ')),
    },
  } as PromptTheme;
}
