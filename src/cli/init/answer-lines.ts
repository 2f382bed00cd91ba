/** The answers so far, one line each above the question. */

import { displayWidth } from '../terminal/display-width.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { truncate } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { InterviewOptions } from './interview.ts';

/** The lines that one run of `init` leaves on the screen. */
export interface AnswerLines extends Pick<InterviewOptions, 'show' | 'unshow'> {
  /** Something else was printed: the answer above it stays when the person goes back. */
  readonly notePrinted: () => void;
}

/** Shows answers on stderr; going back takes the last line away where the terminal can. */
export function answerLines(terminal: Terminal): AnswerLines {
  const { green, bold, cyan } = terminal.styles.err;
  const printed: ('answer' | 'other')[] = [];
  return {
    show: (message, answer) => {
      printed.push('answer');
      const room = terminal.columns - 4;
      // An example helps before the answer only.
      const question = truncate(escapeText(message.replace(/, such as .*$/, '')), room);
      // An answer that wrapped would need two lines, and `unshow` takes one away.
      const rest = truncate(
        escapeText(answer.trim() === '' ? '–' : answer),
        Math.max(0, room - displayWidth(question)),
      );
      terminal.log(`${green('✔')} ${bold(question)} ${cyan(rest)}`);
    },
    unshow: () => {
      // ECMA-48: cursor up one line, erase the line.
      if (!terminal.canAnimate || printed.at(-1) !== 'answer') return;
      printed.pop();
      terminal.stderr.write('\u001b[1A\u001b[2K\r');
    },
    notePrinted: () => void printed.push('other'),
  };
}
