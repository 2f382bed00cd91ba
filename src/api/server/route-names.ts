/** The route that a path belongs to, for metrics and the log. Pure. */
import { FILES_PATH } from './answers/public-task.ts';
import { ALL_ROUTES } from './routes/all-routes.ts';
import { SHEETS_PATH } from './routes/templates.ts';

export const DOCUMENT_PATH = '/openapi.json';

const NAMES = new Set(['/', '/docs', DOCUMENT_PATH, ...ALL_ROUTES.map(({ path }) => path)]);
const PATTERNS = [...NAMES]
  .filter((name) => name.includes('{'))
  .map((name) => ({ name, pattern: new RegExp(`^${name.replace(/\{\w+\}/g, '[^/]+')}$`) }));

/** The route as a metric label. Unknown paths share one label, so that clients cannot create new ones. */
export function routeOf(pathname: string): string {
  if (NAMES.has(pathname)) return pathname;
  const found = PATTERNS.find(({ pattern }) => pattern.test(pathname));
  if (found !== undefined) return found.name;
  const folder = [FILES_PATH, SHEETS_PATH, '/page'].find((path) => pathname.startsWith(`${path}/`));
  return folder ?? 'other';
}

/** A path as the log shows it, without the names of result files: a name is enough to get the file. */
export function toLoggedPath(pathname: string): string {
  const path = pathname.startsWith(`${FILES_PATH}/`) ? pathname.split('/').slice(0, 4).join('/') : pathname;
  // hono has decoded the path. Control characters could change a terminal that shows the log: they are encoded again.
  return path.replace(/[^!-~]+/g, (text) => encodeURIComponent(Buffer.from(text).toString())).slice(0, 200);
}
