/** The paths of the server by name, and which of them a path belongs to. Pure. */
import { FILES_PATH } from './public-task.ts';

export const TASKS_PATH = '/v1/tasks';
export const TASK_PATH = '/v1/tasks/{task_id}';
export const ORGANIZATION_PATH = '/v1/organization';
export const HEALTH_PATH = '/healthz';
export const READY_PATH = '/readyz';
export const METRICS_PATH = '/metrics';
export const DOCUMENT_PATH = '/openapi.json';

const FIXED: ReadonlySet<string> = new Set([
  '/',
  '/docs',
  TASKS_PATH,
  ORGANIZATION_PATH,
  HEALTH_PATH,
  READY_PATH,
  METRICS_PATH,
  DOCUMENT_PATH,
]);

/** One of a handful of names: a label that nobody can make grow. */
export function routeOf(pathname: string): string {
  if (FIXED.has(pathname)) return pathname;
  if (/^\/v1\/tasks\/[^/]+$/.test(pathname)) return TASK_PATH;
  if (pathname.startsWith(`${FILES_PATH}/`)) return FILES_PATH;
  return pathname.startsWith('/page/') ? '/page' : 'other';
}

/** What the log may hold of a path: whoever has a file's name has the file. */
export function loggablePath(pathname: string): string {
  const path = pathname.startsWith(`${FILES_PATH}/`) ? pathname.split('/').slice(0, 4).join('/') : pathname;
  // Decoded by hono. A terminal that shows the log would obey some of these characters, and JSON leaves them as they are.
  return path.replace(/[^!-~]+/g, (text) => encodeURIComponent(Buffer.from(text).toString())).slice(0, 200);
}
