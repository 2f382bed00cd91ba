/**
 * Hides the paths of a beta: without its name in `service-beta` they are unknown paths, with the same answer as before the
 * beta existed.
 */
import { activeBetas, type Beta } from '../api/server/requests/beta.ts';
import { type AppContext, type AppMiddleware, answerNotFound } from '../api/server/context.ts';

/** 404 for a request that does not name the beta. */
export function requireBeta(name: Beta): AppMiddleware {
  return async (c, next) => {
    if (!isNamed(c, name)) return answerNotFound();
    await next();
    return undefined;
  };
}

/** Browsers ask with OPTIONS before they send the header. They name it, but not its value. */
function isNamed(c: AppContext, name: Beta): boolean {
  if (activeBetas(c.req.header('service-beta')).has(name)) return true;
  const announced = c.req.header('access-control-request-headers') ?? '';
  return c.req.method === 'OPTIONS' && /(?:^|,)\s*service-beta\s*(?:,|$)/i.test(announced);
}
