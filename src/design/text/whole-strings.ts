/** Finds the parts of a text that must stay whole: phone numbers, e-mail and web addresses, licenses. */

const PART = '()\\s./\\u2010-\\u2013-';

/**
 * Seven digits or more with such signs between them, or five after a plus or a bracket. It also matches prices and
 * dates, which are read in one direction and never broken either.
 */
export const PHONE_NUMBERS = new RegExp(
  `(?:[+\\uff0b][${PART}]{0,2}|\\()\\p{Nd}(?:[${PART}]{0,3}\\p{Nd}){4,}|\\p{Nd}(?:[${PART}]{0,3}\\p{Nd}){6,}`,
  'gu',
);

const EMAILS = /[^\s@]+@[^\s@]+\.[^\s@]+/gu;
const WEB_ADDRESSES = /(?:https?:\/\/|www\.)\S+/giu;
/** `OR 201250142`, `DRE #01234567`; also a state with its ZIP code. */
const LICENSES = /(?<![\p{L}\p{N}])\p{Lu}{2,4}\s#?\s?\p{Nd}{4,}/gu;

/**
 * Ranges of `text`, UTF-16 and half-open, that a line break must not enter, in no order; `allowed` are the exceptions
 * (before the `@`, after a slash).
 */
export function wholeStrings(text: string): { start: number; end: number; allowed: readonly number[] }[] {
  const find = (pattern: RegExp, allow?: RegExp) =>
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({
      start: index,
      end: index + match.length,
      allowed:
        allow === undefined ? [] : Array.from(match.matchAll(allow), (exception) => index + exception.index),
    }));
  return [
    ...find(PHONE_NUMBERS),
    ...find(LICENSES),
    ...find(EMAILS, /@/g),
    ...find(WEB_ADDRESSES, /(?<=[^/:]\/)(?=[^/])/g),
  ];
}
