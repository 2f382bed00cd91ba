/** The dependencies of rendering in this process: cache, ffmpeg, clock and address policy. */

import type { FoundFfmpeg } from '../media/encode/ffmpeg/find-ffmpeg.ts';
import type { AllowedFolders } from '../platform/disk/allowed-folders.ts';
import { exists } from '../platform/disk/folder.ts';
import type { Proxies } from '../platform/network/proxies.ts';
import { packageVersion } from '../platform/program-files.ts';
import { processEnvironment } from '../platform/settings/process-environment.ts';
import type { Settings } from '../platform/settings/setting-table.ts';
import { templatesDirsOf } from '../platform/settings/setting-table.ts';
import type { RenderDeps } from '../video/render-deps.ts';
import type { Backend } from './backend.ts';
import { cacheFolder, openCache } from './open-cache.ts';

/**
 * Starts and reads nothing until a task needs it.
 *
 * @param proxies - For photos.
 * @param folders - The only ones with files of tasks; absent: every folder.
 * @param onHeldExcess - See `openCache`.
 */
export function openRenderDeps(
  settings: Settings,
  {
    proxies,
    folders,
    onHeldExcess,
  }: {
    proxies: Proxies | null;
    folders?: AllowedFolders | undefined;
    onHeldExcess?: (heldBytes: number) => void;
  },
): RenderDeps {
  const cacheDir = cacheFolder(settings);
  let found: Promise<FoundFfmpeg> | undefined;
  const look = () => {
    found ??= lookForFfmpeg(settings, cacheDir).catch((error: unknown) => {
      // Not kept: ffmpeg can be installed while a server runs.
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    home: settings.home,
    cache: openCache(settings, onHeldExcess),
    concurrency: settings.concurrency,
    renderThreads: toRenderThreads(settings.concurrency),
    ...(folders && { folders }),
    // On a user's own machine private addresses are allowed, but not to who may use some folders only. A server is stricter.
    addressPolicy: {
      allowPrivate: folders === undefined,
      allowFrom: settings.allowAssetsFrom,
      denyFrom: settings.denyAssetsFrom,
    },
    proxies,
    // A slow line of the user takes nothing from other tasks, so all photos get the time that they need.
    assetLimits: { listingTimeoutMs: Number.POSITIVE_INFINITY },
    templatesDirs: templatesDirsOf(settings),
    findFfmpeg: async () => {
      const first = await look();
      // It can be removed or moved while a server runs.
      if (await exists(first.path)) return first;
      found = undefined;
      return look();
    },
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    generator: generatorName(),
  };
}

async function lookForFfmpeg(settings: Settings, cacheDir: string): Promise<FoundFfmpeg> {
  const { findFfmpeg } = await import('../media/encode/ffmpeg/find-ffmpeg.ts');
  const env = processEnvironment();
  const places = {
    setting: settings.ffmpeg,
    ffmpegBin: env.FFMPEG_BIN,
    searchPath: env.PATH,
    home: settings.home,
  };
  return findFfmpeg(places, { cacheDir });
}

/** x264 keeps most of the CPUs busy: on two CPUs one thread makes frames faster than x264 encodes them. */
function toRenderThreads(concurrency: number): number {
  return Math.max(1, Math.min(4, Math.floor(concurrency / 2)));
}

/**
 * The work of `templates preview` and `templates validate`, which this machine does in both backends.
 *
 * @param open - Called once per command.
 */
export function templateTools(open: () => RenderDeps): Pick<Backend, 'preview' | 'lint'> {
  return {
    preview: async (request, options) => {
      const { previewTemplate } = await import('../video/templates/preview-template.ts');
      return previewTemplate(request, open(), options);
    },
    lint: async (request, options) => {
      const { lintTemplate } = await import('../video/templates/lint-template.ts');
      return lintTemplate(request, open(), options);
    },
  };
}

/** `listing-video 1.2.3`, as named in reports. */
export function generatorName(): string {
  return `listing-video ${packageVersion()}`;
}
