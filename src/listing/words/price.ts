/** The price of a listing as people read it: digits become dollars, words stay as they are. */
import { displayTextOrNull } from './display-text.ts';

/** `500000`, `500,000`, `500000.00`, with or without a dollar sign. */
const DOLLARS = /^\$?\s?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;
/** What a feed writes where it has no price, or a number that is none. */
const NO_PRICE =
  /^(?:nan|null|undefined|none|n\/a|[+\-−]?infinity|[+\-−]\s?\$?\s?\d.*|\d+(?:\.\d+)?e[+-]?\d+)$/i;
/** A trillion dollars and more is a mistake in the data. */
const MAX_DIGITS = 12;

/**
 * `$500,000` for an amount in digits; any other text cleaned for display, such as `Price on request` or `€ 500.000`.
 * Cents are shown where there are some. Null for a blank text and for one that is no price: zero, a negative or
 * endless number.
 */
export function formatPrice(text: string): string | null {
  const shown = displayTextOrNull(text);
  if (shown === null || NO_PRICE.test(shown)) return null;
  const [, whole, cents = ''] = DOLLARS.exec(shown) ?? [];
  if (whole === undefined) return shown;
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  if (digits.length > MAX_DIGITS || /^0*$/.test(digits + cents)) return null;
  const grouped = digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `$${grouped}${/[1-9]/.test(cents) ? `.${cents.padEnd(2, '0')}` : ''}`;
}

/** `1.25m`, `1,25 million`, `950k`: an amount with at most three places after its point or comma. */
const SPELLED = /^\$?\s?(\d{1,4})(?:[.,](\d{1,3}))?\s?(k|thousand|m|mm|mil|mio|million)\.?$/i;

/** The digits of an amount in thousands or millions; null for another text, and for `1.250k`, which has two readings. */
export function spelledAmount(text: string): string | null {
  const [, whole, part = '', unit = ''] = SPELLED.exec(text.trim()) ?? [];
  const isThousands = /^(?:k|thousand)$/i.test(unit);
  if (whole === undefined || (isThousands && part.length > 2)) return null;
  return String(Math.round(Number(`${whole}.${part}`) * (isThousands ? 1e3 : 1e6)));
}

/** An amount of dollars in digits; null for every other text. */
export function dollarsOf(text: string): number | null {
  const [, whole, cents = '0'] = DOLLARS.exec(displayTextOrNull(text) ?? '') ?? [];
  return whole === undefined ? null : Number(`${whole.replaceAll(',', '')}.${cents}`);
}

/** `450.000`: read with a decimal point, it would be $450. */
export function hasPointForThousands(text: string): boolean {
  return /^\$?\s?\d{1,3}(?:\.\d{3})+$/.test(text.trim());
}

/** `$500,000`, `CHF 1'200'000`; not `Price on request` and `From $500,000`. */
const AMOUNT = /^(?:\p{Lu}{1,3}\s)?[^\p{L}]*\p{Nd}/u;

/** True for an amount, which "offered at" can stand before. */
export function isAmount(price: string): boolean {
  return AMOUNT.test(price);
}

/** What listings say in place of an amount. */
const INSTEAD_OF_AMOUNT =
  /\b(?:request|ask|call|contact|inquir|enquir|poa|p\.o\.a|tb[ad]|auction|bid|offer|negotiable|undisclosed|disclosed|private|confidential|sold|leased|rented|anfrage|demande|consultar|consulta|richiesta|consulte)/iu;

/** False for a text that is probably a slip: letters of the Latin script, no digit, and no word about a price. */
export function readsAsPrice(price: string): boolean {
  return !isInLatinScript(price) || /\p{Nd}/u.test(price) || INSTEAD_OF_AMOUNT.test(price);
}

export function isInLatinScript(text: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u.test(text);
}
