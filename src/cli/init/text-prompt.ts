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
  readonly rule: (text: string) => AnswerCheck<unknown> | Promise<AnswerCheck<unknown>>;
  readonly theme: PromptTheme;
  /** Makes text from outside harmless to the terminal. */
  readonly escape: (text: string) => string;
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
    if (isEnterKey(key)) {
      const answer = line === '' ? offered : line;
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
    setChecked(readline.line === '' ? null : await question.rule(readline.line));
  });

  const { style } = theme;
  const shown = status === 'done' ? style.answer(question.escape(finalText(line, checked))) : line;
  const offer =
    offered !== '' && line === '' && status !== 'done' ? style.defaultAnswer(question.escape(offered)) : null;
  const head = [prefix, style.message(question.message, status), offer, shown]
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

/** The answer as it will be used, where it differs from the typed text. */
function finalText(line: string, checked: AnswerCheck<unknown> | null): string {
  return checked?.ok && typeof checked.value === 'string' ? checked.value : line;
}
