/** Development mode: without API keys the server trusts the programs of its own machine, and answers nobody else. */
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import type { AppContext } from '../context.ts';
import type { ServerDeps } from '../server-deps.ts';
import { findRemoteSign } from './host-check.ts';

export interface DevelopmentDeps {
  readonly accounts: Pick<ServerDeps['accounts'], 'hasEverHadKeys'>;
  readonly config: Pick<ServerDeps['config'], 'isLocal'>;
}

/** True for a local server whose store never had a key: it needs no key, and refuses what others could send. */
export async function isDevelopment({ accounts, config }: DevelopmentDeps): Promise<boolean> {
  return config.isLocal && !(await accounts.hasEverHadKeys());
}

/** The refusal of a request that does not come from this machine, for a server in development; else null. */
export function refuseRemote(c: AppContext): ApiProblem | null {
  // RFC 9112, 3.2.2: a target in absolute form has precedence over the Host header. Both must be allowed.
  const header = c.req.header('host');
  return toRefusal(
    findRemoteSign({
      hosts: [new URL(c.req.url).host, ...(header === undefined ? [] : [header])],
      headerNames: c.req.raw.headers.keys(),
      peer: c.env?.incoming?.socket.remoteAddress,
    }),
  );
}

/** As {@link refuseRemote}, with what {@link findRemoteSign} has found. */
export function toRefusal(message: string | null): ApiProblem | null {
  return message === null ? null : problem('forbidden', message);
}
