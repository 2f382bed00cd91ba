/**
 * The HTTP API as a hono app: the routes, and the order of the checks. It has no socket: tests call `app.request`.
 * `static-files.ts` serves the result files before this app sees the request.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { admit, guardOrigin, guardRate } from '../api/server/access/admit.ts';
import { attendRequest } from '../api/server/requests/request-middleware.ts';
import { BodyBudget } from '../api/server/requests/body-budget.ts';
import { type AppEnv, type AppMiddleware, answerJson, answerNotFound } from '../api/server/context.ts';
import { isDevelopment } from '../api/server/access/development.ts';
import { methodGuard } from './method-guard.ts';
import { addMonitoring, endRoutes } from './monitoring.ts';
import { createApiDocument } from './openapi/api-document.ts';
import { createExampleApp } from '../studio/serve-page/example.ts';
import { createPageApp, PAGE_ASSETS_PATH, PAGE_PATHS } from './page/page.ts';
import { FILES_PATH } from '../api/server/answers/public-task.ts';
import { QueueGate } from '../api/server/requests/queue-gate.ts';
import { createRequestLimits } from '../api/server/access/rate-limit.ts';
import { requireBeta } from './require-beta.ts';
import {
  ASSETS_PATH,
  DOCUMENT_PATH,
  ORGANIZATION_PATH,
  SHEETS_PATH,
  TASKS_PATH,
  TEMPLATES_PATH,
} from './route-names.ts';
import { cancelTask } from './routes/cancel-task.ts';
import { createTask } from '../api/server/routes/create-task.ts';
import { getOrganization } from './routes/organization.ts';
import { getTask, listTasks } from '../api/server/routes/read-tasks.ts';
import { followTask } from '../api/server/routes/task-events.ts';
import { getSheet, listTemplates, requireSheet } from '../api/server/routes/templates.ts';
import { uploadAsset } from '../api/server/routes/upload-asset.ts';
import type { ServerDeps } from '../api/server/server-deps.ts';
import type { StaticFiles } from '../api/server/answers/static-files.ts';

const READ = ['GET', 'HEAD'] as const;

/** Bodies that are read and validated at once. */
const MAX_BODIES = 256;
/** How many of them can be as large as the limit: 64 MiB at the default of 4 MiB. */
const MAX_BODIES_AT_LIMIT = 16;

/** Uploads that are received, checked and stored at once. */
const MAX_UPLOADS = 64;
/** How many of them can be as large as the limit: 100 MiB of memory at 25 MiB each. */
const MAX_UPLOADS_AT_LIMIT = 4;

export type App = Hono<AppEnv>;

/**
 * Builds the app. Starts nothing.
 *
 * @param staticFiles - Serves the files when the request comes from Node's own server. Without it `/files` is 404.
 */
