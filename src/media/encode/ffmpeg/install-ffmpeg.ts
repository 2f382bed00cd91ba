/**
 * Installs the ffmpeg of ffmpeg-static into the data folder. It is downloaded aside, must make a video, and is then
 * moved into place: a run sees the old program or the new one.
 */
import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { toStoreError } from '../../../platform/disk/disk-error.ts';
import { hashFile } from '../../../platform/disk/hash-file.ts';
import { openTemporaryFolder } from '../../../platform/disk/temporary-folder.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { type FfmpegDownload, notInstalled, runDownload } from './ffmpeg-package.ts';
import { type FoundFfmpeg, findFfmpeg, installedFfmpeg } from './find-ffmpeg.ts';
import type { DownloadOptions } from './look-at-download.ts';

export interface InstalledFfmpeg {
  readonly path: string;
  readonly version: string;
  /** In which it was built; null when it does not say. */
  readonly year: number | null;
  /** Hex. */
  readonly sha256: string;
}

/**
 * @param home - The data folder, absolute.
 * @param prove - Makes a video with the program; rejects when it cannot.
 * @throws {@link ListingVideoError} `ffmpeg_not_installed`, `store_unwritable`, `disk_full`; the signal's reason. What
 *   was installed before is then unchanged.
 */
export async function installFfmpeg(
  download: FfmpegDownload,
  home: string,
  options: DownloadOptions,
  prove: (ffmpeg: FoundFfmpeg, signal: AbortSignal) => Promise<void>,
): Promise<InstalledFfmpeg> {
  const target = installedFfmpeg(home);
  const folder = dirname(target);
  const work = await openTemporaryFolder(join(folder, 'work'), null, lostError).catch((error: unknown) => {
    throw toStoreError(error, folder);
  });
  try {
    const program = await runDownload(download, work.path, options);
    const { version, year } = await findProven(program, prove, options.signal);
    const { sha256 } = await hashFile(program);
    await work.assertHeld();
    await moveIntoPlace(work.path, program, target);
    return { path: target, version, year, sha256 };
  } finally {
    await work.close();
  }
}

async function findProven(
  program: string,
  prove: (ffmpeg: FoundFfmpeg, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<FoundFfmpeg> {
  try {
    const found = await findFfmpeg({ setting: program }, { signal });
    await prove(found, signal);
    return found;
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw notInstalled(`what was downloaded cannot make a video: ${reason}`, '', error);
  }
}

/** Its license and notes come before the program, which is in use from then on. */
async function moveIntoPlace(work: string, program: string, target: string): Promise<void> {
  const folder = dirname(target);
  try {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(work)) {
      if (name.startsWith(`${basename(program)}.`)) await rename(join(work, name), join(folder, name));
    }
    await rename(program, target);
  } catch (error) {
    throw toStoreError(error, folder);
  }
}

function lostError(path: string): Error {
  return new ListingVideoError('store_unwritable', `${path} was removed while ffmpeg was installed`);
}
