/** Questions in a terminal: texts, yes or no, choices. They look like the rest of the program's output. */
import { ListingVideoError } from '../../platform/errors.ts';
import { escapeText } from './escape-text.ts';
import { truncate } from './table.ts';
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

/** Thrown at Esc by questions that allow it. */
export class GoBack extends Error {}

/** Of a list: its question, a blank line and the keys, and a question of two lines. */
const ROWS_AROUND = 5;
const MIN_ROWS = 5;
const USUAL_ROWS = 24;
/** Cursor and box before a choice. */
const MARKS_WIDTH = 4;

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
 * @param canGoBack - Esc removes a question, which rejects with {@link GoBack}.
 */
export async function createPrompter(
  terminal: Terminal,
  signal: AbortSignal,
  stopped: string,
  canGoBack = false,
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
      keysHelpTip: (keys: Keys, more: string | null = null) => {
        const words = keys.map((each) => each.join(' '));
        return style.dim((more === null ? words : [more, ...words.slice(1)]).join(', '));
      },
    },
  };
  const { stdin, stderr } = terminal;
  const ask = async <T>(prompt: (context: PromptContext) => Promise<T>): Promise<T> => {
    const escaped = new AbortController();
    const onKey = (_: unknown, key?: { readonly name?: string }): void => {
      if (key?.name === 'escape') escaped.abort();
    };
    if (canGoBack) stdin.on('keypress', onKey);
    const context: PromptContext = {
      input: stdin as NodeJS.ReadStream,
      // Prompts go to stderr: stdout is for results.
      output: stderr,
      signal: AbortSignal.any([signal, escaped.signal]),
      // Read when the prompt ends.
      get clearPromptOnDone() {
        return escaped.signal.aborted;
      },
    };
    try {
      return await prompt(context);
    } catch (error) {
      if (!(error instanceof Error) || !/^(Exit|Abort)PromptError$/.test(error.name)) throw error;
      if (escaped.signal.aborted && !signal.aborted) throw new GoBack();
      throw new ListingVideoError('cancelled', stopped, { cause: error });
    } finally {
      stdin.off('keypress', onKey);
    }
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
      return ask((context) => input({ message: asked, theme, validate, ...known }, context));
    },
    yesNo: (message, preset) =>
      ask((context) => confirm({ message: escapeText(message), default: preset, theme }, context)),
    choose: async ({ message, choices, preset, isMany = false }) => {
      const shown = choices.map(({ value, name }) => ({
        value,
        name: truncate(escapeText(name), terminal.columns - MARKS_WIDTH),
        checked: preset.includes(value),
      }));
      const pageSize = Math.max(MIN_ROWS, (stderr.rows ?? USUAL_ROWS) - ROWS_AROUND);
      const hidden = shown.length > pageSize ? `${pageSize} of ${shown.length}, more with ↑↓` : null;
      const style = {
        ...theme.style,
        keysHelpTip: (keys: Keys) => theme.style.keysHelpTip(keys, hidden),
      };
      const question = {
        message: escapeText(message),
        choices: shown,
        theme: { ...theme, style },
        pageSize,
        loop: false,
      };
      if (!isMany) return [await ask((context) => select({ ...question, default: preset[0]! }, context))];
      const shortcuts = { all: null, invert: null };
      return ask((context) => checkbox({ ...question, shortcuts }, context));
    },
  };
}

interface PromptContext {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  readonly clearPromptOnDone: boolean;
}

type Keys = [key: string, action: string][];
