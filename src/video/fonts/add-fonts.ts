/**
 * Installs font packages into the data folder with the user's npm, so that their registry, proxy and certificates hold.
 * Each package is installed aside and moved into place as a whole: a run sees the old fonts or the new ones. No install
 * script runs.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addedFontsFolder, forgetFolders } from '../../design/text/fonts/font-folders.ts';
import { FURTHER_FONTS, type FurtherFont } from '../../design/text/fonts/further-fonts.ts';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { exists } from '../../platform/disk/folder.ts';
import { openTemporaryFolder } from '../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';

/** What to install: a font of the table, or a file that `npm pack` made of one. */
export type FontSource = FurtherFont | { readonly tarball: string };

export interface AddFontsOptions {
  /** The data folder, absolute. */
  readonly home: string;
  /** Of npm. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * @returns The fonts that are now in the data folder.
 * @throws {@link ListingVideoError} `fonts_not_added`, `store_unwritable`, `disk_full`; the signal's reason. No font is
 *   changed then.
 */
export async function addFonts(
  sources: readonly FontSource[],
  options: AddFontsOptions,
): Promise<FurtherFont[]> {
  const folder = addedFontsFolder(options.home);
  const work = await openTemporaryFolder(join(folder, 'work'), null, lostError).catch((error: unknown) => {
    throw toStoreError(error, folder);
  });
  try {
    await writeFile(join(work.path, 'package.json'), '{ "private": true }\n');
    await runNpm(sources, work.path, options);
    const fonts = await installedFonts(join(work.path, 'node_modules'), sources);
    await work.assertHeld();
    for (const { packageName } of fonts) {
      await replaceFolder(
        join(work.path, 'node_modules', packageName),
        join(folder, 'node_modules', packageName),
        join(work.path, 'old', packageName),
      );
    }
    forgetFolders();
    return fonts;
  } finally {
    await work.close();
  }
}

/** Removes a font from the data folder. @throws {@link ListingVideoError} `store_unwritable`. */
export async function removeFont(home: string, packageName: string): Promise<void> {
  const folder = join(addedFontsFolder(home), 'node_modules', packageName);
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    throw toStoreError(error, folder);
  });
  forgetFolders();
}

async function replaceFolder(from: string, to: string, aside: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await mkdir(dirname(aside), { recursive: true });
    // A folder cannot be renamed onto one that has files.
    if (await exists(to)) await rename(to, aside);
    await rename(from, to);
  } catch (error) {
    throw toStoreError(error, to);
  }
}

/** The fonts of the table that npm installed, each in the version that was asked for. */
async function installedFonts(modules: string, sources: readonly FontSource[]): Promise<FurtherFont[]> {
  const found: FurtherFont[] = [];
  for (const font of FURTHER_FONTS) {
    const text = await readFile(join(modules, font.packageName, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const { version } = JSON.parse(text) as { version?: unknown };
    if (version !== font.version) {
      throw new ListingVideoError(
        'fonts_not_added',
        `${font.packageName} has version ${String(version)}, but this program needs ${font.version}`,
        { hint: byHand([font]) },
      );
    }
    found.push(font);
  }
  const missing = sources.filter((source) => 'packageName' in source && !found.includes(source));
  if (found.length > 0 && missing.length === 0) return found;
  throw new ListingVideoError('fonts_not_added', `${sources.map(nameOf).join(', ')}: no such font package`, {
    hint: 'listing-video fonts list names the packages',
  });
}

/** The last lines of npm say what failed. */
const MAX_KEPT_CHARACTERS = 20_000;

async function runNpm(
  sources: readonly FontSource[],
  cwd: string,
  { env, signal }: AddFontsOptions,
): Promise<void> {
  const args = [
    'install',
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-save', '--loglevel=error'],
    // A program that npm started inherits its options, which can name another folder.
    ...['--global=false', '--workspaces=false', `--prefix=${cwd}`, '--'],
    ...sources.map(specOf),
  ];
  const isWindows = process.platform === 'win32';
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd,
    env: { ...env },
    signal,
    shell: isWindows,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const keep = (text: Buffer) => {
    printed = `${printed}${text.toString()}`.slice(-MAX_KEPT_CHARACTERS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const end = await new Promise<number | NodeJS.ErrnoException>((resolve) => {
    child.once('error', (error) => {
      // After an abort npm still runs for a moment, in the folder that the caller removes.
      if (child.pid === undefined) resolve(error);
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
  signal.throwIfAborted();
  if (end === 0) return;
  const names = sources.map(nameOf).join(', ');
  const cause =
    typeof end === 'number'
      ? reasonIn(printed)
      : end.code === 'ENOENT'
        ? 'npm is not installed'
        : end.message;
  throw new ListingVideoError('fonts_not_added', `${names}: ${cause}`, {
    hint: byHand(sources.filter((source) => 'packageName' in source)),
    context: { npm: printed.trim().split('\n').slice(-10) },
  });
}

/** Npm repeats the code, then says what happened. */
function reasonIn(printed: string): string {
  const lines = printed
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !/^(?:A complete log|npm )/.test(line));
  const code = lines.find((line) => line.startsWith('code '))?.slice(5);
  const reason =
    lines.find((line) => !/^(?:code|errno|syscall|path|dest) /.test(line)) ?? 'it printed nothing';
  return `npm could not install it: ${code === undefined || reason.includes(code) ? '' : `${code}, `}${reason}`;
}

function byHand(fonts: readonly FurtherFont[]): string {
  const [font = FURTHER_FONTS[0]!] = fonts;
  const file = `${font.packageName.slice(1).replace('/', '-')}-${font.version}.tgz`;
  return (
    `check that npm reaches its registry; or, on a machine that does, run npm pack ${specOf(font)}, copy the file here ` +
    `and run listing-video fonts add ./${file}`
  );
}

/** A source as npm takes it: `name@version`, or the path of a file. */
export function specOf(source: FontSource): string {
  return 'tarball' in source ? source.tarball : `${source.packageName}@${source.version}`;
}

function nameOf(source: FontSource): string {
  return 'tarball' in source ? source.tarball : source.packageName;
}

function lostError(path: string): Error {
  return new ListingVideoError('store_unwritable', `${path} was removed while fonts were installed`);
}
