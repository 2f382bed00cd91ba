/** The asset stage of a task: which pictures a listing and its agents name, and whether enough of them are usable. */
import type { DroppedAsset, Graphic, Photo } from '../../assets/photo.ts';
import { type PreparedAssets, prepareAssets } from '../../assets/prepare-assets.ts';
import { ListingVideoError } from '../../errors.ts';
import { createTemplateCache } from '../../template/template-cache.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskPayload } from '../video-task.ts';
import { toAgentOptions } from './agent-options.ts';
import { imageLayers } from './image-layers.ts';

/**
 * @param workDir - Gets the pictures' pixels; they are good until it is removed.
 * @throws As `prepareAssets`; {@link ListingVideoError} `template_not_found` for an unknown template. Too few usable assets are no error here: see {@link requireEnoughAssets}.
 */
export async function gatherAssets(
  payload: VideoTaskPayload,
  deps: RenderDeps,
  workDir: string,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<PreparedAssets> {
  const { listing, options, baseDir } = payload;
  const templates = createTemplateCache(deps);
  const images = new Set<string>();
  for (const agent of listing.agents) {
    const { templateId, templateData } = toAgentOptions(agent, options);
    const template = await templates.get(templateId, agent.id);
    for (const url of imageLayers(template, templateData).values()) images.add(url);
  }
  return prepareAssets({
    assets: listing.assets.map(({ url }) => ({ url })),
    pictures: listing.agents.flatMap(({ picture }) => (picture ? [{ url: picture }] : [])),
    logos: [...images].map((url) => ({ url })),
    baseDir,
    policy: deps.addressPolicy,
    cacheDir: deps.cacheDir,
    workDir,
    concurrency: deps.concurrency,
    ...(deps.decodeSlots ? { limitDecode: (work) => deps.decodeSlots!.run(work, signal) } : {}),
    signal,
    onProgress,
  });
}

/** @throws {@link ListingVideoError} `no_usable_assets`, with how many were dropped and how many are wanted. */
export function requireEnoughAssets(assets: PreparedAssets, given: number, minAssets: number): void {
  const usable = assets.photos.length;
  if (usable === 0) {
    throw new ListingVideoError('no_usable_assets', `no usable assets: ${given} of ${given} dropped`, {
      hint: 'Each dropped asset is listed with its reason; mend or replace them and run again.',
    });
  }
  if (usable < minAssets) {
    throw new ListingVideoError(
      'no_usable_assets',
      `too few usable assets: ${usable} of ${given}, at least ${minAssets} wanted`,
      { hint: 'Mend or replace the dropped assets, or lower --min-assets.' },
    );
  }
}

/** Photos and portraits by digest, as the renderer looks them up. */
export function photosByDigest({
  photos,
  pictures,
}: {
  readonly photos: readonly Photo[];
  readonly pictures: ReadonlyMap<string, Photo>;
}): Map<string, Photo> {
  return new Map([...photos, ...pictures.values()].map((photo) => [photo.digest, photo]));
}

export function graphicsByDigest(assets: PreparedAssets): Map<string, Graphic> {
  return new Map([...assets.logos.values()].map((graphic) => [graphic.digest, graphic]));
}

/** The same failure, telling besides which assets were dropped: a client must see them also when a task fails. */
export function withDroppedAssets(error: unknown, dropped: readonly DroppedAsset[]): unknown {
  if (!(error instanceof ListingVideoError) || dropped.length === 0) return error;
  const { code, message, hint, cause, context } = error;
  return new ListingVideoError(code, message, {
    cause,
    hint,
    context: { ...context, dropped_assets: dropped },
  });
}
