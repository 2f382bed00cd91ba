/** Decides whether a string is an e-mail address that mail can reach. It looks nothing up. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** RFC 5321, section 4.5.3.1.3: a path has at most 256 bytes, two of which are angle brackets. */
const MAX_BYTES = 254;
/** RFC 1035, section 2.3.4. */
const LONG_LABEL = /[^.]{64}/;
const ASCII_ADDRESS = fullFormats.email as RegExp;
/** RFC 6531 allows characters beyond ASCII. An invisible one could make one address look like another. */
const VISIBLE_BEYOND_ASCII = /(?![\0-\x7f])[\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;
/** Letters, digits, full stops of any script, and the marks that IDNA 2008 allows (RFC 5892, appendix A). */
const DOMAIN = /^[\p{L}\p{M}\p{Nd}.\-\u3002\uff0e\uff61\u00b7\u0375\u05f3\u05f4\u3007\u30fb]+$/u;
/** A label that begins or ends with a hyphen, or has two hyphens after two letters (RFC 5891, section 4.2.3.1). */
const BAD_HYPHEN = /(?:^|\.)(?:-|..--)|-(?:\.|$)/u;
/** Special-use names (RFC 6761, 6762, 7686) that no mail reaches. RFC 6761 allows mail to `example`. */
const RESERVED = /\.(?:arpa|invalid|local|localhost|onion|test)$/;

/**
 * True for a mailbox at a public domain name, also an internationalized one. White space around it is ignored.
 * Quoted names, bracketed IP addresses, display names and special-use domains are refused.
 */
export function isEmailAddress(text: string): boolean {
  const address = text.trim().normalize('NFC');
  const [local = '', domain = '', ...rest] = address.split('@');
  if (rest.length > 0 || Buffer.byteLength(address) > MAX_BYTES || !DOMAIN.test(domain)) return false;
  const asciiDomain = domainToASCII(domain);
  const unicodeDomain = domainToUnicode(asciiDomain);
  return (
    Buffer.byteLength(`${local}@${asciiDomain}`) <= MAX_BYTES &&
    !/^\p{M}/u.test(local) &&
    ASCII_ADDRESS.test(`${local.replace(VISIBLE_BEYOND_ASCII, 'x')}@${asciiDomain}`) &&
    // No top-level domain ends with a digit, not even in Punycode.
    /[a-z]$/.test(asciiDomain) &&
    DOMAIN.test(unicodeDomain) &&
    !BAD_HYPHEN.test(unicodeDomain) &&
    !LONG_LABEL.test(asciiDomain) &&
    !RESERVED.test(asciiDomain)
  );
}
