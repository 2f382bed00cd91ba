/**
 * Access to the API: checks, in this order, whether the server drains, where the request comes from (in development),
 * the API key, and how many requests the client makes.
 */

import { nullOn } from '../../../platform/errors.ts';
import { minuteOf } from '../../../platform/minute-of.ts';
import type { ExpiredKey } from '../../../task/accounts/account-store.ts';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { type AppContext, type AppMiddleware, answerProblem, type RequestCaller } from '../context.ts';
import { activeBetas, isOffered } from '../requests/beta.ts';
import type { ServerDeps } from '../server-deps.ts';
import { isDevelopment, refuseRemote } from './development.ts';
import type { RequestLimits } from './rate-limit.ts';

export interface AdmitDeps extends Pick<ServerDeps, 'state'> {
  readonly accounts: Pick<
    ServerDeps['accounts'],
    'authenticate' | 'hasEverHadKeys' | 'defaultOrganizationId'
  >;
  readonly config: Pick<ServerDeps['config'], 'isLocal' | 'canBeProxied'>;
  readonly limits: RequestLimits;
}

/** For paths that need no key: in development it refuses requests that do not come from this machine. */
export function guardOrigin(deps: AdmitDeps): AppMiddleware {
  return async (c, next) => {
    // While the database is away, only the stricter answer is safe, and /readyz can then say that it is away.
    const isInDevelopment = await isDevelopment(deps).catch(nullOn('database_unavailable'));
    const refusal = isInDevelopment === false ? null : refuseRemote(c);
    if (refusal !== null) return answerProblem(refusal);
    await next();
    return undefined;
  };
}

/** As {@link guardOrigin}, and limits the requests of each client address. */
export function guardRate(deps: AdmitDeps): AppMiddleware {
  return async (c, next) => {
    const refusal = (await isDevelopment(deps))
      ? refuseRemote(c)
      : deps.limits.countAddress(c.get('clientAddress'));
    if (refusal !== null) return answerProblem(refusal);
    await next();
    return undefined;
  };
}

/**
 * For /v1: sets `caller` and `betas`, or refuses the request.
 *
 * @param access - `write` needs a key that may create tasks.
 */
export function admit(
  deps: AdmitDeps & Pick<ServerDeps, 'uploads'>,
  access: 'read' | 'write',
): AppMiddleware {
  return async (c, next) => {
    if (deps.state.isDraining) return answerProblem(problem('unavailable', 'the server is shutting down'));
    const caller = await identify(c, deps);
    if ('status' in caller) return answerProblem(caller);
    if (access === 'write' && caller.readOnly) {
      return answerProblem(problem('forbidden', 'this API key may look but not create'));
    }
    const named = activeBetas(c.req.header('service-beta'));
    const betas = new Set([...named].filter((beta) => isOffered(beta, deps)));
    c.set('betas', betas);
    c.set('isStillAdmitted', () => isStillAdmitted(deps.accounts, caller, presentedKey(c)));
    await next();
    if (betas.size > 0) c.res.headers.set('service-beta', [...betas].join(', '));
    return undefined;
  };
}

/** For metrics of the whole service: needs the key of an operator, or a program of this machine. */
export function requireOperator(deps: AdmitDeps): AppMiddleware {
  return async (c, next) => {
    if (!isDirectFromThisMachine(c, deps)) {
      const caller = await identify(c, deps);
      if ('status' in caller) return answerProblem(caller);
      if (!caller.isOperator && !(await isDevelopment(deps))) {
        const message =
          'this API key cannot read the metrics: use one made with `listing-video keys create --operator`';
        return answerProblem(problem('forbidden', message));
      }
    }
    await next();
    return undefined;
  };
}

/** A proxy on this machine is a program of this machine too, so this is certain only without one. */
function isDirectFromThisMachine(c: AppContext, { config }: AdmitDeps): boolean {
  const hasPeer = c.env?.incoming?.socket.remoteAddress !== undefined;
  return hasPeer && !config.canBeProxied && refuseRemote(c) === null;
}

/** Sets the caller for the log, also when the request is then refused. */
async function identify(c: AppContext, deps: AdmitDeps): Promise<RequestCaller | ApiProblem> {
  const caller = await findCaller(c, deps);
  if ('status' in caller) return caller;
  c.set('caller', caller);
  return (caller.keyId === null ? null : deps.limits.countKey(caller.keyId)) ?? caller;
}

async function findCaller(c: AppContext, deps: AdmitDeps): Promise<RequestCaller | ApiProblem> {
  const { accounts, config, limits } = deps;
  const address = c.get('clientAddress');
  if (!(await accounts.hasEverHadKeys())) {
    const refusal = config.isLocal ? refuseRemote(c) : limits.countAddress(address);
    const organizationId = accounts.defaultOrganizationId;
    return refusal ?? { organizationId, readOnly: false, isOperator: false, keyId: null };
  }
  const presented = presentedKey(c);
  const caller = presented === null ? null : await accounts.authenticate(presented);
  if (caller !== null && 'keyId' in caller) return caller;
  return limits.countFailure(address) ?? problem('unauthenticated', keyMessage(presented, caller));
}

/** False when the key was revoked or has expired, or when keys exist now. */
async function isStillAdmitted(
  accounts: AdmitDeps['accounts'],
  { keyId }: RequestCaller,
  presented: string | null,
): Promise<boolean> {
  if (keyId === null || presented === null) return !(await accounts.hasEverHadKeys());
  const caller = await accounts.authenticate(presented);
  return caller !== null && 'keyId' in caller;
}

function keyMessage(presented: string | null, expired: ExpiredKey | null): string {
  if (presented === null) return 'an API key is needed: send it as `Authorization: Bearer <key>`';
  if (expired === null) return 'this API key is not known, or was revoked';
  return `this API key expired at ${minuteOf(expired.expiredAt)} UTC: ask the operator of this service for a new one`;
}

/** `Authorization: Bearer` wins over `x-api-key`. RFC 9110, 11.1: the scheme's case does not matter. */
function presentedKey(c: AppContext): string | null {
  const bearer = /^bearer +(\S.*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const key = (bearer ?? c.req.header('x-api-key') ?? '').trim();
  return key === '' ? null : key;
}
