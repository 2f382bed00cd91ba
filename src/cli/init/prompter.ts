/** Asks questions at the terminal. It knows nothing of the questions themselves. */
import { ListingVideoError } from '../../platform/errors.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { truncate } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { PhotoOrder } from './order-command.ts';
import type { AnswerCheck } from './validate-answer.ts';

/** One of several answers. */
export interface Choice<T> {
  readonly value: T;
  readonly name: string;
  /** Shown below the list while the choice is marked. */
  readonly description?: string;
}

/** A question that a line of text answers. */
export interface TextAsked {
  readonly message: string;
  /** Taken by Enter. */
  readonly defaultText: string;
  /** No answer is an answer too. */
  readonly isOptional: boolean;
  readonly rule: (text: string) => AnswerCheck<unknown> | Promise<AnswerCheck<unknown>>;
}

/** The order of some files. */
export interface OrderAsked {
  readonly message: string;
  readonly names: readonly string[];
  readonly order: PhotoOrder;
  readonly least: number;
  readonly most: number;
}

/**
 * The kinds of question. Messages can contain names of files. Each rejects with `cancelled` at Ctrl-C, and with
 * {@link WentBack} when the person goes back. An answered question leaves nothing on the screen: the caller prints the
 * answer.
 */
export interface Prompter {
  /** The text of an answer that the rule accepts. */
  text(question: TextAsked): Promise<string>;
  choice<T>(message: string, choices: readonly Choice<T>[], preset: T): Promise<T>;
  yesNo(message: string, preset: boolean): Promise<boolean>;
  order(question: OrderAsked): Promise<PhotoOrder>;
}

/** The person pressed Esc or typed `<`: the question before this one is wanted. */
export class WentBack extends Error {
  override readonly name = 'WentBack';
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
  const input = terminal.stdin as NodeJS.ReadStream;

  /** @param isTyped - The question has a line in which `<` can be typed; in others the key itself goes back. */
  const ask = async <T>(
    isTyped: boolean,
    start: (context: PromptContext, goBack: () => void) => Promise<T>,
  ): Promise<T> => {
    const back = new AbortController();
    const goBack = (): void => back.abort();
    const onKey = (text: string | undefined, key: { name?: string } | undefined): void => {
      if (key?.name === 'escape' || (!isTyped && text === '<')) goBack();
    };
    input.on('keypress', onKey);
    try {
      // Prompts go to stderr: stdout is for the path of the listing.
      const context = { input, output: terminal.stderr, clearPromptOnDone: true };
      return await start({ ...context, signal: AbortSignal.any([signal, back.signal]) }, goBack);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error.name === 'AbortPromptError' && back.signal.aborted && !signal.aborted) throw new WentBack();
      if (!['ExitPromptError', 'AbortPromptError'].includes(error.name)) throw error;
      throw new ListingVideoError('cancelled', 'init was stopped; nothing was written', { cause: error });
    } finally {
      input.off('keypress', onKey);
    }
  };

  return {
    text: (question) =>
      ask(true, (context, onBack) =>
        askForText(
          { ...question, message: escapeText(question.message), theme, escape: escapeText, onBack },
          context,
        ),
      ),
    choice: (message, choices, preset) =>
      ask(false, (context) =>
        select({ message, choices: [...choices], default: preset, loop: false, theme }, context),
      ),
    yesNo: (message, preset) =>
      ask(false, (context) => confirm({ message: escapeText(message), default: preset, theme }, context)),
    order: (question) => {
      const show = (name: string): string => truncate(escapeText(name), terminal.columns - 8);
      return ask(true, (context, onBack) => askForOrder({ ...question, theme, show, onBack }, context));
    },
  };
}

/** A question that none comes before: going back asks it again. */
export async function askFirstYesNo(prompter: Prompter, message: string, preset: boolean): Promise<boolean> {
  for (;;) {
    try {
      return await prompter.yesNo(message, preset);
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
    }
  }
}

interface PromptContext {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly clearPromptOnDone: boolean;
  readonly signal: AbortSignal;
}
