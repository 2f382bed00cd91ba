/**
 * Serves the web page at `/` and the API reference at `/docs`, under a strict Content-Security-Policy. They contain no
 * data; their scripts read the /v1 API. Those of `/` are bundled from `browser/`.
 */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { codeFile } from '../../platform/program-files.ts';
import {
  answerFile,
  answerHtml,
  BASE_POLICY,
  OWN_POLICY,
  PAGE_ASSETS_PATH,
  type PageRelease,
} from '../pages/page-answer.ts';
import { loadRelease, packageFileOf } from '../pages/page-files.ts';

export interface PageOptions {
  /**
   * Public URL of the service. A function, because a free port is known only when the server listens. The page loads
   * files below it from its own origin, so that it also works under `localhost` or through a tunnel.
   */
  readonly publicUrl: () => string;
  /** Where the server redirects requests for videos and pictures; the page can show them from there. */
  readonly fileOrigin?: string | undefined;
}

/** The pages, and the policy of each. The API viewer's style sheet contains its icons as data URLs. */
const PAGES = {
  '/': { html: 'index.html', policy: OWN_POLICY },
  '/docs': { html: 'docs.html', policy: [...BASE_POLICY, "img-src 'self' data:"] },
} as const;

export const PAGE_PATHS = Object.keys(PAGES);

/** A hono app with GET and HEAD routes of the pages. Other methods and unknown files are left to the outer app. */
export function createPageApp({ publicUrl, fileOrigin }: PageOptions): Hono {
  const app = new Hono();
  for (const [path, { html, policy }] of Object.entries(PAGES)) {
    // A browser checks the end of a redirect, too.
    const rules = policy.map((rule) =>
      fileOrigin !== undefined && /^(?:media|img)-src /.test(rule) ? `${rule} ${fileOrigin}` : rule,
    );
    app.get(path, async ({ req }) => {
      const text = (await readOwn(html)).toString('utf8');
      const page = text.replaceAll('{{public-url}}', escapeAttribute(publicUrl()));
      return answerHtml(req.raw, page, await readRelease(), rules);
    });
  }
  app.get(
    `${PAGE_ASSETS_PATH}/*`,
    async ({ req }, next) => answerFile(req.raw, await readRelease()) ?? next(),
  );
  return app;
}

let release: Promise<PageRelease> | undefined;

/** Reads the files once per process (2.5 MB): they do not change while the server runs. */
function readRelease(): Promise<PageRelease> {
  release ??= loadFiles();
  return release;
}

async function loadFiles(): Promise<PageRelease> {
  const viewer = (name: string) => readFile(packageFileOf(name, `swagger-ui-dist/${name}`));
  const tokens = await readFile(codeFile('studio/components/tokens.css'));
  return loadRelease('studio/serve-page/browser', [
    ['docs.css', await readOwn('docs.css')],
    ['docs-names.js', await readOwn('docs-names.js')],
    ['docs.js', await readOwn('docs.js')],
    ['frame.css', Buffer.concat([tokens, await readOwn('frame.css')])],
    ['swagger-ui-bundle.js', await viewer('swagger-ui-bundle.js')],
    ['swagger-ui.css', await viewer('swagger-ui.css')],
  ]);
}

function readOwn(name: string): Promise<Buffer> {
  return readFile(codeFile(`studio/serve-page/${name}`));
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
