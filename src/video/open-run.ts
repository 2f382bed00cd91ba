/**
 * The opening of every run: work folder, options and templates, assets, plans, each made once. `create`, `--dry-run`,
 * `templates preview` and `templates validate` all start here.
 */

import type { Graphic, Photo } from '../design/photo.ts';
import type { TemplateCache } from '../design/template/load-template.ts';
import { addedFontsFingerprint, fontsFingerprint } from '../design/text/fonts/bundled-fonts.ts';
import { addedFontsFolder, useAddedFonts } from '../design/text/fonts/font-folders.ts';
import type { KnownImage } from '../media/assets/known-image.ts';
import type { PreparedAssets } from '../media/assets/prepare-assets.ts';
import { encoderFingerprint } from '../media/encode/encode-settings.ts';
import type { FoundFfmpeg } from '../media/encode/ffmpeg/find-ffmpeg.ts';
import { RENDERER_VERSION } from '../media/render/renderer-version.ts';
import type { DiskCache } from '../platform/disk/cache/disk-cache.ts';
import { freshCache } from '../platform/disk/cache/fresh-cache.ts';
import type { AttemptId } from '../platform/disk/owned-folder.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { reportLiveness } from '../platform/liveness.ts';
import { BUILD_ID } from '../platform/program-files.ts';
import { retryWithRoom } from './make/retry-with-room.ts';
import type { NamedVideo } from './plan/choose-names.ts';
import { gatherAssets, graphicsByDigest, photosByDigest, requireEnoughAssets } from './plan/gather-assets.ts';
import { createBeatFinder } from './plan/music/music-beats.ts';
import type { Fingerprint } from './plan/plan-video.ts';
import { type PlannedVideo, planVideos } from './plan/plan-videos.ts';
import { agentVideos, type RequestedVideo } from './plan/requested-videos.ts';
import type { RenderDeps } from './render-deps.ts';
import { openTemplates } from './templates/template-fonts.ts';
import type { Quality, VideoTaskPayload } from './video-task.ts';
import { openWorkFolder } from './work-folder.ts';

export type RunRequest = Pick<VideoTaskPayload, 'listing' | 'options' | 'baseDir' | 'nameSecret' | 'uploads'>;

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called as assets are fetched and decoded. */
  readonly onAssets: (done: number, total: number) => void;
  /** Shared by several runs, so that each template is read once; by default of this run alone. */
  readonly templates?: TemplateCache;
  readonly known?: readonly KnownImage[] | undefined;
  /** The attempt that this run is; absent for work that is no task. */
  readonly attempt?: AttemptId;
}

export interface PlanOptions {
  /** By default of the renderer, the fonts and the encoder of this machine. */
  readonly fingerprint?: Fingerprint;
  /** What the folder of the listing has, the latest first; by default nothing. */
  readonly earlier?: readonly NamedVideo[];
}

export interface Run {
  /** For files that are needed only during the run; removed by {@link Run.close}. */
  readonly workDir: string;
  /** Aborted with the caller's signal, or when another process has removed the work folder. */
  readonly signal: AbortSignal;
  /** @throws {@link ListingVideoError} `store_unwritable` when another process has removed the work folder. */
  assertHeld(): Promise<void>;
  /** In the listing's order. */
  readonly agentVideos: readonly RequestedVideo[];
  readonly assets: PreparedAssets;
  /** Photos and portraits by digest. */
  readonly photos: ReadonlyMap<string, Photo>;
  /** Logos and other images by digest. */
  readonly graphics: ReadonlyMap<string, Graphic>;
  /** @throws {@link ListingVideoError} `no_usable_assets` for fewer usable photos than the options require. */
  requireEnoughAssets(): void;
  /**
   * Plans all videos, when enough assets are usable.
   *
   * @throws {@link ListingVideoError} `no_usable_assets`, `music_unusable`, `template_invalid`; `ffmpeg_missing`
   *   without `fingerprint`.
   */
  plan(options?: PlanOptions): Promise<PlannedVideo[]>;
  /**
   * Checks the pixels of photos and graphics that come from the cache, once, and makes damaged ones again. The render
   * pool calls it before its first frame: a listing that has not changed reads none.
   *
   * @throws {@link ListingVideoError} `render_failed` when a damaged one cannot be made again; as {@link openRun}.
   */
  requirePixels(): Promise<void>;
  /** Removes the work folder, and what no longer fits into the cache. Always call it. */
  close(): Promise<void>;
}

