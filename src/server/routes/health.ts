/** The operator's endpoints: is the process alive, can it work, and its metrics. */
import { problem } from '../api-problem.ts';
import { answerJson, answerProblem } from '../context.ts';
import type { ServerDeps } from '../server-deps.ts';

/** GET /healthz. */
export function answerHealth(): Response {
  return answerJson(200, { status: 'ok' });
}

/** GET /readyz. */
export function answerReadiness({ state, checkReadiness }: Pick<ServerDeps, 'state' | 'checkReadiness'>) {
  return async (): Promise<Response> => {
    if (state.isDraining) return answerProblem(problem('unavailable', 'the server is shutting down'));
    const { isReady, checks } = await checkReadiness();
    if (isReady) return answerJson(200, { status: 'ready' });
    return answerProblem(problem('unavailable', 'the server is not fit to work', { checks }));
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
