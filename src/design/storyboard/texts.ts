/** The texts a scene can set, by the names its template uses, and the conditions that depend on them. Pure. */
import type { Condition } from '../template/elements.ts';

/** Texts by name; an element whose text is absent or blank is left out. */
export type Texts = Readonly<Record<string, string>>;

/** Fills the `{names}` of a template's text; `undefined` when any of them is blank. */
export function fillText(text: string, texts: Texts): string | undefined {
  let isComplete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const word = texts[name]?.trim() ?? '';
    if (word === '') isComplete = false;
    return word;
  });
  return isComplete && filled.trim() !== '' ? filled : undefined;
}

export function joinWords(words: readonly string[], separator = ' '): string {
  return words.filter((word) => word !== '').join(separator);
}

/** True when every name matches and none with a leading `!` does. A name matches when it is a flag or has a text. */
export function matches(condition: Condition | undefined, texts: Texts, flags: ReadonlySet<string>): boolean {
  return (condition ?? []).every((term) => {
    const name = term.startsWith('!') ? term.slice(1) : term;
    const isTrue = flags.has(name) || (texts[name]?.trim() ?? '') !== '';
    return isTrue !== term.startsWith('!');
  });
}
