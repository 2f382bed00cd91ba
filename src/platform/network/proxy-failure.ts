/** A request that failed at the proxy, before it reached its host. */
import { STATUS_CODES } from 'node:http';
import type { HttpProxy } from './proxies.ts';

/** `message` names the proxy as {@link HttpProxy.label} does: without user name and password. */
export class ProxyFailure extends Error {
  /** Another try can succeed. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ProxyFailure';
    this.mayPass = mayPass;
  }
}

/** For a proxy that answers with `status` instead of a connection to `host`. */
export function refusedByProxy(
  { label, passwordHint }: HttpProxy,
  status: number,
  host: string,
): ProxyFailure {
  const answer = `HTTP ${status}${STATUS_CODES[status] === undefined ? '' : ` ${STATUS_CODES[status]}`}`;
  if (status === 407)
    return new ProxyFailure(`${label} wants a user name and password${passwordHint}`, false);
  return new ProxyFailure(`${label} refuses a connection to ${host}: ${answer}`, status >= 500);
}

export function unreachableProxy(
  { label }: HttpProxy,
  { detail, mayPass }: { readonly detail: string; readonly mayPass: boolean },
  cause: unknown,
): ProxyFailure {
  return new ProxyFailure(`${label} cannot be used: ${detail}`, mayPass, cause);
}
