/** Asks questions in a terminal. An answer that an option or an unfinished `init` gave is not asked for again. */
import { ListingVideoError } from '../../platform/errors.ts';
import { usageError } from '../cli-error.ts';
import { escapeText } from '../terminal/escape-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { AnswerCheck } from './validate-answer.ts';

export interface TextQuestion<T> {
  /** Differs between the questions of one interview. */
  readonly key: string;
  /** The option that answers it, such as `--street`. */
  readonly flag: string;
  /** The text of the option; undefined: not given. */
  readonly given: string | undefined;
  readonly message: string;
  readonly rule: (text: string) => AnswerCheck<T> | Promise<AnswerCheck<T>>;
  /** Taken by Enter, and by a silent interview. */
  readonly preset?: string;
}

export interface Interview {
  /** False in a silent interview: every question takes its option or its preset. */
  readonly isAsking: boolean;
  /** @throws ListingVideoError `usage` for an invalid option or preset; `cancelled` at Ctrl-C. */
  text<T>(question: TextQuestion<T>): Promise<T>;
  /** Only while asking. */
  yesNo(key: string, message: string, preset: boolean): Promise<boolean>;
}

/** Answers by the key of their question: texts, and `yes` or `no`. */
export type SavedAnswers = Readonly<Record<string, string>>;

/**
 * @param prompter - Null: a silent interview.
 * @param onAnswer - Called with all answers after each new one.
 */
export function openInterview(
  prompter: Prompter | null,
  saved: SavedAnswers,
  onAnswer: (answers: SavedAnswers) => Promise<void>,
): Interview {
  const answers: Record<string, string> = {};
  const keep = async (key: string, answer: string): Promise<void> => {
    answers[key] = answer;
    await onAnswer(answers);
  };
  return {
    isAsking: prompter !== null,
    text: async ({ key, flag, given, message, rule, preset = '' }) => {
      if (given !== undefined || prompter === null) {
        const checked = await rule(given ?? preset);
        if (checked.ok) return checked.value;
        throw usageError(`${flag}: ${checked.fault}`, `${flag} "…", or listing-video init in a terminal`);
      }
      const known = saved[key];
      const kept = known === undefined ? null : await rule(known);
      if (kept?.ok) {
        await keep(key, known!);
        return kept.value;
      }
      const answer = await prompter.text(message, preset, rule);
      const checked = await rule(answer);
      if (!checked.ok) throw new Error(`The answer to ${key} was not accepted.`);
      await keep(key, answer);
      return checked.value;
    },
    yesNo: async (key, message, preset) => {
      const known = saved[key];
      const isYes = known === undefined ? await prompter!.yesNo(message, preset) : known === 'yes';
      await keep(key, isYes ? 'yes' : 'no');
      return isYes;
    },
  };
}

/** Messages can contain names of files. Both reject with `cancelled` at Ctrl-C. */
export interface Prompter {
  /** Asks until the rule accepts the text. */
  text(message: string, preset: string, rule: TextQuestion<unknown>['rule']): Promise<string>;
  yesNo(message: string, preset: boolean): Promise<boolean>;
}

/** @param signal - Aborted: the question is removed and rejects. */
export async function createPrompter(terminal: Terminal, signal: AbortSignal): Promise<Prompter> {
  const { confirm, input } = await import('@inquirer/prompts');
  const style = terminal.styles.err;
  // The styles of the library ignore the color rules of the terminal.
  const theme = {
    prefix: { idle: style.blue('?'), done: style.green('✔') },
    style: {
      answer: (text: string) => style.cyan(text),
      message: (text: string) => style.bold(text),
      error: (text: string) => style.red(`> ${text}`),
      defaultAnswer: (text: string) => style.dim(`(${text})`),
    },
  };
  // Prompts go to stderr: stdout is for the path of the listing.
  const context = { input: terminal.stdin as NodeJS.ReadStream, output: terminal.stderr, signal };
  const cancel = (error: unknown): never => {
    if (!(error instanceof Error) || !/^(Exit|Abort)PromptError$/.test(error.name)) throw error;
    throw new ListingVideoError('cancelled', 'init was stopped; nothing was written', { cause: error });
  };
  return {
    text: async (message, preset, rule) => {
      const isOptional = preset === '' && (await rule('')).ok;
      const validate = async (text: string): Promise<true | string> => {
        const checked = await rule(text);
        return checked.ok || escapeText(checked.fault);
      };
      return input(
        {
          message: escapeText(isOptional ? `${message} (optional)` : message),
          theme,
          validate,
          ...(preset === '' ? {} : { default: preset }),
        },
        context,
      ).catch(cancel);
    },
    yesNo: (message, preset) =>
      confirm({ message: escapeText(message), default: preset, theme }, context).catch(cancel),
  };
}
