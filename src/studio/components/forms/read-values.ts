/** How the text of an input becomes a value of the listing, and back. Pure. */
import { toText } from './listing-edits.ts';

export interface TextForm {
  /** Undefined: the field is removed. */
  readonly read: (text: string) => unknown;
  readonly show: (value: unknown) => string;
  /** Better words than the rule's for a value of another type than {@link read} tries to make. */
  readonly explain?: (value: unknown) => string | null;
}

/** Of a value that a message quotes. */
const MAX_CHARS = 60;

/** Text without white space around it. */
export const TEXT: TextForm = {
  read: (text) => text.trim() || undefined,
  show: toText,
  explain: (value) =>
    typeof value === 'string' ? null : `Expected text, found ${toText(value).slice(0, MAX_CHARS)}.`,
};

/** Text that can be empty, such as the last name of people who have one name. */
export const TEXT_OR_EMPTY: TextForm = { ...TEXT, read: (text) => text.trim() };

/** `3`. What is wrong with a number, {@link explainNumber} says. */
export const COUNT: TextForm = {
  read: readNumber,
  show: toText,
};

/** `2,840`. */
export const AREA: TextForm = {
  read: readNumber,
  show: (value) => (typeof value === 'number' ? value.toLocaleString('en-US') : toText(value)),
};

/** A number, or the text as it is: the rules of the listing then say what is wrong with it. */
function readNumber(text: string): unknown {
  const plain = text.trim().replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '');
  if (plain === '') return undefined;
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(plain) ? Number(plain) : plain;
}