export function createHttpApp(deps: ServerDeps, staticFiles?: StaticFiles): App {
  const app: App = new Hono();
  const queue = new QueueGate({
    countWaiting: (organizationId, atMost) =>
      deps.store.count({ state: 'PENDING', atMost, ...(organizationId === null ? {} : { organizationId }) }),
    limit: deps.config.queueLimit,
    organizationLimit: deps.config.organizationWaiting,
    health: () => deps.engine.health,
    monotonicMs: deps.monotonicMs,
  });
  const { bodyLimitBytes, requestsPerMinute } = deps.config;
  const { monotonicMs } = deps;
  const access = { ...deps, limits: createRequestLimits({ requestsPerMinute, monotonicMs }) };
  const bodies = new BodyBudget({ maxBodies: MAX_BODIES, maxBytes: MAX_BODIES_AT_LIMIT * bodyLimitBytes });
  const onlyMethods = methodGuard(deps);

  // First, because static files have their own headers, log and metrics.
  if (staticFiles) app.all(`${FILES_PATH}/*`, passToStaticFiles(staticFiles));
  app.use('*', attendRequest(deps));
  app.get(TASKS_PATH, admit(access, 'read'), listTasks(deps));
  app.post(TASKS_PATH, admit(access, 'write'), createTask(deps, queue, bodies));
  app.all(TASKS_PATH, onlyMethods([...READ, 'POST']));
  app.get('/v1/tasks/:task_id', admit(access, 'read'), getTask(deps));
  app.all('/v1/tasks/:task_id', onlyMethods(READ));
  const cancelPath = '/v1/tasks/:task_id/cancel';
  app.use(cancelPath, requireBeta('task-cancel'));
  app.post(cancelPath, admit(access, 'write'), cancelTask(deps));
  app.all(cancelPath, onlyMethods(['POST']));
  const eventsPath = '/v1/tasks/:task_id/events';
  app.use(eventsPath, requireBeta('task-events'));
  app.get(eventsPath, admit(access, 'read'), followTask(deps));
  app.all(eventsPath, onlyMethods(READ));
  app.get(ORGANIZATION_PATH, admit(access, 'read'), getOrganization(deps));
  app.all(ORGANIZATION_PATH, onlyMethods(READ));
  app.use(ASSETS_PATH, requireBeta('uploads'));
  app.post(ASSETS_PATH, admit(access, 'write'), takeUploads(deps));
  app.all(ASSETS_PATH, onlyMethods(['POST']));
  app.use(TEMPLATES_PATH, requireBeta('templates'));
  app.get(TEMPLATES_PATH, admit(access, 'read'), listTemplates(deps));
  app.all(TEMPLATES_PATH, onlyMethods(READ));

  const open = guardOrigin(access);
  addMonitoring(app, deps, access);
  app.use(`${SHEETS_PATH}/:id/:name`, requireSheet(deps));
  app.get(`${SHEETS_PATH}/:id/:name`, open, getSheet(deps));
  app.all(`${SHEETS_PATH}/:id/:name`, onlyMethods(READ));
  app.get(DOCUMENT_PATH, guardRate(access), () =>
    answerJson(200, createApiDocument(deps.config.publicUrl(), { hasUploads: deps.uploads !== null })),
  );
  for (const path of [...PAGE_PATHS, `${PAGE_ASSETS_PATH}/*`]) app.get(path, open);
  const page = new Hono();
  const { publicUrl } = deps.config;
  page.route('/', createPageApp({ publicUrl, fileOrigin: deps.files.remoteOrigin }));
  // Workers fetch no photos from their own machine.
  const canFetchItself = async () => deps.rendersTasks !== false && isDevelopment(deps);
  page.route('/', createExampleApp({ publicUrl, canFetchItself }));
  app.route('/', page);
  for (const path of [DOCUMENT_PATH, ...PAGE_PATHS]) app.all(path, onlyMethods(READ));
  app.all(`${PAGE_ASSETS_PATH}/*`, async (c, next) => {
    // A path is known only if its file exists. The page has already answered GET.
    const isThere = (await page.request(c.req.path)).ok;
    return isThere ? onlyMethods(READ)(c, next) : answerNotFound();
  });

  endRoutes(app, deps);
  return app;
}

function takeUploads({ uploads, ...deps }: ServerDeps) {
  if (uploads === null)
    return () => answerNotFound('this service takes no uploads: its operator can add --storage');
  const maxBytes = MAX_UPLOADS_AT_LIMIT * uploads.maxBytes;
  return uploadAsset({ ...deps, uploads }, new BodyBudget({ maxBodies: MAX_UPLOADS, maxBytes }));
}

function passToStaticFiles(staticFiles: StaticFiles): AppMiddleware {
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    if (!incoming || !outgoing) return next();
    // A clone: where the caller's own listener was made before this module was loaded, `Response` is the light one of
    // @hono/node-server, which sends what it was made with and reads no header.
    return staticFiles(incoming, outgoing, c.req.path) ? RESPONSE_ALREADY_SENT.clone() : next();
  };
}
