/**
 * Decides whether a string is an e-mail address that mail can be sent to, and says why not.
 *
 * Rules and wording follow email-validator 2 (the library behind pydantic's `EmailStr`), its DNS lookups left out:
 * dot-atom local part, also internationalised (RFC 5322, RFC 6531), a domain with a period (RFC 1035, IDNA), no
 * reserved domain. Quoted local parts, bracketed IP addresses and display names are refused, as there.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

/** pydantic refuses to look at anything longer. */
const INPUT_MAX_LENGTH = 2048;
/** RFC 5321: a path is at most 256 octets, two of which are angle brackets. */
const EMAIL_MAX_BYTES = 254;
/** RFC 1035, section 2.3.4, in the text form. */
const DOMAIN_MAX_BYTES = 253;
const LABEL_MAX_BYTES = 63;

/** Special-use names (RFC 6761, 6762, 7686) that no mail can reach. `example` is left usable, as RFC 6761 asks. */
const RESERVED_DOMAINS = ['arpa', 'invalid', 'local', 'localhost', 'onion', 'test'];

/** Characters of an atom (RFC 5322, section 3.2.3) and all beyond ASCII (RFC 6531, section 3.3). */
const ATEXT = "a-zA-Z0-9_!#$%&'*+\\-/=?^`{|}~\\u0080-\\u{10FFFF}";
const LOCAL_CHARACTER = new RegExp(`^[.${ATEXT}]$`, 'u');
const DOT_ATOM = new RegExp(`^[${ATEXT}]+(?:\\.[${ATEXT}]+)*$`, 'u');
const DOMAIN_CHARACTER = /^[a-zA-Z0-9\-.\u0080-\u{10FFFF}]$/u;
/** What IDNA 2008 lets into a label besides letters, marks and digits: the joiners and middle dots of RFC 5892, A.1 to A.7. */
const IDNA_FORBIDDEN = /[^\p{L}\p{M}\p{Nd}\-.\u00b7\u0375\u05f3\u05f4\u3007\u30fb\p{Join_Control}]/u;

const NO_TOP_LEVEL_DOMAIN =
  'The part after the @-sign is not valid. It is not within a valid top-level domain.';

/** Names of characters a person cannot see, as far as they turn up in addresses. */
const UNSEEN: Readonly<Record<string, string>> = {
  ' ': 'SPACE',
  '\u00a0': 'NO-BREAK SPACE',
  '\u00ad': 'SOFT HYPHEN',
  '\u200b': 'ZERO WIDTH SPACE',
  '\u200c': 'ZERO WIDTH NON-JOINER',
  '\u200d': 'ZERO WIDTH JOINER',
  '\u200e': 'LEFT-TO-RIGHT MARK',
  '\u200f': 'RIGHT-TO-LEFT MARK',
  '\u2028': 'LINE SEPARATOR',
  '\u2029': 'PARAGRAPH SEPARATOR',
  '\u202a': 'LEFT-TO-RIGHT EMBEDDING',
  '\u202b': 'RIGHT-TO-LEFT EMBEDDING',
  '\u202c': 'POP DIRECTIONAL FORMATTING',
  '\u202d': 'LEFT-TO-RIGHT OVERRIDE',
  '\u202e': 'RIGHT-TO-LEFT OVERRIDE',
  '\u2066': 'LEFT-TO-RIGHT ISOLATE',
  '\u2067': 'RIGHT-TO-LEFT ISOLATE',
  '\u2068': 'FIRST STRONG ISOLATE',
  '\u2069': 'POP DIRECTIONAL ISOLATE',
  '\u3000': 'IDEOGRAPHIC SPACE',
  '\ufeff': 'ZERO WIDTH NO-BREAK SPACE',
};

/**
 * Judges one address; white space around it is forgiven.
 *
 * @returns null when mail could be sent there, else the reason as a sentence.
 */
export function judgeEmail(text: string): string | null {
  if (codePoints(text) > INPUT_MAX_LENGTH) return `Length must not exceed ${INPUT_MAX_LENGTH} characters`;
  const email = text.trim();
  const split = splitAtSign(email);
  if ('fault' in split) return split.fault;
  return (
    judgeLocalPart(split.local) ??
    judgeQuoting(split.local) ??
    judgeDomain(split.domain) ??
    judgeLength(email, split.domain)
  );
}

