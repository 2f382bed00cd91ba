/** The words a scene may set, by the names its template uses, and the conditions that follow from them. Pure. */
import type { Condition } from '../template/elements.ts';

/** Words by name; an absent or blank word means that its element is left out. */
export type Words = Readonly<Record<string, string>>;

/** Fills `{names}`; `undefined` when any of them is blank. */
export function fillWords(text: string, words: Words): string | undefined {
  let isComplete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = words[name]?.trim() ?? '';
    if (word === '') isComplete = false;
    return word;
  });
  return isComplete && filled.trim() !== '' ? filled : undefined;
}

/** True when every name holds, and none with a leading `!` does. A name holds when its word is there or it is a truth. */
export function holds(condition: Condition | undefined, words: Words, truths: ReadonlySet<string>): boolean {
  return (condition ?? []).every((term) => {
    const name = term.startsWith('!') ? term.slice(1) : term;
    const isTrue = truths.has(name) || (words[name]?.trim() ?? '') !== '';
    return isTrue !== term.startsWith('!');
  });
}
