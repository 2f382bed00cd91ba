/** Shows all answers of `init` before they are used: each can be changed, and Esc goes back one question. */
import { GoBack, type Prompter } from '../terminal/prompter.ts';
import { truncate } from '../terminal/table.ts';
import { type Answered, type Interview, openInterview, type SavedAnswers } from './interview.ts';

/** Questions about what another answer names: they are asked again with it. */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = { photos: ['opening', 'altered', 'weights'] };

/** Of a question, so that its answer is seen beside it. */
const MAX_COLUMNS = 50;
/** What a question says of the form of its answer. */
const FORM = /[,:] (?:such as|a file) .*$| \(.*\)/;

export interface CheckedInterview<Gathered, Result> {
  /** Null: a silent interview, which nobody checks. */
  readonly prompter: Prompter | null;
  readonly saved: SavedAnswers;
  readonly onAnswer: (answers: SavedAnswers) => Promise<void>;
  /** Asks all questions; called again after each change. */
  readonly gather: (ask: Interview) => Promise<Gathered>;
  /** Called before a question is asked again. */
  readonly onAgain: () => void;
  /** What is asked after the check. */
  readonly end: (ask: Interview, gathered: Gathered) => Promise<Result>;
}

/** Asks until a person says that the answers are right. */
export async function checkAnswers<Gathered, Result>(
  parts: CheckedInterview<Gathered, Result>,
): Promise<Result> {
  const { prompter, onAnswer, gather, end } = parts;
  let { saved } = parts;
  const again = new Set<string>();
  const keep = async (answers: SavedAnswers): Promise<void> => {
    saved = { ...saved, ...answers };
    await onAnswer(saved);
  };
  for (;;) {
    const ask = openInterview(prompter, saved, keep, again);
    try {
      const gathered = await gather(ask);
      const wrong =
        prompter === null || ask.answered.length === 0 ? null : await chooseWrong(prompter, ask.answered);
      if (wrong === null) return await end(ask, gathered);
      for (const key of [wrong, ...(FOLLOWING[wrong] ?? [])]) again.add(key);
    } catch (error) {
      if (!(error instanceof GoBack)) throw error;
      const last = ask.answered.at(-1);
      if (last !== undefined) again.add(last.key);
    }
    parts.onAgain();
  }
}

/** The key of an answer to change; null: all are right. */
async function chooseWrong(prompter: Prompter, answered: readonly Answered[]): Promise<string | null> {
  const right = { value: '', name: 'All right' };
  const choices = answered.map(({ key, message, answer }) => {
    const asked = truncate(message.replace(FORM, ''), MAX_COLUMNS);
    return { value: key, name: `${asked}${/[?…]$/.test(asked) ? '' : ':'} ${answer}` };
  });
  const message = 'Check your answers. Choose one to change it';
  const [key = ''] = await prompter.choose({ message, choices: [right, ...choices], preset: [''] });
  return key === '' ? null : key;
}