/** At the first @-sign or angle bracket outside quotes. */
function splitAtSign(email: string): { local: string; domain: string } | { fault: string } {
  let isQuoted = false;
  let isEscaped = false;
  for (let index = 0; index < email.length; index++) {
    const character = email[index]!;
    if (isQuoted) {
      if (character === '"' && !isEscaped) isQuoted = false;
      isEscaped = character === '\\' && !isEscaped;
    } else if (character === '"') {
      isQuoted = true;
    } else if (character === '@') {
      return { local: email.slice(0, index), domain: email.slice(index + 1) };
    } else if (character === '<') {
      return { fault: 'A display name and angle brackets around the email address are not permitted here.' };
    }
  }
  if (email.includes('\uff20')) {
    return {
      fault: 'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.',
    };
  }
  if (email.includes('\ufe6b')) {
    return {
      fault: 'The email address has the "small commercial at" character instead of a regular at-sign.',
    };
  }
  return { fault: 'An email address must have an @-sign.' };
}

function judgeLocalPart(local: string): string | null {
  if (local === '') return 'There must be something before the @-sign.';
  if (isQuotedString(local)) return null;
  if (DOT_ATOM.test(local)) {
    const isAscii = /^[\u0021-\u007e]+$/.test(local);
    return isAscii ? null : (judgeUnsafe(local) ?? judgeNormalised(local));
  }
  const bad = charactersUnlike(local, LOCAL_CHARACTER);
  if (bad !== null) return `The email address contains invalid characters before the @-sign: ${bad}.`;
  return judgeDots(local, false) ?? 'The email address contains invalid characters before the @-sign.';
}

function judgeNormalised(local: string): string | null {
  const normalised = local.normalize('NFC');
  if (normalised === local || DOT_ATOM.test(normalised)) return null;
  return 'After Unicode normalization: The email address contains invalid characters before the @-sign.';
}

function isQuotedString(local: string): boolean {
  return local.length >= 2 && local.startsWith('"') && local.endsWith('"');
}

function judgeQuoting(local: string): string | null {
  return isQuotedString(local) ? 'Quoting the part before the @-sign is not allowed here.' : null;
}

function judgeDomain(domain: string): string | null {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('[') && domain.endsWith(']')) {
    return 'A bracketed IP address after the @-sign is not allowed here.';
  }
  const bad = charactersUnlike(domain, DOMAIN_CHARACTER);
  if (bad !== null) return `The part after the @-sign contains invalid characters: ${bad}.`;
  // Full stops of other scripts are periods in a domain; what merely decomposes into one is a trick.
  const trick = /[\u2024-\u2026\u2488-\u249b\ufe52]/u.exec(domain)?.[0];
  if (trick !== undefined) return `The part after the @-sign contains invalid characters: '${trick}'.`;
  const unsafe = judgeUnsafe(domain);
  if (unsafe !== null) return unsafe;
  // UTS 46 turns the full stops of other scripts into periods and folds case before labels are told apart.
  const dotted = domain
    .normalize('NFKC')
    .replace(/\u3002/g, '.')
    .toLowerCase();
  const dots = judgeDots(dotted, true);
  if (dots !== null) return dots;
  if (dotted.split('.').some((label) => /^(?!xn)..--/u.test(label))) {
    return 'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.';
  }
  return judgeAsciiDomain(dotted);
}

function judgeAsciiDomain(dotted: string): string | null {
  const isPlain = /^[a-z0-9.-]+$/.test(dotted) && !/(?:^|\.)xn--/.test(dotted);
  const ascii = isPlain ? dotted : domainToASCII(dotted);
  // An all-digit last label makes the converter think of an IPv4 address.
  if (ascii === '')
    return /\.\d+$/.test(dotted) ? NO_TOP_LEVEL_DOMAIN : 'The part after the @-sign is not valid IDNA.';
  if (!isPlain) {
    const fault = idnaFault(domainToUnicode(ascii));
    if (fault !== null) return `The part after the @-sign is invalid (${fault}).`;
  }
  if (ascii.length > DOMAIN_MAX_BYTES) {
    return `The email address is too long after the @-sign ${tooMany(ascii.length - DOMAIN_MAX_BYTES, 'character')}.`;
  }
  const longLabel = ascii.split('.').find((label) => label.length > LABEL_MAX_BYTES);
  if (longLabel !== undefined) {
    return `After the @-sign, periods cannot be separated by so many characters ${tooMany(longLabel.length - LABEL_MAX_BYTES, 'character')}.`;
  }
  if (!ascii.includes('.')) return 'The part after the @-sign is not valid. It should have a period.';
  if (!/[a-z]$/i.test(ascii)) return NO_TOP_LEVEL_DOMAIN;
  if (RESERVED_DOMAINS.some((reserved) => ascii.endsWith(`.${reserved}`))) {
    return 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  }
  return null;
}

