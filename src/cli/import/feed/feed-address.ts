/** The addresses of a feed: the one of `--url`, with what an import adds to it, and those of further pages. Pure. */
import { ListingVideoError } from '../../../platform/errors.ts';
import { parseLiteralAddress } from '../../../platform/network/guard-address.ts';
import { usageError } from '../../cli-error.ts';
import { isSecretName } from '../../debug/redact.ts';

const EXAMPLE = "--url 'https://api.example.com/odata/Property?$top=200'";

/** @throws ListingVideoError `usage`. The message never has a secret that the URL holds. */
export function parseFeedUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError('--url is not a URL', EXAMPLE);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw usageError('--url is not an https URL', EXAMPLE);
  if (url.username !== '' || url.password !== '')
    throw usageError(
      '--url has a user name or password in it',
      'put the token into a variable: --token-env NAME',
    );
  // In double quotes, the shell takes $top for a variable of its own.
  if (url.searchParams.has(''))
    throw usageError('--url has a value without a name: the shell has taken the $ for its own', EXAMPLE);
  // Names with $ are OData's own: $skiptoken is none.
  const secret = [...url.searchParams.keys()].find((name) => !name.startsWith('$') && isSecretName(name));
  if (secret !== undefined)
    throw usageError(
      `--url has a secret in it: ${JSON.stringify(secret)}`,
      'leave it out, and put the token into a variable: --token-env NAME',
    );
  // Anybody between would read token and answer.
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw usageError('--url is not encrypted', 'begin it with https://');
  url.hash = '';
  return url;
}

/** What an import adds to the query of `--url`. */
export interface QueryAdditions {
  /** Also asks for `$expand=Media`, unless the URL says what is expanded. */
  readonly expandsMedia: boolean;
  /** Only what was changed at this time or later, ISO 8601; null for everything. */
  readonly since: string | null;
}

/** True when the query of the URL says itself what is expanded. */
export function saysExpand(url: URL): boolean {
  return url.searchParams.has('$expand');
}

/** @throws ListingVideoError `usage` for a `$filter` that has its own time. */
export function toFirstPage(url: URL, { expandsMedia, since }: QueryAdditions): URL {
  const query = [...url.searchParams].filter(([name, value]) => name !== '$expand' || value !== '');
  if (expandsMedia && !saysExpand(url)) query.push(['$expand', 'Media']);
  if (since === null) return withQuery(url, query);
  const own = url.searchParams.get('$filter') ?? '';
  if (/ModificationTimestamp/i.test(own))
    throw usageError(
      '--since cannot be combined with a time in $filter',
      'leave ModificationTimestamp out of --url',
    );
  // MLS Grid takes no brackets that are not needed.
  const before = own === '' ? '' : /\sor\s/i.test(own) ? `(${own}) and ` : `${own} and `;
  const others = query.filter(([name]) => name !== '$filter');
  return withQuery(url, [['$filter', `${before}ModificationTimestamp ge ${since}`], ...others]);
}

/** By hand, because `URLSearchParams` writes + for a space and %24 for $, which some feeds do not read. */
function withQuery(url: URL, query: readonly (readonly [string, string])[]): URL {
  const changed = new URL(url);
  changed.search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return changed;
}

/**
 * The page that an answer names.
 *
 * @throws ListingVideoError `server_answer_invalid` for another host: it would get the token.
 */
export function toLinkedPage(link: string, from: URL): URL {
  const url = parseOrNull(link, from);
  if (url === null) throw invalid(`${from.origin} names a next page that is no URL`);
  // Feeds behind a proxy often do not know that they are reached over https.
  if (url.protocol === 'http:' && from.protocol === 'https:' && url.hostname === from.hostname)
    url.protocol = 'https:';
  if (url.origin !== from.origin)
    throw invalid(
      `${from.origin} names a next page on another host, ${url.origin.slice(0, 200)}: the token is not sent there`,
    );
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

/** How feeds name the token in their links. Other names, such as `$skiptoken`, say which page it is. */
const TOKEN_NAMES = /^(?:access[_-]?token|api[_-]?key|authorization)$/i;

/** The URL without the token, which Bridge puts into its links. The header has it, too. */
export function withoutToken(url: URL, token: string | null): URL {
  const query = [...url.searchParams];
  const kept = query.filter(([name, value]) => !TOKEN_NAMES.test(name) && value !== token);
  return kept.length < query.length ? withQuery(url, kept) : url;
}

function parseOrNull(link: string, from: URL): URL | null {
  try {
    return new URL(link, from);
  } catch {
    return null;
  }
}

function isThisMachine(hostname: string): boolean {
  if (hostname === 'localhost') return true;
  const literal = parseLiteralAddress(hostname);
  return literal !== null && /^(?:127\.|::1$)/.test(literal);
}

function invalid(message: string): ListingVideoError {
  return new ListingVideoError('server_answer_invalid', message, {
    hint: 'ask the vendor of the feed',
  });
}
