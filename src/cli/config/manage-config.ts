/** The work of `config list|get|set|unset|path`. */
import { existsSync } from 'node:fs';
import { ListingVideoError } from '../../platform/errors.ts';
import { configPath, writeConfigValue } from '../../platform/settings/config-file.ts';
import { type ResolvedSettings, resolveSettings } from '../../platform/settings/resolve-settings.ts';
import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  settableText,
  shownValue,
} from '../../platform/settings/setting-table.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { homeFolder, parseConfig, readProject, type SettingFiles, settingFiles } from '../load-settings.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';

/** `config list`. */
export async function listSettings(run: CommandRun): Promise<number> {
  const resolved = await run.resolvedSettings();
  const files = await settingFiles(run.options, run.host);
  const rows = SETTING_NAMES.map((name) => describeSetting(name, resolved, files));
  const document = { data: rows, has_more: false, config_file: files.config, project_file: files.project };
  return printResult(run, document, () => {
    printTable(run.terminal, rows, [
      { title: 'SETTING', text: (row) => row.key },
      { title: 'VALUE', text: (row) => escapeText(row.text ?? '') || '-', shrinks: true },
      {
        title: 'SOURCE',
        text: (row) => (row.source === 'env' ? (row.place ?? row.source) : row.source),
        shrinks: true,
      },
    ]);
    for (const source of ['project', 'config'] as const) {
      if (rows.some((row) => row.source === source)) run.info(escapeText(`${source}: ${files[source]}`));
    }
  });
}

/** The document of one setting: its value, and the same as text that can be set. */
function describeSetting(name: SettingName, resolved: ResolvedSettings, files: SettingFiles) {
  const { configKey, flag, env, unit } = SETTINGS[name];
  const { value, source } = resolved[name];
  const places = { flag, env, ...files, default: null };
  return {
    key: configKey ?? flag.slice(2),
    value: shownValue(name, value ?? null),
    text: settableText(name, value),
    source,
    /** The flag, the variable or the file that the value comes from. */
    place: places[source],
    unit,
  };
}

/** `config get`. */
export async function printSetting(run: CommandRun): Promise<number> {
  const resolved = await run.resolvedSettings();
  const key = run.args[0]!;
  const name = settingCalled(key);
  const document = describeSetting(name, resolved, await settingFiles(run.options, run.host));
  return printResult(run, document, () => run.terminal.print(escapeText(document.text ?? '')));
}

/** `config set`. */
export async function saveSetting(run: CommandRun): Promise<number> {
  const [key, text] = run.args as [string, string];
  const { cwd } = await run.host.machine();
  const value = toSavedValue(key, text, cwd);
  await requireExisting(key, value);
  return changeSetting(run, key, value);
}

/** `config unset`. */
export async function removeSetting(run: CommandRun): Promise<number> {
  const key = run.args[0]!;
  savedKey(key);
  return changeSetting(run, key, undefined);
}

/** `config path`. */
export async function printPath(run: CommandRun): Promise<number> {
  const { config, project } = await settingFiles(run.options, run.host);
  return printResult(run, { path: config, project_file: project }, () => {
    run.terminal.print(escapeText(config));
    if (project !== null) run.info(escapeText(`a project file comes before it: ${project}`));
  });
}

/** A missing file or template would fail much later, when the cause is hard to find. */
async function requireExisting(key: string, value: unknown): Promise<void> {
  if (key === 'ffmpeg' && !existsSync(value as string)) {
    throw new ListingVideoError('setting_invalid', `--ffmpeg: no such file: ${value}`);
  }
  if (key !== 'template') return;
  const { listTemplates } = await import('../../design/template/load-template.ts');
  const ids = await listTemplates();
  if (ids.includes(value as string)) return;
  throw new ListingVideoError('setting_invalid', `--template: no template is called "${value}"`, {
    hint: nearestHint(value as string, ids),
  });
}

/** @param value - Undefined removes the default. */
async function changeSetting(run: CommandRun, key: string, value: unknown): Promise<number> {
  const home = await homeFolder(run.options, run.host);
  await writeConfigValue(home, key, value, parseConfig);
  const name = settingCalled(key);
  const shown = shownValue(name, value);
  const file = configPath(home);
  const { project } = await settingFiles(run.options, run.host);
  // An invalid project file is reported by the commands that use it.
  const values = (await readProject(project).catch(() => null))?.values;
  const hasProjectValue = values?.[key] !== undefined;
  return printResult(run, { key, value: shown ?? null, path: file }, () => {
    const change = shown === undefined ? `${key} is no longer set` : `${key} = ${shown}, saved`;
    run.info(escapeText(`${change} in ${file}`));
    const { env } = SETTINGS[name];
    const winner = shownValue(name, run.host.env[env]);
    if (winner) run.info(escapeText(`but ${env}=${winner} is set here and overrides it`));
    else if (hasProjectValue) run.info(escapeText(`but ${project} sets ${key} here and overrides it`));
  });
}

/**
 * The setting called `word`, as in its flag: `cache-size`.
 *
 * @throws ListingVideoError `usage` with the nearest name.
 */
function settingCalled(word: string): SettingName {
  const words = SETTING_NAMES.map((name) => SETTINGS[name].flag.slice(2));
  const index = words.indexOf(word);
  if (index >= 0) return SETTING_NAMES[index]!;
  const all = '`listing-video config list` shows all settings';
  throw usageError(`no setting is called "${word}"`, nearestHint(word, words, all));
}

/**
 * The key in config.json of the setting called `word`.
 *
 * @throws ListingVideoError `usage` for an unknown setting, and for one that the config file cannot set.
 */
function savedKey(word: string): string {
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
function toSavedValue(word: string, text: string, cwd: string): unknown {
  savedKey(word);
  const name = settingCalled(word);
  // Parsed as the flag, so that messages name the flag.
  const machine = { dataDir: cwd, cwd, homeDir: cwd, cpuCount: 1 };
  const { value } = resolveSettings({ flags: { [name]: text }, env: {}, config: null, machine })[name];
  const { unit } = SETTINGS[name];
  return unit === 'bytes' || unit === 'ms' ? text.trim() : value;
}
