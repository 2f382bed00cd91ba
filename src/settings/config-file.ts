/**
 * The saved defaults, `<home>/config.json`, through conf. A file that cannot be read or parsed is an error with its
 * place; it is never reset, repaired or overwritten.
 */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type Conf from 'conf';
import { toDiskError } from '../disk/disk-error.ts';
import { ListingVideoError } from '../errors.ts';

/** Turns the file's text into a value; throws on broken JSON. Handed in, so that messages carry line and column. */
export type ParseConfigText = (text: string, file: string) => unknown;

/** The config file as read. */
export interface ConfigFile {
  readonly file: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where the saved defaults of `home` lie. */
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
  // conf costs 70 ms to load and makes its folder; most machines have no config file.
  if (!existsSync(file)) return null;
  const store = await openConf(home, parse);
  return { file, values: { ...store.store } };
}

/**
 * Saves one default, or forgets it when `value` is undefined, and leaves the others as they are. The file is written
 * aside and renamed by conf.
 *
 * @throws {@link ListingVideoError} `setting_invalid` when the file is broken (it stays as it is), `store_unwritable`
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

async function openConf(
  home: string,
  parse: ParseConfigText = (text) => JSON.parse(text),
): Promise<ConfigStore> {
  const file = configPath(home);
  const { default: ConfClass } = await import('conf');
  try {
    return new ConfClass<Record<string, unknown>>({
      cwd: home,
      configName: 'config',
      clearInvalidConfig: false,
      // It may hold a key.
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      deserialize: (text) => requireObject(parse(text, file)),
    });
  } catch (error) {
    throw new ListingVideoError('setting_invalid', `the config file cannot be used: ${placed(error, file)}`, {
      cause: error,
      hint: 'mend the file or move it away; it was not changed',
      context: { file },
    });
  }
}

function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error('expected a JSON object of settings');
}

/** The reason with the file it is about; errors of our own name file, line and column already. */
function placed(error: unknown, file: string): string {
  return error instanceof ListingVideoError ? error.message : `${file}: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
