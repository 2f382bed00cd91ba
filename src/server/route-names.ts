/** The paths of the server, and the route that a path belongs to. Pure. */
import { FILES_PATH } from '../api/server/answers/public-task.ts';

export const TASKS_PATH = '/v1/tasks';
export const TASK_PATH = '/v1/tasks/{task_id}';
export const CANCEL_PATH = '/v1/tasks/{task_id}/cancel';
export const EVENTS_PATH = '/v1/tasks/{task_id}/events';
export const ORGANIZATION_PATH = '/v1/organization';
export const ASSETS_PATH = '/v1/assets';
export const TEMPLATES_PATH = '/v1/templates';
/** Pictures of templates, beside the API: pages show them without a key. */
export const SHEETS_PATH = '/templates';
export const HEALTH_PATH = '/healthz';
export const READY_PATH = '/readyz';
export const METRICS_PATH = '/metrics';
export const DOCUMENT_PATH = '/openapi.json';

const FIXED: ReadonlySet<string> = new Set([
  '/',
  '/docs',
  TASKS_PATH,
  ORGANIZATION_PATH,
  ASSETS_PATH,
  TEMPLATES_PATH,
  HEALTH_PATH,
  READY_PATH,
  METRICS_PATH,
  DOCUMENT_PATH,
]);

/** The route as a metric label. Unknown paths share one label, so that clients cannot create new ones. */
export function routeOf(pathname: string): string {
  if (FIXED.has(pathname)) return pathname;
  if (/^\/v1\/tasks\/[^/]+$/.test(pathname)) return TASK_PATH;
  if (/^\/v1\/tasks\/[^/]+\/cancel$/.test(pathname)) return CANCEL_PATH;
  if (/^\/v1\/tasks\/[^/]+\/events$/.test(pathname)) return EVENTS_PATH;
  if (pathname.startsWith(`${FILES_PATH}/`)) return FILES_PATH;
  if (pathname.startsWith(`${SHEETS_PATH}/`)) return SHEETS_PATH;
  return pathname.startsWith('/page/') ? '/page' : 'other';
}

/** A path as the log shows it, without the names of result files: a name is enough to get the file. */
export function toLoggedPath(pathname: string): string {
  const path = pathname.startsWith(`${FILES_PATH}/`) ? pathname.split('/').slice(0, 4).join('/') : pathname;
  // hono has decoded the path. Control characters could change a terminal that shows the log, so they are encoded again.
  return path.replace(/[^!-~]+/g, (text) => encodeURIComponent(Buffer.from(text).toString())).slice(0, 200);
}
