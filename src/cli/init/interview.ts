/**
 * An interview: questions in an order that the answers decide. Straight-line code asks them; going back runs that code again
 * with the answers so far, without the last one. Saved answers of an earlier interview are taken the same way.
 */
import { usageError } from '../cli-error.ts';
import { keptPhotos, type PhotoOrder } from './order-command.ts';
import { type Choice, type OrderAsked, type Prompter, WentBack } from './prompter.ts';
import type { AnswerCheck } from './validate-answer.ts';

/** Validates a text; may look at files. */
export type TextRule<T> = (text: string) => AnswerCheck<T> | Promise<AnswerCheck<T>>;

/** A question with its option. */
export interface TextQuestion<T> {
  /** Identifies the answer; differs between questions of one interview. */
  readonly key: string;
  /** The option that answers it, such as `--street`. */
  readonly flag: string;
  /** The text of the option; undefined: not given. */
  readonly given: string | undefined;
  readonly message: string;
  readonly rule: TextRule<T>;
  /** Taken by Enter, and without a prompter. */
  readonly preset?: string;
}

/** What a person typed or chose. */
export type SavedAnswer = string | boolean | SavedOrder;
/** Names of files: they mean the same when the folder has got more files since. */
export interface SavedOrder {
  readonly sequence: readonly string[];
  readonly left: readonly string[];
}
/** Answers by the key of their question, in the order in which they were given. */
export type SavedAnswers = ReadonlyMap<string, SavedAnswer>;

/** Asks questions; a question whose answer is known is not asked again. */
export interface Interview {
  /** False without a prompter: every question takes its option or its preset. */
  readonly isAsking: boolean;
  /** True when the question of this key will be put to the person. */
  willAsk(key: string): boolean;
  /** @throws ListingVideoError `usage` when the option, or the preset of a silent interview, is invalid. */
  text<T>(question: TextQuestion<T>): Promise<T>;
  /** Only while asking. */
  choice<T extends string>(
    key: string,
    message: string,
    choices: readonly Choice<T>[],
    preset: T,
  ): Promise<T>;
  yesNo(key: string, message: string, preset: boolean): Promise<boolean>;
  order(key: string, question: OrderAsked): Promise<PhotoOrder>;
}

export interface InterviewOptions {
  readonly prompter: Prompter | null;
  /** Answers of an earlier interview. */
  readonly saved: SavedAnswers;
  /** Called with all answers after each new one. */
  readonly onAnswer: (answers: SavedAnswers) => Promise<void>;
  /** Shows an answer, once. */
  readonly show: (message: string, answer: string) => void;
  /** Removes the line that was shown last. */
  readonly unshow: () => void;
}

/**
 * Runs `gather` until it has no more questions.
 *
 * @param gather - Asks through the interview and has no other effects; runs again each time the person goes back.
 */
export async function conductInterview<T>(
  options: InterviewOptions,
  gather: (ask: Interview) => Promise<T>,
): Promise<T> {
  const state: InterviewState = { answers: new Map(options.saved), earlier: new Map(), shown: [], asked: [] };
  for (;;) {
    state.asked = [];
    try {
      return await gather(openInterview(options, state));
    } catch (error) {
      if (!(error instanceof WentBack)) throw error;
      const last = state.asked.at(-1);
      if (last === undefined) continue;
      state.earlier.set(last, state.answers.get(last)!);
      state.answers.delete(last);
      if (state.shown.at(-1) === last) options.unshow();
      state.shown = state.shown.filter((key) => key !== last);
    }
  }
}

interface InterviewState {
  readonly answers: Map<string, SavedAnswer>;
  /** Answers that were taken back: what Enter takes when their question comes again. */
  readonly earlier: Map<string, SavedAnswer>;
  /** Keys whose answers are on the screen, from the top. */
  shown: string[];
  /** Keys that this run of `gather` has answers for. */
  asked: string[];
}

