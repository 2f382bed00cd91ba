/** Access to the API: checks, in this order, whether the server drains, the Host header (in development) and the API key. */
import { problem } from './api-problem.ts';
import { activeBetas } from './beta.ts';
import { type AppContext, type AppMiddleware, answerProblem, type RequestCaller } from './context.ts';
import { areHostsAllowed } from './host-check.ts';
import type { ServerDeps } from './server-deps.ts';

export type AdmitDeps = Pick<ServerDeps, 'accounts' | 'config' | 'state'>;

/** True for a loopback server whose store never had a key: it needs no key, and refuses requests that web pages can make. */
export async function isDevelopment({
  accounts,
  config,
}: {
  readonly accounts: Pick<AdmitDeps['accounts'], 'hasEverHadKeys'>;
  readonly config: Pick<AdmitDeps['config'], 'isLoopback'>;
}): Promise<boolean> {
  return config.isLoopback && !(await accounts.hasEverHadKeys());
}

/** For paths that need no key. In development it refuses a Host that is not loopback. */
export function guardHost(deps: AdmitDeps): AppMiddleware {
  return async (c, next) => {
    if (!isHostAllowed(c, deps) && (await isDevelopment(deps))) return answerForeignHost();
    await next();
    return undefined;
  };
}

/**
 * For /v1: sets `caller` and `betas`, or refuses the request.
 *
 * @param access - `write` needs a key that may create tasks.
 */
export function admit(deps: AdmitDeps, access: 'read' | 'write'): AppMiddleware {
  return async (c, next) => {
    if (deps.state.isDraining) return answerProblem(problem('unavailable', 'the server is shutting down'));
    const caller = await identify(c, deps);
    if (caller instanceof Response) return caller;
    if (access === 'write' && caller.readOnly) {
      return answerProblem(problem('forbidden', 'this API key may look but not create'));
    }
    const betas = activeBetas(c.req.header('service-beta'));
    c.set('caller', caller);
    c.set('betas', betas);
    await next();
    if (betas.size > 0) c.res.headers.set('service-beta', [...betas].join(', '));
    return undefined;
  };
}

/** For metrics of the whole service: any valid key is enough; without keys in the store none is needed. */
export function requireKey(deps: AdmitDeps): AppMiddleware {
  return async (c, next) => {
    const caller = await identify(c, deps);
    if (caller instanceof Response) return caller;
    await next();
    return undefined;
  };
}

async function identify(c: AppContext, deps: AdmitDeps): Promise<RequestCaller | Response> {
  const { accounts } = deps;
  if (!(await accounts.hasEverHadKeys())) {
    if (deps.config.isLoopback && !isHostAllowed(c, deps)) return answerForeignHost();
    return { organizationId: accounts.defaultOrganizationId, readOnly: false, isOperator: false };
  }
  const presented = presentedKey(c);
  if (presented === null) {
    const message = 'an API key is needed: send it as `Authorization: Bearer <key>`';
    return answerProblem(problem('unauthenticated', message));
  }
  const caller = await accounts.authenticate(presented);
  if (caller === null) {
    return answerProblem(problem('unauthenticated', 'this API key is not known, or was revoked'));
  }
  if ('expiredAt' in caller) {
    const message = `this API key expired at ${caller.expiredAt}: ask the operator of this service for a new one`;
    return answerProblem(problem('unauthenticated', message));
  }
  return caller;
}

/** `Authorization: Bearer` wins over `x-api-key`. RFC 9110, 11.1: the scheme's case does not matter. */
function presentedKey(c: AppContext): string | null {
  const bearer = /^bearer +(\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const key = (bearer ?? c.req.header('x-api-key') ?? '').trim();
  return key === '' ? null : key;
}

function isHostAllowed(c: AppContext, { config }: AdmitDeps): boolean {
  // RFC 9112, 3.2.2: a target in absolute form has precedence over the Host header. Both must be allowed.
  const header = c.req.header('host');
  const hosts = [new URL(c.req.url).host, ...(header === undefined ? [] : [header])];
  return areHostsAllowed(hosts, config.publicUrl());
}

function answerForeignHost(): Response {
  const message = 'without API keys this server answers only under a loopback name, such as localhost';
  return answerProblem(problem('forbidden', message));
}
