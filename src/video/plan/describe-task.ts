/** What a task would make, without rendering: the document of `create --dry-run`. */

import type { DroppedAsset } from '../../assets/photo.ts';
import type { PreparedAssets } from '../../assets/prepare-assets.ts';
import type { DiskCache } from '../../encode/disk-cache.ts';
import { segmentFileName } from '../../encode/segment-cutter.ts';
import type { AspectRatio } from '../../listing/listing.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import { toFingerprint } from '../make-videos.ts';
import type { ReportScene } from '../publish/report.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { VideoTaskPayload, WorkOptions } from '../video-task.ts';
import { openWorkFolder } from '../work-folder.ts';
import { gatherAssets, requireEnoughAssets, withDroppedAssets } from './gather-assets.ts';
import { describePlan, type PlannedVideo, planVideos } from './plan-videos.ts';

/** What is told of every film. */
export interface PlannedEntry {
  readonly templateId: string;
  readonly ratio: AspectRatio;
  readonly frames: number;
  readonly durationSec: number;
  /** `none`, a soundtrack's name, or a music file's without its folder. Whether a file can be decoded is not tried. */
  readonly music: string;
  /** Of its segments; those shared with an earlier video of the same run count as reused. */
  readonly segments: { readonly toRender: number; readonly reused: number };
  readonly scenes: readonly Omit<ReportScene, 'still'>[];
  readonly warnings: readonly string[];
}

/** An agent's film. */
export interface VideoDescription extends PlannedEntry {
  readonly agent_id: string;
  readonly agent_name: string;
}

export interface TaskDescription {
  readonly listing: { readonly id: string; readonly file: string | null; readonly address: string | null };
  readonly videos: readonly VideoDescription[];
  /** Films without branding, one for each ratio; absent when none were asked for. */
  readonly unbranded?: readonly PlannedEntry[];
  readonly assets: { readonly given: number; readonly used: number };
  readonly dropped_assets: readonly DroppedAsset[];
  /** One credit is one agent's video. */
  readonly cost: { readonly credits: number; readonly framesToRender: number };
}

/**
 * Fetches and checks the assets and plans every video; writes nothing but the cache.
 *
 * @throws {@link ListingVideoError} `no_usable_assets`, `template_not_found`, `ffmpeg_missing`; the signal's reason.
 */
export async function describeTask(
  payload: VideoTaskPayload,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TaskDescription> {
  const { listing, options, baseDir } = payload;
  const work = await openWorkFolder(deps.home);
  try {
    const assets = await gatherAssets(payload, deps, work.path, signal, (done, total) =>
      onProgress({ percent: (100 * done) / total, stage: 'assets', etaSeconds: null }),
    );
    try {
      requireEnoughAssets(assets, listing.assets.length, options.minAssets);
      const fingerprint = toFingerprint(await deps.findFfmpeg(), options.quality);
      const { templatesDirs } = deps;
      const plans = await planVideos({
        ...{ listing, options, assets, baseDir },
        ...{ templatesDirs, signal, fingerprint },
      });
      const counted = new Set<string>();
      const videos: VideoDescription[] = [];
      const unbranded: PlannedEntry[] = [];
      let framesToRender = 0;
      for (const plan of plans) {
        const missing = await findMissing(plan, options.force ? null : deps.cache, counted, work.path);
        framesToRender += missing.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
        const film = describeFilm(plan, assets, missing.length);
        if (plan.agent === null) unbranded.push(film);
        else videos.push({ agent_id: plan.agent.id, agent_name: plan.agent.name, ...film });
      }
      return {
        listing: {
          id: listing.id,
          file: payload.listingFile,
          address: listing.address ? addressWords(listing.address).full : null,
        },
        videos,
        ...(options.alsoUnbranded === true ? { unbranded } : {}),
        assets: { given: listing.assets.length, used: assets.photos.length },
        dropped_assets: assets.dropped,
        cost: { credits: videos.length, framesToRender },
      };
    } catch (error) {
      throw withDroppedAssets(error, assets.dropped);
    }
  } finally {
    await work.close();
  }
}

function describeFilm(plan: PlannedVideo, assets: PreparedAssets, toRender: number): PlannedEntry {
  const { options, timeline, music, notes } = plan;
  return {
    templateId: options.templateId,
    ratio: options.ratio,
    frames: timeline.totalFrames,
    durationSec: timeline.totalFrames / timeline.storyboard.fps,
    music: music.name,
    segments: { toRender, reused: timeline.segments.length - toRender },
    scenes: describePlan(plan, assets),
    warnings: [...notes, ...timeline.storyboard.warnings, ...music.warnings],
  };
}

/** Segments that are neither in the cache nor needed by an earlier video of this run. */
async function findMissing(
  { timeline }: PlannedVideo,
  cache: DiskCache | null,
  counted: Set<string>,
  workDir: string,
) {
  const missing = [];
  for (const segment of timeline.segments) {
    if (counted.has(segment.key)) continue;
    counted.add(segment.key);
    if (!(await cache?.pin('segments', segmentFileName(segment.key), workDir))) missing.push(segment);
  }
  return missing;
}