function openInterview(options: InterviewOptions, state: InterviewState): Interview {
  const { prompter } = options;
  const { answers, earlier } = state;

  /** @param accept - What a known answer stands for; null when it is no longer valid. */
  async function take<S extends SavedAnswer, T>(
    key: string,
    message: string,
    accept: (answer: SavedAnswer) => Taken<T> | null | Promise<Taken<T> | null>,
    prompt: (prompter: Prompter) => Promise<S>,
  ): Promise<T> {
    const known = answers.get(key);
    let taken = known === undefined ? null : await accept(known);
    if (taken === null) {
      const answer = await prompt(prompter!);
      taken = await accept(answer);
      if (taken === null) throw new Error(`The answer to ${key} was not accepted.`);
      answers.delete(key);
      answers.set(key, answer);
      await options.onAnswer(answers);
    }
    state.asked.push(key);
    if (!state.shown.includes(key)) {
      state.shown.push(key);
      options.show(message, taken.text);
    }
    return taken.value;
  }

  return {
    isAsking: prompter !== null,
    willAsk: (key) => prompter !== null && !answers.has(key),
    async text({ key, flag, given, message, rule, preset = '' }) {
      if (given !== undefined || prompter === null) {
        const checked = await rule(given ?? preset);
        if (checked.ok) return checked.value;
        throw usageError(`${flag}: ${checked.fault}`, `${flag} "…", or listing-video init in a terminal`);
      }
      const before = earlier.get(key);
      const isOptional = (await rule('')).ok;
      return take(
        key,
        message,
        async (answer) => {
          if (typeof answer !== 'string') return null;
          const checked = await rule(answer);
          if (!checked.ok) return null;
          return { value: checked.value, text: typeof checked.value === 'string' ? checked.value : answer };
        },
        ({ text }) =>
          text({ message, defaultText: typeof before === 'string' ? before : preset, isOptional, rule }),
      );
    },
    choice: (key, message, choices, preset) => {
      const before = choices.find(({ value }) => value === earlier.get(key))?.value;
      return take(
        key,
        message,
        (answer) => {
          const chosen = choices.find(({ value }) => value === answer);
          return chosen === undefined ? null : { value: chosen.value, text: chosen.name };
        },
        ({ choice }) => choice(message, choices, before ?? preset),
      );
    },
    yesNo: (key, message, preset) => {
      const before = earlier.get(key);
      return take(
        key,
        message,
        (answer) => (typeof answer === 'boolean' ? { value: answer, text: answer ? 'Yes' : 'No' } : null),
        ({ yesNo }) => yesNo(message, typeof before === 'boolean' ? before : preset),
      );
    },
    order: (key, question) => {
      const { names, message } = question;
      const before = toOrder(earlier.get(key), names);
      return take(
        key,
        message,
        (answer) => {
          const order = toOrder(answer, names);
          return order === null ? null : { value: order, text: describeOrder(order, names) };
        },
        async ({ order }) => toSaved(await order({ ...question, order: before ?? question.order }), names),
      );
    },
  };
}

/** An accepted answer: its value, and how it reads. */
interface Taken<T> {
  readonly value: T;
  readonly text: string;
}

function toSaved({ sequence, left }: PhotoOrder, names: readonly string[]): SavedOrder {
  const toName = (photo: number): string => names[photo - 1]!;
  return { sequence: sequence.map(toName), left: [...left].map(toName) };
}

/** Null unless it orders exactly these names. */
function toOrder(answer: SavedAnswer | undefined, names: readonly string[]): PhotoOrder | null {
  if (typeof answer !== 'object') return null;
  const toPhotos = (of: readonly string[]): number[] => of.map((name) => names.indexOf(name) + 1);
  const sequence = toPhotos(answer.sequence);
  const left = new Set(toPhotos(answer.left));
  const isWhole = sequence.length === names.length && new Set(sequence).size === names.length;
  return isWhole && !sequence.includes(0) && !left.has(0) ? { sequence, left } : null;
}

function describeOrder(order: PhotoOrder, names: readonly string[]): string {
  const kept = keptPhotos(order);
  return `${kept.length}, ${names[kept[0]! - 1]} first`;
}
