/** The asset stage of a task: photos, portraits and images of a listing, and whether enough photos are usable. */

import type { DroppedAsset, Graphic, ListingPhoto, Photo } from '../../design/photo.ts';
import type { KnownImage } from '../../media/assets/known-image.ts';
import { type PreparedAssets, prepareAssets } from '../../media/assets/prepare-assets.ts';
import { pathToRead } from '../../platform/disk/allowed-folders.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { toNamedPhotos } from './copied-photos.ts';
import { imageLayers, type RequestedVideo } from './requested-videos.ts';

export interface GatherOptions {
  /** Gets the decoded pixels; they are good until it is removed. */
  readonly workDir: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  /** The images as another worker found them. */
  readonly known?: readonly KnownImage[] | undefined;
}

/**
 * @param videos - Their templates and data name the images. Their captions can tell copies of a photo apart.
 * @throws As `prepareAssets`. Too few usable assets are no error here: see {@link requireEnoughAssets}.
 */
export function gatherAssets(
  {
    listing,
    baseDir,
    uploads,
    options: task,
  }: Pick<VideoTaskPayload, 'listing' | 'baseDir' | 'uploads' | 'options'>,
  videos: readonly RequestedVideo[],
  deps: RenderDeps,
  options: GatherOptions,
): Promise<PreparedAssets> {
  const { decodeSlots, addressPolicy, proxies, assetLimits, cache, concurrency, uploadFile, folders } = deps;
  const images = new Set(
    videos.flatMap(({ template, options: { templateData } }) => [
      ...imageLayers(template, templateData).values(),
    ]),
  );
  // The data of the command line comes from the user.
  const trusted = new Set(Object.values(task.templateData ?? {}));
  return prepareAssets({
    ...options,
    assets: toNamedPhotos(listing.assets, videos),
    pictures: listing.agents.flatMap(({ picture }) => (picture ? [{ url: picture }] : [])),
    logos: [...images].map((url) => ({ url })),
    baseDir,
    ...(uploads === undefined || uploadFile === undefined
      ? {}
      : {
          storedFile: (url, to, signal) =>
            Object.hasOwn(uploads, url) ? uploadFile(uploads[url]!, to, signal) : null,
        }),
    pathToRead: (file, url) =>
      pathToRead(file, task.untrusted === true && !trusted.has(url) ? baseDir : null, folders),
    ...(assetLimits !== undefined && task.untrusted !== true ? { limits: assetLimits } : {}),
    policy: task.untrusted === true ? { ...addressPolicy, allowPrivate: false } : addressPolicy,
    // The address guard cannot see behind a proxy.
    proxies: task.untrusted === true && proxies?.isChosen !== true ? null : (proxies ?? null),
    cache,
    concurrency,
    ...(decodeSlots ? { limitDecode: (work) => decodeSlots.run(work, options.signal) } : {}),
  });
}

/**
 * @param given - Assets of the listing.
 * @throws {@link ListingVideoError} `no_usable_assets`, with the numbers of usable and required assets.
 */
export function requireEnoughAssets(
  assets: { readonly photos: { readonly length: number } },
  given: number,
  minAssets: number,
): void {
  const usable = assets.photos.length;
  const context = { usable, given, required: minAssets };
  if (usable === 0) {
    throw new ListingVideoError('no_usable_assets', `no usable assets: ${given} of ${given} dropped`, {
      context,
      hint: 'fix or replace the dropped photos and run the command again',
    });
  }
  if (usable < minAssets) {
    // The API shows this message as `failure_message`, so its words are a promise.
    throw new ListingVideoError(
      'no_usable_assets',
      `too few usable assets: ${usable} of ${given}, at least ${minAssets} wanted`,
      { context, hint: 'fix or replace the dropped photos, or lower --min-assets' },
    );
  }
}

/** Photos, their originals and portraits by digest, as the renderer looks them up. */
export function photosByDigest({
  photos,
  pictures,
}: Pick<PreparedAssets, 'pictures'> & { readonly photos: readonly ListingPhoto[] }) {
  const all = [...photos.flatMap(withOriginal), ...pictures.values()];
  return new Map<string, Photo>(all.map((photo) => [photo.digest, photo]));
}

function withOriginal(photo: ListingPhoto): Photo[] {
  return photo.original === undefined ? [photo] : [photo, photo.original];
}

/** Logos and other images by digest, as the renderer looks them up. */
export function graphicsByDigest({ logos }: Pick<PreparedAssets, 'logos'>): Map<string, Graphic> {
  return new Map([...logos.values()].map((graphic) => [graphic.digest, graphic]));
}

/** The same failure with the dropped assets in its context: clients see them also when a task fails. */
export function withDroppedAssets(error: unknown, dropped: readonly DroppedAsset[]): unknown {
  if (!(error instanceof ListingVideoError) || dropped.length === 0) return error;
  const { code, message, hint, cause, context } = error;
  return new ListingVideoError(code, message, {
    cause,
    hint,
    context: { ...context, dropped_assets: dropped },
  });
}
