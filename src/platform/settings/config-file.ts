/**
 * The saved defaults, `<home>/config.json`, written with conf. A file that cannot be read or parsed is an error
 * with its place. It is never reset, repaired or overwritten.
 */

import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type Conf from 'conf';
import { toDiskError } from '../disk/disk-error.ts';
import { ListingVideoError } from '../errors.ts';

/** Parses the file's text; throws on invalid JSON. An argument, so that the message has line and column. */
export type ParseConfigText = (text: string, file: string) => unknown;

export interface ConfigFile {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Path of the saved defaults. */
export function configPath(home: string): string {
  return path.join(home, 'config.json');
}

/**
 * The saved defaults; null when there is no file. Never creates anything.
 *
 * @throws {@link ListingVideoError} `setting_invalid` when the file cannot be read, is not JSON or not an object.
 */
export async function readConfig(home: string, parse?: ParseConfigText): Promise<ConfigFile | null> {
  const file = configPath(home);
  if (!existsSync(file)) return null;
  // Without conf: its package when-exit answers the first Ctrl-C with a second one, and that stops a run at once.
  try {
    return { file, values: toSettings(await readFile(file, 'utf8'), file, parse) };
  } catch (error) {
    throw unusable(error, file);
  }
}

/**
 * Saves one default, or removes it when `value` is undefined. The others stay. conf writes a temporary file and renames
 * it.
 *
 * @throws {@link ListingVideoError} `setting_invalid` when the file is invalid (it stays unchanged), `store_unwritable`
 * when it cannot be written.
 */
export async function writeConfigValue(
  home: string,
  key: string,
  value: unknown,
  parse?: ParseConfigText,
): Promise<void> {
  try {
    if (value === undefined && !existsSync(configPath(home))) return;
    await mkdir(home, { recursive: true, mode: 0o700 });
    const store = await openConf(home, parse);
    if (value === undefined) store.delete(key);
    else store.set(key, value);
  } catch (error) {
    throw toDiskError(error, {
      what: `write ${configPath(home)}`,
      code: 'store_unwritable',
      hint: 'check the rights of the folder, or choose another with --home',
      context: { file: configPath(home) },
    });
  }
}

type ConfigStore = Conf<Record<string, unknown>>;

async function openConf(home: string, parse?: ParseConfigText): Promise<ConfigStore> {
  const file = configPath(home);
  const { default: ConfClass } = await import('conf');
  try {
    return new ConfClass<Record<string, unknown>>({
      cwd: home,
      configName: 'config',
      clearInvalidConfig: false,
      // The file can contain an API key.
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      deserialize: (text) => toSettings(text, file, parse),
    });
  } catch (error) {
    throw unusable(error, file);
  }
}

function unusable(error: unknown, file: string): ListingVideoError {
  return new ListingVideoError('setting_invalid', `the config file cannot be used: ${placed(error, file)}`, {
    cause: error,
    hint: 'correct the file or move it away; it was not changed',
    context: { file },
  });
}

function toSettings(
  text: string,
  file: string,
  parse: ParseConfigText = (json) => JSON.parse(json),
): Record<string, unknown> {
  const value = parse(text, file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error('expected a JSON object of settings');
}

/** The reason with the file's path. Our own errors already have path, line and column. */
function placed(error: unknown, file: string): string {
  return error instanceof ListingVideoError ? error.message : `${file}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
