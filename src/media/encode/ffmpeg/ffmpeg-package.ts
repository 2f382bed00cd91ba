/**
 * The npm package ffmpeg-static: what its install script would download, and running that script. The program and its
 * license files come from the script alone; this file only tells it where to put them.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type HttpProxy, type Proxies, proxyFor } from '../../../platform/network/proxies.ts';
import { FFMPEG_PROGRAM } from './find-ffmpeg.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface FfmpegDownload {
  readonly url: URL;
  /** `ffmpeg-static 5.3.0`. */
  readonly packageName: string;
  /** `GPL-3.0-or-later`. */
  readonly license: string;
  readonly folder: string;
}

/** The host that its script uses unless `FFMPEG_BINARIES_URL` names another. */
const DEFAULT_BASE = 'https://github.com/eugeneware/ffmpeg-static/releases/download';
const NAME = 'ffmpeg-static';
const WAYS_OUT =
  'install the ffmpeg of your system (Debian and Ubuntu: apt install ffmpeg), or name a program with --ffmpeg PATH';
/** For 80 MB at 45 kB/s. */
const TIMEOUT_MS = 30 * 60_000;

/**
 * @param env - `FFMPEG_BINARIES_URL` and `FFMPEG_BINARY_RELEASE` are those of the package.
 * @param packagesFrom - Module file from which npm packages are resolved. Default: this one.
 * @throws {@link ListingVideoError} `ffmpeg_not_installed` when the package is absent; `setting_invalid` for a variable
 *   that is no URL.
 */
export async function findDownload(
  env: Environment,
  packagesFrom = import.meta.url,
): Promise<FfmpegDownload> {
  const manifestPath = resolvePackage(packagesFrom);
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly [NAME]: { readonly 'binary-release-tag': string };
  };
  const release = env.FFMPEG_BINARY_RELEASE || manifest[NAME]['binary-release-tag'];
  const base = env.FFMPEG_BINARIES_URL || DEFAULT_BASE;
  return {
    url: toUrl(`${base}/${release}/ffmpeg-${process.platform}-${process.arch}.gz`),
    packageName: `${NAME} ${manifest.version}`,
    license: manifest.license,
    folder: dirname(manifestPath),
  };
}

export function notInstalled(reason: string, hint = '', cause?: unknown): ListingVideoError {
  return new ListingVideoError('ffmpeg_not_installed', `ffmpeg was not installed: ${reason}`, {
    hint: `${hint}${hint === '' ? '' : '; or '}${WAYS_OUT}`,
    ...(cause === undefined ? {} : { cause }),
  });
}

function resolvePackage(packagesFrom: string): string {
  try {
    return createRequire(packagesFrom).resolve(`${NAME}/package.json`);
  } catch (cause) {
    throw notInstalled(
      `the npm package ${NAME}, which downloads it, is not installed`,
      `install it beside listing-video: npm install --ignore-scripts ${NAME} (with --global for a global install)`,
      cause,
    );
  }
}

function toUrl(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  } catch {
    // Reported below.
  }
  throw new ListingVideoError(
    'setting_invalid',
    'the environment variable FFMPEG_BINARIES_URL is not an http or https URL',
    {
      hint: 'unset it, or name the folder of the releases of ffmpeg-static',
    },
  );
}

/**
 * Runs the package's install script.
 *
 * @param folder - Gets the program; the script keeps its own cache in it too.
 * @returns Path of the program. The license is beside it, in a file that ends with `.LICENSE`, if the host has one.
 * @throws {@link ListingVideoError} `ffmpeg_not_installed`; the signal's reason.
 */
export async function runDownload(
  download: FfmpegDownload,
  folder: string,
  { env, proxies, signal }: { env: Environment; proxies: Proxies | null; signal: AbortSignal },
): Promise<string> {
  const proxy = proxyFor(download.url, proxies);
  requireNoPassword(proxy, download);
  const program = join(folder, FFMPEG_PROGRAM);
  const child = execa(process.execPath, [join(download.folder, 'install.js')], {
    cwd: folder,
    extendEnv: false,
    env: childEnvironment(env, proxy, folder, program),
    stdin: 'ignore',
    reject: false,
    timeout: TIMEOUT_MS,
    cancelSignal: signal,
    forceKillAfterDelay: 1_000,
    maxBuffer: 1_000_000,
    windowsHide: true,
  });
  const result = await child;
  signal.throwIfAborted();
  if (result.exitCode === 0) return program;
  const reason = result.timedOut
    ? `not finished within ${TIMEOUT_MS / 60_000} minutes`
    : reasonIn(result.stderr);
  throw notInstalled(`the download from ${download.url.host} failed: ${reason}`);
}

function requireNoPassword(proxy: HttpProxy | null, { url, packageName }: FfmpegDownload): void {
  if (proxy === null || new URL(proxy.url).username === '') return;
  throw notInstalled(
    `${packageName} cannot send the password of the proxy ${proxy.address}`,
    `download ${shownUrl({ url })} with your browser, unpack it, and name it with --ffmpeg`,
  );
}

/** Only what it needs. Its cache would otherwise stay in the user's home. */
function childEnvironment(
  env: Environment,
  proxy: HttpProxy | null,
  folder: string,
  program: string,
): Record<string, string> {
  const kept = [
    'PATH',
    'SystemRoot',
    'LANG',
    'NODE_EXTRA_CA_CERTS',
    'FFMPEG_BINARIES_URL',
    'FFMPEG_BINARY_RELEASE',
  ];
  const variables = {
    ...Object.fromEntries(kept.map((name) => [name, env[name]])),
    ...Object.fromEntries(
      ['HOME', 'XDG_CACHE_HOME', 'LOCALAPPDATA', 'APPDATA', 'TMPDIR', 'TEMP'].map((name) => [name, folder]),
    ),
    // Without a progress bar.
    CI: '1',
    FFMPEG_BIN: program,
    HTTPS_PROXY: proxy?.address,
  };
  const given = Object.entries(variables).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return Object.fromEntries(given);
}

/** The address as people and logs see it: `FFMPEG_BINARIES_URL` can have a password. */
export function shownUrl({ url }: Pick<FfmpegDownload, 'url'>): string {
  return `${url.origin}${url.pathname}`;
}

/** The first line of an error that the script prints, without its stack and without passwords of URLs. */
function reasonIn(stderr: string): string {
  const line = stderr.split('\n').find((text) => /\S/.test(text)) ?? 'it printed nothing';
  return line
    .replace(/^\w*Error: /, '')
    .replace(/:\/\/[^\s/?#]*@/g, '://')
    .trim()
    .slice(0, 300);
}
