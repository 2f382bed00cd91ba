/**
 * How the files of a web page are answered: types, caching, and a strict Content-Security-Policy. Which files a page has is
 * decided by the page.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';

/** A file that browsers load. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** The files of one version of a page, which browsers keep for ever. */
export interface PageRelease {
  /** The digest of all files, and the folder in their addresses. */
  readonly name: string;
  readonly files: ReadonlyMap<string, PageFile>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** The policy of every page: only files of its own origin, nothing inline. It says nothing about images. */
export const BASE_POLICY: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The policy of pages made of our own scripts: they never build markup from text, and the browser enforces that. */
export const OWN_POLICY: readonly string[] = [
  ...BASE_POLICY,
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const SAFETY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The release of these files, by their names on the page. */
export function makeRelease(contents: Iterable<readonly [name: string, content: Uint8Array]>): PageRelease {
  const files = new Map(
    Array.from(contents, ([name, content]): [string, PageFile] => [
      name,
      {
        bytes: new Uint8Array(content),
        contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      },
    ]),
  );
  return { name: digest(...[...files.values()].map((file) => file.bytes)), files };
}

/** The page itself, which names the files of its release: browsers ask for it each time. */
export function answerHtml(request: Request, html: string, policy: readonly string[]): Response {
  return answer(request, {
    body: html,
    etag: `"${digest(html)}"`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
    },
  });
}

/** A file of the release; null when the name of the release or of the file is another. */
export function answerFile(
  request: Request,
  release: PageRelease,
  asked: { readonly release: string; readonly name: string },
): Response | null {
  const file = asked.release === release.name ? release.files.get(asked.name) : undefined;
  if (file === undefined) return null;
  return answer(request, {
    body: file.bytes,
    etag: `"${release.name}"`,
    headers: { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' },
  });
}

interface Answer {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

function answer(request: Request, { body, etag, headers }: Answer): Response {
  const all = { ...SAFETY_HEADERS, ...headers, etag };
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  // RFC 9110, 13.1.2: a weak comparison, because a proxy that compresses makes the tag weak.
  const isKnown = known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  return isKnown ? new Response(null, { status: 304, headers: all }) : new Response(body, { headers: all });
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 16);
}
