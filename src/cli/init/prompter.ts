/** Asks questions at the terminal. It knows nothing of the questions themselves. */
import { ListingVideoError } from '../../errors.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { truncate } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { AnswerCheck } from './validate-answer.ts';

/** One of several answers. */
export interface Choice<T> {
  readonly value: T;
  readonly name: string;
  /** Shown below the list while the choice is marked. */
  readonly description?: string;
}

/** The kinds of question. Each rejects with `cancelled` at Ctrl-C. */
export interface Prompter {
  /** The text of an answer that the rule accepts; Enter takes `defaultText`. */
  text(
    message: string,
    defaultText: string,
    rule: (text: string) => AnswerCheck<unknown> | Promise<AnswerCheck<unknown>>,
  ): Promise<string>;
  choice<T>(message: string, choices: readonly Choice<T>[], preset: T): Promise<T>;
  yesNo(message: string, preset: boolean): Promise<boolean>;
  /** Some of `names`, in the order that the person chooses. */
  order(message: string, names: readonly string[], least: number, most: number): Promise<readonly string[]>;
}

/** @param signal - Aborted: the question is removed and rejects. */
export async function createPrompter(terminal: Terminal, signal: AbortSignal): Promise<Prompter> {
  const [{ askForText }, { askForOrder }, { promptTheme }, { confirm, select }] = await Promise.all([
    import('./text-prompt.ts'),
    import('./order-prompt.ts'),
    import('./prompt-theme.ts'),
    import('@inquirer/prompts'),
  ]);
  const theme = promptTheme(terminal.styles.err);
  // Prompts go to stderr: stdout is for the path of the listing.
  const context = { input: terminal.stdin as NodeJS.ReadStream, output: terminal.stderr, signal };
  return {
    text: (message, defaultText, rule) =>
      ask(askForText({ message, defaultText, rule, theme, escape: escapeText }, context)),
    choice: (message, choices, preset) =>
      ask(select({ message, choices: [...choices], default: preset, loop: false, theme }, context)),
    yesNo: (message, preset) => ask(confirm({ message, default: preset, theme }, context)),
    order: (message, names, least, most) => {
      const show = (name: string): string => truncate(escapeText(name), terminal.columns - 8);
      return ask(askForOrder({ message, names, least, most, theme, show }, context));
    },
  };
}

/** Turns the library's errors for Ctrl-C and for an abort into `cancelled`. */
async function ask<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) {
      throw new ListingVideoError('cancelled', 'init was stopped; nothing was written', {
        cause: error,
      });
    }
    throw error;
  }
}
