/** The answer of known paths to other methods. */
import { methodNotAllowed } from '../api/server/answers/api-problem.ts';
import { type AppMiddleware, answerProblem } from '../api/server/context.ts';
import { preflightHeaders } from '../api/server/access/cors.ts';
import type { ServerConfig } from '../api/server/server-deps.ts';

/** Answers a known path with 405 for other methods. With CORS on, every path answers OPTIONS. */
export function methodGuard({ config }: { readonly config: Pick<ServerConfig, 'corsOrigins'> }) {
  const hasCors = config.corsOrigins.length > 0;
  return (methods: readonly string[]): AppMiddleware => {
    const allowed = hasCors ? [...methods, 'OPTIONS'] : methods;
    return async (c) => {
      if (hasCors && c.req.method === 'OPTIONS') {
        return new Response(null, { status: 204, headers: preflightHeaders(allowed) });
      }
      return answerProblem(methodNotAllowed(c.req.method, allowed));
    };
  };
}
