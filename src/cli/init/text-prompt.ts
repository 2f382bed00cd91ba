/** A prompt for a line of text, validated at every keystroke: the result is shown below the line. */
import {
  createPrompt,
  isBackspaceKey,
  isEnterKey,
  isTabKey,
  makeTheme,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core';
import type { PromptTheme } from './prompt-theme.ts';
import type { AnswerCheck } from './validate-answer.ts';

/** One question. */
export interface TextQuestion {
  readonly message: string;
  /** Taken by Enter on an empty line; Tab brings it into the line. */
  readonly defaultText: string;
  /** Says so while the line is empty. */
  readonly isOptional: boolean;
  readonly rule: (text: string) => AnswerCheck<unknown> | Promise<AnswerCheck<unknown>>;
  readonly theme: PromptTheme;
  /** Makes text from outside harmless to the terminal. */
  readonly escape: (text: string) => string;
  /** Called for `<`. */
  readonly onBack: () => void;
}

/** Resolves with the text as typed, which its rule accepts. */
export const askForText = createPrompt<string, TextQuestion>((question, done) => {
  const theme = makeTheme(question.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [line, setLine] = useState('');
  const [offered, setOffered] = useState(question.defaultText);
  const [checked, setChecked] = useState<AnswerCheck<unknown> | null>(null);
  const [isRefused, setRefused] = useState(false);
  const prefix = usePrefix({ status, theme });

  useKeypress(async (key, readline) => {
    if (status !== 'idle') return;
    if (isEnterKey(key) && line.trim() === '<') return question.onBack();
    if (isEnterKey(key)) {
      const answer = line === '' ? offered : line.trim();
      const result = await question.rule(answer);
      setChecked(result);
      if (result.ok) {
        setLine(answer);
        setStatus('done');
        done(answer);
        return;
      }
      // Enter has emptied the line of readline: the text comes back, to be fixed.
      readline.write(line);
      setRefused(true);
      return;
    }
    if (isBackspaceKey(key) && line === '') setOffered('');
    if (isTabKey(key)) {
      readline.clearLine(0);
      readline.write(line === '' ? offered : line);
    }
    setRefused(false);
    setLine(readline.line);
    const isToCheck = readline.line !== '' && readline.line.trim() !== '<';
    setChecked(isToCheck ? await question.rule(readline.line) : null);
  });

  const { style } = theme;
  const shown = status === 'done' ? '' : line;
  const offer = offered === '' ? (question.isOptional ? 'optional' : '') : question.escape(offered);
  const isOffered = offer !== '' && line === '' && status !== 'done';
  const head = [
    prefix,
    style.message(question.message, status),
    isOffered ? style.defaultAnswer(offer) : null,
    shown,
  ]
    .filter((part) => part !== null)
    .join(' ');
  return [head, status === 'done' || checked === null ? '' : below(checked)];

  function below(result: AnswerCheck<unknown>): string {
    if (!result.ok)
      return isRefused
        ? style.error(question.escape(result.fault))
        : style.help(`  ${question.escape(result.fault)}`);
    return result.note === null ? '' : style.help(`  ${question.escape(result.note)}`);
  }
});
