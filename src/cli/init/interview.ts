/** Asks questions in a terminal. An answer that an option or an unfinished `init` gave is not asked for again. */
import { usageError } from '../cli-error.ts';
import type { Choices, Prompter } from '../terminal/prompter.ts';
import type { AnswerCheck } from './validate-answer.ts';

export interface TextQuestion<T> {
  /** Differs between the questions of one interview. */
  readonly key: string;
  /** The option that answers it, such as `--street`. */
  readonly flag: string;
  /** The text of the option; undefined: not given. */
  readonly given?: string | undefined;
  readonly message: string;
  readonly rule: (text: string) => AnswerCheck<T> | Promise<AnswerCheck<T>>;
  /** Taken by Enter, and by a silent interview. */
  readonly preset?: string;
}

/** A question that was asked now or earlier, and its answer in words. */
export interface Answered {
  readonly key: string;
  readonly message: string;
  readonly answer: string;
}

export interface Interview {
  /** False in a silent interview: every question takes its option or its preset. */
  readonly isAsking: boolean;
  /** Without those that options answer, in their order. */
  readonly answered: readonly Answered[];
  /** Whether an unfinished `init` has the answer. */
  isAnswered(key: string): boolean;
  /** @throws ListingVideoError `usage` for an invalid option or preset; `cancelled` at Ctrl-C; as the prompter. */
  text<T>(question: TextQuestion<T>): Promise<T>;
  /** Only while asking, as `choose`. */
  yesNo(key: string, message: string, preset: boolean): Promise<boolean>;
  choose(key: string, choices: Choices): Promise<readonly string[]>;
}

/** Answers by the key of their question: texts, `yes` or `no`, the chosen values, each on a line. */
export type SavedAnswers = Readonly<Record<string, string>>;

/**
 * @param prompter - Null: a silent interview.
 * @param onAnswer - Called with all answers after each new one.
 * @param again - Keys of questions that are asked although they have an answer, which Enter keeps. An answer removes
 *   its key.
 */
export function openInterview(
  prompter: Prompter | null,
  saved: SavedAnswers,
  onAnswer: (answers: SavedAnswers) => Promise<void>,
  again: Set<string> = new Set(),
): Interview {
  const answers: Record<string, string> = {};
  const answered: Answered[] = [];
  const keep = async (key: string, answer: string, message: string, words: string): Promise<void> => {
    answers[key] = answer;
    answered.push({ key, message, answer: words === '' ? 'none' : words });
    again.delete(key);
    await onAnswer(answers);
  };
  return {
    isAsking: prompter !== null,
    answered,
    isAnswered: (key) => saved[key] !== undefined,
    text: async ({ key, flag, given, message, rule, preset = '' }) => {
      if (given !== undefined || prompter === null) {
        const checked = await rule(given ?? preset);
        if (checked.ok) return checked.value;
        throw usageError(`${flag}: ${checked.fault}`, `${flag} "…", or listing-video init in a terminal`);
      }
      const faultOf = async (text: string): Promise<string | null> => {
        const checked = await rule(text);
        return checked.ok ? null : checked.fault;
      };
      const known = saved[key];
      const isKnown = known !== undefined && (await faultOf(known)) === null;
      const isAsked = !isKnown || again.has(key);
      const typed = isAsked ? await prompter.text(message, isKnown ? known : preset, faultOf) : known;
      const { meant } = { meant: null, ...(await rule(typed)) };
      const isMeant =
        isAsked && meant !== null && (await prompter.yesNo(`Did you mean ${meant.words}?`, true));
      const answer = isMeant ? meant.text : typed;
      const checked = await rule(answer);
      if (!checked.ok) throw new Error(`The answer to ${key} was not accepted.`);
      await keep(key, answer, message, answer.trim());
      return checked.value;
    },
    yesNo: async (key, message, preset) => {
      const known = saved[key] === undefined ? null : saved[key] === 'yes';
      const isYes =
        known === null || again.has(key) ? await prompter!.yesNo(message, known ?? preset) : known;
      await keep(key, isYes ? 'yes' : 'no', message, isYes ? 'Yes' : 'No');
      return isYes;
    },
    choose: async (key, choices) => {
      const known = saved[key]?.split('\n').filter((value) => value !== '');
      const isKnown = known?.every((each) => choices.choices.some(({ value }) => value === each)) === true;
      const chosen =
        isKnown && !again.has(key)
          ? known!
          : await prompter!.choose(isKnown ? { ...choices, preset: known! } : choices);
      const names = choices.choices.filter(({ value }) => chosen.includes(value)).map(({ name }) => name);
      await keep(key, chosen.join('\n'), choices.message, names.join(', '));
      return chosen;
    },
  };
}
