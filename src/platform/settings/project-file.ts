/**
 * The project file, `listing-video.config.json`: settings that everyone who works in a folder shares. It is found
 * upwards from the working folder, so it can come with a project of strangers. Therefore it can say how videos look and
 * where in the project they go, and nothing about this machine: no program, no server, no address, no limit, no secret.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { realPathInside } from '../disk/path-inside.ts';
import { nearestName } from '../nearest-name.ts';
import { type MachineFacts, SETTING_NAMES, SETTINGS, type SettingName } from './setting-table.ts';
import { faultOf, nearestChoice } from './value-kind.ts';

export const PROJECT_FILE_NAME = 'listing-video.config.json';

/** More is not a list of settings. */
export const MAX_PROJECT_FILE_BYTES = 64 * 1024;

export interface ProjectProblem {
  readonly key: string;
  /** True for a fault of the value, false for one of the key. */
  readonly isValue: boolean;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** A checked project file: keys as in config.json, paths absolute. */
export interface ProjectSettings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly ProjectProblem[];
}

/** The nearest project file at or above the working folder, up to the user's home folder; null when there is none. */
export async function findProjectFile({
  cwd,
  homeDir,
}: Pick<MachineFacts, 'cwd' | 'homeDir'>): Promise<string | null> {
  const last = [homeDir, await realpath(homeDir).catch(() => homeDir)];
  // Undefined on Windows, where a user cannot write above the folders of another.
  const user = process.getuid?.();
  const owner = await ownerOf(cwd);
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const file = path.join(folder, PROJECT_FILE_NAME);
    const isFile = (await stat(file).catch(() => null))?.isFile() === true;
    if (isFile && (user === undefined || isOwnerTrusted(await ownerOf(file), [user, owner]))) return file;
    if (last.includes(folder) || path.dirname(folder) === folder) return null;
  }
}

/**
 * Whether a project file of this owner counts. Above the working folder can be one that everyone can write, such as
 * `/tmp`: there a file of another user is not for this one.
 *
 * @param owner - User id; null when it is unknown.
 * @param trusted - The user, and the owner of the working folder: in a container that is often another one.
 */
export function isOwnerTrusted(owner: number | null, trusted: readonly (number | null)[]): boolean {
  return owner !== null && (owner === 0 || trusted.includes(owner));
}

/** Of a link itself, not of its target, which can be anybody's. */
function ownerOf(file: string): Promise<number | null> {
  return lstat(file).then(
    ({ uid }) => uid,
    () => null,
  );
}

/**
 * Checks the whole file, also values that a flag overrides.
 *
 * @param folder - Absolute folder of the file: relative paths start there, and none can lead out of it, also
 *   not through a symbolic link.
 */
export function checkProject(document: Readonly<Record<string, unknown>>, folder: string): ProjectSettings {
  const values: Record<string, unknown> = {};
  const problems: ProjectProblem[] = [];
  for (const [key, raw] of Object.entries(document)) {
    if (key === '$schema') continue;
    const name = SETTING_NAMES.find((each) => SETTINGS[each].flag === `--${key}`);
    const keyProblem = name === undefined ? unknownKey(key) : refusalOf(name);
    if (keyProblem !== null) {
      problems.push({ key, isValue: false, message: keyProblem });
      continue;
    }
    const checked = checkValue(name!, raw, folder);
    if ('problem' in checked) problems.push({ key, isValue: true, message: checked.problem });
    else values[key] = checked.value;
  }
  return { values, problems };
}

function unknownKey(key: string): string {
  const known = SETTING_NAMES.filter((name) => refusalOf(name) === null);
  const near = nearestName(
    key,
    known.map((name) => SETTINGS[name].configKey!),
  );
  return `unknown setting "${key}"${near === undefined ? '' : `, did you mean "${near}"?`}`;
}

/** Why a project file cannot have this setting; null when it can. */
function refusalOf(name: SettingName): string | null {
  const { isForProjects, isSecret, configKey, flag, env } = SETTINGS[name];
  if (isForProjects === true) return null;
  if (isSecret === true)
    return `"${configKey}" is a secret, and a project file is shared: set ${env} instead`;
  const instead = configKey === null ? `use ${flag} or ${env}` : `listing-video config set ${configKey}`;
  return `"${flag.slice(2)}" is for this machine, and a project can come from strangers: ${instead}`;
}

function checkValue(
  name: SettingName,
  raw: unknown,
  folder: string,
): { readonly value: unknown } | { readonly problem: string } {
  const { kind, configKey } = SETTINGS[name];
  const value = kind.parse(raw, { cwd: folder }) as unknown;
  if (value === null) {
    const near = nearestChoice(kind, raw);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    const found = JSON.stringify(faultOf(kind, raw, { cwd: folder }));
    return { problem: `"${configKey}": expected ${kind.expected}, found ${found}${hint}` };
  }
  // A person who accepts only trusted listings must not lose that by entering a folder.
  if (name === 'untrusted' && value === false)
    return { problem: '"untrusted": a project file can only switch it on: leave it out' };
  const place = placeOf(name, value, folder);
  if (place === null) return { value };
  return place === folder || realPathInside(folder, place) !== null
    ? { value: place }
    : { problem: `"${configKey}": ${JSON.stringify(raw)} is not in the folder of the project file` };
}

/** The absolute path that a value names; null for a value that is no path. */
function placeOf(name: SettingName, value: unknown, folder: string): string | null {
  if (name === 'out' || name === 'templatesDir') return value as string;
  if (name !== 'music') return null;
  const word = (value as string).trim();
  // A bare word is the name of a soundtrack, as `encode/audio/parse-music.ts` reads it.
  return /[./\\]/.test(word) ? path.resolve(folder, word) : null;
}
