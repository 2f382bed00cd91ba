/** Right-to-left text: embedding levels of a line and the visual order of its runs (Unicode Standard Annex 9). */
import { createRequire } from 'node:module';
import type bidiFactory from 'bidi-js';
import { PHONE_NUMBERS } from './whole-strings.ts';

// Loaded only when needed: its tables take longer to load than a line of Latin takes to shape.
const require = createRequire(import.meta.url);

const HAS_RTL = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const ASTRAL_LETTER = /[\u{10000}-\u{10ffff}]/gu;
const LETTER = /^\p{L}$/u;
const TRAILING_SPACE = /[\s\u2066-\u2069]+$/;

let bidi: ReturnType<typeof bidiFactory.default> | undefined;

/** Level of every UTF-16 unit, odd for right to left; `undefined` when the whole line runs left to right. */
export function embeddingLevels(text: string): Uint8Array | undefined {
  if (!HAS_RTL.test(text)) return undefined;
  // The package's types describe an ES module, but its CommonJS file exports the factory itself.
  bidi ??= (require('bidi-js') as typeof bidiFactory.default)();
  const spans = Array.from(text.matchAll(LEFT_TO_RIGHT), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const isRtl = isRtlText(text);
  const { levels } = bidi.getEmbeddingLevels(isolate(text, spans), isRtl ? 'rtl' : 'ltr');
  // Every isolate inserted two units; they are removed again.
  const own = levels.filter((_, index) => {
    return !spans.some(
      ({ start, end }, count) => index === start + 2 * count || index === end + 2 * count + 1,
    );
  });
  const trailing = TRAILING_SPACE.exec(text);
  if (trailing !== null) own.fill(isRtl ? 1 : 0, trailing.index);
  return own;
}

const [LEFT_TO_RIGHT_ISOLATE, POP_ISOLATE] = ['\u2066', '\u2069'];

/**
 * What runs from left to right in any text: phone numbers (`+972 3 555`, not `555 3 972+`), a number with its Latin
 * words (`5 BD`, which would lose its 5 behind Arabic), the times of a day (`13:00–15:00`).
 */
const LEFT_TO_RIGHT = new RegExp(
  [
    PHONE_NUMBERS.source,
    String.raw`\p{Nd}[\p{Nd}.,]*(?:[ \u00a0]\p{Script=Latin}+)+`,
    String.raw`\p{Nd}{1,2}[:.]\p{Nd}{2}\s?[-–]\s?\p{Nd}{1,2}[:.]\p{Nd}{2}`,
  ].join('|'),
  'gu',
);

/** With `spans` as letters between isolates, as long as `text` but for these. */
function isolate(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let units = '';
  let at = 0;
  for (const { start, end } of spans) {
    // Letters replace the digits: groups of Arabic digits would still run from the right.
    units += `${toUnits(text.slice(at, start))}${LEFT_TO_RIGHT_ISOLATE}${'a'.repeat(end - start)}${POP_ISOLATE}`;
    at = end;
  }
  return units + toUnits(text.slice(at));
}

/** `bidi-js` sees single UTF-16 units and takes surrogates for letters, but an emoji is a neutral sign. */
function toUnits(text: string): string {
  return text.replace(ASTRAL_LETTER, (char) => (LETTER.test(char) ? 'aa' : '\u25a0\u25a0'));
}

const FIRST_STRONG = /[\p{L}\u200e\u200f]/u;
export const RTL_LETTER = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/;

/** True when the text as a whole runs right to left: its first letter or direction mark decides (rule P2). */
export function isRtlText(text: string): boolean {
  return RTL_LETTER.test(FIRST_STRONG.exec(text)?.[0] ?? '');
}

/** The runs in visual order, from left to right (rule L2). */
export function visualOrder<T extends { readonly level: number }>(runs: readonly T[]): T[] {
  const ordered = [...runs];
  let highest = 0;
  let lowestOdd = Number.POSITIVE_INFINITY;
  for (const { level } of runs) {
    highest = Math.max(highest, level);
    if (level % 2 === 1) lowestOdd = Math.min(lowestOdd, level);
  }
  for (let level = highest; level >= lowestOdd; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && ordered[end]!.level >= level) end += 1;
      reverseRange(ordered, start, end);
      start = end;
    }
  }
  return ordered;
}

function reverseRange(items: unknown[], start: number, end: number): void {
  for (let low = start, high = end - 1; low < high; low += 1, high -= 1) {
    [items[low], items[high]] = [items[high], items[low]];
  }
}
