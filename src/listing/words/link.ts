/** A web address that a listing gives for its viewers: checked, complete, and in the short form that people read. */

export interface Link {
  /** Complete, with its scheme: what a phone opens. */
  readonly url: string;
  /**
   * Host and path without scheme, `www.` and closing slash; a query is left out, and so is a path that nobody would
   * type. It can be broken after its host, before the slash, and in the path after later slashes and hyphens.
   */
  readonly short: string;
  /** As `short`, whole: with its path and query. */
  readonly full: string;
}

/** White space, control and format characters (bidi overrides among them), and signs that no address has. */
const NOT_IN_A_LINK = /[\s\p{C}<>"'`{}|\\^]/u;
/** Longer ones would only cost time: no code holds them. */
const MAX_CHARS = 2_000;
/** A longer path cannot be read on the last scene, or typed from it. */
const MAX_SHORT_CHARS = 48;
/** A zero-width space: a line can be broken here. */
const BREAK_HERE = '\u200b';
const WEB = /^https?:\/\//i;
/** `mailto:`, `javascript:`, `ftp://`; `harborpine.example:8080` is a host and its port. */
const OTHER_SCHEME = /^[a-z][a-z0-9+-]*:(?!\d+(?:[/?#]|$))|:\/\//i;
const HOST = /^(?:[\p{L}\p{N}\p{M}_-]+\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu;

/** A scheme that is missing is https. @returns The link, or in words what is wrong with it, continuing "it". */
export function parseLink(text: string): Link | { readonly problem: string } {
  const raw = text.trim();
  if (raw.length > MAX_CHARS) return { problem: 'is too long for a web address' };
  if (NOT_IN_A_LINK.test(raw)) return { problem: 'has spaces or characters that a web address cannot have' };
  if (!WEB.test(raw) && OTHER_SCHEME.test(raw)) return { problem: 'does not begin with http:// or https://' };
  const complete = WEB.test(raw) ? raw : `https://${raw}`;
  const url = URL.canParse(complete) ? new URL(complete) : null;
  const written = complete.replace(WEB, '').split(/[/?#]/)[0]!;
  // A name and a password before the host make an address look like another one.
  if (!url || written === '' || written.includes('@') || !HOST.test(url.hostname))
    return { problem: 'is not a web address such as https://harborpine.example/tour' };
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  // Letters outside ASCII are shown as they were written, not in the encoded form of the network.
  const host = /[^\p{ASCII}]/u.test(written) ? written.normalize('NFKC').toLowerCase() : url.host;
  const path = complete.replace(WEB, '').slice(written.length).split(/[?#]/)[0]!;
  const shown = host.replace(/^www\.(?=.*\.)/, '');
  const whole = `${shown}${path.replace(/\/+$/, '')}`;
  return {
    url: isBare ? url.href.replace(/\/$/, '') : url.href,
    short: toBreakable(whole.length > MAX_SHORT_CHARS ? shown : whole),
    full: toBreakable(`${shown}${complete.replace(WEB, '').slice(written.length)}`.replace(/\/+$/, '')),
  };
}

function toBreakable(address: string): string {
  const [host = ''] = address.split(/[/?#]/);
  // The mark says that this is an address, also one without a path: nothing hyphenates it.
  const path = address.slice(host.length).replace(/(?<!^)[/_?&=-]+(?=.)/g, `$&${BREAK_HERE}`);
  return `${host}${BREAK_HERE}${path}`;
}
