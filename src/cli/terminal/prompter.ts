/** Questions in a terminal: texts, yes or no, choices. They look like the rest of the program's output. */
import { ListingVideoError } from '../../platform/errors.ts';
import { escapeText } from './escape-text.ts';
import type { Terminal } from './terminal.ts';

export interface Choice {
  readonly value: string;
  readonly name: string;
}

export interface Choices {
  readonly message: string;
  readonly choices: readonly Choice[];
  /** Values that are chosen at first. */
  readonly preset: readonly string[];
  /** Any number of choices, also none; else one. */
  readonly isMany?: boolean;
}

/** Messages and choices can contain names of files. All reject with `cancelled` at Ctrl-C. */
export interface Prompter {
  /**
   * Asks until a text has no fault.
   *
   * @param preset - Taken by Enter.
   */
  text(message: string, preset: string, faultOf: (text: string) => Promise<string | null>): Promise<string>;
  yesNo(message: string, preset: boolean): Promise<boolean>;
  /** @returns Values, in the order of the choices. */
  choose(choices: Choices): Promise<readonly string[]>;
}

/**
 * @param signal - Aborted: the question is removed and rejects.
 * @param stopped - The message of `cancelled`.
 */
export async function createPrompter(
  terminal: Terminal,
  signal: AbortSignal,
  stopped: string,
): Promise<Prompter> {
  const { checkbox, confirm, input, select } = await import('@inquirer/prompts');
  const style = terminal.styles.err;
  // The styles of the library ignore the color rules of the terminal.
  const theme = {
    prefix: { idle: style.blue('?'), done: style.green('✔') },
    icon: { checked: style.green('◉'), unchecked: '◯', cursor: '❯' },
    style: {
      answer: (text: string) => style.cyan(text),
      message: (text: string) => style.bold(text),
      error: (text: string) => style.red(`> ${text}`),
      defaultAnswer: (text: string) => style.dim(`(${text})`),
      renderSelectedChoices: (chosen: readonly { readonly short: string }[]) =>
        chosen.map(({ short }) => short).join(', ') || 'none',
      highlight: (text: string) => style.cyan(text),
      keysHelpTip: (keys: [key: string, action: string][]) =>
        style.dim(keys.map((words) => words.join(' ')).join(', ')),
    },
  };
  // Prompts go to stderr: stdout is for results.
  const context = { input: terminal.stdin as NodeJS.ReadStream, output: terminal.stderr, signal };
  const cancel = (error: unknown): never => {
    if (!(error instanceof Error) || !/^(Exit|Abort)PromptError$/.test(error.name)) throw error;
    throw new ListingVideoError('cancelled', stopped, { cause: error });
  };
  return {
    text: async (message, preset, faultOf) => {
      const isOptional = preset === '' && (await faultOf('')) === null;
      const validate = async (text: string): Promise<true | string> => {
        const fault = await faultOf(text);
        return fault === null || escapeText(fault);
      };
      const asked = escapeText(isOptional ? `${message} (optional)` : message);
      const known = preset === '' ? {} : { default: preset };
      return input({ message: asked, theme, validate, ...known }, context).catch(cancel);
    },
    yesNo: (message, preset) =>
      confirm({ message: escapeText(message), default: preset, theme }, context).catch(cancel),
    choose: async ({ message, choices, preset, isMany = false }) => {
      const shown = choices.map(({ value, name }) => ({
        value,
        name: escapeText(name),
        checked: preset.includes(value),
      }));
      const question = { message: escapeText(message), choices: shown, theme, pageSize: 10, loop: false };
      if (!isMany) return [await select({ ...question, default: preset[0]! }, context).catch(cancel)];
      return checkbox({ ...question, shortcuts: { all: null, invert: null } }, context).catch(cancel);
    },
  };
}
