/** Whether this process uses the proxies that its environment names. */
import { type Proxies, readProxies } from '../platform/network/proxies.ts';
import { processEnvironment } from '../platform/settings/process-environment.ts';
import type { Settings } from '../platform/settings/setting-table.ts';

/**
 * For the command line: yes, unless the setting says no.
 *
 * @param env - Of the caller; absent for a function call, which reads the environment only if the setting says yes.
 * @throws ListingVideoError `setting_invalid` for a variable that is not the URL of a proxy.
 */
export function proxiesOfUser(
  { useProxy }: Pick<Settings, 'useProxy'>,
  env: Readonly<Record<string, string | undefined>> | undefined,
): Proxies | null {
  if (useProxy === true) return readProxies(env ?? processEnvironment(), { isChosen: true });
  return useProxy === false || env === undefined ? null : readProxies(env);
}

/**
 * For a server: only if the setting says yes, because the address guard cannot see behind a proxy.
 *
 * @throws As {@link proxiesOfUser}.
 */
export function proxiesOfServer({ useProxy }: Pick<Settings, 'useProxy'>): Proxies | null {
  return useProxy === true ? readProxies(processEnvironment(), { isPublic: true, isChosen: true }) : null;
}
