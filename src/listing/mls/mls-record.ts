/** Reads values of a record by their RESO Data Dictionary 2.0 names. What cannot be read is null. */
import { displayTextOrNull } from '../words/display-text.ts';
import { hasPointForThousands } from '../words/price.ts';
import { unescapeHtml } from './unescape-html.ts';

/** A record of any resource: Property, Media, Member, Office. Its values are what a stranger's file holds. */
export type MlsRecord = Readonly<Record<string, unknown>>;

/** Feeds write this where the reader has no right to the value (Spark: `********`). */
const MASK = /^\*+$/;

/** The value of an own property: `constructor` of a record is absent until a feed sends it. */
export function fieldOf(record: MlsRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

export function isRecord(value: unknown): value is MlsRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records of an expanded resource: a list, or a single one. */
export function recordsOf(record: MlsRecord, name: string): MlsRecord[] {
  return [fieldOf(record, name)].flat().filter(isRecord);
}

/** A text or number as one clean line; null when it is blank, masked or of another kind. */
export function textOf(record: MlsRecord, name: string): string | null {
  const value = fieldOf(record, name);
  // Some feeds send every lookup as a list.
  return toText(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

/** A URL exactly as the feed has it, without white space around it; null when it is blank, masked or no text. */
export function urlOf(record: MlsRecord, name: string): string | null {
  const value = fieldOf(record, name);
  const url = typeof value === 'string' ? value.trim() : '';
  return url === '' || MASK.test(url) ? null : url;
}

function toText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const text = typeof value === 'string' ? displayTextOrNull(unescapeHtml(value)) : null;
  return text === null || MASK.test(text) ? null : text;
}

/** A list of texts; a single text is a list of one. */
export function textsOf(record: MlsRecord, name: string): string[] {
  return [fieldOf(record, name)].flat().flatMap((value) => toText(value) ?? []);
}

/** A finite number, also in a text such as `2,840` or `$500,000.00`. */
export function numberOf(record: MlsRecord, name: string): number | null {
  const text = textOf(record, name)?.replace(/^\$\s?/, '');
  if (text === undefined || !/^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(text)) return null;
  const number = Number(text.replaceAll(',', ''));
  return Number.isFinite(number) ? number : null;
}

/** A number as {@link numberOf}, unless it can have a point for thousands: `450.000` is no price of $450. */
export function plainNumberOf(record: MlsRecord, name: string): number | null {
  return hasPointForThousands(textOf(record, name) ?? '') ? null : numberOf(record, name);
}

/** A flag, also in the words of spreadsheets. */
export function flagOf(record: MlsRecord, name: string): boolean | null {
  const value = fieldOf(record, name);
  if (typeof value === 'boolean') return value;
  const word = toText(value)?.toLowerCase() ?? '';
  if (['true', 'yes', 'y', '1'].includes(word)) return true;
  return ['false', 'no', 'n', '0'].includes(word) ? false : null;
}

/** A name of a lookup without what vendors write differently: `ActiveUnderContract` for `Active Under Contract`. */
export function lookupKey(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
