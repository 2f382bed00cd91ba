/** Finds the names of a listing's agents and offices in a text, and the numbers of their licenses. Pure. */
import type { Agent } from '../../listing.ts';
import { type Span, spansOf, toPlainText } from './plain-text.ts';

export interface NameSpellings {
  readonly patterns: readonly RegExp[];
  /** In lower case without spaces, as web addresses have them. */
  readonly inAddresses: readonly string[];
}

/** Shorter names are also parts of other words, and shorter numbers can be those of a house. */
const MIN_CHARS = 5;
const SPACE = '\\s+';
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

export function toSpellings(agents: readonly Agent[]): NameSpellings {
  const people = agents.map(({ first_name, last_name }) => [first_name, last_name].map(toWords));
  const offices = agents.flatMap((agent) => (agent.offices ?? []).map(({ name }) => name ?? ''));
  const patterns = [
    ...people.flatMap(([first = [], last = []]) =>
      first.length > 0 && last.length > 0
        ? [
            toPattern([...first, `(?:\\p{L}\\.?${SPACE})?${last.join(SPACE)}`]),
            toPattern([`${last.join(SPACE)},\\s*${first.join(SPACE)}`]),
          ]
        : [toNamePattern([...first, ...last])],
    ),
    ...offices.map((name) => toNamePattern(toWords(name))),
    ...agents.flatMap(({ licenses = [] }) => licenses.map(({ number }) => toLicensePattern(number))),
  ];
  const inAddresses = [
    ...agents.flatMap(({ first_name, last_name }) => [`${first_name}${last_name}`, last_name]),
    ...offices,
  ].map((name) =>
    toPlainText(name)
      .text.toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return {
    patterns: patterns.filter((pattern) => pattern !== null),
    inAddresses: [...new Set(inAddresses)].filter((letters) => letters.length >= MIN_CHARS),
  };
}

export function findNames(text: string, { patterns }: NameSpellings): Span[] {
  return patterns.flatMap((pattern) => spansOf(pattern, text));
}

/** A single word counts as it is written, or in capitals: "Pine" is an office, and "pine floors" are not. */
function toNamePattern(words: readonly string[]): RegExp | null {
  const [word = '', ...more] = words;
  if (more.length > 0) return toPattern(words);
  return word.length > 1 ? toPattern([`(?:${word}|${word.toUpperCase()})`], 'gu') : null;
}

function toLicensePattern(number: string): RegExp | null {
  const words = toWords(number);
  return number.length < MIN_CHARS
    ? null
    : toPattern([
        `(?:(?:[a-z]{2}\\s)?(?:dre|bre|licen[cs]e|lic)\\b[.\\s:#]*(?:(?:no|number)\\b)?[.\\s:#]*)?${words.join(SPACE)}`,
      ]);
}

function toPattern(words: readonly string[], flags = 'giu'): RegExp {
  const source = words.join(SPACE);
  if (UNSPACED.test(source)) return new RegExp(source, flags);
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}(?:['’]s)?(?![\\p{L}\\p{N}])`, flags);
}

/** As sources of patterns; "&" stands for "and" too. */
function toWords(name: string): string[] {
  return toPlainText(name)
    .text.split(' ')
    .filter((word) => word !== '')
    .map((word) => (/^(?:&|and)$/i.test(word) ? '(?:&|and)' : word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')));
}
