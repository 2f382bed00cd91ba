/** Checks before anything is sent that a server can do what the options of `create` say. */
import { isLocalFile, localFileProblem } from '../../listing/rules/find-local-files.ts';
import type { ResolvedSettings } from '../../platform/settings/resolve-settings.ts';
import { SETTINGS } from '../../platform/settings/setting-table.ts';
import type { Backend } from '../../wiring/backend.ts';
import { notAtServer, usageError } from '../cli-error.ts';
import type { CreateOptions, CreateSetting } from './create-options.ts';

/**
 * Where each setting counts when a server renders: it is `sent` to the server, this machine uses it (`here`), or its
 * flag is `refused`, because only the machine that renders uses it.
 */
const WITH_SERVER: Readonly<Record<CreateSetting, 'sent' | 'here' | 'refused'>> = {
  quality: 'refused',
  minAssets: 'refused',
  untrusted: 'refused',
  allowAssetsFrom: 'refused',
  denyAssetsFrom: 'refused',
  ffmpeg: 'refused',
  cacheSize: 'refused',
  timeLimit: 'refused',
  music: 'refused',
  alsoRatio: 'refused',
  for: 'refused',
  unbrandedKeep: 'refused',
  templatesDir: 'refused',
  template: 'sent',
  ratio: 'sent',
  length: 'sent',
  preview: 'sent',
  out: 'here',
  concurrency: 'here',
  pictures: 'here',
  useProxy: 'here',
  server: 'here',
  key: 'here',
};

/** Options that the API does not have. */
const NOT_AT_SERVER = [
  ['dryRun', '--dry-run'],
  ['watch', '--watch'],
  ['alsoUnbranded', '--also-unbranded'],
] as const;

/**
 * @returns The server; null when this machine does the work.
 * @throws ListingVideoError `usage` for a flag that the server would ignore. Saved defaults are for this machine, so
 * they are ignored.
 */
export async function requireServerOptions(
  options: CreateOptions,
  resolved: ResolvedSettings,
  backend: () => Promise<Backend>,
): Promise<string | null> {
  const server = resolved.server.value;
  if (server === undefined) return null;
  for (const [name, flag] of NOT_AT_SERVER) {
    if (options[name] === true) throw notAtServer(flag, server);
  }
  for (const name of Object.keys(WITH_SERVER) as CreateSetting[]) {
    const { source, value } = resolved[name];
    if (WITH_SERVER[name] !== 'refused' || source !== 'flag' || value === undefined) continue;
    const { flag } = SETTINGS[name];
    throw usageError(
      `${flag} is not available with --server: ${server} renders the videos`,
      `leave out ${flag}, or add --no-server`,
    );
  }
  if (resolved.length.source === 'flag' && (resolved.length.value?.length ?? 0) > 1)
    throw usageError(
      `--length is one length with --server: ${server} makes one video per agent`,
      'name one length, or add --no-server',
    );
  for (const word of options.data ?? []) {
    const logo = word.startsWith('logo=') ? word.slice('logo='.length) : null;
    if (!isLocalFile(logo)) continue;
    const { takesNoFiles } = await import('../listings/server-without-files.ts');
    if ((await takesNoFiles(backend)) !== null)
      throw usageError(`--data logo: ${localFileProblem(logo, server)}`);
  }
  return server;
}
