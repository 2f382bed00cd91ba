/** Reads the config file in the data folder and decides every setting. */
import { parseListingText } from '../listing/json/parse-json.ts';
import { readConfig } from '../settings/config-file.ts';
import {
  type ResolvedSettings,
  resolveSettings,
  type SettingFlags,
  unknownConfigKeys,
} from '../settings/resolve-settings.ts';
import { type MachineFacts, SETTING_NAMES, SETTINGS, shownValue } from '../settings/setting-table.ts';
import { escapeText } from './terminal/escape-text.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The parts of the host that settings depend on. */
interface SettingsHost {
  readonly terminal: Pick<Terminal, 'log'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: () => Promise<MachineFacts>;
}

/** The data folder, decided without the config file, which is inside it. */
export async function homeFolder(flags: SettingFlags, host: SettingsHost): Promise<string> {
  // Other variables stay out: a bad value of theirs is no reason to fail here.
  const env = { LISTING_VIDEO_HOME: host.env.LISTING_VIDEO_HOME };
  const machine = await host.machine();
  return resolveSettings({ flags: { home: flags.home }, env, config: null, machine }).home.value;
}

/** @throws ListingVideoError `setting_invalid` for a bad value or a broken config file, with its place. */
export async function loadResolvedSettings(
  flags: SettingFlags,
  host: SettingsHost,
): Promise<ResolvedSettings> {
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

/** For `--verbose`: `setting quality = draft (env)`, a line for each setting that is not a default. */
export function formatSettings(resolved: ResolvedSettings): string[] {
  return SETTING_NAMES.filter((name) => resolved[name].source !== 'default').map((name) => {
    const { value, source } = resolved[name];
    return escapeText(`setting ${SETTINGS[name].flag.slice(2)} = ${shownValue(name, value)} (${source})`);
  });
}
