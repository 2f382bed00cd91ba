/** The API without sockets, for a program that has its own HTTP server. */
import { createLiveApp, type LiveApp } from '../server/live-app.ts';
import type { Settings } from '../settings/setting-table.ts';
import { openServerParts, type ServerPartsOptions, serverConfigOf } from './open-server-parts.ts';

/** Opens the stores; runs tasks when the caller begins it. */
export async function openLiveApp(
  settings: Settings,
  { publicUrl, ...options }: ServerPartsOptions & { readonly publicUrl: string },
): Promise<LiveApp & { readonly hasEverHadKeys: () => Promise<boolean> }> {
  const parts = await openServerParts(settings, options);
  const config = {
    ...serverConfigOf(settings),
    isLoopback: options.isLoopback,
    publicUrl: () => publicUrl,
  };
  return {
    ...createLiveApp({ ...parts, config }),
    hasEverHadKeys: () => parts.accounts.hasEverHadKeys(),
  };
}
