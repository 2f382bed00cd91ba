/** Checks before anything is sent that a server can do what the options of `create` say. */
import { isLocalFile, localFileProblem } from '../../listing/rules/find-local-files.ts';
import type { ResolvedSettings } from '../../settings/resolve-settings.ts';
import { SETTINGS, type SettingName } from '../../settings/setting-table.ts';
import { notAtServer, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import type { CreateOptions } from './command.ts';

/** Settings that only the rendering machine uses. */
const RENDERER_SETTINGS: readonly SettingName[] = [
  'quality',
  'minAssets',
  'ffmpeg',
  'cacheSize',
  'music',
  'templatesDir',
];

/** Options that the API does not have. */
const NOT_AT_SERVER = [
  ['dryRun', '--dry-run'],
  ['watch', '--watch'],
  ['alsoUnbranded', '--also-unbranded'],
] as const;

/**
 * @returns The server; null when this machine does the work.
 * @throws ListingVideoError `usage` for a flag that the server would ignore. Saved defaults are for this machine, so they
 * are ignored.
 */
export async function fitForServer(run: CommandRun<CreateOptions>): Promise<string | null> {
  const resolved: ResolvedSettings = await run.resolvedSettings();
  const server = resolved.server.value;
  if (server === undefined) return null;
  for (const [name, flag] of NOT_AT_SERVER) {
    if (run.options[name] === true) throw notAtServer(flag, server);
  }
  for (const name of RENDERER_SETTINGS) {
    if (resolved[name].source !== 'flag') continue;
    const { flag } = SETTINGS[name];
    throw usageError(
      `${flag} is not available with --server: ${server} renders the videos`,
      `leave out ${flag}, or add --no-server`,
    );
  }
  for (const word of run.options.data ?? []) {
    const logo = word.startsWith('logo=') ? word.slice('logo='.length) : null;
    if (isLocalFile(logo)) throw usageError(`--data logo: ${localFileProblem(logo, server)}`);
  }
  return server;
}
