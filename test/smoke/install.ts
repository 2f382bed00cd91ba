/** Installs the program as its users do: the tarball in an empty project, or a clone of the repository. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { INSTALLS, type InstallName } from './cells.ts';
import { ROOT, requireCompilers, Unavailable } from './programs.ts';

const execute = promisify(execFile);
const ENDING = '.tar.xz';
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline'];

/** Packs this checkout, which must be built. @returns The tarball's path. */
export async function pack(folder: string): Promise<string> {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execute('npm', words, { cwd: ROOT, maxBuffer: 16 * 2 ** 20 });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return path.join(folder, filename);
}

/**
 * @param folder - Must not exist.
 * @param env - Its `PATH` begins with the Node to install with.
 * @returns Path of the program's JavaScript; of the script that starts it, in the portable folder.
 * @throws {@link Unavailable} when npm reaches no registry, Error when the installation fails.
 */
export async function install(
  name: InstallName,
  { tarball, folder, env }: { tarball: string; folder: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const { from, words } = INSTALLS[name];
  if (from === 'folder') return unpackFolder(folder, env);
  if (from === 'package') {
    await mkdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
    await npm(['install', tarball, ...words, ...QUIET], folder, env);
    return path.join(folder, 'node_modules', 'listing-video', 'bin', 'listing-video.js');
  }
  await execute('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, folder]);
  await npm(['ci', ...words, ...QUIET], folder, env);
  return path.join(folder, 'bin', 'listing-video.js');
}

/** Makes the portable folder of this checkout. */
async function unpackFolder(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (process.platform !== 'linux') throw new Unavailable('the portable folder is tried on Linux');
  const platform = `linux-${process.arch}`;
  await npm(['run', 'package', '--', platform, '--out', folder], ROOT, env);
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
  await execute('tar', ['-xJf', path.join(folder, archive!), '-C', folder]);
  return path.join(folder, archive!.slice(0, -ENDING.length), 'listing-video');
}

async function npm(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await execute('npm', words, { cwd, env, maxBuffer: 16 * 2 ** 20 }).catch(
    ({ stderr }: { stderr: string }) => {
      const cause = stderr.trim();
      if (/E?(NOTFOUND|AI_AGAIN|CONNREFUSED|NETUNREACH|TIMEDOUT|NOTCACHED)\b/.test(cause))
        throw new Unavailable('npm reaches no registry');
      requireCompilers(cause);
      throw new Error(`npm ${words.join(' ')}: ${cause}`);
    },
  );
}
