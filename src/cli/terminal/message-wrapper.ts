/** Breaks messages between words for a command that has not loaded anything yet: only a terminal needs the package. */
import type { Terminal } from './terminal.ts';

/** The lines of a message. @param label - With the space after it. */
export type MessageWrapper = (label: string, text: string) => string[];

export const wholeMessage: MessageWrapper = (label, text) => [label + text];

export async function messageWrapper(terminal: Terminal): Promise<MessageWrapper> {
  if (!terminal.stderrIsTty) return wholeMessage;
  const { wrapMessage } = await import('./wrap-text.ts');
  return (label, text) => wrapMessage(terminal, label, text);
}
