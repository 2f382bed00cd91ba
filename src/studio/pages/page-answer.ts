/** How the files of a web page are answered: types, caching, and a strict Content-Security-Policy. */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';

/** The files of one version of a page, which browsers keep for ever. */
export interface PageRelease {
  /** The digest of all files, and the folder in their addresses. */
  readonly name: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Path of the files of a page, which are in a folder with the name of their release. */
export const PAGE_ASSETS_PATH = '/page';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
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

export function makeRelease(contents: Iterable<readonly [name: string, content: Uint8Array]>): PageRelease {
  const files = new Map(Array.from(contents, ([name, content]) => [name, new Uint8Array(content)] as const));
  return { name: digest(...files.values()), files };
}

/**
 * The page itself, which names the files of its release: browsers ask for it each time.
 *
 * @param html - `{{assets}}` stands for the folder of the release, relative to the page: it can be behind a proxy that
 *   removes a path prefix.
 */
export function answerHtml(
  request: Request,
  html: string,
  release: PageRelease,
  policy: readonly string[],
): Response {
  const body = html.replaceAll('{{assets}}', `${PAGE_ASSETS_PATH}/${release.name}`.slice(1));
  return answer(request, body, digest(body), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
  });
}

/** A file of the release; null for any other path. */
export function answerFile(request: Request, release: PageRelease): Response | null {
  const [, folder, name, file = '', ...rest] = new URL(request.url).pathname.split('/');
  const isOurs = `/${folder}` === PAGE_ASSETS_PATH && name === release.name && rest.length === 0;
  const bytes = isOurs ? release.files.get(file) : undefined;
  if (bytes === undefined) return null;
  return answer(request, bytes, release.name, {
    'content-type': CONTENT_TYPES[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
  });
}

function answer(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  tag: string,
  own: Readonly<Record<string, string>>,
): Response {
  const etag = `"${tag}"`;
  const headers = { ...SAFETY_HEADERS, ...own, etag };
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((each) => each.trim());
  // RFC 9110, 13.1.2: a weak comparison, because a proxy that compresses makes the tag weak.
  const isKnown = known.some((each) => each === '*' || each.replace(/^W\//, '') === etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 16);
}
