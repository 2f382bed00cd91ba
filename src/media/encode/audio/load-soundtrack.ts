/** Finds and reads soundtracks: first in the user's folders, then in this package. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../../platform/program-files.ts';
import { parseSoundtrack, type Soundtrack } from './soundtrack-table.ts';

export const BUILT_IN_SOUNDTRACKS_DIR = packageFile('templates/soundtracks');

/** The user's soundtracks: `<templates dir>/soundtracks`. */
export function soundtrackDirsOf(templatesDirs: readonly string[]): string[] {
  return templatesDirs.map((dir) => join(dir, 'soundtracks'));
}

/** Only a valid name reaches the file system. */
const SOUNDTRACK_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

export interface LoadedSoundtrack {
  readonly soundtrack: Soundtrack;
  readonly bodyPath: string;
  readonly endingPath: string;
  /** SHA-256 (hex) of the table and both audio files. */
  readonly digest: string;
  /** False for one of the user's own. */
  readonly isBuiltIn: boolean;
}

/**
 * Reads `<dir>/<name>.json` and its audio files.
 *
 * @param dirs - The user's folders; the first with the name has precedence over the built-in soundtrack.
 * @returns Undefined when no folder has it.
 * @throws Error that describes an invalid table or names a file that cannot be read, without its folder: clients of a
 *   server see the message.
 */
export async function loadSoundtrack(
  name: string,
  dirs: readonly string[] = [],
): Promise<LoadedSoundtrack | undefined> {
  if (!SOUNDTRACK_NAME.test(name)) return undefined;
  for (const dir of [...dirs, BUILT_IN_SOUNDTRACKS_DIR]) {
    const text = await readIfPresent(dir, `${name}.json`);
    if (text === undefined) continue;
    const soundtrack = parseSoundtrack(JSON.parse(text), name);
    const { body, ending } = soundtrack;
    const hash = createHash('sha256').update(text);
    for (const { file } of [body, ending]) {
      hash.update(await readFile(join(dir, file)).catch((cause) => throwUnreadable(file, cause)));
    }
    const [bodyPath, endingPath] = [join(dir, body.file), join(dir, ending.file)];
    const isBuiltIn = dir === BUILT_IN_SOUNDTRACKS_DIR;
    return { soundtrack, bodyPath, endingPath, digest: hash.digest('hex'), isBuiltIn };
  }
  return undefined;
}

export async function listSoundtracks(dirs: readonly string[] = []): Promise<string[]> {
  const names = await Promise.all([...dirs, BUILT_IN_SOUNDTRACKS_DIR].map(listSoundtracksIn));
  return [...new Set(names.flat())].sort();
}

/**
 * The soundtracks of a mood: `classic`, `classic-2`, `classic-3`. Only of the folder that has the first: a user's own
 * `classic` replaces all of them.
 *
 * @returns Names in ascending order; empty when no folder has the first.
 */
export async function listVariants(mood: string, dirs: readonly string[] = []): Promise<string[]> {
  for (const dir of [...dirs, BUILT_IN_SOUNDTRACKS_DIR]) {
    const names = await listSoundtracksIn(dir);
    if (!names.includes(mood)) continue;
    const numberOf = (name: string) => Number(/^-(\d+)$/.exec(name.slice(mood.length))?.[1] ?? Number.NaN);
    const others = names.filter((name) => name.startsWith(mood) && numberOf(name) > 1);
    return [mood, ...others.sort((a, b) => numberOf(a) - numberOf(b))];
  }
  return [];
}

async function listSoundtracksIn(dir: string): Promise<string[]> {
  const files = await readdir(dir).catch(() => []);
  return files
    .flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
    .filter((name) => SOUNDTRACK_NAME.test(name));
}

async function readIfPresent(dir: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(join(dir, file), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return throwUnreadable(file, cause);
  }
}

function throwUnreadable(file: string, cause: unknown): never {
  const { code } = cause as NodeJS.ErrnoException;
  const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code}`;
  throw new Error(`${file} ${problem}`, { cause });
}
