/**
 * The checks of `doctor` that need ffmpeg: which one `create` would use, how old it is, and whether videos come out of
 * it.
 */

import type { FoundFfmpeg } from '../../media/encode/ffmpeg/find-ffmpeg.ts';
import { exists } from '../../platform/disk/folder.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { ResolvedSettings } from '../../platform/settings/resolve-settings.ts';
import { cacheFolder } from '../../wiring/open-cache.ts';
import { type CheckMachineOptions, type CheckResult, failed, passed } from './doctor-check.ts';

/**
 * The ffmpeg that `create` would use.
 *
 * @throws {@link ListingVideoError} `ffmpeg_missing`.
 */
export async function ffmpegOf(
  { ffmpeg, home }: Pick<ResolvedSettings, 'ffmpeg' | 'home'>,
  { env, signal }: CheckMachineOptions,
): Promise<FoundFfmpeg> {
  const { findFfmpeg } = await import('../../media/encode/ffmpeg/find-ffmpeg.ts');
  const { value: setting, source } = ffmpeg;
  const cacheDir = cacheFolder({ home: home.value });
  return findFfmpeg(
    {
      setting: source === 'env' ? undefined : setting,
      listingVideoFfmpeg: source === 'env' ? setting : undefined,
      ffmpegBin: env.FFMPEG_BIN,
      home: home.value,
      searchPath: env.PATH,
    },
    // Looking must not make a data folder.
    { signal, ...((await exists(cacheDir)) ? { cacheDir } : {}) },
  );
}

/** @param found - Rejects as {@link ffmpegOf}. */
export async function checkFfmpeg(found: Promise<FoundFfmpeg>): Promise<CheckResult> {
  try {
    const ffmpeg = await found;
    const refused = ffmpeg.candidates.filter(({ verdict }) => verdict !== 'usable');
    const hints = [
      ...(ffmpeg.decodesMusic ? [] : [OLD_FFMPEG]),
      ...(refused.length === 0 ? [] : [`tried before: ${formatCandidates(refused)}`]),
    ];
    return passed(formatFfmpeg(ffmpeg), hints.length === 0 ? null : hints.join('; '));
  } catch (error) {
    if (!(error instanceof ListingVideoError) || error.code !== 'ffmpeg_missing') throw error;
    const tried = formatCandidates((error.context?.candidates ?? []) as Candidate[]);
    const value = tried === '' ? 'none found' : `none can be used: ${tried}`;
    return failed(value, error.hint ?? 'install ffmpeg with libx264 and aac, or set --ffmpeg');
  }
}

/** `5.1.9 of 2025 at /usr/bin/ffmpeg, from PATH, encoders libx264 and aac`. */
export function formatFfmpeg({ version, year, path, source, encoders }: FoundFfmpeg): string {
  const age = year === null ? '' : ` of ${year}`;
  return `${version}${age} at ${path}, from ${source}, encoders ${encoders.join(' and ')}`;
}

/** About an ffmpeg before 5.1. */
export const OLD_FFMPEG =
  'older than 5.1: security fixes are missing, so slower decoders in WebAssembly read your music files, and M4A cannot be used; install ffmpeg 5.1 or newer with the package manager of your system, or run: listing-video ffmpeg install';

type Candidate = Record<'source' | 'path' | 'verdict', string>;

function formatCandidates(candidates: readonly Candidate[]): string {
  return candidates.map(({ source, path, verdict }) => `${source} ${path}: ${verdict}`).join('; ');
}

/**
 * Makes a small video as `create` would.
 *
 * @param found - Rejects as {@link ffmpegOf}. Without an ffmpeg photos and frames are still checked.
 */
export async function checkVideo(found: Promise<FoundFfmpeg>, signal: AbortSignal): Promise<CheckResult> {
  const ffmpeg = await found.catch(() => null);
  const { proveRendering } = await import('../../video/prove-rendering.ts');
  await proveRendering(ffmpeg, signal);
  if (ffmpeg !== null) return passed('decoded a photo and made a video of it');
  const value = 'decoded a photo and rendered a frame of it, but no video without ffmpeg';
  return failed(value, 'see the line of ffmpeg');
}
