/** The kinds of values that settings have: how each is parsed from text or JSON, and how messages describe it. */
import { isIP } from 'node:net';
import path from 'node:path';
import { nearestName } from '../nearest-name.ts';
import { formatExactDuration, parseDurationMs } from './parse-duration.ts';
import { formatExactSize, parseSize } from './parse-size.ts';

export interface ParseContext {
  /** Absolute folder that relative paths resolve against. */
  readonly cwd: string;
}

/** How a setting's value is read. */
export interface ValueKind<T> {
  readonly expected: string;
  /** Name of the value in help, such as `<n>`; null for a switch that takes none. */
  readonly placeholder: string | null;
  readonly choices?: readonly string[];
  /** True when the flag is repeatable; `raw` is then an array of words. */
  readonly isList?: boolean;
  /** The value, or null when `raw` (text from flag or environment, any JSON value from the config file) is not one. */
  parse(raw: unknown, context: ParseContext): T | null;
  /** The value as a flag takes it. Absent: its text. */
  format?(value: T): string;
}

/** An absolute path; relative ones resolve against the working folder. */
export function pathKind(placeholder: string): ValueKind<string> {
  return {
    expected: 'a path',
    placeholder,
    parse: (raw, { cwd }) =>
      typeof raw === 'string' && raw !== '' && !raw.includes('\0') ? path.resolve(cwd, raw) : null,
  };
}

export function textKind(placeholder: string): ValueKind<string> {
  return {
    expected: 'a text that is not empty',
    placeholder,
    parse: (raw) => (typeof raw === 'string' && raw !== '' ? raw : null),
  };
}

/** A secret as it goes into a header: 8 to 512 visible ASCII characters (RFC 6750, 2.1). */
export function keyKind(placeholder: string): ValueKind<string> {
  return {
    expected: 'a key of 8 to 512 letters, digits and signs, without spaces',
    placeholder,
    parse: (raw) => (typeof raw === 'string' && /^[\x21-\x7e]{8,512}$/.test(raw) ? raw : null),
  };
}

/** The address of a PostgreSQL database. It can contain a password, so messages never show it. */
export function databaseUrlKind(placeholder: string): ValueKind<string> {
  return {
    expected:
      'an address such as postgres://user:password@host:5432/name, with %40 for @, %2F for /, %3F for ? and %23 for # in the password',
    placeholder,
    parse: (raw) => (typeof raw === 'string' && isDatabaseUrl(raw) ? raw : null),
  };
}

