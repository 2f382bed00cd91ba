/** Finds the setting that a word of `config get|set` names, and converts a value for config.json. */
import { nearestName } from '../../nearest-name.ts';
import { resolveSettings } from '../../settings/resolve-settings.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../settings/setting-table.ts';
import { usageError } from '../cli-error.ts';

/**
 * The setting called `word`, as in its flag: `cache-size`.
 *
 * @throws ListingVideoError `usage` with the nearest name.
 */
export function settingCalled(word: string): SettingName {
  const words = SETTING_NAMES.map((name) => SETTINGS[name].flag.slice(2));
  const index = words.indexOf(word);
  if (index >= 0) return SETTING_NAMES[index]!;
  const near = nearestName(word, words);
  throw usageError(
    `no setting is called "${word}"`,
    near === undefined ? `one of: ${words.join(', ')}` : `did you mean ${near}?`,
  );
}

/**
 * The key in config.json of the setting called `word`.
 *
 * @throws ListingVideoError `usage` for an unknown setting, and for one that the config file cannot set.
 */
export function savedKey(word: string): string {
  const { configKey, flag, env } = SETTINGS[settingCalled(word)];
  if (configKey !== null) return configKey;
  throw usageError(
    `${word} cannot be saved in config.json, which is in that folder`,
    `use ${flag} or set ${env}`,
  );
}

/**
 * The value for config.json: numbers and switches parsed, paths absolute, sizes and time spans as they were written.
 *
 * @throws ListingVideoError `usage` for a setting that the config file cannot set, `setting_invalid` for a bad value.
 */
export function toSavedValue(word: string, text: string, cwd: string): unknown {
  savedKey(word);
  const name = settingCalled(word);
  // Parsed as the flag, so that messages name the flag.
  const machine = { dataDir: cwd, cwd, cpuCount: 1 };
  const { value } = resolveSettings({ flags: { [name]: text }, env: {}, config: null, machine })[name];
  const { unit } = SETTINGS[name];
  return unit === 'bytes' || unit === 'ms' ? text.trim() : value;
}
