/**
 * Serves the web page at `/` and the API reference at `/docs`, under a strict Content-Security-Policy. They contain no data;
 * their scripts read the /v1 API. Those of `/` are bundled from `browser/`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Hono } from 'hono';
import { codeFile } from '../../platform/program-files.ts';
import {
  answerFile,
  answerHtml,
  BASE_POLICY,
  makeRelease,
  OWN_POLICY,
  type PageRelease,
} from '../../studio/pages/page-answer.ts';
import { findPageFont, PAGE_FONT, readBundle } from '../../web/page-files.ts';

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

/** Files of this folder that browsers load as they are. */
const OWN_FILES = ['docs.css', 'favicon.svg', 'docs.js'] as const;

/** Files from packages, by their name on the page. The build copies those of development dependencies. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
};

/** The API viewer's style sheet contains its icons as data URLs. */
const DOCS_POLICY = [...BASE_POLICY, "img-src 'self' data:"];

/** A browser checks the end of a redirect, too. */
function withOrigin(rule: string, origin: string | undefined): string {
  return origin !== undefined && /^(?:media|img)-src /.test(rule) ? `${rule} ${origin}` : rule;
}

/**
 * A hono app with GET and HEAD routes at {@link PAGE_PATHS} and below {@link PAGE_ASSETS_PATH}, to be mounted at `/`. Other
 * methods and unknown files are left to the outer app.
 */
export function createPageApp({ publicUrl, fileOrigin }: PageOptions): Hono {
  const app = new Hono();

  for (const path of PAGE_PATHS) {
    const rules = path === '/' ? OWN_POLICY : DOCS_POLICY;
    const policy = rules.map((rule) => withOrigin(rule, fileOrigin));
    app.get(path, async (context) => {
      const { files, pages } = await readRelease();
      // Relative, so that the page also works behind a proxy that removes a path prefix.
      const html = pages[path]
        .replaceAll('{{assets}}', `${PAGE_ASSETS_PATH}/${files.name}`.slice(1))
        .replaceAll('{{public-url}}', escapeAttribute(publicUrl()));
      return answerHtml(context.req.raw, html, policy);
    });
  }

  app.get(`${PAGE_ASSETS_PATH}/:release/:name`, async (context, next) => {
    const { files } = await readRelease();
    return answerFile(context.req.raw, files, context.req.param()) ?? next();
  });
  return app;
}

interface Release {
  readonly files: PageRelease;
  readonly pages: Readonly<Record<(typeof PAGE_PATHS)[number], string>>;
}

let release: Promise<Release> | undefined;

/** Reads the files once per process (2.5 MB): they do not change while the server runs. */
function readRelease(): Promise<Release> {
  release ??= loadRelease();
  return release;
}

async function loadRelease(): Promise<Release> {
  const bundle = await readBundle('server/page/browser');
  return { files: loadFiles(bundle), pages: { '/': readText('index.html'), '/docs': readText('docs.html') } };
}

function loadFiles(bundle: Awaited<ReturnType<typeof readBundle>>): PageRelease {
  const { resolve } = createRequire(import.meta.url);
  const paths: [string, string][] = [
    ...OWN_FILES.map((name): [string, string] => [name, ownPath(name)]),
    ...Object.entries(PACKAGE_FILES).map(([name, specifier]): [string, string] => {
      const copy = ownPath(`packages/${name}`);
      return [name, existsSync(copy) ? copy : resolve(specifier)];
    }),
  ];
  const tokens = readFileSync(codeFile('web/components/tokens.css'));
  return makeRelease([
    ...bundle,
    ...paths.map(([name, path]) => [name, readFileSync(path)] as const),
    ['frame.css', Buffer.concat([tokens, readOwn('frame.css')])] as const,
    [PAGE_FONT, readFileSync(findPageFont())] as const,
  ]);
}

function readText(name: string): string {
  return readOwn(name).toString('utf8');
}

function readOwn(name: string): Buffer {
  return readFileSync(ownPath(name));
}

function ownPath(name: string): string {
  return codeFile(`server/page/${name}`);
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