/** False also for a password with signs that are not escaped: a part of it would be taken for the host or the name. */
function isDatabaseUrl(text: string): boolean {
  const isWhole = /^postgres(ql)?:\/\/(?=[\x21-\x7e]+$)([^@/?#]*@)?[^@/?#]*(\/[^@?#]*)?(\?[^@#]*)?$/.test(
    text,
  );
  return isWhole && URL.canParse(text) && canDecode(text);
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A place in a bucket: `s3://bucket` or `s3://bucket/prefix`. The prefix is of plain characters, so that it looks the
 * same in keys, URLs, policies and lifecycle rules.
 */
export function storageUrlKind(placeholder: string): ValueKind<string> {
  return {
    expected:
      'a bucket such as s3://bucket or s3://bucket/prefix, of letters, digits, dots, dashes and underscores',
    placeholder,
    parse: (raw) => (typeof raw === 'string' && isStorageUrl(raw) ? raw.replace(/\/$/, '') : null),
  };
}

function isStorageUrl(text: string): boolean {
  const match =
    /^s3:\/\/(?<bucket>[a-zA-Z0-9][a-zA-Z0-9.-]{1,253}[a-zA-Z0-9])(?<prefix>(?:\/[\w.-]+)*)\/?$/.exec(text);
  const names = match?.groups?.prefix?.split('/') ?? [];
  return match !== null && text.length <= 500 && !names.some((name) => /^\.+$/.test(name));
}

/** Of a list the first word that is none of its items; everything else whole. */
export function faultOf(kind: ValueKind<unknown>, raw: unknown, context: ParseContext): unknown {
  if (kind.isList !== true) return raw;
  const words = [raw]
    .flat()
    .flatMap((word) => (typeof word === 'string' ? word.split(',').map((part) => part.trim()) : [word]));
  return words.find((word) => kind.parse([word], context) === null);
}

/** The choice that a value which is none of them was probably meant to be. */
export function nearestChoice({ choices = [] }: ValueKind<unknown>, raw: unknown): string | undefined {
  const words = [raw].flat().flatMap((word) => (typeof word === 'string' ? word.split(',') : []));
  const wrong = words.map((word) => word.trim()).find((word) => !choices.includes(word));
  return wrong === undefined ? undefined : nearestName(wrong, choices);
}

/** The words that can be chosen, in a sentence: `draft, standard or high`. */
export function formatChoices(choices: readonly string[]): string {
  const last = choices.at(-1) ?? '';
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`;
}

/** One of `choices`, spelled exactly. */
export function choiceKind<const C extends readonly string[]>(
  placeholder: string,
  choices: C,
): ValueKind<C[number]> {
  return {
    expected: formatChoices(choices),
    placeholder,
    choices,
    parse: (raw) => (typeof raw === 'string' && choices.includes(raw) ? raw : null),
  };
}

/** Some of `choices`, spelled exactly, without duplicates and in any form of {@link listKind}; none of them is an empty text. */
export function choicesKind<const C extends readonly string[]>(
  placeholder: string,
  choices: C,
): ValueKind<readonly C[number][]> {
  const list = listKind(placeholder, '', (word) => (choices.includes(word) ? word : null));
  return {
    expected: `some of ${formatChoices(choices)} (several: separated by commas; an empty text for none)`,
    placeholder,
    choices,
    isList: true,
    parse: (raw, context) =>
      raw === '' || (Array.isArray(raw) && raw.join('') === '') ? [] : list.parse(raw, context),
  };
}

/** A whole number in `[min, max]`. */
export function integerKind(placeholder: string, min: number, max: number): ValueKind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    placeholder,
    parse: (raw) => {
      const value = typeof raw === 'string' && /^\s*\d{1,15}\s*$/.test(raw) ? Number(raw) : raw;
      return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : null;
    },
  };
}

/** Bytes, at least `minBytes`, written as `5GB` or as a plain number. */
export function sizeKind(placeholder: string, minBytes: number): ValueKind<number> {
  return {
    expected: `a size such as 5GB or 512MiB, at least ${minBytes} bytes`,
    placeholder,
    parse: (raw) => {
      const bytes =
        typeof raw === 'string'
          ? parseSize(raw)
          : typeof raw === 'number' && Number.isInteger(raw)
            ? raw
            : null;
      return bytes !== null && bytes >= minBytes ? bytes : null;
    },
    format: formatExactSize,
  };
}

/** A switch: true, yes, on, 1 or false, no, off, 0. */
export function booleanKind(): ValueKind<boolean> {
  return {
    expected: 'true or false',
    placeholder: null,
    parse: (raw) => {
      if (typeof raw === 'boolean') return raw;
      if (typeof raw !== 'string') return null;
      const word = raw.trim().toLowerCase();
      if (['true', 'yes', 'on', '1'].includes(word)) return true;
      return ['false', 'no', 'off', '0'].includes(word) ? false : null;
    },
  };
}

/** A duration in milliseconds, written as `30d` or `90s`. A number without unit is refused, except 0. */
export function durationKind(placeholder: string, { isPositive = false } = {}): ValueKind<number> {
  return {
    expected: isPositive
      ? 'a duration above 0, such as 30s, 10m or 2h'
      : 'a duration such as 30s, 12h or 30d',
    placeholder,
    parse: (raw) => {
      const durationMs = typeof raw === 'string' ? parseDurationMs(raw) : raw === 0 ? 0 : null;
      return isPositive && durationMs === 0 ? null : durationMs;
    },
    format: formatExactDuration,
  };
}

/** An http(s) URL without user name, query and fragment. A slash at its end is removed. */
export function baseUrlKind(placeholder: string): ValueKind<string> {
  return {
    expected: 'an http or https URL without user name, query and fragment',
    placeholder,
    parse: (raw) => {
      const url = typeof raw === 'string' ? parseHttpUrl(raw) : null;
      if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(url.href)) return null;
      return url.href.replace(/\/+$/, '');
    },
  };
}

/**
 * A list without duplicates: the words of a repeated flag, words separated by commas, or a JSON array.
 *
 * @param expected - What one item is: `a host name, an address or a CIDR block`.
 * @param parseItem - The item as it is kept, or null when the text is not one.
 */
export function listKind(
  placeholder: string,
  expected: string,
  parseItem: (text: string) => string | null,
): ValueKind<readonly string[]> {
  return {
    expected: `${expected} (several: separated by commas)`,
    placeholder,
    isList: true,
    parse: (raw) => {
      const texts = Array.isArray(raw) ? raw : [raw];
      const items = new Set<string>();
      for (const text of texts) {
        if (typeof text !== 'string') return null;
        for (const word of text.split(',').map((part) => part.trim())) {
          const item = parseItem(word);
          if (item === null) return null;
          items.add(item);
        }
      }
      return [...items];
    },
  };
}

/**
 * The origin of a browser's page, `https://example.com` or `http://localhost:5173`, or `*` for all; null for other
 * text.
 */
export function parseOrigin(text: string): string | null {
  if (text === '*') return text;
  const url = parseHttpUrl(text);
  return url !== null && url.origin === text.toLowerCase().replace(/\/$/, '') ? url.origin : null;
}

/**
 * A private place that photos are allowed from: an address, a CIDR block or a host name; null for other text. Short
 * IPv4 forms (`10.1`) and wildcards are refused, because in a list of permissions they are more likely a mistake.
 */
export function parseAllowedPlace(text: string): string | null {
  return parseAddressBlock(text) ?? (isHostName(text) && isIP(text) === 0 ? text : null);
}

/** An address or a CIDR block; null for other text. An IPv6 address can be in brackets. */
export function parseAddressBlock(text: string): string | null {
  const [place = '', bits, ...rest] = text.split('/');
  const version = isIP(place.replace(/^\[(.*)\]$/, '$1'));
  if (rest.length > 0 || version === 0) return null;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128) ? text : null;
}

/** A name that ends with digits is an address (WHATWG URL, 3.5), and addresses are checked before. */
function isHostName(text: string): boolean {
  return /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_-]+)*\.?$/i.test(text) && !/(^|\.)\d+\.?$/.test(text);
}

function parseHttpUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}
