/** Decides every setting: flag, then environment variable, then project file, then config file, then default. Pure. */
import { ListingVideoError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
import {
  type MachineFacts,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type Settings,
  type SettingValue,
  shownValue,
} from './setting-table.ts';
import { faultOf, nearestChoice } from './value-kind.ts';

export type SettingSource = 'flag' | 'env' | 'project' | 'config' | 'default';

export interface ResolvedSetting<T> {
  readonly value: T;
  readonly source: SettingSource;
}

export type ResolvedSettings = { readonly [N in SettingName]: ResolvedSetting<SettingValue<N>> };

/** Flags of a command line by setting name. Undefined: the flag is absent. */
export type SettingFlags = Readonly<Partial<Record<SettingName, unknown>>>;

/** Values of a file by config key, with its path for messages. */
export interface SettingFile {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface SettingInputs {
  readonly flags: SettingFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The checked project file; null or absent when there is none. */
  readonly project?: SettingFile | null;
  /** The parsed config file; null when there is none. */
  readonly config: SettingFile | null;
  readonly machine: MachineFacts;
}

/**
 * Every setting's value and source. An empty environment variable counts as absent.
 *
 * @throws {@link ListingVideoError} `setting_invalid` with the place (flag, variable, or file and key) of an invalid
 *   value. Only the value with the highest precedence is checked.
 */
export function resolveSettings(inputs: SettingInputs): ResolvedSettings {
  const entries = SETTING_NAMES.map((name) => [name, resolveOne(name, inputs)]);
  return Object.fromEntries(entries) as ResolvedSettings;
}

export function settingValues(resolved: ResolvedSettings): Settings {
  const entries = SETTING_NAMES.map((name) => [name, resolved[name].value]);
  return Object.fromEntries(entries) as Settings;
}

/** A warning for every unknown key of the config file, with the nearest known key. */
export function unknownConfigKeys(values: Readonly<Record<string, unknown>>): string[] {
  const known = SETTING_NAMES.flatMap((name) => SETTINGS[name].configKey ?? []);
  return Object.keys(values)
    .filter((key) => !key.startsWith('$') && !key.startsWith('__') && !known.includes(key))
    .map((key) => {
      const near = nearestName(key, known);
      return `unknown setting "${key}"${near ? `, did you mean "${near}"?` : ''}`;
    });
}

/** A warning for every misspelled variable of a setting. A variable that resembles none is another program's. */
export function misspelledVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = SETTING_NAMES.map((name) => SETTINGS[name].env);
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(ENV_PREFIX) || env[name] === '' || (known as string[]).includes(name)) return [];
    const words = known.map((each) => each.slice(ENV_PREFIX.length));
    const near = nearestName(name.slice(ENV_PREFIX.length), words);
    return near === undefined ? [] : [`no setting reads ${name}, did you mean ${ENV_PREFIX}${near}?`];
  });
}

const ENV_PREFIX = 'LISTING_VIDEO_';

function resolveOne(name: SettingName, inputs: SettingInputs): ResolvedSetting<unknown> {
  const setting = SETTINGS[name];
  const fromEnv = inputs.env[setting.env];
  if (inputs.flags[name] === false && setting.canBeNone === true) {
    return { value: undefined, source: 'flag' };
  }
  if (inputs.flags[name] !== undefined) {
    return { value: parse(name, inputs.flags[name], setting.flag, inputs.machine.cwd), source: 'flag' };
  }
  if (fromEnv !== undefined && fromEnv !== '') {
    const place = `the environment variable ${setting.env}`;
    return { value: parse(name, fromEnv, place, inputs.machine.cwd), source: 'env' };
  }
  for (const source of ['project', 'config'] as const) {
    const { file, values } = inputs[source] ?? NO_FILE;
    const raw = setting.configKey === null ? undefined : values[setting.configKey];
    if (raw === undefined || raw === null) continue;
    return { value: parse(name, raw, `"${setting.configKey}" in ${file}`, inputs.machine.cwd), source };
  }
  return { value: setting.defaultValue?.(inputs.machine), source: 'default' };
}

const NO_FILE: SettingFile = { file: '', values: {} };

function parse(name: SettingName, raw: unknown, place: string, cwd: string): unknown {
  const { kind } = SETTINGS[name];
  const value = kind.parse(raw, { cwd });
  if (value !== null) return value;
  const near = nearestChoice(kind, raw);
  const found = shownValue(name, faultOf(kind, raw, { cwd }));
  throw new ListingVideoError(
    'setting_invalid',
    `${place}: expected ${kind.expected}, found ${JSON.stringify(found)}`,
    {
      hint: near ? `did you mean ${near}?` : `use ${kind.expected}`,
      context: { setting: name, place, found },
    },
  );
}
