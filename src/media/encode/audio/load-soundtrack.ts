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
    return { soundtrack, bodyPath, endingPath, digest: hash.digest('hex') };
  }
  return undefined;
}

export async function listSoundtracks(dirs: readonly string[] = []): Promise<string[]> {
  const names = new Set<string>();
  for (const dir of [...dirs, BUILT_IN_SOUNDTRACKS_DIR]) {
    for (const file of await readdir(dir).catch(() => [])) {
      const name = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
      if (SOUNDTRACK_NAME.test(name)) names.add(name);
    }
  }
  return [...names].sort();
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
