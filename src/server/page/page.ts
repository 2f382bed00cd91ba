/**
 * Serves the web page at `/` and the API reference at `/docs`: plain files under a strict Content-Security-Policy. They
 * contain no data; their scripts read the /v1 API.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Hono } from 'hono';
import { codeFile } from '../../program-files.ts';

export interface PageOptions {
  /**
   * Public URL of the service. A function, because a free port is known only when the server listens. The page loads
   * files below it from its own origin, so that it also works under `localhost` or through a tunnel.
   */
  readonly publicUrl: () => string;
  /** Where the server redirects requests for videos and pictures; the page can show them from there. */
  readonly fileOrigin?: string | undefined;
}

/** Paths of the pages. Their other files are below {@link PAGE_ASSETS_PATH}. */
export const PAGE_PATHS = ['/', '/docs'] as const;

/** Path of the pages' files, which are in a folder named after their common digest. */
export const PAGE_ASSETS_PATH = '/page';

/** Files of this folder that browsers load. */
const OWN_FILES = [
  'frame.css',
  'page.css',
  'docs.css',
  'favicon.svg',
  'example-listing.json',
  'app.js',
  'api.js',
  'dom.js',
  'docs.js',
  'editor.js',
  'key-dialog.js',
  'media.js',
  'poller.js',
  'submit-view.js',
  'task-list-view.js',
  'task-parts.js',
  'task-view.js',
  'words.js',
] as const;

/** Files from packages, by their name on the page. The build copies those of development dependencies. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'eb-garamond.ttf': '@expo-google-fonts/eb-garamond/400Regular/EBGaramond_400Regular.ttf',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** The policy of every page: only files of its own origin, nothing inline. */
const POLICY = [
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
/** Our scripts never build markup from text, and the browser enforces that. */
const OWN_POLICY = [
  ...POLICY,
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];
/** The API viewer's style sheet contains its icons as data URLs. */
const DOCS_POLICY = [...POLICY, "img-src 'self' data:"];

const SAFETY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A browser checks the end of a redirect, too. */
function withOrigin(rule: string, origin: string | undefined): string {
  return origin !== undefined && /^(?:media|img)-src /.test(rule) ? `${rule} ${origin}` : rule;
}

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/**
 * A hono app with GET and HEAD routes at {@link PAGE_PATHS} and below {@link PAGE_ASSETS_PATH}, to be mounted at `/`. Other
 * methods and unknown files are left to the outer app.
 */
export function createPageApp({ publicUrl, fileOrigin }: PageOptions): Hono {
  release ??= loadRelease();
  const { files, name: releaseName, pages } = release;
  const base = `${PAGE_ASSETS_PATH}/${releaseName}`;
  const app = new Hono();

  for (const path of PAGE_PATHS) {
    const rules = path === '/' ? OWN_POLICY : DOCS_POLICY;
    const policy = rules.map((rule) => withOrigin(rule, fileOrigin)).join('; ');
    app.get(path, (context) => {
      // Relative, so that the page also works behind a proxy that removes a path prefix.
      const html = pages[path]
        .replaceAll('{{assets}}', base.slice(1))
        .replaceAll('{{public-url}}', escapeAttribute(publicUrl()));
      return answer(context.req.raw, {
        body: html,
        etag: `"${digest(html)}"`,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          'content-security-policy': policy,
        },
      });
    });
  }

  app.get(`${PAGE_ASSETS_PATH}/:release/:name`, (context, next) => {
    const { release: asked, name } = context.req.param();
    const file = asked === releaseName ? files.get(name) : undefined;
    if (file === undefined) return next();
    return answer(context.req.raw, {
      body: file.bytes,
      etag: `"${releaseName}"`,
      headers: { 'content-type': file.contentType, 'cache-control': 'public, max-age=31536000, immutable' },
    });
  });
  return app;
}

interface Release {
  readonly name: string;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly pages: Readonly<Record<(typeof PAGE_PATHS)[number], string>>;
}

/** Reads the files once per process (2.5 MB): they do not change while the server runs. */
let release: Release | undefined;

function loadRelease(): Release {
  const files = loadFiles();
  return {
    name: digest(...[...files.values()].map((file) => file.bytes)),
    files,
    pages: { '/': readText('index.html'), '/docs': readText('docs.html') },
  };
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

function loadFiles(): ReadonlyMap<string, PageFile> {
  const { resolve } = createRequire(import.meta.url);
  const paths: [string, string][] = [
    ...OWN_FILES.map((name): [string, string] => [name, ownPath(name)]),
    ...Object.entries(PACKAGE_FILES).map(([name, specifier]): [string, string] => {
      const copy = ownPath(`packages/${name}`);
      return [name, existsSync(copy) ? copy : resolve(specifier)];
    }),
  ];
  const contents = [
    ...paths.map(([name, path]) => [name, readFileSync(path)] as const),
    ['json-places.js', readJsonPlaces()] as const,
  ];
  return new Map(
    contents.map(([name, content]) => [
      name,
      {
        bytes: new Uint8Array(content),
        contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
      },
    ]),
  );
}

/** The one reader of JSON, which the command line uses too. The build compiles it; a source tree compiles it here. */
function readJsonPlaces(): Buffer {
  const built = ownPath('json-places.js');
  if (existsSync(built)) return readFileSync(built);
  const { transformSync } = createRequire(import.meta.url)('esbuild') as typeof import('esbuild');
  const source = readFileSync(codeFile('listing/json/json-places.ts'), 'utf8');
  return Buffer.from(transformSync(source, { loader: 'ts' }).code);
}

function readText(name: string): string {
  return readFileSync(ownPath(name), 'utf8');
}

function ownPath(name: string): string {
  return codeFile(`server/page/${name}`);
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 16);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
