/** The check of `doctor` for offices: proxies and extra certificates. Opens no connection. */
import { access, constants } from 'node:fs/promises';
import { readProxies } from '../../platform/network/proxies.ts';
import { type CheckMachineOptions, type CheckResult, passed } from './doctor-check.ts';

/**
 * Shows proxies without their passwords.
 *
 * @param useProxy - The setting; undefined for its default.
 * @throws ListingVideoError `setting_invalid` for a variable that ends `create`.
 */
export async function checkProxy(
  useProxy: boolean | undefined,
  env: CheckMachineOptions['env'],
): Promise<CheckResult> {
  const certificates = env.NODE_EXTRA_CA_CERTS;
  const canRead =
    !certificates ||
    (await access(certificates, constants.R_OK).then(
      () => true,
      () => false,
    ));
  const extra = certificates ? `; certificates of ${certificates}` : '';
  const hint = canRead
    ? null
    : 'NODE_EXTRA_CA_CERTS names a file that cannot be read: certificates of your office are not trusted';
  return passed(`${formatProxies(useProxy, env)}${extra}`, hint);
}

function formatProxies(useProxy: boolean | undefined, env: CheckMachineOptions['env']): string {
  if (useProxy === false) return 'none, because use-proxy is false';
  const proxies = readProxies(env);
  if (proxies === null) return 'none';
  const { http, https, direct } = proxies;
  const named = [...new Set([https, http])].flatMap((proxy) =>
    proxy === null ? [] : [`${proxy.address} from ${proxy.variable}`],
  );
  const except = direct.length === 0 ? '' : `, not for ${direct.join(', ')}`;
  return `${named.join(', ')}${except}${useProxy === true ? '' : '; serve uses it only with --use-proxy'}`;
}
