/** Who can reach a server, which follows from its addresses and settings, and whether that is safe. */

import { ListingVideoError } from '../../../platform/errors.ts';
import type { AccountStore } from '../../../task/accounts/account-store.ts';
import type { ServerConfig } from '../server-deps.ts';
import { createTrustedProxies } from '../sockets/client-address.ts';
import { isLoopbackHost, isLoopbackUrl } from './host-check.ts';

export interface Exposure {
  readonly host: string;
  /** Undefined: the address it listens on. */
  readonly publicUrl: string | undefined;
  readonly allowAnonymous: boolean;
}

/**
 * Whether a server is only for its own machine. A public URL elsewhere means that a proxy passes requests of others on;
 * `--allow-anonymous` means that others are welcome.
 */
export function isLocalServer({ host, publicUrl, allowAnonymous }: Exposure): boolean {
  return isLoopbackHost(host) && (publicUrl === undefined || isLoopbackUrl(publicUrl)) && !allowAnonymous;
}

export function proxyFacts({
  publicUrl,
  trustProxy,
}: Pick<Exposure, 'publicUrl'> & { readonly trustProxy: readonly string[] }): Pick<
  ServerConfig,
  'canBeProxied' | 'proxies'
> {
  return {
    canBeProxied: trustProxy.length > 0 || (publicUrl !== undefined && !isLoopbackUrl(publicUrl)),
    proxies: createTrustedProxies(trustProxy),
  };
}

/** @throws {@link ListingVideoError} `usage` when others could use the server without a key, and must not. */
export async function requireSafety(
  { host, publicUrl, allowAnonymous }: Exposure,
  accounts: Pick<AccountStore, 'hasEverHadKeys'>,
): Promise<void> {
  const opening = !isLoopbackHost(host)
    ? `--host ${host} is reachable from other machines`
    : publicUrl !== undefined && !isLoopbackUrl(publicUrl)
      ? `--public-url ${publicUrl} opens this server to other machines`
      : null;
  if (opening === null || allowAnonymous || (await accounts.hasEverHadKeys())) return;
  throw new ListingVideoError('usage', `${opening}, but there is no API key: anyone could use it`, {
    hint: 'make a key with `listing-video keys create`, or add --allow-anonymous',
    context: { host, public_url: publicUrl ?? null },
  });
}
