/**
 * The HTTP API as a hono app: its routes, in the order of the checks. It has no socket: tests call `app.request`.
 * `static-files.ts` serves the result files before this app sees the request.
 */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { ListingVideoError } from '../../platform/errors.ts';
import { guardOrigin, guardRate } from './access/admit.ts';
import { isDevelopment } from './access/development.ts';
import { createRequestLimits } from './access/rate-limit.ts';
import { toProblem } from './answers/api-problem.ts';
import { FILES_PATH } from './answers/public-task.ts';
import type { StaticFiles } from './answers/static-files.ts';
import { type AppEnv, type AppMiddleware, answerJson, answerNotFound, answerProblem } from './context.ts';
import { createApiDocument } from './openapi/api-document.ts';
import { BodyBudget } from './requests/body-budget.ts';
import { QueueGate } from './requests/queue-gate.ts';
import { type RequestMiddlewareDeps, requestMiddleware } from './requests/request-middleware.ts';
import { DOCUMENT_PATH } from './route-names.ts';
import { ALL_ROUTES, type AllRouteDeps } from './routes/all-routes.ts';
import { MONITORING_ROUTES, type MonitoringDeps } from './routes/monitoring.ts';
import { addRoutes, methodGuard, type RouterDeps } from './routes/route.ts';
import { getSheet, requireSheet, SHEETS_PATH } from './routes/templates.ts';
import type { ServerDeps } from './server-deps.ts';

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
  const access = withSharedLimits(deps);
  const open = guardOrigin(access);
  const onlyRead = methodGuard(deps)(READ);

  // First, because static files have their own headers, log and metrics.
  if (staticFiles) app.all(`${FILES_PATH}/*`, passToStaticFiles(staticFiles));
  app.use('*', requestMiddleware(deps));
  addRoutes(app, ALL_ROUTES, access);
  const sheet = `${SHEETS_PATH}/:id/:name`;
  app.use(sheet, requireSheet(deps)).get(sheet, open, getSheet(deps)).all(sheet, onlyRead);
  app.get(DOCUMENT_PATH, guardRate(access), () =>
    answerJson(200, createApiDocument(deps.config.publicUrl(), { hasUploads: deps.uploads !== null })),
  );
  app.all(DOCUMENT_PATH, onlyRead);
  addPages(app, deps, open, onlyRead);
  return endRoutes(app, deps);
}

/** The app of a process without an API: the operator's paths only. */
export function createMonitoringApp(
  deps: RequestMiddlewareDeps & MonitoringDeps & Omit<RouterDeps, 'uploads'>,
): App {
  const app: App = new Hono();
  app.use('*', requestMiddleware(deps));
  addRoutes(app, MONITORING_ROUTES, { ...deps, uploads: null });
  return endRoutes(app, deps);
}

function withSharedLimits(deps: ServerDeps): AllRouteDeps {
  const { config, store, engine, uploads, monotonicMs } = deps;
  const { bodyLimitBytes, requestsPerMinute } = config;
  const uploadBytes = uploads?.maxBytes ?? 0;
  return {
    ...deps,
    limits: createRequestLimits({ requestsPerMinute, monotonicMs }),
    queue: new QueueGate({
      countWaiting: (organizationId, atMost) =>
        store.count({ state: 'PENDING', atMost, ...(organizationId === null ? {} : { organizationId }) }),
      limit: config.queueLimit,
      organizationLimit: config.organizationWaiting,
      health: () => engine.health,
      monotonicMs,
    }),
    bodies: new BodyBudget({ maxBodies: MAX_BODIES, maxBytes: MAX_BODIES_AT_LIMIT * bodyLimitBytes }),
    uploadBodies: new BodyBudget({ maxBodies: MAX_UPLOADS, maxBytes: MAX_UPLOADS_AT_LIMIT * uploadBytes }),
  };
}

function addPages(app: App, deps: ServerDeps, open: AppMiddleware, onlyRead: AppMiddleware): void {
  const { paths, assetsPath, createApp } = deps.pages;
  for (const path of [...paths, `${assetsPath}/*`]) app.get(path, open);
  const pages = createApp({
    publicUrl: deps.config.publicUrl,
    fileOrigin: deps.files.remoteOrigin,
    // Workers fetch no photos from their own machine.
    canFetchItself: async () => deps.rendersTasks !== false && isDevelopment(deps),
  });
  app.route('/', pages);
  for (const path of paths) app.all(path, onlyRead);
  app.all(`${assetsPath}/*`, async (c, next) => {
    // A path is known only if its file exists. The pages have already answered GET.
    const isThere = (await pages.request(c.req.path)).ok;
    return isThere ? onlyRead(c, next) : answerNotFound();
  });
}

/** Adds the answers to unknown paths and to thrown errors. */
function endRoutes(app: App, deps: Pick<ServerDeps, 'checkReadiness'>): App {
  app.notFound(() => answerNotFound());
  return app.onError((error, c) => {
    const refusal = toProblem(error, c.get('requestId'));
    // The log names every 5xx: the operator must see a full disk as well as a bug.
    if (refusal.status >= 500) c.set('fault', error);
    // The check makes room, so that the client's next try finds some.
    if (error instanceof ListingVideoError && error.code === 'disk_full')
      deps.checkReadiness().catch(() => {});
    return answerProblem(refusal);
  });
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
