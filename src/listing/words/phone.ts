/** Phone numbers as their country writes them. */

import type { Phone } from '../listing.ts';
import { displayText } from './display-text.ts';
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from './phone-library.ts';

export interface ReadablePhone {
  /** `+15035550128`, without the extension. */
  readonly e164: string;
  readonly extension: string;
  /** `(503) 555-0128`, `020 7946 0958`, `+44 20 7946 0958`, `(503) 555-0100 ext. 12`. */
  readonly display: string;
  /** Two-letter country of the number; the phone's region where the number has none, such as a toll-free one. */
  readonly region: string;
}

const DEFAULT_REGION = 'US';
/** E.164 has at most 15 digits. A longer text is not one number. */
const MAX_LENGTH = 200;
const KEYPAD = 'ABC2DEF3GHI4JKL5MNO6PQRS7TUV8WXYZ9';

/**
 * Reads a number in any form: international, national for the phone's region, or vanity.
 *
 * The display is national when the number shares the calling code of the phone's region, else international. A Canadian
 * number so keeps the form that a US viewer dials.
 *
 * @returns null for a text that no phone network accepts; never throws.
 */
export function readPhone(phone: Phone): ReadablePhone | null {
  const text = toAsciiDigits(phone.number.slice(0, MAX_LENGTH + 1).normalize('NFKC')).trim();
  if (text === '' || text.length > MAX_LENGTH) return null;
  const region = toRegion(phone.region);
  const parsed = readNumber(text, region);
  if (parsed === null) return null;
  const isNational = region !== null && getCountryCallingCode(region) === parsed.countryCallingCode;
  return {
    e164: parsed.number,
    extension: parsed.ext ?? '',
    display: isNational ? parsed.formatNational() : parsed.formatInternational(),
    region: parsed.country ?? region ?? '',
  };
}

export function describeUnreadablePhone({ number, region }: Phone): string {
  const country = displayText(region ?? DEFAULT_REGION);
  return `“${displayText(number).slice(0, 40)}” is not a ${country} phone number: the video leaves it out`;
}

/** Null for an unknown region, with which only international numbers can be read. */
function toRegion(region: string | null | undefined): CountryCode | null {
  const code = (region ?? DEFAULT_REGION).toUpperCase();
  return isSupportedCountry(code) ? code : null;
}

/** The first valid reading, else the first of a possible length: metadata lags behind numbering plans. */
function readNumber(text: string, region: CountryCode | null): PhoneNumber | null {
  let possible: PhoneNumber | null = null;
  for (const reading of readings(text)) {
    const parsed = parse(reading, region);
    if (parsed?.isValid()) return parsed;
    if (parsed?.isPossible() && isDialable(parsed)) possible ??= parsed;
  }
  return possible;
}

/** Not a filler such as `000-000-0000`, and of a shape that its country knows how to write. */
function isDialable(parsed: PhoneNumber): boolean {
  return !/^(\d)\1*$/.test(parsed.nationalNumber) && parsed.formatNational() !== parsed.nationalNumber;
}

function parse(text: string, region: CountryCode | null): PhoneNumber | undefined {
  return parsePhoneNumberFromString(text, region === null ? undefined : region);
}

/** Ways to read a text, likeliest first. Letters come last in vanity numbers and first in labels (`Cell: …`). */
function* readings(text: string): Generator<string> {
  const { number, extension } = splitExtension(text.replace(/^[^\d+(]*?(?=[+(]*\d)/, ''));
  const suffix = extension === '' ? '' : ` ext. ${extension}`;
  if (/^[+(\d]/.test(number) && /(?:[A-Za-z][^A-Za-z]*){3}/.test(number)) {
    yield digitsOfLetters(number) + suffix;
    // Networks ignore letters beyond the last digit, as in 1-800-MATTRESS.
    const trailing = /[A-Za-z]+[^A-Za-z\d]*$/.exec(number)?.[0].length ?? 0;
    for (let cut = 1; cut <= trailing; cut++) yield digitsOfLetters(number.slice(0, -cut)) + suffix;
  }
  yield number + suffix;
  yield text;
  // The first of two numbers in one field.
  yield text.split(/\s(?:or|and)\s|[/;,|]/i)[0] ?? '';
}

/** Split off before letters become digits: the x of `x12` is not a 9. */
function splitExtension(text: string): { number: string; extension: string } {
  const match =
    /^(.*\d.*?)[\s,;]*(?:\bext(?:ension|n|\.)?|;ext=|\bx|(?<=\d)x|#)[\s.:]*(\d{1,7})[\s).]*$/i.exec(text);
  return match === null ? { number: text, extension: '' } : { number: match[1]!, extension: match[2]! };
}

function digitsOfLetters(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const rest = KEYPAD.slice(KEYPAD.indexOf(letter.toUpperCase()));
    return /\d/.exec(rest)?.[0] ?? letter;
  });
}

/** Converts digits of any script. The ten digits of a script start at code point 0 or 6 of a row of 16. */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const row = code - (code % 16);
    const zero = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
    return String(code - zero);
  });
}
