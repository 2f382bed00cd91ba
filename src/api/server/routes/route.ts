/** A route, declared in one place: its path, access, beta, part of the API document and handler. */
import type { Hono } from 'hono';
import type { JsonSchema } from '../../../listing/rules/schema.ts';
import { type AdmitDeps, admit, guardOrigin, requireOperator } from '../access/admit.ts';
import { preflightHeaders } from '../access/cors.ts';
import { methodNotAllowed } from '../answers/api-problem.ts';
import {
  type AppContext,
  type AppEnv,
  type AppMiddleware,
  answerNotFound,
  answerProblem,
} from '../context.ts';
import { activeBetas, type Beta } from '../requests/beta.ts';
import type { ServerConfig, ServerDeps } from '../server-deps.ts';

/** @typeParam Deps - What its handler needs. */
export interface Route<Deps> {
  /** `GET` includes HEAD. */
  readonly method: 'GET' | 'POST';
  /** As the document writes it: `/v1/tasks/{task_id}`. */
  readonly path: string;
  /** `open` needs no key; `operator` the key of an operator. */
  readonly access: 'read' | 'write' | 'open' | 'operator';
  /** Without it the path is unknown. */
  readonly beta?: Beta;
  /** Its operation in the document; absent: it has none. */
  readonly operation?: JsonSchema;
  /** Schemas of the document, by name, that only this route needs. */
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly handle: (deps: Deps) => (c: AppContext) => Response | Promise<Response>;
}

export interface RouterDeps extends AdmitDeps, Pick<ServerDeps, 'uploads'> {
  readonly config: AdmitDeps['config'] & Pick<ServerConfig, 'corsOrigins'>;
}

/** Adds the routes, and the answers of their paths to other methods. */
export function addRoutes<Deps extends RouterDeps>(
  app: Hono<AppEnv>,
  routes: readonly Route<Deps>[],
  deps: Deps,
): void {
  const onlyMethods = methodGuard(deps);
  for (const routePath of new Set(routes.map(({ path }) => path))) {
    const ofPath = routes.filter(({ path }) => path === routePath);
    const path = routePath.replace(/\{(\w+)\}/g, ':$1');
    const beta = ofPath[0]!.beta;
    if (beta !== undefined) app.use(path, requireBeta(beta));
    for (const route of ofPath) app.on(route.method, path, guardOf(route, deps), route.handle(deps));
    app.all(
      path,
      onlyMethods(ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
    );
  }
}

function guardOf({ access }: Pick<Route<never>, 'access'>, deps: RouterDeps): AppMiddleware {
  if (access === 'open') return guardOrigin(deps);
  return access === 'operator' ? requireOperator(deps) : admit(deps, access);
}

/** Answers a known path with 405 for other methods. With CORS on, every path answers OPTIONS. */
export function methodGuard({ config }: { readonly config: Pick<ServerConfig, 'corsOrigins'> }) {
  const hasCors = config.corsOrigins.length > 0;
  return (methods: readonly string[]): AppMiddleware => {
    const allowed = hasCors ? [...methods, 'OPTIONS'] : methods;
    return async (c) =>
      hasCors && c.req.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: preflightHeaders(allowed) })
        : answerProblem(methodNotAllowed(c.req.method, allowed));
  };
}

/** Without the beta's name in `service-beta`, its paths are unknown, as before the beta existed. The words say why. */
function requireBeta(name: Beta): AppMiddleware {
  return async (c, next) =>
    isNamed(c, name)
      ? next()
      : answerNotFound(`there is nothing at this path without the header \`service-beta: ${name}\``);
}

/** Browsers ask with OPTIONS before they send the header. They name it, but not its value. */
function isNamed(c: AppContext, name: Beta): boolean {
  if (activeBetas(c.req.header('service-beta')).has(name)) return true;
  const announced = c.req.header('access-control-request-headers') ?? '';
  return c.req.method === 'OPTIONS' && /(?:^|,)\s*service-beta\s*(?:,|$)/i.test(announced);
}
