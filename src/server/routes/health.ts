/** The operator's endpoints: is the process alive, can it work, and its metrics. */
import { problem } from '../../api/server/answers/api-problem.ts';
import { answerJson, answerProblem } from '../../api/server/context.ts';
import type { ServerDeps } from '../../api/server/server-deps.ts';

export interface ReadinessDeps extends Pick<ServerDeps, 'state' | 'checkReadiness'> {
  readonly engine: Pick<ServerDeps['engine'], 'health'>;
}

/** GET /healthz. */
export function answerHealth(): Response {
  return answerJson(200, { status: 'ok' });
}

/** GET /readyz. `worker` is false while no task is started because of a fault of this machine. */
export function answerReadiness({ state, engine, checkReadiness }: ReadinessDeps) {
  return async (): Promise<Response> => {
    if (state.isDraining) return answerProblem(problem('unavailable', 'the server is shutting down'));
    const readiness = await checkReadiness();
    const worker = engine.health.state !== 'paused';
    if (readiness.isReady && worker) return answerJson(200, { status: 'ready' });
    const checks = { ...readiness.checks, worker };
    return answerProblem(
      problem('unavailable', 'the server cannot do its work: `context.checks` says why', { checks }),
    );
  };
}

/** GET /metrics. */
export function answerMetrics({ metrics }: Pick<ServerDeps, 'metrics'>) {
  return async (): Promise<Response> => {
    const text = await metrics.render();
    return new Response(text, {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    });
  };
}
