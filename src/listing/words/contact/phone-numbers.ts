/** Finds phone numbers in a text, and leaves the other numbers of a listing alone. Pure. */
import { readPhone } from '../phone.ts';
import { type Span, spansOf } from './plain-text.ts';

/** A number of the listing's agents and offices. */
export interface KnownPhone {
  readonly callingCode: string;
  readonly nationalDigits: string;
  /** Two letters. */
  readonly region: string;
}

const MASK = '\ufffc';
const UNITS = [
  ...[
    'sq(?:uare|\\.)?\\s?(?:ft|feet|foot|m|meters?|metres?|yd|in|km|mi)\\.?',
    'sqft',
    'sqm',
    'sf',
    'acres?',
    'ac',
  ],
  ...[
    'ft',
    'feet',
    'foot',
    'm2',
    'ha',
    'hectares?',
    'gal(?:lons?)?',
    'kwh?',
    'miles?',
    'km',
    'lbs?',
    'units?',
  ],
  ...['beds?', 'baths?', 'usd', 'eur', 'cad', 'aud', 'dollars?', 'euros?'],
];
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\\.?';
const YEAR = '(?:1[6-9]|20)\\d{2}';
const PHONE_SHAPE = '\\(?\\d{3}\\)?[ .\\-]{1,2}\\d{3}[ .\\-]\\d{4}(?!\\d)';
/** Where a number starts: behind no other digits of it. */
const STARTS = '(?<!\\d)(?<!\\d[-./,])';