/** Symbols are in no IDNA 2008 label, though browsers resolve some. */
function idnaFault(domain: string): string | null {
  for (const label of domain.split('.')) {
    const characters = [...label];
    const position = characters.findIndex((character) => IDNA_FORBIDDEN.test(character));
    if (position === -1) continue;
    const code = characters[position]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `Codepoint U+${code} at position ${position + 1} of '${label}' not allowed`;
  }
  return null;
}

function judgeDots(part: string, isDomain: boolean): string | null {
  const atStart = (mark: string) =>
    isDomain
      ? `An email address cannot have a ${mark} immediately after the @-sign.`
      : `An email address cannot start with a ${mark}.`;
  const atEnd = (mark: string) =>
    isDomain
      ? `An email address cannot end with a ${mark}.`
      : `An email address cannot have a ${mark} immediately before the @-sign.`;
  if (part.endsWith('.')) return atEnd('period');
  if (part.startsWith('.')) return atStart('period');
  if (part.includes('..')) return 'An email address cannot have two periods in a row.';
  if (!isDomain) return null;
  if (part.endsWith('-')) return atEnd('hyphen');
  if (part.startsWith('-')) return atStart('hyphen');
  if (part.includes('.-') || part.includes('-.')) {
    return 'An email address cannot have a period and a hyphen next to each other.';
  }
  return null;
}

/** Characters that do not show, or that change how others show: an address could pose as another. */
function judgeUnsafe(part: string): string | null {
  const bad = new Set<string>();
  let isFirst = true;
  for (const character of part) {
    if (
      isFirst
        ? !/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
        : !/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character)
    ) {
      bad.add(character);
    }
    isFirst = false;
  }
  if (bad.size === 0) return null;
  return `The email address contains unsafe characters: ${[...bad].sort().map(showCharacter).join(', ')}.`;
}

function judgeLength(email: string, domain: string): string | null {
  const excess = Buffer.byteLength(email, 'utf8') - EMAIL_MAX_BYTES;
  if (excess > 0) {
    const isAscii = Buffer.byteLength(email, 'utf8') === email.length;
    return `The email address is too long ${tooMany(excess, isAscii ? 'character' : 'byte')}.`;
  }
  const asciiDomain = domainToASCII(domain);
  const asciiExcess =
    Buffer.byteLength(email) - Buffer.byteLength(domain) + asciiDomain.length - EMAIL_MAX_BYTES;
  if (asciiExcess <= 0) return null;
  return `The email address is too long when the part after the @-sign is converted to IDNA ASCII ${tooMany(asciiExcess, 'byte')}.`;
}

/** The characters of `part` that do not match, shown and sorted; null when all match. */
function charactersUnlike(part: string, allowed: RegExp): string | null {
  const bad = new Set<string>();
  for (const character of part) if (!allowed.test(character)) bad.add(showCharacter(character));
  return bad.size === 0 ? null : [...bad].sort().join(', ');
}

/** Visible ones in quotes, others by name or number. */
function showCharacter(character: string): string {
  if (character === '\\') return '"\\"';
  if (character === "'") return `"'"`;
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `'${character}'`;
  const code = character.codePointAt(0)!;
  return (
    UNSEEN[character] ??
    `U+${code
      .toString(16)
      .toUpperCase()
      .padStart(code < 0xffff ? 4 : 8, '0')}`
  );
}

function tooMany(excess: number, unit: string): string {
  return `(${excess} ${unit}${excess > 1 ? 's' : ''} too many)`;
}

function codePoints(text: string): number {
  // Cheap for the common case; a surrogate pair is one code point.
  if (text.length <= INPUT_MAX_LENGTH) return text.length;
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