/**
 * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `store_unwritable`, `disk_full`; the
 *   signal's reason. Nothing is left open then.
 */
export async function openRun(
  request: RunRequest,
  deps: RenderDeps,
  { signal: callerSignal, onAssets, templates = openTemplates(deps), known, attempt }: RunOptions,
): Promise<Run> {
  const { listing, options } = request;
  useAddedFonts(addedFontsFolder(deps.home));
  const work = await openWorkFolder(deps.home, attempt ?? null);
  const signal = AbortSignal.any([callerSignal, work.lost]);
  let checking: Promise<void> | undefined;
  const close = async () => {
    await checking?.catch(() => undefined);
    await work.close();
    // What this run held can be removed now.
    await deps.cache.trim();
  };
  try {
    const videos = await agentVideos(request, templates);
    const gather = (cache: DiskCache, onProgress: RunOptions['onAssets']) =>
      retryWithRoom(cache, () =>
        gatherAssets(request, videos, { ...deps, cache }, { workDir: work.path, signal, onProgress, known }),
      );
    const assets = await gather(deps.cache, onAssets);
    const checkPixels = async (): Promise<void> => {
      if (await assets.areMastersIntact()) return;
      requireSameImages(assets, await gather(freshCache(deps.cache), reportLiveness));
    };
    const requirePixels = () => {
      checking ??= checkPixels();
      return checking;
    };
    const requireEnough = () => requireEnoughAssets(assets, listing.assets.length, options.minAssets);
    return {
      workDir: work.path,
      signal,
      assertHeld: () => work.assertHeld(),
      agentVideos: videos,
      assets,
      photos: photosByDigest(assets),
      graphics: graphicsByDigest(assets),
      requireEnoughAssets: requireEnough,
      requirePixels,
      async plan({ fingerprint, earlier } = {}) {
        requireEnough();
        const { templatesDirs, folders } = deps;
        return planVideos({
          ...request,
          assets,
          templates,
          templatesDirs,
          folders,
          requirePixels,
          agentVideos: videos,
          earlier,
          findBeats: createBeatFinder({ ...deps, workDir: work.path, signal }),
          storyboards:
            BUILD_ID === null
              ? null
              : {
                  cache: deps.cache,
                  fingerprint: [BUILD_ID, fontsFingerprint(), addedFontsFingerprint()].join(' '),
                },
          signal,
          fingerprint: fingerprint ?? toFingerprint(await deps.findFfmpeg(), options.quality),
        });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {@link ListingVideoError} `render_failed` when an image that came from the cache could not be made again. */
function requireSameImages(before: PreparedAssets, after: PreparedAssets): void {
  // Copies of a photo are made too, before they are left out.
  const made = new Set(after.known.flatMap((image) => ('digest' in image ? [image.digest] : [])));
  const lost = [...photosByDigest(before).values(), ...graphicsByDigest(before).values()].find(
    ({ digest }) => !made.has(digest),
  );
  if (lost === undefined) return;
  const reason = after.dropped.find(({ url }) => url === lost.url)?.reason ?? 'it has changed meanwhile';
  throw new ListingVideoError(
    'render_failed',
    `the cached copy of ${lost.url} is damaged, and the file cannot be read again: ${reason}`,
    { hint: 'run the command again', context: { url: lost.url } },
  );
}

/** The versions and encoder settings that the bits of a segment depend on. */
function toFingerprint(ffmpeg: FoundFfmpeg, quality: Quality): Fingerprint {
  // Only these three fields: callers pass a whole storyboard, whose other fields must not change the key.
  return ({ widthPx, heightPx, fps }) => {
    const encoder = encoderFingerprint(ffmpeg.version, { widthPx, heightPx, fps, quality });
    return [RENDERER_VERSION, fontsFingerprint(), encoder].join(' ');
  };
}
