/**
 * Debian's ffmpeg, unpacked into a folder with all its libraries. It is not installed, so that the tests do not find
 * it.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * @param folder - Made if it is missing; then this needs the network.
 * @returns Absolute path of a script that starts it.
 * @throws Error when there is no apt, or no network.
 */
export async function unpackDebianFfmpeg(folder: string): Promise<string> {
  const script = path.join(folder, 'ffmpeg');
  if (existsSync(script)) return script;
  const [archives, root] = [path.join(folder, 'archives'), path.join(folder, 'root')];
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(archives, 'partial'), { recursive: true });
  const options = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1'];
  await execute('apt-get', [
    'install',
    '-y',
    '-q',
    '--no-install-recommends',
    '--download-only',
    ...options,
    'ffmpeg',
  ]);
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await execute('dpkg', ['-x', path.join(archives, name), root]);
  }
  await rm(archives, { recursive: true });
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const libraries = new Set(
    entries.filter(({ name }) => name.includes('.so')).map(({ parentPath }) => parentPath),
  );
  const program = path.join(root, 'usr', 'bin', 'ffmpeg');
  const text = `#!/bin/sh\nLD_LIBRARY_PATH='${[...libraries].join(':')}' exec '${program}' "$@"\n`;
  await writeFile(`${script}.new`, text);
  await chmod(`${script}.new`, 0o755);
  await rename(`${script}.new`, script);
  return script;
}
