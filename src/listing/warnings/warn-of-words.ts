/** Finds words in the texts of a video that advertisements of houses should not say, or that start a deadline. Pure. */
import type { ListingWarning } from '../listing.ts';
import { displayText } from '../words/display-text.ts';
import { COMING_SOON, COMING_SOON_PARTS } from './coming-soon.ts';
import { FAIR_HOUSING } from './fair-housing.ts';

/** A text that viewers read. */
export interface ShownText {
  readonly loc: ListingWarning['loc'];
  /** Names it in a sentence: `the caption of photo 3`. */
  readonly name: string;
  readonly text: string;
  /** Whether it says what state the sale is in. */
  readonly isStatus?: boolean;
}

/** @returns In the order of the texts. One sentence for each word of a text, however many videos show it. */
export function warnOfWords(texts: readonly ShownText[]): ListingWarning[] {
  const warnings = new Map<string, ListingWarning>();
  const read = new Set<string>();
  for (const { loc, name, text, isStatus = false } of texts) {
    const key = `${name}\n${text}`;
    if (text === '' || read.has(key)) continue;
    read.add(key);
    const words = readWords(displayText(text));
    const warn = (code: NonNullable<ListingWarning['code']>, found: string, why: string): void => {
      const message = `${name} says "${found}": ${why}`;
      if (!warnings.has(message)) warnings.set(message, { loc, code, message });
    };
    for (const { pattern, unless, why } of fairHousing()) {
      if (unless !== null && findPhrases(words, unless).length > 0) continue;
      for (const found of findPhrases(words, pattern)) warn('fair_housing', found, why);
    }
    const [soon] = isStatus ? findSoon(words) : [];
    if (soon !== undefined) warn('coming_soon', soon, COMING_SOON_WHY);
  }
  return [...warnings.values()];
}

const COMING_SOON_WHY =
  "public marketing can start a deadline (the Clear Cooperation Policy of the National Association of REALTORS: one business day to enter the listing into the MLS); check your MLS's rules before you publish";

interface CompiledGroup {
  readonly pattern: RegExp;
  readonly unless: RegExp | null;
  readonly why: string;
}

let compiled: readonly CompiledGroup[] | undefined;

function fairHousing(): readonly CompiledGroup[] {
  compiled ??= FAIR_HOUSING.map(
    ({ about, law = 'the Fair Housing Act (24 CFR 100.75)', patterns, unless }) => ({
      pattern: toPattern(patterns),
      unless: unless === undefined ? null : toPattern([unless]),
      why: `${law} forbids advertisements that show a preference based on ${about}: describe the home, not people`,
    }),
  );
  return compiled;
}

/** Whole words: each text begins and ends with a space, and the space after a phrase can begin the next. */
function toPattern(phrases: readonly string[]): RegExp {
  return new RegExp(`(?<= )(?:${phrases.join('|')})(?= )`, 'g');
}

function findSoon(words: Words): string[] {
  const inner = COMING_SOON_PARTS.filter((part) => words.text.includes(part));
  return [...findPhrases(words, toPattern(COMING_SOON)), ...inner];
}

interface Words {
  readonly text: string;
  /** Lower case, without accents and apostrophes, ` no kids | adults only `. */
  readonly plain: string;
  /** Where each word of `plain` stands in `text`, [start, end). */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** Words, and every other character but those between the parts of a compound. The dot of `St.` ends no sentence. */
const WORD = /\bst\.|[\p{L}\p{M}\p{Nd}'’ʼ+]+|[^\s\p{Pd}/]/giu;

function readWords(text: string): Words {
  const tokens = [...text.matchAll(WORD)];
  return {
    text,
    plain: ` ${tokens.map(([token]) => plainWord(token)).join(' ')} `,
    spans: tokens.map(({ 0: token, index }) => [index, index + token.length]),
  };
}

function plainWord(token: string): string {
  const word = token
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ]|(?<=.)\./gu, '')
    .toLowerCase();
  return /^[\p{L}\p{Nd}]+\+?$/u.test(word) ? word : '|';
}

/** @returns As the text writes them, each once. */
function findPhrases({ text, plain, spans }: Words, pattern: RegExp): string[] {
  const found = [...plain.matchAll(pattern)].map(({ 0: phrase, index }) => {
    const first = plain.slice(0, index).split(' ').length - 2;
    const last = first + phrase.split(' ').length - 1;
    return text.slice(spans[first]![0], spans[last]![1]);
  });
  return [...new Set(found)];
}
