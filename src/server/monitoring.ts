/** The operator's paths, which an API server and a worker have: `/healthz`, `/readyz` and `/metrics`. */
import { Hono } from 'hono';
import { ListingVideoError } from '../platform/errors.ts';
import { type AdmitDeps, guardOrigin, requireOperator } from '../api/server/access/admit.ts';
import { toProblem } from '../api/server/answers/api-problem.ts';
import { type AttendDeps, attendRequest } from '../api/server/requests/request-middleware.ts';
import { type AppEnv, answerNotFound, answerProblem } from '../api/server/context.ts';
import { methodGuard } from './method-guard.ts';
import { HEALTH_PATH, METRICS_PATH, READY_PATH } from './route-names.ts';
import { answerHealth, answerMetrics, answerReadiness, type ReadinessDeps } from './routes/health.ts';
import type { ServerDeps } from '../api/server/server-deps.ts';

type MonitoringDeps = AttendDeps & ReadinessDeps & Pick<ServerDeps, 'metrics' | 'checkReadiness'>;

/** Adds the three paths to `app`. */
export function addMonitoring(app: Hono<AppEnv>, deps: MonitoringDeps, access: AdmitDeps): void {
  const open = guardOrigin(access);
  app.get(HEALTH_PATH, open, answerHealth);
  app.get(READY_PATH, open, answerReadiness(deps));
  app.get(METRICS_PATH, requireOperator(access), answerMetrics(deps));
  const onlyRead = methodGuard(deps)(['GET', 'HEAD']);
  for (const path of [HEALTH_PATH, READY_PATH, METRICS_PATH]) app.all(path, onlyRead);
}

/** Adds the answers to unknown paths and to thrown errors. */
export function endRoutes(app: Hono<AppEnv>, deps: Pick<ServerDeps, 'checkReadiness'>): void {
  app.notFound(() => answerNotFound());
  app.onError((error, c) => {
    const refusal = toProblem(error, c.get('requestId'));
    // The log names every 5xx: the operator must see a full disk as well as a bug.
    if (refusal.status >= 500) c.set('fault', error);
    // The check makes room, so that the client's next try finds some.
    if (error instanceof ListingVideoError && error.code === 'disk_full')
      deps.checkReadiness().catch(() => {});
    return answerProblem(refusal);
  });
}

/** The app of a process without an API. */
export function createMonitoringApp(deps: MonitoringDeps & AdmitDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('*', attendRequest(deps));
  addMonitoring(app, deps, deps);
  endRoutes(app, deps);
  return app;
}
