/** Finds web addresses, e-mail addresses and names of accounts (`@janedoe`) in a text. Pure. */
import TOP_LEVEL_DOMAINS from 'tlds' with { type: 'json' };
import { type Span, spansOf } from './plain-text.ts';

/** Of the IANA list; `example` is reserved for documents (RFC 2606), such as ours. */
const ENDINGS: ReadonlySet<string> = new Set([...TOP_LEVEL_DOMAINS, 'example']);
/** Nobody writes one of these after a dot for another reason. */
const CERTAIN = new Set(['com', 'net', 'org', 'info', 'biz']);
/** Endings that brokers have: with a capital they are no beginning of a sentence after a capitalized word. */
const OF_BROKERS = new Set([
  ...['agency', 'app', 'broker', 'estate', 'group', 'homes', 'house', 'online', 'page', 'properties'],
  ...['property', 'realestate', 'realtor', 'realty', 'rentals', 'site', 'team', 'website'],
]);
/** Words that follow a dot where someone forgot the space: "views.in the back". */
const WORDS = new Set([
  ...['ad', 'am', 'as', 'at', 'ba', 'bd', 'be', 'br', 'by', 'do', 'in', 'is', 'it', 'my', 'new', 'no', 'now'],
  ...['one', 'pm', 'so', 'st', 'to'],
]);
/** Abbreviations end with a dot that is none of an address: "sq.km", "St.in". */
const ABBREVIATIONS = new Set([
  ...[
    'apt',
    'appt',
    'approx',
    'ave',
    'ba',
    'bd',
    'bdrm',
    'bldg',
    'blvd',
    'br',
    'ca',
    'cir',
    'corp',
    'ct',
    'cu',
  ],
  ...[
    'dr',
    'est',
    'etc',
    'ext',
    'fl',
    'ft',
    'hr',
    'hrs',
    'hwy',
    'inc',
    'incl',
    'jr',
    'ln',
    'llc',
    'ltd',
    'max',
  ],
  ...[
    'min',
    'mins',
    'mt',
    'no',
    'nr',
    'pkwy',
    'pl',
    'rd',
    'rm',
    'sf',
    'sq',
    'sr',
    'st',
    'ste',
    'vs',
    'yr',
    'yrs',
  ],
]);
/** Second levels under the ending of a country. */
const SECOND_LEVELS = new Set(['co', 'com', 'net', 'org']);
const INTRODUCES = /(?:\b(?:visit|web|website|site|url|online|go to|more at)|[:@])\s*$/i;

const CHAR = '[\\p{L}\\p{M}\\p{N}]';
const LABEL = `${CHAR}(?:(?:${CHAR}|-)*${CHAR})?`;
const STARTS = `(?<![\\p{L}\\p{M}\\p{N}_.@-])`;
const PATH = '(?:(?::\\d{2,5})?[/?#][^\\s<>"]*)?';
const IN_BRACKETS = (word: string) => `\\s?[([{]\\s?${word}\\s?[)\\]}]\\s?`;
const DOT = `(?:\\.|\\s\\.\\s|\\sdot\\s|${IN_BRACKETS('dot')})`;

const URL_OR_WWW = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.(?=[\p{L}\p{N}]))[^\s<>"]+/giu;
const HOST = new RegExp(`${STARTS}(?<host>${LABEL}(?:\\.${LABEL})+)(?<path>${PATH})`, 'gu');
/** With spaces, or in words: only where an ending is certain. */
const SPACED_HOST = new RegExp(
  `${STARTS}${LABEL}(?:\\s?\\.\\s?|\\sdot\\s|${IN_BRACKETS('dot')})(?:com|net|org)(?!${CHAR})${PATH}`,
  'gu',
);
const MAIL = new RegExp(
  `(?:mailto:)?[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._%+-]*(?<at>\\s?@\\s?|${IN_BRACKETS('at')}|\\sat\\s(?=${LABEL}\\sdot\\s))` +
    `(?<host>${LABEL}(?:(?:\\.${LABEL})+|(?:${DOT}${LABEL})+))`,
  'giu',
);
/** Not "@ 7 pm" and "@noon". */
const ACCOUNT = /(?<![\p{L}\p{N}])@(?!(?:noon|midnight|dusk|dawn|home|the)\b)[a-z_][\w.]{1,28}\w/giu;

/** @param names - Words of agents and offices in lower case, without spaces: an address with one in it is theirs. */
export function findWebAddresses(text: string, names: readonly string[] = []): Span[] {
  const hosts = spansOf(HOST, text).filter(({ start, match }) =>
    isHost(match.groups!.host!, {
      before: text.slice(0, start),
      isAlone: match[0].length === text.trim().length,
      hasPath: match.groups!.path!.length > 1,
      names,
    }),
  );
  const mails = spansOf(MAIL, text).filter(({ match }) => {
    const { at, host } = match.groups!;
    return at === '@' || ENDINGS.has(host!.split(/[^\p{L}\p{M}\p{N}-]+/u).at(-1)!);
  });
  const whole = [URL_OR_WWW, SPACED_HOST, ACCOUNT].flatMap((pattern) => spansOf(pattern, text));
  // The mark at the end of a sentence is none of the address.
  return [...whole, ...hosts, ...mails].map(({ start, end }) => ({
    start,
    end: start + text.slice(start, end).replace(/[.,;:!?)\]}'"’”»]+$/u, '').length,
  }));
}

interface Place {
  readonly before: string;
  readonly isAlone: boolean;
  readonly hasPath: boolean;
  readonly names: readonly string[];
}

/** Told from words with a dot between them by the ending, by its case, and by what stands before it. */
function isHost(host: string, { before, isAlone, hasPath, names }: Place): boolean {
  const labels = host.split('.');
  const [name, ending] = labels.slice(-2) as [string, string];
  const known = ending.toLowerCase();
  if (!ENDINGS.has(known) && !known.startsWith('xn--')) return false;
  if (hasPath || CERTAIN.has(known)) return true;
  const isAbbreviated = name.length === 1 || ABBREVIATIONS.has(name.toLowerCase());
  const isSecondLevel = labels.length > 2 && SECOND_LEVELS.has(name.toLowerCase());
  if ((isAbbreviated && !isSecondLevel) || !/\p{L}/u.test(name)) return false;
  const isCamel = /\p{Ll}\p{Lu}/u.test(name);
  const isTheirs = names.some((word) => host.toLowerCase().includes(word));
  if (isCamel || isTheirs || isSecondLevel) return true;
  // A script without capitals: its endings are no other words.
  if (known === ending.toUpperCase()) return true;
  // "KITCHEN.IN", "JANEDOE.CA", but "Denver.CO".
  const isUpper = ending === ending.toUpperCase();
  if (isUpper && name !== name.toUpperCase()) return false;
  if (!isUpper && ending !== known) return /^\p{Lu}/u.test(name) && OF_BROKERS.has(known);
  return !WORDS.has(known) || isAlone || INTRODUCES.test(before);
}
