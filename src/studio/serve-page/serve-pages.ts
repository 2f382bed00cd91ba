/** The web pages of `serve`, as the server of the API mounts them: `/`, `/docs` and the example listing. */
import { Hono } from 'hono';
import type { ServerPages } from '../../api/server/server-deps.ts';
import { PAGE_ASSETS_PATH } from '../pages/page-answer.ts';
import { createExampleApp } from './example.ts';
import { createPageApp, PAGE_PATHS } from './page.ts';

export const SERVE_PAGES: ServerPages = {
  paths: PAGE_PATHS,
  assetsPath: PAGE_ASSETS_PATH,
  createApp: (options) => new Hono().route('/', createPageApp(options)).route('/', createExampleApp(options)),
};
