/** Reads the config file of the right home and decides every setting. */
import { parseListingText } from '../listing/json/parse-json.ts';
import { readConfig } from '../settings/config-file.ts';
import { type ResolvedSettings, resolveSettings, unknownConfigKeys } from '../settings/resolve-settings.ts';
import type { CliHost, SettingFlags } from './command-run.ts';
import { escapeText } from './terminal/escape-text.ts';

/** Where this program's data lies: decided without the config file, because that file lies in it. */
export async function homeFolder(flags: SettingFlags, host: CliHost): Promise<string> {
  // Bad values of other variables are not judged while only home is asked for.
  const env = { LISTING_VIDEO_HOME: host.env.LISTING_VIDEO_HOME };
  const machine = await host.machine();
  return resolveSettings({ flags: { home: flags.home }, env, config: null, machine }).home.value;
}

/** @throws ListingVideoError `setting_invalid` for a bad value or a broken config file, with its place. */
export async function loadResolvedSettings(flags: SettingFlags, host: CliHost): Promise<ResolvedSettings> {
  const config = await readConfig(await homeFolder(flags, host), parseConfig);
  for (const problem of unknownConfigKeys(config?.values ?? {})) {
    host.terminal.log(`warning: ${escapeText(`${config?.file}: ${problem}`)}`);
  }
  return resolveSettings({ flags, env: host.env, config, machine: await host.machine() });
}

/** Text of the config file to a value; faults are named with line and column. */
export function parseConfig(text: string, file: string): unknown {
  return parseListingText(Buffer.from(text), file).value;
}
