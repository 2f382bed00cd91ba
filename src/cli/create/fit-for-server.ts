/** Judges whether what was asked of `create` can be done by a server, before anything is sent to it. */
import { isLocalFile, localFileProblem } from '../../listing/rules/find-local-files.ts';
import type { ResolvedSettings } from '../../settings/resolve-settings.ts';
import { SETTINGS, type SettingName } from '../../settings/setting-table.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { notAtServer } from '../require-local.ts';

/** What only the machine that renders decides. */
const OF_THE_RENDERER: readonly SettingName[] = [
  'quality',
  'minAssets',
  'ffmpeg',
  'cacheSize',
  'music',
  'templatesDir',
];

/** Options that the API has nothing for, by their name in code. */
const NOT_AT_SERVER: Readonly<Record<string, string>> = {
  dryRun: '--dry-run',
  watch: '--watch',
  alsoUnbranded: '--also-unbranded',
};

/**
 * @returns The server; null when this machine does the work.
 * @throws ListingVideoError `usage` for a flag that the server would not heed. Saved defaults of that kind are for the work
 * of this machine, and mean nothing here.
 */
export async function fitForServer(run: CommandRun): Promise<string | null> {
  const resolved: ResolvedSettings = await run.resolvedSettings();
  const server = resolved.server.value;
  if (server === undefined) return null;
  for (const [name, flag] of Object.entries(NOT_AT_SERVER)) {
    if (run.options[name] === true) throw notAtServer(flag, server);
  }
  for (const name of OF_THE_RENDERER) {
    if (resolved[name].source !== 'flag') continue;
    const { flag } = SETTINGS[name];
    throw usageError(
      `${flag} is for ${server} to decide, it renders the videos`,
      `leave out ${flag}, or add --no-server`,
    );
  }
  for (const word of (run.options.data as readonly string[] | undefined) ?? []) {
    const logo = word.startsWith('logo=') ? word.slice('logo='.length) : null;
    if (isLocalFile(logo)) throw usageError(`--data logo: ${localFileProblem(logo, server)}`);
  }
  return server;
}
