/** Decides whether a string can be the URL of an image. It looks nothing up: the fetcher guards addresses. */

/** What is wrong with a URL: it does not parse (`error` says why), or its scheme is not http(s). */
export type UrlFault = { readonly kind: 'parsing'; readonly error: string } | { readonly kind: 'scheme' };

/**
 * Checks a URL with the WHATWG parser: an http(s) scheme, a host, no credentials. It accepts non-ASCII and spaces,
 * which the parser encodes.
 *
 * @param allowLocalFiles - Whether `file:` URLs and paths, relative or absolute, are accepted too.
 * @returns null when the URL is acceptable.
 */
export function validateUrl(text: string, allowLocalFiles: boolean): UrlFault | null {
  if (text === '') return { kind: 'parsing', error: 'input is empty' };
  // The parser itself drops controls and spaces at both ends, and tabs and line breaks anywhere.
  const trimmed = text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]/g, '');
  const scheme = schemeOf(trimmed);
  if (allowLocalFiles && (scheme === null || isDrivePath(trimmed))) return validatePath(text, trimmed);
  if (scheme === null) return { kind: 'parsing', error: 'relative URL without a base' };
  const url = parse(text);
  if (url === null) return { kind: 'parsing', error: parsingError(trimmed) };
  if (url.username !== '' || url.password !== '' || hasEmptyCredentials(trimmed, url)) {
    return { kind: 'parsing', error: 'user name and password are not allowed' };
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return null;
  if (url.protocol === 'file:' && allowLocalFiles) return null;
  return { kind: 'scheme' };
}

/** Not `URL.canParse`: once optimized, that of Node 20 refuses valid URLs with letters between U+0080 and U+00FF. */
function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The scheme in lower case, without its colon. */
function schemeOf(trimmed: string): string | null {
  return /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase() ?? null;
}

/** `C:\photos\front.jpg` looks like a URL of scheme `c`. */
function isDrivePath(trimmed: string): boolean {
  return /^[a-z]:[\\/]/i.test(trimmed);
}

function validatePath(text: string, trimmed: string): UrlFault | null {
  if (trimmed === '') return { kind: 'parsing', error: 'input is empty' };
  if (text.includes('\0')) return { kind: 'parsing', error: 'a path cannot hold a null character' };
  return null;
}

/** `https://@host/` and `https://:@host/` have empty credentials, which the parser hides. */
function hasEmptyCredentials(trimmed: string, url: URL): boolean {
  return url.host !== '' && authorityOf(trimmed).includes('@');
}

/** The part between the slashes and the path. A backslash is a slash in http(s) URLs. */
function authorityOf(trimmed: string): string {
  return /^[a-z][a-z0-9+.-]*:[/\\]*([^/\\?#]*)/i.exec(trimmed)?.[1] ?? '';
}

/** Why the parser refused, in the words of the Rust `url` crate and so of pydantic. The parser gives no reason. */
function parsingError(trimmed: string): string {
  const authority = authorityOf(trimmed);
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  const host = /^(?:\[[^\]]*\]?|[^:])*/.exec(hostAndPort)?.[0] ?? '';
  if (/^[\u00ad\u200b\u2060\ufeff]*$/.test(host)) return 'empty host';
  if (host !== hostAndPort && parse(`http://${host}/`) !== null) return 'invalid port number';
  if (host.startsWith('[')) return 'invalid IPv6 address';
  const lastLabel = host.replace(/\.$/, '').split('.').at(-1) ?? '';
  return /^(?:\d+|0x[0-9a-f]*)$/i.test(lastLabel)
    ? 'invalid IPv4 address'
    : 'invalid international domain name';
}
