/** Where the dates and times of an open house can be broken into lines: between two events, or a date and its times. */
import { unbreakable } from './break-text.ts';

const BREAK_HERE = '\u200b';
const NO_BREAK_SPACE = '\u00a0';
const WORD_JOINER = '\u2060';

const EVENTS = /(?<=[;|])\s+|(?<=[；｜])\s*|\s*\n\s*/u;
/** What ends a date or a time. A comma inside a number is none. */
const PARTS = /(?<=[·•—،,])\s+|(?<=[，、])\s*/u;
/** Chinese and Japanese have no spaces between words. */
const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u;
const COMMA = /[,،，、]$/u;
/** The rest of a date that a comma divides: `November 28, 2026`, `Nov 28, 29 and 30`. */
const RESTS_OF_DATE = /^\p{Nd}{4}(?!\p{Nd})|^\p{Nd}{1,2}(?:\p{P}?$|\s*(?:,|&|and\s))/u;
const HOUR = '\\p{Nd}{1,2}(?:[:.h]\\p{Nd}{2})?\\s?(?:[ap]\\.?m\\b\\.?|uhr|h\\b)?';
const TO = '(?:[-–—~〜至到]|to|till|until|bis|à|a|hasta|alle|às|do|до|إلى|الى|حتى|עד)';
/** `1–3 PM`, `from 10.30 am to noon`, `13 Uhr`, `٢:٣٠`, `下午1点`. */
const TIMES = new RegExp(
  `(?:(?:from|at|von|ab|um|de|à|da|dalle|das|desde|с|من|בין)\\s)?(?:${HOUR}\\s?${TO}\\s?(?:\\p{Nd}|noon|midnight)` +
    '|\\p{Nd}{1,2}[:.h]\\p{Nd}{2}|\\p{Nd}{1,2}\\s?(?:[ap]\\.?m\\b|uhr|h\\b)' +
    '|(?:上午|下午|午前|午後|오전|오후)\\s?\\p{Nd})',
  'iu',
);
/** Before the next event of one sentence: `Saturday 12 and Sunday 13`; not inside `Nov 28 & 29`. */
const NEXT_EVENT = /\s(?=(?:&|\+|and|und|y|et|e|en|и|و|または)\s+\p{L})/giu;
/** Words without a date, such as `coffee in the garden`, are broken like any others from this length on. */
const MAX_WORDS_CHARS = 22;
/** `Sun, November 29 · 11:30 AM–1:30 PM`. */
const MAX_EVENT_CHARS = 36;

const hasDigit = (text: string) => /\p{Nd}/u.test(text);
const beginsWithTimes = (text: string) => text.search(TIMES) === 0;

/**
 * The text with marks that forbid a break inside a date, a range of times, or between a day and its month, in any
 * language. Of several events, each short one stands on one line. What is too wide for every line is broken between a
 * date and its times first (`fit-text.ts`).
 */
export function breakableDates(text: string): string {
  const events = text.trim().split(EVENTS).flatMap(timedEvents);
  return events.map((event) => joinParts(event, events.length > 1)).reduce(joinEvents);
}

/** The events of a sentence, where each has its times: `Sat, Nov 28, 1-3 PM` and `and Sun, Nov 29, 11 AM-1 PM`. */
function timedEvents(sentence: string): string[] {
  const events = sentence.replace(NEXT_EVENT, '\n').split('\n');
  return events.every((event) => TIMES.test(event)) ? events : [sentence];
}

function partsOf(event: string): string[] {
  const parts: string[] = [];
  for (const part of event.split(PARTS)) {
    const before = parts.at(-1);
    if (before !== undefined && belongsTo(before, part)) parts[parts.length - 1] = `${before} ${part}`;
    else if (part !== '') parts.push(part);
  }
  return parts.flatMap(divide);
}

function joinParts(event: string, isOneOfMany: boolean): string {
  const parts = partsOf(event);
  const length = parts.join(' ').length;
  const joint = isOneOfMany && length <= MAX_EVENT_CHARS ? NO_BREAK_SPACE : ' ';
  return parts
    .map((part) => {
      const isSpaced = /\s/.test(event.charAt(event.indexOf(part) + part.length));
      return `${whole(part)}${UNSPACED_END.test(part) && !isSpaced ? BREAK_HERE : joint}`;
    })
    .join('')
    .slice(0, -1);
}

function joinEvents(line: string, event: string): string {
  return `${line}${UNSPACED_END.test(line) ? BREAK_HERE : ' '}${event}`;
}

/** True where the comma between both stands inside a date: `Sat, Nov 28`, `November 28, 2026`. */
function belongsTo(before: string, part: string): boolean {
  if (!COMMA.test(before)) return false;
  return RESTS_OF_DATE.test(part) || (!hasDigit(before) && hasDigit(part) && !beginsWithTimes(part));
}

/** A date and its times that no comma divides, and the events of one sentence. */
function divide(part: string): string[] {
  if (!hasDigit(part)) return [part];
  return part
    .replace(NEXT_EVENT, '\n')
    .split('\n')
    .flatMap((event) => {
      const at = event.search(TIMES);
      const [date, times] = [event.slice(0, at).trim(), event.slice(at)];
      return at > 0 && hasDigit(date) ? [date, times] : [event];
    });
}

function whole(part: string): string {
  const isShort = part.length <= MAX_WORDS_CHARS;
  if (!hasDigit(part) && !isShort) return part;
  // A part that no line can be too narrow for is never broken.
  return isShort
    ? unbreakable(part).replaceAll(NO_BREAK_SPACE, `${NO_BREAK_SPACE}${WORD_JOINER}`)
    : unbreakable(part);
}