/** Numbers that are no phone numbers, most certain first. */
const OTHER_NUMBERS: readonly RegExp[] = [
  // Amounts.
  /\p{Sc}\s?\d+(?:[.,']\d{3})*(?:[.,]\d{1,2})?(?![\d.,-]*\d)/gu,
  /\p{Sc}\s?\d{1,3}(?: \d{3}){1,3}(?![\d\-.)]| \d)/gu,
  /(?<![\d\-.(])\d{1,3}(?:[ .,']?\d{3})*\s?\p{Sc}/gu,
  /(?<!\d)\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)/g,
  // Measures.
  new RegExp(
    `${STARTS}(?<!\\d[ )])\\d[\\d.]*(?:\\s?[-x×]\\s?\\d[\\d.]*)?[\\s-]?(?:%|(?:${UNITS.join('|')})\\b)`,
    'giu',
  ),
  // Numbers of parcels and of records; a number in the form of a phone number is one after "MLS" too.
  /\b(?:apn|ain|parcel|folio|pin|tax id)\b[\s:.#]*(?:no|nr|number|id)?[\s:.#]*\d[\d\-./]*(?: \d{2,4}(?![\d-]))*/gi,
  new RegExp(
    `(?:\\b(?:mls|listing|permit|lic|license|licence|dre|brn|ref|reference|id|tax|account|acct)\\b|#)[\\s:.#]*(?:(?:no|nr|number|id)\\b)?[\\s:.#]*(?!${PHONE_SHAPE})\\d[\\d\\-./]*`,
    'gi',
  ),
  /(?<![\d-])\d{5}-\d{4}(?![\d-])/g,
  // Dates and times.
  new RegExp(`\\b${MONTH}\\s?\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s${YEAR})?(?!\\d)`, 'gi'),
  new RegExp(`(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\.?\\s${MONTH}(?:,?\\s${YEAR})?(?!\\d)`, 'gi'),
  /(?<!\d)(?<!\d[-./])(?:\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-.])\d{1,2}\2\d{2,4})(?![-./]?\d)/g,
  /(?<![\d.-])\d{1,2}\.\d{2}(?:\s?-\s?\d{1,2}\.\d{2})?(?![\d.]|-\d)/g,
  /(?<!\d)\d{1,2}(?::\d{2}|\.\d{2}(?=\s?[ap]\.?m\b))?\s?(?:[ap]\.?m\b|h\b|uhr\b)|(?<!\d)\d{1,2}:\d{2}(?!\d)/gi,
  /(?<!\d)(?<!\d[-.)])(?:[01]\d|2[0-4])[0-5]\d\s?-\s?(?:[01]\d|2[0-4])[0-5]\d(?!\d|[-.]\d)/g,
  new RegExp(`(?<![\\d-])${YEAR}(?:\\s?(?:[-/&+,]|to|and)\\s?(?:${YEAR}|\\d{2}))+(?![\\d-])`, 'gi'),
  new RegExp(`${STARTS}(?<!\\d[ )])${YEAR}(?!\\s?[-./(]?\\s?\\d)`, 'g'),
];
/** "12345-12347", the numbers of a street. */
const RANGE = /(?<!\d)(?<!\d\s?[-.]?\s?)(\d{2,6})\s?-\s?(\d{2,6})(?!\s?[-.]?\s?\d)/g;

const GAP = '[ .\\-/()·•]{0,3}';
const CALL_WORDS =
  'call|text|txt|sms|tel|tél|telefon|téléphone|teléfono|phone|ph|cell|mobile|fax|dial|whatsapp|ring|llame|llama|appelez|anruf';
const PHONES: readonly RegExp[] = [
  new RegExp(`(?<!\\d)\\+\\(?\\d(?:${GAP}\\d){6,14}`, 'g'),
  // As in North America.
  new RegExp(
    `${STARTS}(?:1[ .\\-/]{1,3})?(?:\\(\\s?\\d{3}\\s?\\)[ .\\-/]{0,3}|\\d{3}[ .\\-/·•]{1,3})\\d{3}[ .\\-/·•]{0,3}\\d{4}(?!\\d|-\\d)`,
    'g',
  ),
  new RegExp(`${STARTS}(?:1?[2-9]\\d{9}|0\\d{8,10})(?!\\d)`, 'g'),
  // Digit by digit.
  /(?<!\d)(?<!\d[ .-])\d(?:[ .-]\d){9,10}(?![ .-]?\d)/g,
  new RegExp(
    `(?<!\\p{L})(?:${CALL_WORDS})\\b[.:]?(?:\\s(?:me|us|at|on|or|text|call|al|au))*[\\s:#]*(?<it>\\(?\\d(?:${GAP}\\d){6,14})(?!\\d)`,
    'giu',
  ),
];
const LOCAL = new RegExp(`${STARTS}([2-9]\\d{2})\\s?[-.]\\s?(\\d{4})(?!\\d|[-./]\\d)`, 'g');
const GROUPED = /(?<!\d)(?<!\d[-./])\(?\d{2,}(?:[ .\-/()·•]{1,3}\d{2,})+(?!\d)/g;
const VANITY = [
  /(?<![\p{L}\d])(?:\+?1[ .-]\(?8\d\d\)?[ .-]{1,2}|\(?8(?:00|33|44|55|66|77|88)(?:\)[ .-]?|[.-]))[a-z\d]+(?:[.-][a-z\d]+)*/giu,
  /(?<![\p{L}\d])(?:1[ .-])?(?:\([2-9]\d\d\)\s?|[2-9]\d\d[ .-])(?:\d{3}[ .-][A-Z]{4}|[A-Z]{3}[ .-]?\d{4}|[A-Z]{7}|[A-Z]+-[A-Z-]+)(?![\p{L}\d])/gu,
];
const EXTENSION = /^[\s,]*(?:ext(?:ension|n)?\b|x|#)[\s.:]*\d{1,6}(?![\d-])/i;

/** @param known - Found in every grouping of their digits. */
export function findPhoneNumbers(text: string, known: readonly KnownPhone[] = []): Span[] {
  if (!/\d/.test(text)) return [];
  const masked = withoutOtherNumbers(text);
  const regions = [...new Set(known.map(({ region }) => region))];
  const found = [
    ...known.flatMap((phone) => spansOf(toPattern(phone), text)),
    ...PHONES.flatMap((pattern) => spansOf(pattern, masked)),
    ...spansOf(LOCAL, masked).filter(({ match }) => !isRange(Number(match[1]), Number(match[2]))),
    ...spansOf(GROUPED, masked).filter(({ match }) => isGrouped(match[0], regions)),
    ...VANITY.flatMap((pattern) => spansOf(pattern, text)).filter(({ match }) => isVanity(match[0])),
  ];
  return found.map(({ start, end }) => ({
    start: start + (/^\([^)]*$/.test(text.slice(start, end)) ? 1 : 0),
    end: end + (EXTENSION.exec(text.slice(end))?.[0].length ?? 0),
  }));
}

function withoutOtherNumbers(text: string): string {
  const mask = (match: string) => MASK.repeat(match.length);
  const masked = OTHER_NUMBERS.reduce((rest, pattern) => rest.replace(pattern, mask), text);
  return masked.replace(RANGE, (match, from: string, to: string) =>
    from.length === to.length && Number(to) > Number(from) && Number(to) - Number(from) < 1000
      ? mask(match)
      : match,
  );
}

/** The number with and without its area code, in any grouping. */
function toPattern({ callingCode, nationalDigits }: KnownPhone): RegExp {
  const inGroups = (digits: string) => [...digits].join(GAP);
  // The last seven digits are what neighbors dial in North America.
  const forms = [`(?:\\+?${callingCode}${GAP})?(?:\\(?0${GAP})?\\(?${inGroups(nationalDigits)}`];
  if (nationalDigits.length === 10) forms.push(inGroups(nationalDigits.slice(3)));
  return new RegExp(`(?<!\\d)(?:${forms.join('|')})(?!\\d)`, 'g');
}

/** Two times (`900-1200`) or two sizes (`850-1400`) rather than a local number. */
function isRange(from: number, to: number): boolean {
  const isTime = (number: number) => number <= 2400 && number % 100 < 60 && (number % 100) % 15 === 0;
  const isSize = (number: number) => number % 50 === 0;
  return to > from && ((isTime(from) && isTime(to)) || (isSize(from) && isSize(to)));
}

function isGrouped(written: string, regions: readonly string[]): boolean {
  const digits = written.replace(/\D/g, '');
  if (digits.length < 9 || digits.length > 15) return false;
  if (digits.startsWith('0') || digits.length === 10 || /^1\d{10}$/.test(digits)) return true;
  return regions.some((region) => region !== 'US' && readPhone({ number: written, region }) !== null);
}

function isVanity(written: string): boolean {
  return (
    /[a-z]/i.test(written) && /\d/.test(written) && readPhone({ number: written, region: 'US' }) !== null
  );
}
